// valid
requires buffer_view;
requires unrestricted_pointer_parameters;

struct S { a: mat3x3f, b: vec2f }
override bytes = 256u;

@group(0) @binding(0) var<storage> in: buffer;
@group(0) @binding(1) var<storage, read_write> out: buffer;
@group(0) @binding(2) var<uniform> u: buffer<2048>;
var<workgroup> w: buffer<bytes>;

fn part(p: ptr<uniform, buffer<1024>>) -> u32 {
    return bufferLength(p);
}
fn all(p: ptr<uniform, buffer>) -> u32 {
    return bufferLength(p);
}

@compute @workgroup_size(1)
fn main() {
    let p1 = bufferView<vec4u>(&in, 16);
    *bufferView<vec4u>(&out, p1[0]) = *p1;
    let p2 = bufferView<array<S, 2>>(&in, 64);
    *bufferView<mat3x3f>(&out, 0) = (*p2)[1].a;
    let v = bufferArrayView<array<vec4u>>(&u, 32, 64u);
    *bufferView<u32>(&w, 4) = part(&u) + all(&u) + (*v)[1].y + arrayLength(v) + bufferLength(&w);
}
