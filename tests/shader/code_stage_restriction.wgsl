// error: stage-restriction stage-restriction stage-restriction stage-restriction stage-restriction stage-restriction stage-restriction
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var t: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;
@group(0) @binding(3) var st: texture_storage_2d<rgba8unorm, write>;
var<workgroup> w: f32;
fn shade() -> vec4f { return textureSample(t, s, vec2f()); }
fn share() { w = 1; }
fn outer() { share(); }
@vertex fn v() -> @builtin(position) vec4f { out[0] = 1; return shade(); }
@fragment fn fr() { outer(); workgroupBarrier(); }
@compute @workgroup_size(1) fn c() { _ = dpdx(1.0); _ = shade(); if false { discard; } }
@vertex fn v2() -> @builtin(position) vec4f { textureStore(st, vec2u(), vec4f()); return vec4f(); }
