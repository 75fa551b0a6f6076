// 256 bins, counted in workgroup memory first.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<atomic<u32>>;
var<workgroup> bins: array<atomic<u32>, 256>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    for (var k = 0u; k < 64u; k++) {
        atomicAdd(&bins[u32(a[group.x * 16384u + k * 256u + local] * 256.0) & 255u], 1u);
    }
    workgroupBarrier();
    atomicAdd(&b[local], atomicLoad(&bins[local]));
}
