// error: access-mode access-mode access-mode access-mode access-mode unresolved-identifier access-mode access-mode template-arguments unresolved-identifier
var<private, read_write> a: f32;
var<workgroup, read> b: f32;
@group(0) @binding(0) var<uniform, read> c: f32;
@group(0) @binding(1) var<storage, write> d: array<f32>;
@group(0) @binding(2) var<storage, function> e: array<f32>;
@group(0) @binding(3) var<storage, rw> g: array<f32>;
fn f(p: ptr<function, f32, read_write>, q: ptr<storage, f32, write>) { }
fn g2(p: ptr<storage, f32, f32>) { }
@group(0) @binding(4) var t: texture_storage_2d<rgba8unorm, readwrite>;
