// error: location location location location location
@fragment fn a(@location(0) x: f32, @location(0) y: f32) { }
@fragment fn b(@location(0) x: bool) { }
@fragment fn c(@location(0) x: mat4x4f) { }
struct S { @location(2) a: f32, @location(2) b: f32 }
@fragment fn d(s: S) { }
@vertex fn e(@location(0) v: array<f32, 2>) -> @builtin(position) vec4f { return vec4f(); }
