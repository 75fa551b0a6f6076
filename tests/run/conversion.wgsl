// Conversions between scalar types: truncation, saturation at what f32 can represent, bit patterns.
//! bind 0.0 read f32 1.9 -1.9 1e20 -1e20 0
//! bind 0.1 storage zeros 20
//! expect 0.1 i32 1 -1 2147483520 -2147483648 0
//! expect 0.1 u32 1 0 4294967040 0 0
//! expect 0.1 u32 1 1 1 1 0
//! expect 0.1 u32 0x3ff33333 0xbff33333 0x60ad78ec 0xe0ad78ec 0
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<array<u32, 5>, 4>;
@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = input[i];
    output[0][i] = bitcast<u32>(i32(x));
    output[1][i] = u32(x);
    output[2][i] = u32(bool(x));
    output[3][i] = bitcast<u32>(x);
}
