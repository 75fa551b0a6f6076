// valid
struct Input {
    @builtin(global_invocation_id) global: vec3u,
    @builtin(workgroup_id) group: vec3u,
}
@group(0) @binding(0) var<storage, read_write> out: array<vec3u>;

fn use_it(input: Input) -> vec3u { return input.global * input.group; }

@compute @workgroup_size(4, 2, 1)
fn main(input: Input, @builtin(num_workgroups) count: vec3u) {
    out[input.global.x] = use_it(input) + count;
}
