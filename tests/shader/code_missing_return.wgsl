// error: missing-return missing-return missing-return
fn a(i: i32) -> i32 {
    if i > 0 { return 1; }
}
fn b() -> f32 { }
fn c(i: i32) -> i32 {
    switch i { case 0: { return 1; } default: { } }
}
