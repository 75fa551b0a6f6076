// error: override-sized-array override-sized-array override-sized-array override-sized-array function-type override-sized-array override-sized-array
override n = 4;
struct S { a: array<f32, n> }
var<private> a: array<f32, n>;
@group(0) @binding(0) var<storage> b: array<f32, n>;
var<workgroup> c: array<array<f32, n>, 4>;
fn f(x: array<f32, n>) { var y: array<f32, n>; }
fn g(p: ptr<function, array<f32, n>>) { }
