// error: missing-return return-type return-type
fn f(x: i32) -> i32 {
    if x > 0 { return 1; }
}
fn g() { return 1; }
fn h() -> i32 { return; }
