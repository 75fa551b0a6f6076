// error: return-type return-type return-type type-mismatch
fn a() -> i32 { return; }
fn b() { return 1; }
@compute @workgroup_size(1) fn c() { return 2.0; }
fn d() -> f32 { return 1u; }
