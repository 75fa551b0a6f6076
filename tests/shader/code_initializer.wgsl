// error: syntax syntax initializer initializer syntax syntax syntax initializer initializer
const a;
const b: f32;
@group(0) @binding(0) var<uniform> c: f32 = 1;
var<workgroup> d: f32 = 0;
fn f() {
    let e;
    let g: f32;
    const h;
}
@group(0) @binding(1) var<storage> s: array<f32> = 1;
var<immediate> i: f32 = 1;
