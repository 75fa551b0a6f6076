// error: not-callable not-callable not-callable
const n = 4;
fn f(x: f32) {
    let a = n(2);
    let b = x(1);
    let c = storage();
}
