// error: stage-interface stage-interface stage-interface stage-interface stage-interface stage-interface stage-interface stage-interface stage-interface stage-interface
@fragment fn a(x: f32) -> vec4f { return vec4f(); }
struct In { @location(0) a: f32, b: f32 }
@fragment fn b(i: In) { }
@compute @workgroup_size(1) fn c(@location(0) x: f32) { }
@vertex fn d(@builtin(vertex_index) @location(0) i: u32) -> @builtin(position) vec4f { return vec4f(); }
fn e(@location(0) x: f32) { }
fn e2() -> @location(0) f32 { return 1; }
struct Inner { @location(0) a: f32 }
struct Outer { inner: Inner }
@fragment fn g(o: Outer) { }
@fragment fn h() -> @location(0) @invariant vec4f { return vec4f(); }
@compute @workgroup_size(1) fn i(n: u32) { }
