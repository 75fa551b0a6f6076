// Atomics in storage and workgroup memory. 3 workgroups of 32: each invocation adds its global index.
//   sum of 0..95 = 4560; max 95; min of -i is -95; and of ~(1 << (i % 32)) clears all bits;
//   or of 1 << (i % 32) sets all; xor of i over 0..95 is 0 (each aligned run of 4 gives 0);
//   the workgroup's count is 32, three times.
//! dispatch 3 1 1
//! bind 0.0 storage u32 0 0
//! bind 0.0 storage i32 0
//! bind 0.0 storage u32 0xffffffff 0 0 0 0
//! expect 0.0 u32 4560 95
//! expect 0.0 i32 -95
//! expect 0.0 u32 0 0xffffffff 0 96 3
struct Cells {
    sum: atomic<u32>,
    high: atomic<u32>,
    low: atomic<i32>,
    every: atomic<u32>,
    some: atomic<u32>,
    parity: atomic<u32>,
    counted: atomic<u32>,
    winners: atomic<u32>,
}
@group(0) @binding(0) var<storage, read_write> cells: Cells;
var<workgroup> count: atomic<u32>;
var<workgroup> claimed: atomic<i32>;
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    atomicAdd(&cells.sum, id.x);
    atomicMax(&cells.high, id.x);
    atomicMin(&cells.low, -i32(id.x));
    atomicAnd(&cells.every, ~(1u << (id.x % 32u)));
    atomicOr(&cells.some, 1u << (id.x % 32u));
    atomicXor(&cells.parity, id.x);
    atomicAdd(&count, 1u);
    let result = atomicCompareExchangeWeak(&claimed, 0, i32(i) + 1);
    if result.exchanged {
        atomicAdd(&cells.winners, 1u);
    }
    workgroupBarrier();
    if i == 0u {
        atomicAdd(&cells.counted, atomicLoad(&count));
    }
}
