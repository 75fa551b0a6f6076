// error: type-mismatch type-mismatch type-mismatch type-mismatch no-matching-overload not-assignable no-matching-overload type-mismatch type-mismatch type-mismatch type-mismatch type-mismatch
const a: u32 = -1i;
const b: i32 = 1.5;
var<private> c: f32 = 1u;
fn g(x: f32, y: vec3f) { }
fn f(i: i32, u: u32) -> f32 {
    var v = vec3f();
    v = vec3i();
    v *= vec3u();
    i = 2;
    var k = 1i;
    k += 1.5;
    g(i, v);
    g(1, vec2f());
    let p: ptr<function, f32> = &k;
    if true { return u; }
    return vec2f(1);
}
