// A return under a uniform condition inside a divergent branch ends only the invocations of that branch;
// one under a divergent condition inside a uniform branch, only those. 13 is no whole number of vectors.
//   invocation i stops in the first part where i % 3 == 0 (flag is 1), in the second where i % 3 == 1
//! bind 0.0 read u32 1
//! bind 0.1 storage zeros 13
//! expect 0.1 u32 1 2 7 1 2 7 1 2 7 1 2 7 1
@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(13)
fn main(@builtin(local_invocation_index) i: u32) {
    output[i] = 1u;
    if i % 3u == 0u {
        if flags[0] == 1u { return; }
        output[i] = 100u;
    }
    output[i] = 2u;
    if flags[0] == 1u {
        if i % 3u == 1u { return; }
    }
    output[i] += 5u;
}
