// error: type-too-large type-too-large type-too-large
struct S { a: array<vec4f, 268435455>, b: array<vec4f, 268435455> }
@group(0) @binding(0) var<storage> a: array<f32, 2147483647>;
@group(0) @binding(1) var<storage> b: array<mat4x4f, 2147483647>;
