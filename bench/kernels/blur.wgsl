// 3 x 3 box blur of a 1024 x 1024 picture, edges clamped.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = i32(id.x % 1024u);
    let y = i32(id.x / 1024u);
    var sum = 0.0;
    for (var dy = -1; dy <= 1; dy++) {
        for (var dx = -1; dx <= 1; dx++) {
            sum += a[clamp(y + dy, 0, 1023) * 1024 + clamp(x + dx, 0, 1023)];
        }
    }
    b[id.x] = sum / 9.0;
}
