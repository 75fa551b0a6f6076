// error: entry-point entry-point entry-point builtin-value stage-interface
@compute fn no_size() { }
@vertex fn no_position() { }
@compute @workgroup_size(1) fn result() -> u32 { return 1; }
@compute @workgroup_size(1) fn wrong(@builtin(position) p: vec4f) { }
@fragment fn bare(x: f32) { }
