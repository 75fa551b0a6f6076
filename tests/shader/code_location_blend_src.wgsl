// error: location location location location location location attribute-value
enable dual_source_blending;
struct A { @location(0) @blend_src(0) a: vec4f }
@fragment fn a() -> A { return A(); }
struct B { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4u }
@fragment fn b() -> B { return B(); }
struct C { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f, @location(1) c: vec4f }
@fragment fn c() -> C { return C(); }
struct D { @builtin(position) @blend_src(0) a: vec4f }
struct E { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }
@fragment fn f(e: E) { }
struct F { @location(0) @blend_src(2) a: vec4f }
