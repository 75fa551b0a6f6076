# SPDX-License-Identifier: MIT
# alba layout. Every number below is worked out by hand from WGSL's rules: AlignOf and SizeOf of a
# vec3<f32> are 16 and 12, a struct's size is rounded up to its alignment, an array's stride is its
# element's size rounded up to the element's alignment.
. "$CLI_TESTS/lib.sh"

cat > types.wgsl <<'WGSL'
enable f16;
struct Sphere { center: vec3f, radius: f32 }
struct Weights { v: array<f32, 64> }
struct Header { n: u32 }
struct Block { head: Header, data: array<f32> }
struct Half { a: f16, b: vec3<f16>, c: f16 }
struct Matrices { a: mat3x3f, b: mat2x2f, c: mat4x3f, d: f32 }
struct Loose { a: f32, b: vec3f, c: vec2f, d: f32, e: vec3f }
struct Sized { @size(20) a: f32, @align(32) b: f32 }
struct Nine { a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32 }
struct Eight { a: vec4f, b: vec4f }
@group(0) @binding(0) var<storage> spheres: array<Sphere>;
@group(0) @binding(1) var<storage> points: array<vec3f>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>, 256>;
@group(0) @binding(3) var<storage> block: Block;
WGSL

# { vec3f, f32 } puts the f32 at 12: 16 bytes, no padding.
run 0 layout types.wgsl Sphere --json
json 1
value types.0.name Sphere
value types.0.align 16
value types.0.size 16
value types.0.members.1.name radius
value types.0.members.1.offset 12
value types.0.tailPadding 0
value types.0.holeBytes 0
value types.0.uniform.legal true
value types.0.spaces.0 storage
run 0 layout types.wgsl Sphere
out '/* offset( 0) align(16) size(12) */     center: vec3<f32>,'
out '/* offset(12) align( 4) size( 4) */     radius: f32,'
out '/* size: 16, sectors of 32 bytes: 1, members: 2 */'
no_out 'padding --'

# Layout does not depend on the space; legality does. 64 f32 are 256 bytes with stride 4.
run 0 layout types.wgsl Weights --json
value types.0.size 256
value types.0.members.0.stride 4
value types.0.members.0.count 64
value types.0.storage.legal true
value types.0.uniform.legal false
value types.0.members.0.uniform.rule stride
value types.0.members.0.uniform.actual 4
value types.0.members.0.uniform.required 16
value types.0.uniformStandardLayout.legal true
value types.0.legalForm.size 256
run 0 layout types.wgsl Weights
out 'NO: stride'
out 'array<vec4<f32>, 16> holds the same numbers in 256 bytes (v[i] becomes v[i / 4][i % 4])'
out 'elements of a structure { @size(16) value: f32 }, 1024 bytes'
out "'requires uniform_buffer_standard_layout;', or var<storage>"
out 'Legal form, 256 bytes as before:'
out '-- crosses into another sector at byte 32, 64, 96, 128, ... 7 times in all --'

# A runtime-sized array behind a structure of 4 bytes begins at 4, and only storage has it.
run 0 layout types.wgsl Block --json
value types.0.size null
value types.0.runtimeSized true
value types.0.minBindingSize 8
value types.0.members.1.offset 4
value types.0.uniform.rule runtime-sized
value types.0.uniformStandardLayout.legal false
run 0 layout types.wgsl Block
out 'its size is not known to the compiler'

# f16: 2 and 2, vec3<f16> 6 and 8. a at 0, b at 8, c at 14; size 16.
run 0 layout types.wgsl Half --json
value types.0.align 8
value types.0.size 16
value types.0.members.1.offset 8
value types.0.members.1.size 6
value types.0.members.2.offset 14
value types.0.holeBytes 6
value types.0.tailPadding 0

# mat3x3f 48 with columns 16 apart, mat2x2f 16 (8 apart), mat4x3f 64; 48+16+64+4 = 132, up to 144.
run 0 layout types.wgsl Matrices --json
value types.0.members.0.size 48
value types.0.members.0.stride 16
value types.0.members.1.offset 48
value types.0.members.1.stride 8
value types.0.members.2.offset 64
value types.0.members.2.size 64
value types.0.members.3.offset 128
value types.0.size 144
value types.0.tailPadding 12

