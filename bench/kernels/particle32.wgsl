// One step of free particles in a box, 32 bytes each; reads one buffer, writes the other.
struct Particle {
    position: vec3f,
    mass: f32,
    velocity: vec3f,
    age: f32,
}
@group(0) @binding(0) var<storage, read> a: array<Particle>;
@group(0) @binding(1) var<storage, read_write> b: array<Particle>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if (i >= arrayLength(&a)) { return; }
    var p = a[i];
    p.velocity += vec3f(0.0, -0.01, 0.0) * p.mass;
    p.position += p.velocity * 0.016;
    if (p.position.y < 0.0) {
        p.position.y = -p.position.y;
        p.velocity.y = -0.9 * p.velocity.y;
    }
    p.age += 0.016;
    b[i] = p;
}
