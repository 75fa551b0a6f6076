// Indices out of range: reads give zero, writes are lost, nothing outside changes.
//! bind 0.0 read i32 0 3 4 -1 1000000000
//! bind 0.1 storage u32 10 20 30 40
//! bind 0.2 storage zeros 10
//! expect 0.1 u32 99 20 30 99
//! expect 0.2 u32 10 40 0 0 0
//! expect 0.2 u32 1 4 0 0 0
@group(0) @binding(0) var<storage, read> indices: array<i32>;
@group(0) @binding(1) var<storage, read_write> memory: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<array<u32, 5>, 2>;
@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) i: u32) {
    let index = indices[i];
    output[0][i] = memory[index];
    var local = array<u32, 4>(1, 2, 3, 4);
    output[1][i] = local[index];
    memory[index] = 99;
}
