// error: invalid-identifier syntax
fn f() {
    let __a = 1;
    let _ = 2;
    let _ok = 3;
}
