// error: not-indexable not-indexable not-indexable not-indexable not-indexable
struct S { a: f32 }
fn f(x: f32, s: S, v: vec3f) {
    let a = x[0];
    let b = s[0];
    let c = v[1.5];
    let d = v[x];
    let e = v[true];
}
