// error: invalid-element-type invalid-element-type invalid-element-type invalid-element-type invalid-element-type invalid-element-type invalid-element-type invalid-element-type invalid-element-type invalid-element-type
@group(0) @binding(0) var t: array<sampler, 2>;
struct S { a: sampler, b: ptr<function, f32> }
var<private> a: vec3<vec3f>;
var<private> c: vec2<S>;
var<private> d: mat2x2<i32>;
var<workgroup> e: atomic<f32>;
var<workgroup> g: array<texture_2d<f32>, 3>;
var<workgroup> h: atomic<bool>;
var<private> i: mat3x3<bool>;
var<private> j: array<ptr<function, f32>, 3>;
