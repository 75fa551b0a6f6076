// error: type-mismatch
var<workgroup> w: f32;
fn takes(p: ptr<private, f32>) { *p = 1; }
fn f() { takes(&w); }
