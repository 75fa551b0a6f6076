// error: no-matching-overload
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var shadow: sampler_comparison;
@group(0) @binding(2) var linear: sampler;
@fragment
fn main(@location(0) uv: vec3f) -> @location(0) vec4f {
    return textureSample(picture, linear, uv);
}
