// valid
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@group(0) @binding(1) var<storage, read_write> u: array<u32>;
@group(0) @binding(2) var<storage, read_write> v: array<vec3f>;

@compute @workgroup_size(1)
fn main() {
    let x = f[0];
    f[1] = sin(x) + pow(x, 2) + fma(x, x, x) + clamp(x, 0, 1) + mix(x, 1, 0.5);
    v[1] = mix(v[0], v[2], x) + normalize(cross(v[0], v[2]));
    f[2] = dot(v[0], v[1]) + length(v[0]) + distance(v[0], v[2]) + length(x);
    let parts = frexp(x);
    f[3] = parts.fract * f32(parts.exp);
    let split = modf(v[0]);
    v[2] = split.whole - split.fract;
    f[4] = ldexp(x, 3);
    u[0] = countOneBits(u[1]) + extractBits(u[2], 4, 8) + insertBits(u[3], u[4], 0, 16);
    u[5] = abs(u[6]) + max(u[7], 3) + pack4x8unorm(vec4(x));
    v[3] = unpack4x8snorm(u[8]).xyz;
    u[9] = dot4U8Packed(u[0], u[1]) + u32(firstLeadingBit(bitcast<i32>(u[2])));
}
