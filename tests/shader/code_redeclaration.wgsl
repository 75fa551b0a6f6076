// error: redeclaration redeclaration redeclaration redeclaration redeclaration redeclaration
const a = 1;
fn a() { }
struct S { x: f32, x: i32 }
fn f(p: f32, p: f32) {
    let q = 1;
    var q = 2;
}
fn g(x: f32) { let x = 1; }
alias S = f32;
