// valid
fn a() -> i32 {
    return 1;
    let x = 2;
    return x;
}
fn b() {
    loop { break; _ = 1; }
}
