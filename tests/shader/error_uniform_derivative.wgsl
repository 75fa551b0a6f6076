// error: uniformity
diagnostic(warning, derivative_uniformity);
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;
fn look(uv: vec2f) -> vec4f {
    return textureSample(picture, linear, uv);
}
@fragment
fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
    if uv.x > 0.5 {
        return look(uv);
    }
    @diagnostic(error, derivative_uniformity) {
        return vec4f(dpdx(uv.x));
    }
}
