// error: uniform-layout uniform-layout uniform-layout uniform-layout uniform-layout
struct Weights { v: array<f32, 64> }
struct Header { n: u32 }
struct Block { head: Header, more: f32 }
struct Nested { a: f32, inner: Header }
struct Deep { x: array<vec2f, 4> }
@group(0) @binding(0) var<uniform> a: Weights;
@group(0) @binding(1) var<uniform> b: Block;
@group(0) @binding(2) var<uniform> c: Nested;
@group(0) @binding(3) var<uniform> d: array<f32, 4>;
@group(0) @binding(4) var<uniform> e: array<Deep, 2>;
@group(0) @binding(5) var<uniform> g: array<vec3f, 2>;
