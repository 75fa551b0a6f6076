// error: function-type function-type function-type function-type function-type function-type function-type function-type function-type
fn a(x: atomic<u32>) { }
fn b(x: array<f32>) { }
fn c() -> sampler { }
fn d() -> ptr<function, f32> { }
@compute @workgroup_size(1) fn e(x: ptr<function, f32>) { }
struct S { a: array<f32> }
fn g(s: S) -> S { return s; }
fn h() -> array<f32> { }
@fragment fn i(t: texture_2d<f32>) { }
