// workgroupUniformLoad is a barrier before and after: all read what invocation 4 wrote, and the value may
// steer a loop with barriers. Each round adds the neighbour's value; after 2 rounds of doubling values
// that start at 1, each is 4.
//! bind 0.0 storage zeros 5
//! expect 0.0 u32 4 4 4 4 4
@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> rounds: u32;
var<workgroup> values: array<u32, 5>;
@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) i: u32) {
    values[i] = 1u;
    if i == 4u {
        rounds = 2u;
    }
    let n = workgroupUniformLoad(&rounds);
    for (var k = 0u; k < n; k++) {
        let other = values[(i + 1u) % 5u];
        workgroupBarrier();
        values[i] += other;
        workgroupBarrier();
    }
    output[i] = values[i];
}
