// error: binding binding binding binding
var<uniform> a: vec4f;
@group(0) var<storage> b: array<f32>;
@group(0) @binding(0) var<private> c: f32;
@binding(1) @group(0) var<workgroup> d: f32;
