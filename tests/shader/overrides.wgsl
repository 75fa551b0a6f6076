// valid
override size = 64u;
@id(7) override scale: f32;
override twice = scale * 2 + f32(size);
override is_fast: bool = true;
var<workgroup> tile: array<f32, size>;
var<workgroup> wide: array<array<vec2f, 4>, size * 2>;
var<private> start = twice + 1;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(size, 2)
fn main(@builtin(local_invocation_index) i: u32) {
    tile[i] = start;
    wide[i][1] = vec2(scale);
    workgroupBarrier();
    if is_fast && size > 4 {
        out[i] = tile[size - 1 - i] * twice;
    }
}
