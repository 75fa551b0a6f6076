// valid
diagnostic(off, derivativ_uniformity);
diagnostic(off, alba.whatever);
fn f() { @diagnostic(off, nothing_like_it) if true { } }
