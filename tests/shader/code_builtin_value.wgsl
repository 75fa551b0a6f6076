// error: builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value builtin-value
@compute @workgroup_size(1) fn a(@builtin(global_invocation) i: vec3u) { }
@compute @workgroup_size(1) fn b(@builtin(global_invocation_id) i: u32) { }
@compute @workgroup_size(1) fn c(@builtin(vertex_index) i: u32) { }
@vertex fn d(@builtin(position) p: vec4f) -> @builtin(position) vec4f { return p; }
@fragment fn e(@builtin(front_facing) f: bool, @builtin(front_facing) g: bool) { }
@vertex fn f() -> @builtin(position) vec3f { return vec3f(); }
@fragment fn g() -> @builtin(frag_depth) vec4f { return vec4f(); }
@fragment fn h(@builtin(position, less) p: vec4f) { }
@fragment fn i(@builtin(frag_depth) p: f32) { }
@compute @workgroup_size(1) fn j(@builtin(global_id) i: vec3u) { }
@fragment fn k(@builtin(fragcoord) p: vec4f) { }
@fragment fn l() -> @builtin(frag_depth, more) f32 { return 1; }
