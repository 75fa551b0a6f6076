// Integer arithmetic wraps; division and remainder by zero and of the least number are defined.
//! bind 0.0 read i32 7 -7 -2147483648 5 2147483647
//! bind 0.0 read i32 2 2 -1 0 1
//! bind 0.1 storage zeros 25
//! expect 0.1 i32 9 -5 2147483647 5 -2147483648
//! expect 0.1 i32 5 -9 -2147483647 5 2147483646
//! expect 0.1 i32 14 -14 -2147483648 0 2147483647
//! expect 0.1 i32 3 -3 -2147483648 5 2147483647
//! expect 0.1 i32 1 -1 0 0 0
@group(0) @binding(0) var<storage, read> input: array<array<i32, 5>, 2>;
@group(0) @binding(1) var<storage, read_write> output: array<array<i32, 5>, 5>;
@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) i: u32) {
    let a = input[0][i];
    let b = input[1][i];
    output[0][i] = a + b;
    output[1][i] = a - b;
    output[2][i] = a * b;
    output[3][i] = a / b;
    output[4][i] = a % b;
}
