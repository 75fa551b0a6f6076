// valid
enable subgroup_size_control;
override lanes = 32u;
@compute @workgroup_size(64) @subgroup_size(lanes * 2)
fn wide(@builtin(subgroup_size) size: u32) {
    _ = size;
}
@compute @workgroup_size(64) @subgroup_size(16)
fn narrow() {
}
