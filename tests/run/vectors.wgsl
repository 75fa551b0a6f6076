// Swizzles, components by index, vector and scalar mixed, comparisons, select, all and any, dot, cross.
//! bind 0.0 read f32 1 2 3 4
//! bind 0.1 storage zeros 20
//! expect 0.1 f32 4 3 2 1
//! expect 0.1 f32 3 6 9 12
//! expect 0.1 f32 30 3 1 0
//! expect 0.1 f32 1 20 3 40
//! expect 0.1 f32 0 0 1 2
@group(0) @binding(0) var<storage, read> input: vec4f;
@group(0) @binding(1) var<storage, read_write> output: array<vec4f, 5>;
@compute @workgroup_size(1)
fn main(@builtin(local_invocation_index) zero: u32) {
    let v = input;
    output[0] = v.wzyx;
    output[1] = v * 3.0;
    output[2] = vec4f(dot(v, v), v[zero + 2u], f32(any(v > vec4f(3.5))), f32(all(v > vec4f(3.5))));
    output[3] = select(v, v * 10.0, vec4<bool>(false, true, false, true));
    var w = cross(vec3f(1, 0, 0), vec3f(0, v.x, 0));
    output[4] = vec4f(w, 0.0);
    output[4].w = v.y;
}
