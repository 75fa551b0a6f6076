// error: interpolation interpolation reserved-word interpolation interpolation interpolation interpolation interpolation interpolation
@fragment fn a(@location(0) x: u32) { }
@fragment fn b(@location(0) @interpolate(smooth) x: f32) { }
@fragment fn c(@location(0) @interpolate(flat, center) x: u32) { }
@fragment fn d(@location(0) @interpolate(linear, first) x: f32) { }
@fragment fn e(@builtin(position) @interpolate(flat) x: vec4f) { }
struct V { @builtin(position) p: vec4f, @location(0) id: vec2u }
@vertex fn f() -> V { return V(); }
@fragment fn g(@location(0) @interpolate(linear) x: u32) { }
@fragment fn h(@location(0) @interpolate(linear, centre) x: f32) { }
