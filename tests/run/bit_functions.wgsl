// Bit built-ins at their edges: zero, one bit, all bits.
//! bind 0.0 read u32 0 1 0x80000000 0xffffffff 0x00f0
//! bind 0.1 storage zeros 35
//! expect 0.1 u32 32 31 0 0 24
//! expect 0.1 u32 32 0 31 0 4
//! expect 0.1 u32 0 1 1 32 4
//! expect 0.1 u32 0xffffffff 0 31 31 7
//! expect 0.1 u32 0xffffffff 0 31 0 4
//! expect 0.1 u32 0 0x80000000 1 0xffffffff 0x0f000000
//! expect 0.1 u32 0 0 0 15 15
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<array<u32, 5>, 7>;
@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = input[i];
    output[0][i] = countLeadingZeros(x);
    output[1][i] = countTrailingZeros(x);
    output[2][i] = countOneBits(x);
    output[3][i] = firstLeadingBit(x);
    output[4][i] = firstTrailingBit(x);
    output[5][i] = reverseBits(x);
    output[6][i] = extractBits(x, 4u, 4u);
}
