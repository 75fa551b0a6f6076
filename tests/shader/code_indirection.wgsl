// error: indirection indirection indirection indirection
fn f(x: f32) {
    var y = 1;
    let a = *x;
    let b = *y;
    *y = 2;
    let c = *3;
}
