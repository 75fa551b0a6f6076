struct Pesos { valores : array<f32, 64> };

struct Cabecera { n : u32 };
struct Bloque {
  cab : Cabecera,
  datos : array<f32>,
};

@group(0) @binding(0) var<storage, read> pesos : Pesos;
@group(0) @binding(1) var<storage, read> bloque : Bloque;
@group(0) @binding(2) var<storage, read_write> salida : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
  salida[id.x] = pesos.valores[id.x] * bloque.datos[id.x] + f32(bloque.cab.n) +
                 f32(arrayLength(&bloque.datos));
}
