// valid
requires uniform_buffer_standard_layout;
struct Weights { v: array<f32, 64> }
@group(0) @binding(0) var<uniform> weights: Weights;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) { out[i] = weights.v[i]; }
