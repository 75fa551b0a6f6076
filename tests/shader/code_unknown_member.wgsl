// error: unknown-member unknown-member unknown-member unknown-member unknown-member address-of unknown-member
struct Particle { pos: vec2f, vel: vec2f }
fn f(p: Particle, x: f32, a: array<f32, 4>) -> f32 {
    let u = p.vol;
    let v = p.mass;
    let w = x.y;
    let z = a.length;
    let m = mat2x2f().x;
    let q = &a;
    return p.position.x;
}
