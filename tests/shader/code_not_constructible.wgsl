// error: not-constructible not-constructible not-constructible not-constructible not-readable not-readable not-const-expression not-readable not-readable not-constructible not-constructible not-constructible not-const-expression
struct A { a: atomic<u32> }
@group(0) @binding(0) var<storage> s: array<f32>;
@group(0) @binding(1) var<storage, read_write> a: A;
@group(0) @binding(2) var t: texture_2d<f32>;
var<workgroup> w: atomic<u32>;
fn h() { }
fn f() {
    let b = A();
    let c = atomic<u32>(1);
    let d = sampler();
    let e = array<atomic<u32>, 2>();
    let g = s;
    let i = a;
    const j = &s;
    _ = s;
    _ = w;
    let k = array(t, t);
    let l = array<f32>(1, 2);
    let m = texture_2d<f32>();
}
const q = t;
