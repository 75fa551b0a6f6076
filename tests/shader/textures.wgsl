// valid
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var st: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(3) var dt: texture_depth_2d_array;
@group(0) @binding(4) var sc: sampler_comparison;
fn f(tt: texture_2d<f32>, ss: sampler, c: vec2f) -> vec4f {
  return textureSample(tt, ss, c, vec2i(1, -2));
}
@fragment fn main(@builtin(position) p: vec4f) -> @location(0) vec4f {
  let d = textureDimensions(t, 1);
  textureStore(st, vec2u(1, 2), vec4f(1));
  let l = textureLoad(t, vec2u(0), 0);
  let g = textureGather(2, t, s, p.xy);
  let q = textureSampleCompare(dt, sc, p.xy, 1, 0.5);
  let y = dpdx(p.x);
  let z = textureSampleLevel(dt, s, p.xy, 1, 2u);
  return f(t, s, p.xy) + l + g + q + vec4f(vec2f(d), y, z);
}
