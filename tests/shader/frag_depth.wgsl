// valid
struct O { @builtin(frag_depth, greater) d: f32, @location(0) c: vec4f }
@fragment fn fs() -> O { return O(); }
