// error: runtime-sized-array runtime-sized-array runtime-sized-array runtime-sized-array runtime-sized-array runtime-sized-array runtime-sized-array runtime-sized-array
struct S { a: array<f32>, b: f32 }
struct T { a: f32, b: array<f32> }
struct U { t: T }
var<private> a: array<f32>;
var<workgroup> b: T;
@group(0) @binding(0) var<uniform> c: T;
@group(0) @binding(1) var<storage> d: array<array<f32>, 4>;
@group(0) @binding(2) var<storage> e: array<T>;
fn f() { var x: array<f32>; }
