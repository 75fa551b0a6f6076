// error: not-assignable not-assignable not-assignable not-assignable
@group(0) @binding(0) var<uniform> u: vec4f;
@group(0) @binding(1) var<storage> s: array<f32>;
@compute @workgroup_size(1)
fn main() {
    let a = 1;
    a = 2;
    u.x = 1;
    s[0] = 2;
    const c = 3;
    c += 1;
}
