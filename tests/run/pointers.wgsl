// Pointers as parameters in the function, private, workgroup and storage spaces, to parts of variables,
// and let-bound pointers.
//! bind 0.0 storage u32 1 2 3 4
//! expect 0.0 u32 11 2 33 4
//! bind 0.1 storage zeros 5
//! expect 0.1 u32 10 15 7 40 9
@group(0) @binding(0) var<storage, read_write> memory: array<u32, 4>;
@group(0) @binding(1) var<storage, read_write> output: array<u32, 5>;
var<private> hidden: vec2u = vec2u(5, 10);
var<workgroup> together: array<u32, 2>;
fn sum(p: ptr<function, array<u32, 4>>) -> u32 {
    return (*p)[0] + p[1] + (*p)[2] + p[3];
}
fn total(p: ptr<private, vec2u>) -> u32 {
    return p.x + (*p).y;
}
fn bump(p: ptr<storage, u32, read_write>, by: u32) {
    *p += by;
}
fn fill(p: ptr<workgroup, array<u32, 2>>) {
    p[0] = 3u;
    p[1] = 4u;
}
fn swap(a: ptr<function, u32>, b: ptr<function, u32>) {
    let t = *a;
    *a = *b;
    *b = t;
}
@compute @workgroup_size(1)
fn main() {
    var local = array<u32, 4>(1, 2, 3, 4);
    output[0] = sum(&local);
    output[1] = total(&hidden);
    fill(&together);
    output[2] = together[0] + together[1];
    bump(&memory[0], 10u);
    bump(&memory[2], 30u);
    let element = &local[3];
    *element = 40u;
    output[3] = local[3];
    var a = 9u;
    var b = 1u;
    swap(&a, &b);
    output[4] = b;
}
