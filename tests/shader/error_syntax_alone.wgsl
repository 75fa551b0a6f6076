// error: syntax syntax syntax syntax syntax
// What a syntax error breaks off says nothing more: no type of it, no name that was lost with it.
var<storage read_write> lost: array<f32>;
@group(0) @binding(0) var<storage> size: buffer<>;
int count = 3;
fn f() {
    let x: i32 = vec3f(1, 2;
    float y = 1.0;
    _ = lost[count] + x + y;
}
