// valid
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@group(0) @binding(1) var<storage, read_write> i: array<i32>;
@group(0) @binding(2) var<storage, read_write> u: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let a = f[0];
    let b = f[1];
    f[2] = a + b - a * b / a % b;
    f[3] = -a;
    let c = i[0];
    let d = i[1];
    i[2] = c + d - c * d / c % d;
    i[3] = (c & d) | (c ^ ~d);
    i[4] = c << 3u;
    i[5] = c >> u[0];
    i[6] = -c;
    let e = u[1];
    u[2] = e / 3u + e % 7u;
    u[3] = e >> 1u;
    u[4] = select(0u, 1u, (a < b && c <= d) || e > 2u);
    u[5] = u32(a != b) + u32(c == d) + u32(e >= 4u);
}
