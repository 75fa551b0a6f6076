// error: binding-conflict
@group(0) @binding(0) var<uniform> a: f32;
@group(0) @binding(0) var<storage> b: array<f32>;
fn use_b() -> f32 { return b[0]; }
@compute @workgroup_size(1) fn main() { _ = a + use_b(); }
