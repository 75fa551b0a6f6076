// The same step with nine floats an element: 36 bytes, no vector alignment.
struct Particle {
    px: f32, py: f32, pz: f32,
    vx: f32, vy: f32, vz: f32,
    mass: f32, age: f32, kind: f32,
}
@group(0) @binding(0) var<storage, read> a: array<Particle>;
@group(0) @binding(1) var<storage, read_write> b: array<Particle>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if (i >= arrayLength(&a)) { return; }
    var p = a[i];
    p.vy -= 0.01 * p.mass;
    p.px += p.vx * 0.016;
    p.py += p.vy * 0.016;
    p.pz += p.vz * 0.016;
    if (p.py < 0.0) {
        p.py = -p.py;
        p.vy = -0.9 * p.vy;
    }
    p.age += 0.016;
    b[i] = p;
}
