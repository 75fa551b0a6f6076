// error: array-count array-count array-count array-count array-count array-count array-count array-count
var<private> a: array<f32, 0>;
var<private> b: array<f32, -4>;
var<private> c: array<f32, 1.5>;
var<private> d: array<f32, true>;
const n = 3 - 4;
var<private> e: array<f32, n>;
@group(0) @binding(0) var<storage> f: buffer<6>;
@group(0) @binding(1) var<storage> g: buffer<0>;
@group(0) @binding(2) var<storage> h: buffer<16.5>;
