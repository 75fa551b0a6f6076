// Three ways of writing a storage variable; the first two mean the same.
@group(0) @binding(0) var<storage> a : array<f32>;              // read por defecto
@group(0) @binding(1) var<storage, read> b : array<f32>;        // identico al anterior
@group(0) @binding(2) var<storage, read_write> c : array<f32>;  // lectura y escritura

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
  c[id.x] = a[id.x] + b[id.x];
}
