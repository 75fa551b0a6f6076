// valid
enable subgroups;

@group(0) @binding(0) var<storage, read_write> out: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(subgroup_invocation_id) id: u32) {
    let sum = subgroupAdd(id);
    let ballot = subgroupBallot(id > 3u);
    let first = subgroupBroadcastFirst(vec2f(1, 2));
    let third = subgroupBroadcast(id, 3);
    let up = subgroupShuffleUp(id, 1u);
    let all = subgroupAll(subgroupElect());
    let near = quadSwapX(i32(id));
    let quad = quadBroadcast(id, 2u);
    if (subgroupAny(all)) {
        out[0] = ballot + vec4u(sum, third, up, quad) + vec4u(u32(first.x), u32(near), 0, 0);
    }
}
