// error: not-readable not-readable not-readable not-readable not-readable not-readable
struct S { n: atomic<u32>, m: u32 }
@group(0) @binding(0) var<storage, read_write> s: S;
@group(0) @binding(1) var<storage> a: array<f32>;
var<workgroup> w: atomic<u32>;
fn f() -> u32 {
    let b = w + 1;
    let c = s;
    let d = s.n;
    let e = a;
    let p = &w;
    if s.m == w { }
    return *p;
}
