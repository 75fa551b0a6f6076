// 2^20 particles drift through a cyclic flow (Thomas' attractor). Four steps:
//   simulate  reads one particle buffer and writes the other: no invocation sees a neighbour's
//             half-written state, and swapping the two costs nothing
//   clear     empties the image's light counters
//   splat     adds each particle's light to the pixel that it falls on, with atomics
//   tone_map  turns counted light into an 8-bit colour

struct Particle { // 32 bytes: each vec3f shares its 16 bytes with the f32 behind it
    position: vec3f,
    heat: f32,
    velocity: vec3f,
    seed: f32,
}

struct Frame {
    time_step: f32,
    damping: f32,
    angle_sine: f32,
    angle_cosine: f32,
    width: u32,
    height: u32,
    exposure: f32,
    drag: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(2) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(3) var<storage, read_write> light: array<atomic<u32>>; // r, g, b of each pixel
@group(0) @binding(4) var<storage, read_write> image: array<u32>;         // RGBA, 8 bits each

fn flow(p: vec3f) -> vec3f {
    return sin(p.yzx) - frame.damping * p;
}

@compute @workgroup_size(64)
fn simulate(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if (i >= arrayLength(&particles_in)) {
        return;
    }
    var p = particles_in[i];
    // The flow pulls on the velocity; a little of each particle's own keeps the streams soft.
    let wanted = flow(p.position) * (1.0 + 0.15 * p.seed);
    p.velocity += (wanted - p.velocity) * min(1.0, frame.drag * frame.time_step);
    p.position += p.velocity * frame.time_step;
    p.heat = mix(p.heat, length(p.velocity), 0.1);
    particles_out[i] = p;
}

@compute @workgroup_size(64)
fn clear(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&light)) {
        atomicStore(&light[id.x], 0u);
    }
}

// Blue for slow, through violet, to gold for fast.
fn colour_of(heat: f32) -> vec3f {
    let t = saturate(heat * 0.62);
    return mix(mix(vec3f(0.05, 0.22, 0.9), vec3f(0.75, 0.18, 0.72), smoothstep(0.0, 0.55, t)),
               vec3f(1.0, 0.72, 0.25), smoothstep(0.5, 1.0, t));
}

@compute @workgroup_size(64)
fn splat(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if (i >= arrayLength(&particles_in)) {
        return;
    }
    let p = particles_in[i];
    // Turn about the attractor's axis (1, 1, 1), then look along it from a distance.
    let q = vec3f(dot(p.position, vec3f(0.70710678, -0.70710678, 0.0)),
                  dot(p.position, vec3f(0.40824829, 0.40824829, -0.81649658)),
                  dot(p.position, vec3f(0.57735027)));
    let x = q.x * frame.angle_cosine + q.z * frame.angle_sine;
    let z = q.z * frame.angle_cosine - q.x * frame.angle_sine;
    let scale = f32(frame.height) * 1.05 / (9.5 + z);
    let pixel = vec2i(floor(vec2f(x, q.y) * scale)) + vec2i(vec2u(frame.width, frame.height) / 2u);
    if (any(pixel < vec2i(0)) || pixel.x >= i32(frame.width) || pixel.y >= i32(frame.height)) {
        return;
    }
    let at = (u32(pixel.y) * frame.width + u32(pixel.x)) * 3u;
    let amount = vec3u(colour_of(p.heat) * 64.0);
    atomicAdd(&light[at], amount.r);
    atomicAdd(&light[at + 1u], amount.g);
    atomicAdd(&light[at + 2u], amount.b);
}

@compute @workgroup_size(64)
fn tone_map(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if (i >= frame.width * frame.height) {
        return;
    }
    let counted = vec3f(f32(atomicLoad(&light[3u * i])), f32(atomicLoad(&light[3u * i + 1u])),
                        f32(atomicLoad(&light[3u * i + 2u])));
    let exposed = 1.0 - exp(-counted * frame.exposure);
    image[i] = pack4x8unorm(vec4f(pow(exposed, vec3f(0.4545)), 1.0));
}