# a 0, hole 12, b 16, c 32 (4 more of hole: 28 is no multiple of 8), d 40, hole 4, e 48, tail 4: 64.
# Best: b d e a c = 0, 12, 16, 28, 32: 40, rounded to 48.
run 0 layout types.wgsl Loose --json
value types.0.size 64
value types.0.holes 3
value types.0.holeBytes 20
value types.0.memberBytes 40
value types.0.tailPadding 4
value types.0.reorder.size 48
value types.0.reorder.saved 16
run 0 layout types.wgsl Loose
out '/* offset( 4) align( 1) size(12) */     // -- implicit member alignment padding --'
out '/* offset(28) align( 1) size( 4) */     // -- implicit member alignment padding --'
out '/* -- sector 1: byte 32 --'
out '/* offset(60) align( 1) size( 4) */     // -- implicit struct size padding --'
out '/* sum of members: 40, holes: 3, sum of holes: 20, padding at the end: 4 */'
out 'it takes 48 bytes, saving 16'

# @size(20) pads a by 16; @align(32) moves b to 32 and rounds the size to 64.
run 0 layout types.wgsl Sized --json
value types.0.align 32
value types.0.size 64
value types.0.members.0.size 20
value types.0.members.1.offset 32
value types.0.holeBytes 28
value types.0.tailPadding 28
run 0 layout types.wgsl Sized
out '@size(20) a: f32,'
out '// -- of these, the last 16 are padding by @size --'
out '@align(32) b: f32,'

# 36 bytes: nine loads of 4, each touching 32 sectors; 32 bytes: two loads of 16, 64 sectors.
run 0 layout types.wgsl Nine --json
value types.0.size 36
value types.0.elementRead.requests 9
value types.0.elementRead.sectors 288
run 0 layout types.wgsl Eight --json
value types.0.elementRead.requests 2
value types.0.elementRead.sectors 64
value types.0.elementRead.scalarRequests 8
value types.0.elementRead.scalarSectors 256
run 0 layout types.wgsl Nine
out 'lie 36 bytes apart'
out '9 loads of 4 bytes, 288 sectors'
out '/* -- sector 1: byte 32 --'

# Types by expression, by variable, and store types that are no structures.
run 0 layout types.wgsl 'array<vec3f, 10>' --json
value types.0.size 160
value types.0.stride 16
value types.0.uniform.legal true
run 0 layout types.wgsl points
out 'array<vec3<f32>>'
out 'each element: 12 bytes, then 4 of padding'
run 0 layout types.wgsl counters --json
value types.0.size 1024
value types.0.uniform.rule atomic
run 0 layout types.wgsl 'array<array<vec2<f16>, 3>, 5>' --json
value types.0.size 60
value types.0.stride 12
run 1 layout types.wgsl Nope
err "has no type, alias or variable 'Nope'"
run 1 layout types.wgsl bool
err 'no layout that a host can see'
run 1 layout types.wgsl 'array<f32'
err 'no type by itself'
run 1 layout types.wgsl 'f32; fn f() {'
err "'f32; fn f() {' is no type"
silent

# The whole module; only what a space uses.
run 0 layout types.wgsl
out 'struct Header, used by a part of another type'
out 'struct Weights, used by no buffer variable'
out 'struct Sphere, used by var<storage, read> spheres'
out 'array<atomic<u32>, 256>, used by var<storage, read_write> counters'
run 0 layout types.wgsl --json
json 1
value ok true
run 0 layout types.wgsl --space storage
out 'struct Block'
no_out 'struct Weights'
no_out 'uniform'
run 1 layout types.wgsl --space uniform
err 'no variable of that space'

# A uniform structure that breaks a rule: the module has an error, the layout says how to mend it.
cat > broken.wgsl <<'WGSL'
struct Header { n: u32 }
struct Scene { head: Header, more: f32, list: array<vec2f, 5> }
@group(0) @binding(0) var<uniform> scene: Scene;
WGSL
run 1 layout broken.wgsl
out 'An error as it stands'
out 'more: it begins 4 bytes after the structure before it; at least 16 are needed'
out 'edit: @align(16) more'
out 'list: offset 8 is not a multiple of 16'
out 'array<vec4<f32>, 3> holds the same numbers in 48 bytes'
# Header at 0, more at 16, list at 32: 80 bytes instead of 48.
out 'Legal form, 80 bytes instead of 48:'
run 1 layout broken.wgsl --json
value types.1.members.1.uniform.rule gap
value types.1.members.1.uniform.required 16
value types.1.members.2.uniform.rule offset
{ echo 'requires uniform_buffer_standard_layout;'; cat broken.wgsl; } > standard.wgsl
run 0 layout standard.wgsl
no_out 'An error as it stands'

