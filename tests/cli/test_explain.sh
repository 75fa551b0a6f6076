# SPDX-License-Identifier: MIT
# alba explain: variables and entry points. Byte counts are worked out by hand.
. "$CLI_TESTS/lib.sh"

cat > spaces.wgsl <<'WGSL'
override tile_count: u32 = 64;
struct Params { scale: f32, count: u32 }
struct Big { v: array<vec4f, 5000> }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage> input: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(1) @binding(7) var<storage, read> lookup: Big;
@group(1) @binding(8) var<storage, read> few: array<vec4f, 4>;
@group(2) @binding(0) var tex: texture_2d<f32>;
@group(2) @binding(1) var samp: sampler;
var<private> table: array<f32, 256>;
var<private> seed: u32 = 7;
var<workgroup> tile: array<f32, 1000>;
var<workgroup> sized: array<f32, tile_count>;
fn leaf(i: u32) -> f32 { return table[i] + lookup.v[i].x; }
fn middle(i: u32) -> f32 { var local: array<f32, 32>; local[i] = 1; return leaf(i) + local[i]; }
@compute @workgroup_size(64, 2)
fn main(@builtin(local_invocation_index) i: u32) {
    var pair: vec2f;
    pair.x = middle(i);
    tile[i] = input[i] * params.scale;
    sized[i] = f32(seed);
    workgroupBarrier();
    output[i] = tile[i] + pair.x + few[0].x;
}
@compute @workgroup_size(1) fn small() { output[0] = 1; }
WGSL

run 0 explain spaces.wgsl --json
json 1
value ok true
# The module's ten variables with a size or handle first, in the order of the text.
value variables.0.name params
value variables.0.space uniform
value variables.0.access read
value variables.0.bytes 8
value variables.1.name input
value variables.1.bytes 4
value variables.1.elementBytes 4
value variables.3.bytes 80000
value variables.5.name tex
value variables.5.space handle
value variables.7.name table
value variables.7.space private
value variables.7.bytes 1024
value variables.9.bytes 4000
value variables.10.bytes 256
value variables.11.name local
value variables.11.function middle
value variables.11.space function
value variables.11.bytes 128
value variables.12.name pair
value variables.12.bytes 8

value entryPoints.0.name main
value entryPoints.0.workgroupSize '[64,2,1]'
# 4000 and 256 bytes, both multiples of 16.
value entryPoints.0.workgroupBytes 4256
value entryPoints.0.workgroupBytesAreComplete true
# 65536 / 4256 = 15.4; 233472 / (4256 + 1024) = 44.2, but 2048 / 128 threads = 16 and 32 at most.
value entryPoints.0.resident.0.workgroups 15
value entryPoints.0.resident.1.workgroups 16
# table and seed; pair and, through middle, local.
value entryPoints.0.privateBytes 1028
value entryPoints.0.functionBytes 136
value entryPoints.0.reaches.0.variable params
value entryPoints.0.reaches.0.calls main
value entryPoints.0.reaches.3.variable lookup
value entryPoints.0.reaches.3.calls 'main -> middle -> leaf'
value entryPoints.0.reaches.5.variable table
value entryPoints.0.limitsPassed '[]'
value entryPoints.0.bindGroupLayouts.0.entries.0.buffer.type uniform
value entryPoints.0.bindGroupLayouts.0.entries.1.buffer.type read-only-storage
value entryPoints.0.bindGroupLayouts.0.entries.2.buffer.type storage
value entryPoints.0.bindGroupLayouts.0.entries.2.buffer.minBindingSize 4
value entryPoints.0.bindGroupLayouts.1.group 1
value entryPoints.0.bindGroupLayouts.1.entries.0.binding 7
value entryPoints.0.bindGroupLayouts.1.entries.0.buffer.minBindingSize 80000
value entryPoints.1.name small
value entryPoints.1.reaches.length 1
value entryPoints.1.privateBytes 0

