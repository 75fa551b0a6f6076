// error: not-a-value not-a-value not-a-value not-a-value not-a-value not-a-value not-a-value not-a-value
struct S { a: f32 }
alias F = f32;
fn g() -> f32 { return 1; }
fn f() {
    let a = S;
    let b = F + 1;
    let c = g;
    let d = abs;
    let e = vec3f;
    let h = read_write;
    let i = rgba8unorm;
    let j = vec3<f32>;
}
