// Each step reads one buffer and writes the other: a cell becomes the sum of its neighbours.
@group(0) @binding(0) var<storage, read> leer : array<u32>;
@group(0) @binding(1) var<storage, read_write> escribir : array<u32>;

@compute @workgroup_size(64)
fn paso(@builtin(global_invocation_id) id : vec3<u32>) {
  let n = arrayLength(&leer);
  if (id.x >= n) { return; }
  escribir[id.x] = leer[(id.x + n - 1u) % n] + leer[(id.x + 1u) % n];
}
