// error: not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-assignable not-a-value not-assignable not-assignable
struct S { v: vec3f, n: u32 }
@group(0) @binding(0) var<storage> data: array<f32>;
@group(0) @binding(1) var<uniform> u: S;
@group(0) @binding(2) var t: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(3) var<storage, read> list: array<f32>;
var<workgroup> w: atomic<u32>;
override o = 1;
fn callee(p: ptr<function, f32>) { p = 1; }
fn f(x: f32, s: S, values: ptr<storage, array<f32>>, more: ptr<storage, array<f32>, read>) {
    x = 1;
    s.n = 2;
    var v = vec3f();
    v.xy = vec2f();
    data[0] = 1;
    list[0] += 1;
    u.n = 1;
    w = 1;
    o = 2;
    let k = 1;
    k++;
    f32(1) = 2;
    values[0] = 1;
    more[0] = 1;
    t = 1;
    callee = 2;
    const c = 1;
    c = 2;
    vec3f().x = 1;
}
