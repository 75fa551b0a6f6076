// error: attribute-arguments attribute-arguments attribute-arguments attribute-arguments attribute-arguments attribute-arguments attribute-arguments attribute-arguments
struct S { @align(16, 2) a: f32, @size() b: f32, @location c: f32 }
@compute @workgroup_size(1, 2, 3, 4) fn main() { }
@compute(1) @workgroup_size fn other() { }
@vertex fn v(@builtin(1 + 2) i: u32) -> @builtin(position) @invariant() vec4f { return vec4f(); }
