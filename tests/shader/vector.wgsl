// valid
@group(0) @binding(0) var<storage, read_write> v: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4<u32>>;

@compute @workgroup_size(1)
fn main(@builtin(local_invocation_index) index: u32) {
    let a = v[0];
    v[1] = a.wzyx * 2 + vec4(a.xy, vec2(1, 2));
    v[2] = vec4(a[index]);
    v[3] = vec4(vec3(a.x), a.y);
    v[index].z = a.b;
    v[index][index] = a.r;
    let c = a < v[1];
    b[0] = vec4<u32>(c);
    b[1] = select(b[2], b[3] + 1u, c);
    b[2] = vec4<u32>(v[4]) << vec4(1u);
    b[3].x = u32(all(c)) + u32(any(!c));
}
