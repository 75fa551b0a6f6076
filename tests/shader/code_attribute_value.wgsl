// error: attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value attribute-value not-a-value value-out-of-range attribute-value value-out-of-range
struct S { @align(3) a: f32, @align(8) b: vec4f, @size(2) c: f32, @size(-1) d: f32, @align(0) e: f32 }
struct T { a: f32, @size(64) b: array<f32> }
struct U { @location(-1) a: f32, @location(1.5) b: f32, @location(true) c: f32 }
@id(70000) override o: f32;
@id(-1) override q: f32;
@group(-1) @binding(0) var<uniform> u: f32;
@compute @workgroup_size(0) fn a() { }
@compute @workgroup_size(-8) fn b() { }
@compute @workgroup_size(1.5) fn c() { }
@compute @workgroup_size(8, 8u, true) fn d() { }
struct V { @align(f32) a: f32, @size(4294967296) b: f32 }
@group(0) @binding(1.0) var<uniform> w: f32;
@fragment fn e() -> @location(4000000000) vec4f { return vec4f(); }
