// error: diagnostic-conflict duplicate-attribute
diagnostic(off, derivative_uniformity);
diagnostic(error, derivative_uniformity);
@diagnostic(off, subgroup_uniformity) @diagnostic(warning, subgroup_uniformity)
fn f() { }
