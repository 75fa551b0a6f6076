// The luminance histogram of a picture, twice: with atomics, and in the plain form that looks right
// and is a data race.

@group(0) @binding(0) var<storage, read> pixels: array<u32>; // RGBA, 8 bits each
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;
@group(0) @binding(2) var<storage, read_write> plain_bins: array<u32, 256>;

// Rec. 709 luma of the stored values, in 0..255, in integers so that every machine agrees.
fn luminance(pixel: u32) -> u32 {
    let r = pixel & 0xffu;
    let g = (pixel >> 8u) & 0xffu;
    let b = (pixel >> 16u) & 0xffu;
    return (r * 13933u + g * 46871u + b * 4732u + 32768u) >> 16u;
}

// Counts of one workgroup, gathered in its own memory first: 256 storage atomics a workgroup
// instead of one a pixel.
var<workgroup> local_bins: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn count_atomic(@builtin(global_invocation_id) id: vec3u,
                @builtin(local_invocation_index) local: u32,
                @builtin(num_workgroups) groups: vec3u) {
    // Workgroup memory starts at zero.
    for (var i = id.x; i < arrayLength(&pixels); i += groups.x * 256u) {
        atomicAdd(&local_bins[luminance(pixels[i])], 1u);
    }
    workgroupBarrier();
    atomicAdd(&bins[local], atomicLoad(&local_bins[local]));
}

// Wrong on purpose: two invocations that meet at one bin both read the old count, both add one, and
// one of the two counts is lost.
@compute @workgroup_size(256)
fn count_plain(@builtin(global_invocation_id) id: vec3u,
               @builtin(num_workgroups) groups: vec3u) {
    for (var i = id.x; i < arrayLength(&pixels); i += groups.x * 256u) {
        let bin = luminance(pixels[i]);
        plain_bins[bin] = plain_bins[bin] + 1u;
    }
}
