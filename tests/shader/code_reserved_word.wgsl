// error: reserved-word reserved-word reserved-word
fn f() {
    let class = 1;
    let match = class;
}
struct S { private: f32, virtual: f32 }
