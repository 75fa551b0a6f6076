// error: binding binding binding binding binding binding
var<storage> a: array<f32>;
@group(0) var<uniform> b: f32;
@binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var<private> c: f32;
@binding(2) var<workgroup> d: f32;
var s: sampler;
