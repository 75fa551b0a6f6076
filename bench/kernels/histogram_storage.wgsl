// 256 bins, one storage atomic an element.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicAdd(&b[u32(a[id.x] * 256.0) & 255u], 1u);
}
