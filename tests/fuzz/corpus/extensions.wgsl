// What extensions add, and attributes that few programs have.
enable subgroups;
enable clip_distances, dual_source_blending, primitive_index;
requires buffer_view, immediate_address_space, subgroup_id, linear_indexing, fragment_depth;
struct Clipped { @builtin(position) @invariant at: vec4f, @builtin(clip_distances) distances: array<f32, 2> }
struct Blended { @location(0) @blend_src(0) first: vec4f, @location(0) @blend_src(1) second: vec4f }
struct Item { @align(8) a: u32, @size(12) b: vec2u }
var<immediate> offset: vec2u;
@id(7) override scale: f32;
override lanes = 4u * 2u;
@group(0) @binding(0) var<storage, read_write> bytes: buffer;
@group(0) @binding(1) var<storage, read_write> sums: array<atomic<i32>>;
@group(0) @binding(2) var output: texture_storage_2d<rgba16float, write>;
@group(0) @binding(3) var cube: texture_cube<f32>;
@group(0) @binding(4) var s: sampler;
@must_use fn fold(p: ptr<workgroup, array<u32, 64>>, i: u32) -> u32 { return p[i] + p[63 - i]; }
var<workgroup> shared_words: array<u32, 64>;
@vertex fn clip(@builtin(vertex_index) i: u32) -> Clipped {
    var out: Clipped;
    out.at = vec4f(f32(i), scale, 0, 1);
    out.distances[i & 1] = 0.5;
    return out;
}
@fragment @diagnostic(off, derivative_uniformity)
fn blend(@builtin(primitive_index) i: u32, @builtin(sample_mask) mask: u32) -> Blended {
    let c = textureSample(cube, s, vec3f(f32(i)));
    return Blended(c, vec4f(dpdxFine(c.x), quadBroadcast(c.y, 2), quadSwapX(c.z), f32(mask)));
}
@compute @workgroup_size(lanes, 2, 1)
fn count(@builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32) {
    let item = bufferView<Item>(&bytes, 16 * i);
    shared_words[i] = subgroupAdd(item.a + offset.x) + subgroupShuffleXor(lane, 1);
    let total = workgroupUniformLoad(&shared_words[0]);
    if subgroupAny(total > 3) { atomicMax(&sums[i], i32(fold(&shared_words, i))); }
    textureStore(output, vec2u(i, total), vec4f(f32(dot4U8Packed(i, total))));
    storageBarrier();
    let old = atomicCompareExchangeWeak(&sums[0], 1, 2);
    switch old.old_value { case 1i: { discard_it(); } case default, 3: {} }
}
fn discard_it() { const k = array(1, 2, 3); for (var i = k[0]; ; i += 1) { if i > k[2] { return; } } }
