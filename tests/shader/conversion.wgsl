// valid
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@group(0) @binding(1) var<storage, read_write> i: array<i32>;
@group(0) @binding(2) var<storage, read_write> u: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let b = f[0] > 0;
    f[1] = f32(i[0]) + f32(u[0]) + f32(b);
    i[1] = i32(f[0]) + i32(u[0]) + i32(b);
    u[1] = u32(f[0]) + u32(i[0]) + u32(b);
    i[2] = select(0, 1, bool(f[0]) && bool(i[0]) && bool(u[0]));
    u[2] = bitcast<u32>(f[0]);
    f[2] = bitcast<f32>(i[0]);
    let v = vec3<i32>(vec3<f32>(f[0], 1, 2));
    i[3] = v.z;
    i[4] = i32(i[5]);
}
