// error: must-use must-use
@must_use fn f() -> i32 { return 1; }
fn g() { f(); min(1, 2); }
