// error: not-override-expression not-override-expression not-override-expression not-override-expression
var<private> g: u32;
fn size() -> u32 { return 4; }
override a = g;
override b = size();
@compute @workgroup_size(g) fn main() { }
var<workgroup> w: array<f32, g>;
