// valid
struct Light { @size(32) position: vec3f, @align(16) power: f32 }
struct Scene { count: u32, lights: array<Light, 2>, tail: vec3f, last: f32 }
struct Open { head: Light, data: array<vec3f> }
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<storage, read_write> open: Open;

@compute @workgroup_size(1)
fn main() {
    open.head = scene.lights[scene.count];
    open.data[arrayLength(&open.data) - 1u] = scene.tail * scene.last;
}
