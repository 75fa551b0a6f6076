// Unsigned arithmetic, shifts by amounts taken modulo 32, comparisons at the top of the range.
//! bind 0.0 read u32 7 4294967295 5 1
//! bind 0.0 read u32 3 2 0 33
//! bind 0.1 storage zeros 28
//! expect 0.1 u32 10 1 5 34
//! expect 0.1 u32 4 4294967293 5 4294967264
//! expect 0.1 u32 2 2147483647 5 0
//! expect 0.1 u32 1 1 0 1
//! expect 0.1 u32 56 4294967292 5 2
//! expect 0.1 u32 0 1073741823 5 0
//! expect 0.1 u32 1 1 1 0
@group(0) @binding(0) var<storage, read> input: array<array<u32, 4>, 2>;
@group(0) @binding(1) var<storage, read_write> output: array<array<u32, 4>, 7>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    let a = input[0][i];
    let b = input[1][i];
    output[0][i] = a + b;
    output[1][i] = a - b;
    output[2][i] = a / b;
    output[3][i] = a % b;
    output[4][i] = a << b;
    output[5][i] = a >> b;
    output[6][i] = u32(a > b);
}
