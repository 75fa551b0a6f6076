// A program with a little of most things.
enable f16;
requires pointer_composite_access;
diagnostic(off, derivative_uniformity);
struct Particle { position: vec3f, mass: f32, @size(16) velocity: vec3<f32>, kind: u32 }
struct Parameters { count: u32, step: f32, gravity: vec3f, turn: mat3x3f }
alias Tile = array<vec4f, 16>;
override gravity_scale: f32 = 1.5;
override tile_size = 8u;
const directions = array(vec2i(1, 0), vec2i(0, 1), vec2i(-1, 0), vec2i(0, -1));
const_assert directions[2].x == -1;
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage> source: array<Particle>;
@group(0) @binding(2) var<storage, read_write> target_particles: array<Particle>;
@group(0) @binding(3) var<storage, read_write> counters: array<atomic<u32>, 4>;
var<workgroup> tile: Tile;
var<workgroup> sums: array<f32, tile_size * 2>;
var<private> seed: u32 = 1;
fn random() -> f32 {
    seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5;
    return f32(seed & 0xffffu) / 65535.0;
}
fn push(p: ptr<function, Particle>, force: vec3f) {
    p.velocity += force / max((*p).mass, 0x1p-10f);
    (*p).position = fma(p.velocity, vec3f(parameters.step), p.position);
}
@compute @workgroup_size(tile_size, 2)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = id.x;
    tile[local] = vec4f(source[min(i, arrayLength(&source) - 1)].position, 1);
    workgroupBarrier();
    if i >= parameters.count { return; }
    var p = source[i];
    var total = vec3f();
    for (var k = 0u; k < 16; k++) {
        let d = tile[k].xyz - p.position;
        let r = dot(d, d);
        if r == 0 || k == local { continue; }
        total += select(d / r, vec3f(0), r < 0.001) * gravity_scale;
    }
    switch p.kind & 3 {
        case 0, 1: { total = parameters.turn * total; }
        case 2: { total = total.zyx; }
        default: { total *= random(); }
    }
    push(&p, total + parameters.gravity);
    let h = vec2h(f16(p.mass), 1h) * 2h;
    p.mass = f32(h.x + h.y);
    target_particles[i] = p;
    atomicAdd(&counters[p.kind % 4], 1);
    loop { if sums[local] > 1 { break; } sums[local] += 1; continuing { break if local == 3; } }
}
