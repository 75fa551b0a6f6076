// error: argument-count argument-count argument-count argument-count argument-count argument-count argument-count
struct S { a: f32, b: f32 }
fn g(x: f32, y: f32) -> f32 { return x + y; }
fn h() { }
fn f() {
    let a = g(1);
    let b = g(1, 2, 3);
    h(1);
    let c = S(1);
    let d = S(1, 2, 3);
    let e = array<f32, 3>(1, 2);
    let i = array<f32, 2>(1, 2, 3);
}
