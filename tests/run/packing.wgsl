// Packing and unpacking, from the formulas of the specification.
//! bind 0.0 read f32 1 -1 0 2
//! bind 0.1 storage zeros 6
//! expect 0.1 u32 0x7f00817f 0xff0000ff 0xbc003c00 0x80017fff 0x0000ffff 0x0100ff02
@group(0) @binding(0) var<storage, read> v: vec4f;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(1)
fn main() {
    output[0] = pack4x8snorm(v);
    output[1] = pack4x8unorm(v);
    output[2] = pack2x16float(v.xy);
    output[3] = pack2x16snorm(v.xy);
    output[4] = pack2x16unorm(v.xy);
    output[5] = pack4xI8(vec4i(vec4f(v.w, v.y, v.z, v.x)));
}
