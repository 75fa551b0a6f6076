// valid
enable primitive_index, dual_source_blending, clip_distances;
struct V { @builtin(position) p: vec4f, @builtin(clip_distances) c: array<f32, 4> }
struct F { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }
@vertex fn vs(@builtin(vertex_index) i: u32) -> V { var v: V; v.c[i % 4] = 1; return v; }
@fragment fn fs(@builtin(primitive_index) i: u32, @builtin(position) p: vec4f, @builtin(sample_mask) m: u32) -> F { return F(vec4f(f32(i)), p); }
