// error: const-assert const-assert const-assert const-assert
const n = 3;
const_assert n == 4;
const_assert(n > 10);
struct S { a: vec3f, b: f32 }
fn f() {
    const_assert n < 2 && true;
    const_assert false;
}
