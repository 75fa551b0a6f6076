// error: unknown-attribute unknown-attribute unknown-attribute
@workgroup_sizes(64) @compute
fn main() { }
@stage(vertex) fn v() -> @builtin(position) vec4f { return vec4f(); }
@internal fn g() { }
