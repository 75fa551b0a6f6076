// valid
struct Camara { vista : mat4x4<f32>, }
struct Luz { color : vec3f, fuerza : f32, };
struct Estado { pos : vec3f, vel : vec3f }
struct Cabecera { n : u32 };
struct Bloque {
cab : Cabecera,
datos : array<f32>,
};
var<private> semilla : u32;                                  // private
var<private> tabla : array<f32, 256>;
var<workgroup> parciales : array<f32, 64>;                   // workgroup

@group(0) @binding(0) var<uniform> camara : Camara;          // uniform
@group(0) @binding(1) var<storage, read> luces : array<Luz>; // storage, reading
@group(0) @binding(2) var<storage, read_write> salida : array<vec4f>;
@group(0) @binding(3) var muestreo : sampler;                // handle
@group(0) @binding(4) var albedo : texture_2d<f32>;          // handle
@group(0) @binding(5) var<storage> a : array<f32>;              // read by default
@group(0) @binding(6) var destino : texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(0) var<storage, read_write> histograma : array<atomic<u32>, 256>;
@group(1) @binding(1) var<storage, read_write> estado : array<Estado>;
@group(1) @binding(2) var<storage, read_write> bloque : Bloque;

fn ejemplo() {
  var acumulado : vec3f;      // function: the space may be left out
  acumulado.x = 1.0;
  var<function> escrito = acumulado.x;
  semilla = u32(escrito);
}

fn suma(p : ptr<function, array<f32, 4>>) -> f32 {
  return (*p)[0] + p[1] + (*p)[2] + (*p)[3];
}

fn calcularCubeta(i : u32) -> u32 { return i % 256u; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
  atomicAdd(&histograma[calcularCubeta(id.x)], 1u);
  var cuatro = array<f32, 4>(1, 2, 3, luces[0].fuerza);
  parciales[id.x % 64u] = suma(&cuatro) + a[0] + bloque.datos[bloque.cab.n] + tabla[semilla];
  ejemplo();
  salida[0] = camara.vista * vec4f(luces[1].color, 1);
}

@compute @workgroup_size(64)
fn integrar(@builtin(global_invocation_id) id : vec3<u32>) {
  let i = id.x;
  if (i >= arrayLength(&estado)) { return; }
  estado[i].pos = estado[i].pos + estado[i].vel * 0.5;
}
