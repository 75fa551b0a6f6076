// error: address-space address-space
var<function> a: f32;
fn f() { var<private> b: f32; }
