// error: extension-not-enabled extension-not-enabled
fn half() -> f32 {
    return f32(f16(1));
}
fn all(x: f32) -> f32 {
    return subgroupAdd(x);
}
