// error: no-result no-result no-result no-result no-result no-result
fn g() { }
fn f() {
    let a = g();
    _ = g();
    let b = 1 + g();
    if g() { }
    _ = workgroupBarrier();
    _ = abs(storageBarrier());
}
