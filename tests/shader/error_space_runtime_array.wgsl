// error: runtime-sized-array runtime-sized-array runtime-sized-array
var<private> a: array<u32>;
struct Middle { first: array<u32>, last: u32 }
fn f() { var b: array<f32>; }
