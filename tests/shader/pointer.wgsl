// valid
struct Particle { position: vec3f, life: array<u32, 4> }
@group(0) @binding(0) var<storage, read_write> particles: array<Particle>;
var<workgroup> shared_values: array<f32, 64>;

fn step(p: ptr<function, vec3f>, by: f32) {
    *p += vec3(by);
    (*p).x = p.y;
    p[2] = 4;
}

fn age(p: ptr<storage, Particle, read_write>) -> u32 {
    p.life[1] += 1u;
    let life = &p.life;
    return (*life)[0] + life[2];
}

fn total(values: ptr<workgroup, array<f32, 64>>) -> f32 {
    var sum = 0f;
    for (var i = 0; i < 64; i++) { sum += values[i]; }
    return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    var local = particles[i].position;
    let pointer = &local;
    step(pointer, 0.5);
    step(&local, pointer.z);
    shared_values[i] = local.x;
    workgroupBarrier();
    let all_of_them = total(&shared_values);
    particles[i].position = *pointer * all_of_them;
    particles[i].life[3] = age(&particles[i]);
}
