// error: extension-not-enabled extension-not-enabled extension-not-enabled extension-not-enabled extension-not-enabled extension-not-enabled
struct S { a: f16 }
fn f(x: f32) -> f32 {
    let h = 1h;
    let v = vec3h();
    return subgroupAdd(x) + quadBroadcast(x, 0);
}
@fragment fn v(@builtin(primitive_index) i: u32) { }
struct O { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }
struct C { @builtin(position) p: vec4f, @builtin(clip_distances) d: array<f32, 2> }
@vertex fn u() -> C { return C(); }
@compute @workgroup_size(32) fn w(@builtin(subgroup_size) n: u32) { }
@compute @workgroup_size(32) @subgroup_size(32) fn c() { }
