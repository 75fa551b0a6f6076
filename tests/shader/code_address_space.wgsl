// error: address-space address-space address-space unresolved-identifier address-space address-space address-space address-space unresolved-identifier address-space template-arguments
var a: f32;
var<private> b: f32;
var<function> c: f32;
var<read> d: f32;
var<prvate> e: f32;
fn f() {
    var<private> g: f32;
    var<workgroup> h: f32;
    var<storage> i: array<f32>;
    var<uniform> j: f32;
    var<handle> k: f32;
}
struct S { a: f32 }
@group(0) @binding(0) var l: S;
@group(0) @binding(1) var<handle> m: sampler;
fn g(p: ptr<f32, function>) { }
