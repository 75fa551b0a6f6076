// error: stage-restriction
var<workgroup> w: i32;
fn deep() -> i32 { return w; }
fn middle() -> i32 { return deep(); }
@fragment
fn main() -> @location(0) vec4f { return vec4f(f32(middle())); }
