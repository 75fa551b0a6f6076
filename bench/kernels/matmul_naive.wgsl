// C = A * B, 1024 x 1024, straight from storage.
@group(0) @binding(0) var<storage, read> a: array<f32>; // A then B
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
const N = 1024u;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0.0;
    for (var k = 0u; k < N; k++) {
        sum += a[id.y * N + k] * a[N * N + k * N + id.x];
    }
    b[id.y * N + id.x] = sum;
}
