// error: division-by-zero division-by-zero division-by-zero division-by-zero division-by-zero division-by-zero division-by-zero
const a = 1 / 0;
const b = 5u % 0u;
const n = 0;
const c = vec2i(4, 4) / vec2i(2, n);
fn f(x: i32) -> i32 {
    return x / 0 + x % n;
}
fn g(x: vec2i) -> vec2i { var y = x; y /= 0; return y / vec2i(1, 0); }
