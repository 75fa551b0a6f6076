// error: not-const-expression not-const-expression not-override-expression not-const-expression not-const-expression not-const-expression not-const-expression not-const-expression not-override-expression not-override-expression not-const-expression not-const-expression
var<private> g: u32;
override o: u32 = 4;
fn f(x: u32) {
    const a = x + 1;
    let n = 4;
    const b = n;
    var arr: array<f32, n>;
    const c = o;
    const d = g;
    switch x { case n: { } default: { } }
}
fn size() -> u32 { return 4; }
const e = size();
const_assert size() == 4;
var<private> h: array<f32, g>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var a: array<f32, id.x>;
    const_assert id.x < 4;
}
struct S { @align(o) a: f32 }
