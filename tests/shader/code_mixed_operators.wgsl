// error: mixed-operators mixed-operators mixed-operators mixed-operators mixed-operators mixed-operators mixed-operators mixed-operators
fn f(a: bool, b: bool, c: bool, i: u32, j: u32, k: i32) {
    _ = a && b || c;
    _ = i & j | i;
    _ = 0u < i < j;
    _ = i << 2u << 1u;
    _ = i << 2u + 1u;
    _ = a == b == c;
    _ = i & j == 2u;
    _ = 1u + i | j;
    _ = - - k;
    _ = k---1;
}
