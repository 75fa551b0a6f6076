// error: atomic-place atomic-place atomic-place atomic-place
// WGSL §Atomic Types: only in workgroup and in read_write storage.
var<private> a: atomic<u32>;
@group(0) @binding(0) var<uniform> b: atomic<u32>;
@group(0) @binding(1) var<storage> c: array<atomic<i32>>;
fn f() { var d: atomic<u32>; }
