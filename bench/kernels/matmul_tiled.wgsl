// C = A * B, 1024 x 1024, tiles of 16 x 16 in workgroup memory.
@group(0) @binding(0) var<storage, read> a: array<f32>; // A then B
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
const N = 1024u;
var<workgroup> tile_a: array<array<f32, 16>, 16>;
var<workgroup> tile_b: array<array<f32, 16>, 16>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
    var sum = 0.0;
    for (var t = 0u; t < N; t += 16u) {
        tile_a[local.y][local.x] = a[id.y * N + t + local.x];
        tile_b[local.y][local.x] = a[N * N + (t + local.y) * N + id.x];
        workgroupBarrier();
        for (var k = 0u; k < 16u; k++) {
            sum += tile_a[local.y][k] * tile_b[k][local.x];
        }
        workgroupBarrier();
    }
    b[id.y * N + id.x] = sum;
}
