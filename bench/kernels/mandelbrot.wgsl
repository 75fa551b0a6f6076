// Escape counts of a 1024 x 1024 picture, at most 100 iterations.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let c = vec2f(f32(id.x % 1024u) / 1024.0 * 3.0 - 2.2, f32(id.x / 1024u) / 1024.0 * 2.6 - 1.3);
    var z = vec2f(a[0]);
    var n = 0u;
    while (n < 100u && dot(z, z) < 4.0) {
        z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        n++;
    }
    b[id.x] = f32(n);
}
