// error: template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments template-arguments invalid-element-type template-arguments template-arguments template-arguments template-arguments template-arguments invalid-element-type template-arguments
var<private> a: vec3<f32, f32>;
var<private> b: array<f32, 4, 4>;
var<private> c: array;
var<private> d: f32<i32>;
var<workgroup, read_write, 3> e: f32;
struct S { a: f32 }
var<private> g: S<f32>;
fn h() { }
fn f(p: ptr<function>) {
    let i = bitcast(1u);
    let j = abs<f32>(1.0);
    h<f32>();
    let k = vec3();
    let l = array();
    let m = S<f32>(1);
}
@group(0) @binding(0) var t: texture_2d<bool>;
@group(0) @binding(1) var u: texture_storage_2d<rgba8unorm>;
@group(0) @binding(2) var v: texture_storage_2d<f32, write>;
@group(0) @binding(3) var w: texture_storage_2d<rgba8unorm, storage>;
var<private> x: vec2;
var<private> y: atomic;
var<private> z: mat2x2<i32>;
const n = 3;
const o = n<f32>;