run 0 explain spaces.wgsl
out '@group(0) @binding(0) var<uniform> params: Params   // line 4'
out 'access mode     read, the default of storage'
out 'access mode     read_write, as declared'
out 'access mode     read, always so in uniform'
out 'its size is that of the binding, not known to the compiler'
out 'it must be storage: 80000 bytes pass the default maxUniformBufferBindingSize of 65536'
out 'It could be var<uniform> too: only read, 64 bytes'
out '1024 bytes in each invocation will not fit in registers: it would take 256 of 4 bytes'
out '128 bytes in each invocation, indexed by a value that is known only at run time'
out 'sized by an override, which only workgroup variables may be'
out "the variables of fn main"
out '.binding = 0, .visibility = WGPUShaderStage_Compute, .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = 8}},'
out 'WGPUBufferBindingType_ReadOnlyStorage'
out '{binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: {type: "read-only-storage", minBindingSize: 4}},'
out 'limits: within the defaults of core and of compatibility mode'

run 0 explain spaces.wgsl --constant tile_count=8192 --json
value variables.10.bytes 32768
value entryPoints.0.limitsPassed.0.limit maxComputeWorkgroupStorageSize
value entryPoints.0.limitsPassed.0.needed 36768
value entryPoints.0.limitsPassed.0.core 16384
run 0 explain spaces.wgsl --constant tile_count=0
out 'makes no pipeline'
out 'it must be at least 1'
printf 'override n: u32; var<workgroup> w: array<u32, n>;\n@compute @workgroup_size(n) fn main() { w[0] = 1; }\n' > need.wgsl
run 0 explain need.wgsl
out 'Some sizes depend on overrides without a default: give --constant n=VALUE'
out '@workgroup_size(?, 1, 1) fn main'
# One override without a default hides nothing that does not depend on it.
cat > part.wgsl <<'WGSL'
override tile: u32;
@id(7) override rows: u32 = 4;
override columns = rows * 2;
var<workgroup> a: array<f32, tile>;
var<workgroup> b: array<vec4f, columns>;
@compute @workgroup_size(8, rows, tile) fn x() { a[0] = 1; b[0] = vec4f(); }
@compute @workgroup_size(columns) fn y() { b[0] = vec4f(); }
WGSL
run 0 explain part.wgsl
out '@workgroup_size(8, 4, ?) fn x'
out '@workgroup_size(8, 1, 1) fn y'
out 'b: array<vec4<f32>, columns>, bytes 128'
out 'give --constant tile=VALUE'
no_out 'columns=VALUE'
run 0 reflect part.wgsl --json
value entryPoints.0.workgroupSize '[8,4,null]'
value entryPoints.0.workgroupBytes 128
value entryPoints.0.workgroupBytesAreComplete false
value entryPoints.1.workgroupSize '[8,1,1]'
value entryPoints.1.workgroupBytesAreComplete true
run 0 explain part.wgsl --constant 7=3
out '@workgroup_size(8, 3, ?) fn x'
out '@workgroup_size(6, 1, 1) fn y'

# Four workgroups of 16 KiB fit a pool of 64 KiB. The three reasons for storage, each by itself.
cat > pool.wgsl <<'WGSL'
var<workgroup> w: array<u32, 4096>;
@group(0) @binding(0) var<storage, read_write> written: vec4f;
@group(0) @binding(1) var<storage> open_ended: array<vec4f>;
@group(0) @binding(2) var<storage> large: array<vec4f, 4097>;
@group(0) @binding(3) var<storage> small: array<vec4f, 4096>;
var<immediate> now: f32;
@compute @workgroup_size(64) fn main() { w[0] = 1; written = open_ended[0] + large[1] + small[2] + now; }
WGSL
run 0 explain pool.wgsl
out 'holds 4 such workgroups at once'
out 'it must be storage: the shader may write it'
out 'it must be storage: its size is that of the binding, not known to the compiler'
out 'it must be storage: 65552 bytes pass the default maxUniformBufferBindingSize of 65536'
out 'It could be var<uniform> too: only read, 65536 bytes'
out 'var<immediate> now: f32'

