// valid
// Views of a buffer are handed to functions: pointers to runtime-sized arrays outside storage too.
requires buffer_view;
@group(0) @binding(0) var<uniform> u: buffer<256>;
@group(0) @binding(1) var<storage, read_write> s: buffer;
var<workgroup> w: buffer<128>;
fn a(p: ptr<uniform, array<vec4u>>) -> u32 { return arrayLength(p) + (*p)[1].x + p[2].y; }
fn b(p: ptr<workgroup, array<u32>>) -> u32 { p[1] = 3; return arrayLength(p); }
fn c(p: ptr<storage, array<u32>, read_write>) -> u32 { p[1] = 3; return arrayLength(p); }
@compute @workgroup_size(1) fn main() {
  _ = a(bufferArrayView<array<vec4u>>(&u, 16, 64)) + b(bufferArrayView<array<u32>>(&w, 0, 64)) + c(bufferArrayView<array<u32>>(&s, 0, 64));
  _ = a(bufferView<array<vec4u>>(&u, 0));
}
