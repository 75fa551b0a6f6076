// error: store-type store-type store-type store-type store-type store-type address-space store-type store-type store-type store-type address-of invalid-element-type store-type store-type
var<private> s: sampler;
var<workgroup> t: texture_2d<f32>;
@group(0) @binding(0) var<uniform> u: bool;
@group(0) @binding(1) var<storage> v: array<bool>;
struct S { a: bool }
@group(0) @binding(2) var<uniform> w: S;
@group(0) @binding(3) var<storage> x: sampler;
@group(0) @binding(4) var y: f32;
@group(0) @binding(5) var<uniform> z: texture_2d<f32>;
override o: vec2f;
fn f() { var p: ptr<function, f32>; var q: texture_2d<f32>; let a = 1; var b = &a; }
@group(0) @binding(6) var<storage, read_write> ptrs: array<ptr<function, f32>>;
var<immediate> im: array<f32, 2>;
var<immediate> ib: bool;
