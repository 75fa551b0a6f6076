// Wrong on purpose, for `alba check`: the most common mistake of a uniform structure. An array in
// the uniform address space needs elements 16 bytes apart, and an f32 is 4 bytes.

struct Blur {
    radius: f32,
    weights: array<f32, 9>,
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    result[id.x] = blur.radius * blur.weights[id.x % 9u];
}