# A render pipeline has one layout for both of its stages.
cat > render.wgsl <<'WGSL'
@group(0) @binding(0) var<uniform> camera: mat4x4f;
@group(0) @binding(2) var<uniform> light: vec4f;
@group(0) @binding(1) var t: texture_2d<f32>;
@vertex fn vs() -> @builtin(position) vec4f { return camera * light; }
@fragment fn fs() -> @location(0) vec4f { return light + textureLoad(t, vec2u(), 0); }
WGSL
run 0 explain render.wgsl
out '@vertex and @fragment in one render pipeline'
out '{binding: 0, visibility: GPUShaderStage.VERTEX, buffer: {type: "uniform", minBindingSize: 64}}, // camera'
out '{binding: 2, visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT, buffer: {type: "uniform", minBindingSize: 16}}, // light'
out '{.binding = 2, .visibility = WGPUShaderStage_Vertex | WGPUShaderStage_Fragment, .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = 16}}, // light'
run 0 explain render.wgsl --json
value renderPipeline.bindGroupLayouts.0.entries.length 3
value renderPipeline.bindGroupLayouts.0.entries.0.visibility VERTEX
value renderPipeline.bindGroupLayouts.0.entries.1.visibility FRAGMENT
value renderPipeline.bindGroupLayouts.0.entries.2.visibility 'VERTEX|FRAGMENT'
value entryPoints.0.bindGroupLayouts.0.entries.1.visibility VERTEX
# One binding for two variables: no layout fits both as they are.
sed 's/binding(1)/binding(0)/' render.wgsl > clash.wgsl
run 0 explain clash.wgsl
no_out 'in one render pipeline'

# A constant that fits nothing is an error, whatever the entry points use.
run 1 explain part.wgsl --constant tle=8
err "constant 'tle' names no override of the module; the nearest name is 'tile'"
run 1 explain part.wgsl --constant xyzzy=8
err "constant 'xyzzy' names no override of the module"
run 1 explain part.wgsl --constant rows=8
err "constant 'rows': this override has an @id, and its key is that number, '7'"
run 1 explain part.wgsl --constant tile=1e39
err "constant 'tile': 1e+39 is not representable as u32"
run 1 explain part.wgsl --constant tile=8 --constant tile=9 --json
err "constant 'tile' is given more than once"

run 0 explain need.wgsl --constant n=4
out 'w: array<u32, n>, bytes 16'
out '@workgroup_size(4, 1, 1) fn main'

# A workgroup of 16 KiB: four in a pool of 64 KiB, thirteen on an H200 at 32 threads.
printf 'var<workgroup> w: array<u32, 4096>; @compute @workgroup_size(32) fn main() { w[0] = 1; }\n' > pool.wgsl
run 0 explain pool.wgsl
out 'workgroup memory: 16384 of 16384 bytes'
out 'holds 4 such workgroups'
out 'holds 13 such workgroups'

# Limits of compatibility mode and of core.
printf '@group(0) @binding(0) var<storage> a: array<f32>;
@vertex fn main() -> @builtin(position) vec4f { return vec4f(a[0]); }\n' > vertex.wgsl
run 0 explain vertex.wgsl
out 'limits: within the defaults of core, past those of compatibility mode'
out 'maxStorageBuffersInVertexStage: needs 1; core gives 8, compatibility 0 (too few)'
out 'GPUShaderStage.VERTEX'
printf 'var<private> p: array<f32, 2049>;
@compute @workgroup_size(1) fn main() { var f: array<vec4f, 513>; f[0].x = p[0]; }\n' > large.wgsl
run 0 explain large.wgsl
out 'more than the 8192 bytes of private variables that every WebGPU supports'
out '8208 bytes in all, more than the 8192 in one function'
printf '@compute @workgroup_size(256) fn main() {}\n' > wide.wgsl
run 0 explain wide.wgsl
out 'maxComputeInvocationsPerWorkgroup: needs 256; core gives 256, compatibility 128 (too few)'
{ i=0; while [ $i -lt 9 ]; do echo "@group(0) @binding($i) var<storage> b$i: u32;"; i=$((i + 1)); done
  echo '@group(5) @binding(1000) var<uniform> u: u32;'
  echo '@compute @workgroup_size(1, 1, 65) fn main() { _ = b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + u; }'; } > past.wgsl
