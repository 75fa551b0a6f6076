// error: atomic-place atomic-place atomic-place atomic-place atomic-place atomic-place atomic-place atomic-place atomic-place
var<private> a: atomic<u32>;
@group(0) @binding(0) var<storage> b: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> c: atomic<i32>;
@group(0) @binding(2) var<uniform> d: atomic<u32>;
struct S { n: u32, counter: atomic<u32> }
@group(0) @binding(3) var<uniform> e: S;
fn f() { var g: atomic<u32>; var h: S; }
fn k(p: ptr<function, atomic<u32>>, q: ptr<storage, atomic<u32>, read>) { }
