// Overrides by name and by @id, defaults, expressions of them, in workgroup sizes and array sizes.
//! constant width 6
//! constant 12 2.5
//! bind 0.0 storage zeros 5
//! expect 0.0 u32 6 13 7 15 5
override width: u32;
@id(12) override scale: f32 = 1.0;
override twice = width * 2u + 1u;
override unset: i32 = 7;
@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<workgroup> shared_values: array<u32, width>;
@compute @workgroup_size(width)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_values[i] = i;
    workgroupBarrier();
    if i == width - 1u {
        output[0] = width;
        output[1] = twice;
        output[2] = u32(unset);
        output[3] = u32(scale * f32(width));
        output[4] = shared_values[width - 1u];
    }
}
