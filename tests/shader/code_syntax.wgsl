// error: syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax reserved-word syntax reserved-word syntax syntax syntax syntax syntax syntax syntax syntax reserved-word syntax syntax reserved-word syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax syntax
fn a( { }
fn b() -> { }
fn c() { let x 1; }
fn d() { let x = ; }
fn e() { if (true { } }
fn f() { var x = 1 }
fn g() {
    var x = 1
    x = 2;
}
struct S { a: f32; b: f32 }
struct T { a f32 }
fn h() { let v = vec3f(1, 2; }
fn i() { for (var i = 0; i < 3, i++) { } }
fn j() { else { } }
fn k() { return 1 + ; }
fn l() { var x: = 1; }
var<storage read_write> m: f32;
fn n() { var i = 1; i = i = 1; }
fn o() { switch 1 { case 1 { } default { } } }
fn p() { switch 1 { case default, default: { } } }
let q = 1;
import foo;
fn r() { int x = 1; }
fn s() { do { } while (true); }
fn t(x: bool) { if x { } elif x { } }
}
fn u() { 1 + 2; }
fn v(a: array<f32, 4>) { _ = a[0; }
@ fn w() { }
struct X { a: f32 b: f32 }
fn y(a: f32 b: f32) { }
static z = 1;
fn aa() { while { } }
fn ab(a: f32) { a.1; }
fn ac() { goto x; }
enable ;
fn ad() { var x = 1; x += ; }
fn ae(x: f32) { +x; }
fn af() { var x = 1; x++ + 1; }
fn ag(x: bool) { var y = 0; if (x) y = 1; }
fn ah() { loop { continuing { break if true; } return; } }
fn ai() { _ = max(1,,2); }
const aj: array<f32, = 1;
fn ak() { let fn = 1; let _ = 2; ++x; }
fn al() {
