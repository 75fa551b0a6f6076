@group(0) @binding(0) var<storage, read_write> histograma : array<atomic<u32>, 256>;

fn calcularCubeta(i : u32) -> u32 { return 7u; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
  atomicAdd(&histograma[calcularCubeta(id.x)], 1u);
}
