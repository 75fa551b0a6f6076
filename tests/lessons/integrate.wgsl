struct Particula { pos : vec3f, vel : vec3f }
const dt = 0.5;
@group(0) @binding(0) var<storage, read_write> estado : array<Particula>;

// Seguro: cada invocación escribe únicamente su índice.
@compute @workgroup_size(64)
fn integrar(@builtin(global_invocation_id) id : vec3<u32>) {
  let i = id.x;
  if (i >= arrayLength(&estado)) { return; }
  estado[i].pos = estado[i].pos + estado[i].vel * dt;
}
