// error: access-mode access-mode access-mode
var<private, read> a: f32;
@group(0) @binding(0) var<storage, write> b: array<f32>;
@group(0) @binding(1) var<uniform, read> c: f32;
