// Built-in values in a 2 x 2 x 1 grid of workgroups of 3 x 2 x 1. Workgroup (1, 1, 0), invocation
// (2, 1, 0): local index 5, global id (5, 3, 0), row of 6, so slot 3 * 6 + 5 = 23.
//! dispatch 2 2 1
//! bind 0.0 storage zeros 24
//! bind 0.1 storage zeros 8
//! expect 0.0 u32 0 1 2 100 101 102   3 4 5 103 104 105   200 201 202 300 301 302   203 204 205 303 304 305
//! expect 0.1 u32 5 3 0 2 1 1 1 5
@group(0) @binding(0) var<storage, read_write> slots: array<u32>;
@group(0) @binding(1) var<storage, read_write> last: array<u32>;
@compute @workgroup_size(3, 2)
fn main(@builtin(global_invocation_id) global: vec3u, @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) index: u32, @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) count: vec3u) {
    slots[global.y * 6u + global.x] = (group.y * count.x + group.x) * 100u + index;
    if all(group == count - vec3u(1)) && index == 5u {
        last[0] = global.x;
        last[1] = global.y;
        last[2] = global.z;
        last[3] = local.x;
        last[4] = local.y;
        last[5] = group.x;
        last[6] = group.y;
        last[7] = index;
    }
}