run 0 explain past.wgsl
out 'limits: past the defaults of core and of compatibility mode'
out 'maxStorageBuffersPerShaderStage: needs 9; core gives 8 (ask for more in requiredLimits)'
out 'maxBindGroups: needs 6'
out 'maxBindingsPerBindGroup: needs 1001'
out 'maxComputeWorkgroupSizeZ: needs 65'

# Textures and samplers.
cat > textures.wgsl <<'WGSL'
@group(0) @binding(0) var tex: texture_2d<f32>;
@group(0) @binding(1) var samp: sampler;
@group(0) @binding(2) var cmp: sampler_comparison;
@group(0) @binding(3) var depth: texture_depth_cube;
@group(0) @binding(4) var ms: texture_multisampled_2d<f32>;
@group(0) @binding(5) var ints: texture_2d_array<i32>;
@group(0) @binding(6) var st: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(7) var ext: texture_external;
@fragment fn fs() -> @location(0) vec4f {
    _ = tex; _ = samp; _ = cmp; _ = depth; _ = ms; _ = ints; _ = st; _ = ext;
    return vec4f();
}
WGSL
run 0 explain textures.wgsl
out "access mode     write, part of the texture's type"
out 'access mode     read, always so in handle'
out 'WGPUTextureSampleType_Sint, .viewDimension = WGPUTextureViewDimension_2DArray'
out 'WGPUStorageTextureAccess_WriteOnly, .format = WGPUTextureFormat_RGBA8Unorm'
out 'texture: {sampleType: "unfilterable-float", viewDimension: "2d", multisampled: true}'
out 'texture: {sampleType: "depth", viewDimension: "cube"}'
out 'sampler: {type: "comparison"}'
out 'externalTexture: {}'
run 0 explain textures.wgsl --json
value variables.6.access write
value entryPoints.0.bindGroupLayouts.0.entries.6.storageTexture.format rgba8unorm
value entryPoints.0.bindGroupLayouts.0.entries.7.externalTexture '{}'

# A module whose only error is a uniform layout is explained; one with another error is not.
printf 'struct S { a: array<f32, 4> } @group(0) @binding(0) var<uniform> s: S;\n@compute @workgroup_size(1) fn main() { _ = s.a[0]; }\n' > layout.wgsl
run 1 explain layout.wgsl
err 'breaks a layout rule'
out 'it is NOT legal'
run 1 explain layout.wgsl --json
value ok false
value variables.0.bytes 16
printf 'fn f() { nothing(); }\n' > wrong.wgsl
run 1 explain wrong.wgsl
err "'nothing'"
silent
run 1 explain wrong.wgsl --json
json 1
value ok false
value diagnostics.0.line 1

# The layouts for webgpu.h compile.
if [ -n "${ALBA_CC:-}" ]; then
    run 0 explain spaces.wgsl
    { echo '#include <webgpu/webgpu.h>'
      sed -n '/for webgpu.h/,/in JavaScript/p' out | sed -n '/WGPU/p; /};/p' | sed '/^const/!b' | awk '/group1/ && seen++ {exit} {print}' > piece
      awk '/WGPUBindGroupLayoutEntry group0/ { block++ } block == 1' piece
      echo 'int main(void) { return (int)group0[0].binding; }'; } > layouts.c
    grep -q 'group1' layouts.c && "$ALBA_CC" -std=c17 -I "$ALBA_SOURCE/include" -c layouts.c -o layouts.o 2> err
    expect 'the bind group layouts do not compile'
fi

run 2 explain
err 'which file?'
run 2 explain a b
run 2 explain spaces.wgsl --what
run 2 explain spaces.wgsl --constant
run 2 explain spaces.wgsl --constant x
run 1 explain missing.wgsl
printf '' > empty.wgsl
run 0 explain empty.wgsl
run 0 explain empty.wgsl --json
json 1
printf '\377\000' > binary.wgsl
run 1 explain binary.wgsl
finish
