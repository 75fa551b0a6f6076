// error: entry-point entry-point entry-point entry-point entry-point entry-point entry-point entry-point
@compute fn a() { }
@compute @vertex @workgroup_size(1) fn b() { }
@workgroup_size(1) fn c() { }
@fragment @workgroup_size(1) fn d() { }
@compute @workgroup_size(1) fn e() -> @builtin(position) vec4f { return vec4f(); }
@vertex fn g() { }
@vertex fn h() -> @location(0) vec4f { return vec4f(); }
struct O { @location(0) a: f32 }
@vertex fn i() -> O { return O(); }
