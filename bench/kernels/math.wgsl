// Transcendental functions.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = a[id.x];
    b[id.x] = sin(x) + cos(2.0 * x) + exp(-x) + pow(x + 0.5, 1.7);
}
