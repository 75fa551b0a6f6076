// Offsets of members: vec3 aligned to 16, f32 in its last place, arrays of vec3 with stride 16, a nested
// structure, a matrix of three rows, sizes and alignments by attribute.
//   a 0, b 16..28, c 28, d 32 (2 elements of 16), e 64 (inner: x at 64, y at 72 aligned to 8), f 80
//   (mat2x3: columns at 80 and 96), g @align(32) 128, h @size(8) 132, i 140; 144 bytes, rounded up to 32: 160
//! bind 0.0 read u32 1 0 0 0   2 3 4 5   6 7 8 0   9 10 11 0   12 0 13 14
//! bind 0.0 read f32 1 2 3 0   4 5 6 0
//! bind 0.0 read u32 0 0 0 0   15 16 0 17   0 0 0 0
//! bind 0.1 storage zeros 24
//! expect 0.1 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 1 2 3 4 5 6 15 16 17 160
struct Inner { x: u32, y: vec2u }
struct Outer {
    a: u32,
    b: vec3u,
    c: u32,
    d: array<vec3u, 2>,
    e: Inner,
    f: mat2x3f,
    @align(32) g: u32,
    @size(8) h: u32,
    i: u32,
}
@group(0) @binding(0) var<storage, read> input: array<Outer>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<private> next: u32;
fn put(value: u32) {
    output[next] = value;
    next++;
}
@compute @workgroup_size(1)
fn main() {
    let s = input[0];
    put(s.a);
    for (var i = 0; i < 3; i++) { put(s.b[i]); }
    put(s.c);
    for (var k = 0; k < 2; k++) {
        for (var i = 0; i < 3; i++) { put(s.d[k][i]); }
    }
    put(s.e.x);
    put(s.e.y.x);
    put(s.e.y.y);
    for (var k = 0; k < 2; k++) {
        for (var i = 0; i < 3; i++) { put(u32(s.f[k][i])); }
    }
    put(s.g);
    put(s.h);
    put(s.i);
    put(160u * arrayLength(&input));
}
