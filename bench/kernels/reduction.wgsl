// Sums of 256 elements each, by a tree in workgroup memory.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
var<workgroup> partial: array<f32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32,
        @builtin(workgroup_id) group: vec3u) {
    partial[local] = a[id.x];
    workgroupBarrier();
    for (var width = 128u; width > 0u; width >>= 1u) {
        if (local < width) {
            partial[local] += partial[local + width];
        }
        workgroupBarrier();
    }
    if (local == 0u) {
        b[group.x] = partial[0];
    }
}