# Errors elsewhere do not hide the types that are sound.
{ cat types.wgsl; echo 'fn broken() { nothing(); }'; } > partly.wgsl
run 1 layout partly.wgsl Sphere
err "'nothing'"
out 'radius: f32,'
run 1 layout partly.wgsl --json
json 1
value ok false
printf 'struct A { a: Unknown }' > unknown.wgsl
run 1 layout unknown.wgsl A
err 'Unknown'

# Larger than a default limit: 65536 bytes are allowed, 65552 are not.
printf 'struct Big { a: array<vec4f, 4097> }\n@group(0) @binding(0) var<uniform> big: Big;\n' > big.wgsl
run 0 layout big.wgsl
out '65552 bytes pass the default maxUniformBufferBindingSize of 65536'
printf '@group(0) @binding(0) var<uniform> mid: array<vec4f, 1025>;\n' > mid.wgsl
run 0 layout mid.wgsl
out "16400 bytes pass compatibility mode's maxUniformBufferBindingSize of 16384"
printf 'struct P { a: array<vec4f, 2> } @group(0) @binding(0) var<storage> p: array<P, 1048576>;\n' > many.wgsl
run 0 layout many.wgsl p --json
value types.0.size 33554432

run 0 layout many.wgsl p
out '/* size: 33554432 (32 MiB), sectors of 32 bytes: 1048576 */'

# A vec3 does not pad: f32 at 0, the vec3 at 16, 32 in all. Padding at the end counts for a binding.
printf 'struct F { time: f32, _pad: vec3f } @group(0) @binding(0) var<uniform> f: F;\n' > pad.wgsl
run 0 layout pad.wgsl
out '_pad: a vec3 is no padding of 12 bytes: it is aligned to 16, so 12 more stand before it'
out 'it takes 16 bytes, saving 16'
out 'A binding needs all 32 bytes (its minBindingSize), not 28'
printf 'struct F { a: vec3f, b: mat3x3f, c: vec4f, d: u32, e: u32 } @group(0) @binding(0) var<uniform> f: F;\n' > tail.wgsl
# 12, up to 16; 48 to 64; 16 to 80; 4 and 4: 88 of 96.
run 0 layout tail.wgsl
out 'A binding needs all 96 bytes (its minBindingSize), not 88'

# A member of 20 bytes at 100 in a uniform structure.
printf 'struct V { a: f32, b: f32, c: f32, d: f32, e: f32 }
struct U { a: mat4x4f, b: vec4f, c: vec4f, d: f32, v: V } @group(0) @binding(0) var<uniform> u: U;\n' > vec5.wgsl
run 1 layout vec5.wgsl U
out 'v: offset 100 is not a multiple of 16'
out 'edit: @align(16) v'
out 'Legal form, 144 bytes instead of 128:'

# Usage.
run 2 layout
err 'which file?'
run 2 layout types.wgsl --space workgroup
err 'uniform or storage'
run 2 layout types.wgsl A B
err "'B' is one too many"
run 2 layout types.wgsl --space
run 2 layout types.wgsl --what
run 2 layout types.wgsl --c-header --json
run 1 layout missing.wgsl
err 'No such file'
head -c 3000 /dev/zero | tr '\000' '[' > noise.wgsl
run 1 layout noise.wgsl
err 'error'
run 1 layout types.wgsl 'array<nope>'
err "it is no type by itself: nothing called 'nope' is in scope"
run 1 layout types.wgsl 'f32 f'
err 'it is no type by itself: '
run 1 layout types.wgsl 'alba_asked_for_this_type' --json
err 'it is no type by itself'
no_err 'depends on itself'
silent
run 1 layout types.wgsl 'array<f32, 0>'
err 'an array has at least one element, not 0'
finish
