// error: not-readable not-assignable
@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
fn f() {
    let x = a[0];
    a[1] = 2u;
}
