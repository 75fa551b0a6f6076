// One variable of each address space, as a lesson shows them, in one module; textures and samplers
// are declared and not used by the compute entry point.
struct Camara { exposicion : f32 }
struct Luz { color : vec3f, fuerza : f32 }

var<private> semilla : u32;                                  // private
var<workgroup> parciales : array<f32, 64>;                   // workgroup

@group(0) @binding(0) var<uniform> camara : Camara;          // uniform
@group(0) @binding(1) var<storage, read> luces : array<Luz>; // storage de lectura
@group(0) @binding(2) var<storage, read_write> salida : array<vec4f>;
@group(0) @binding(3) var muestreo : sampler;                // handle
@group(0) @binding(4) var albedo : texture_2d<f32>;          // handle

fn ejemplo() {
  var acumulado : vec3f;      // function: el espacio se omite siempre
  acumulado.x = 1.0;
}

fn suma(p : ptr<function, array<f32, 4>>) -> f32 {
  return (*p)[0] + (*p)[1] + (*p)[2] + (*p)[3];
}

fn suma_directa(p : ptr<function, array<f32, 4>>) -> f32 {
  return p[0] + p[1] + p[2] + p[3];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3<u32>,
        @builtin(local_invocation_index) local : u32) {
  ejemplo();
  semilla = semilla + id.x;
  parciales[local] = f32(semilla) * camara.exposicion;
  workgroupBarrier();
  var cuatro = array<f32, 4>(1.0, 2.0, 3.0, parciales[63u - local]);
  let luz = luces[id.x % arrayLength(&luces)];
  salida[id.x] = vec4f(luz.color * luz.fuerza, suma(&cuatro) + suma_directa(&cuatro));
}
