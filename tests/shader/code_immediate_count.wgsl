// error: immediate-count
var<immediate> a: f32;
var<immediate> b: f32;
fn use_b() -> f32 { return b; }
@compute @workgroup_size(1) fn main() { _ = a + use_b(); }
