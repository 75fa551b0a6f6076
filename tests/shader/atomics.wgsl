// valid
struct Bins { total: atomic<u32>, bins: array<atomic<i32>, 16> }
@group(0) @binding(0) var<storage, read_write> histogram: Bins;
var<workgroup> flag: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    atomicAdd(&histogram.total, 1);
    let old = atomicMax(&histogram.bins[i % 16], i32(i));
    let exchange = atomicCompareExchangeWeak(&flag, 0, i);
    if exchange.exchanged && exchange.old_value == 0u {
        atomicStore(&histogram.bins[0], old - atomicLoad(&histogram.bins[1]));
    }
    storageBarrier();
    workgroupBarrier();
    let bins = &histogram.bins;
    atomicXor(&bins[2], 5);
    let seen = workgroupUniformLoad(&flag);
    atomicExchange(&bins[3], i32(seen));
}
