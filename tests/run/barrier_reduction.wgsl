// A tree reduction through workgroup memory in a uniform loop with barriers, in two workgroups; the
// second starts from zeroed memory. Sum of 0..63 is 2016, of 64..127 is 6112.
//! dispatch 2 1 1
//! bind 0.0 storage zeros 4
//! expect 0.0 u32 2016 6112 0 0
@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> partial: array<u32, 65>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    partial[i] += group.x * 64u + i;
    workgroupBarrier();
    for (var stride = 32u; stride > 0u; stride /= 2u) {
        if i < stride {
            partial[i] += partial[i + stride];
        }
        workgroupBarrier();
    }
    if i == 0u {
        output[group.x] = partial[0];
        output[2u + group.x] = partial[64];
    }
}
