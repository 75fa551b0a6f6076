// error: value-out-of-range value-out-of-range value-out-of-range value-out-of-range value-out-of-range value-out-of-range value-out-of-range value-out-of-range value-out-of-range value-out-of-range
const a: u32 = -1;
const b: i32 = 3000000000;
const c = vec3<u32>(1, -2, 3);
const d: f32 = 1e39;
const e = u32(-1);
fn f(x: f32, t: u32) {
    let y = x + 1e40;
    let z: u32 = 5000000000;
    let i = t - -1;
}
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn m() -> @location(0) vec4f {
    return textureSample(t, s, vec2f(), vec2i(9, 0)) + textureGather(5, t, s, vec2f());
}
