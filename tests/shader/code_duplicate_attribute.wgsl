// error: duplicate-attribute duplicate-attribute duplicate-attribute
@group(0) @binding(0) @group(0) var t: sampler;
@compute @workgroup_size(1) @compute fn main() { }
@diagnostic(off, derivative_uniformity) @diagnostic(off, subgroup_uniformity) @diagnostic(off, derivative_uniformity)
fn f() { }
