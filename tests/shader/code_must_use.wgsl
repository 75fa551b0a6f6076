// error: must-use must-use must-use must-use must-use must-use
@must_use fn a() -> i32 { return 1; }
@must_use fn b() { }
fn f(v: vec3f) {
    a();
    abs(1);
    dot(v, v);
    vec3f(1);
    f32(2);
}
