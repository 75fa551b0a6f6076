// error: address-of address-of address-of address-of address-of address-of address-of
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
fn g() -> f32 { return 1; }
fn f(x: f32) {
    let a = &x;
    let b = &1;
    let c = &t;
    var v = vec3f();
    let d = &v.x;
    let e = &v[1];
    let h = &g();
    let i = &s;
}
