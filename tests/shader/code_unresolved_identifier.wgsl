// error: unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier unresolved-identifier
const tile_size = 16;
struct Particle { pos: vec2f, vel: vec2f }
@group(0) @binding(0) var<storage> particles: array<Partcle>;
fn advance(speed: f32) -> f32 {
    return sped * cos(tile_sise) + lenght(particles[0].pos);
}
fn g() {
    let v = vec3<float>(1, 2, 3);
    let w = float3(1, 2, 3);
    let x = lerp(1.0, 2.0, 0.5);
    let m: double = 1;
    let n = xyzzy;
    for (var i = 0; i < 4; i++) { }
    _ = i;
    _ = texture2D(v);
    _ = saturat(1.0);
    _ = rsqrt(2.0);
    _ = uint(2);
}
