// error: not-implemented not-implemented
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1)
fn main() {
    out[0] = textureDimensions(t).x;
    out[1] = textureNumLevels(t);
}
