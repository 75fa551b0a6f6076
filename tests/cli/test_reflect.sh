# SPDX-License-Identifier: MIT
# alba reflect: the interface of a module as JSON, as docs/reflect.md has it.
. "$CLI_TESTS/lib.sh"

cat > module.wgsl <<'WGSL'
@id(7) override gain: f32 = 2;
override steps: u32;
struct Material { color: vec3f, rough: f32 }
struct Varying { @builtin(position) position: vec4f, @location(0) uv: vec2f, @location(1) @interpolate(flat) id: u32 }
@group(0) @binding(0) var<uniform> material: Material;
@group(0) @binding(1) var<storage, read_write> data: array<vec4f>;
@vertex fn vs(@location(3) place: vec3f, @builtin(vertex_index) i: u32) -> Varying {
    var out: Varying;
    out.position = vec4f(place, material.rough);
    out.id = i;
    return out;
}
@fragment fn fs(in: Varying) -> @location(0) vec4f { return vec4f(material.color, in.uv.x); }
@compute @workgroup_size(8, 4) fn cs(@builtin(global_invocation_id) id: vec3u) { data[id.x] = vec4f(gain * f32(steps)); }
WGSL
run 0 reflect module.wgsl --json
json 1
value schema 1
value file module.wgsl
value ok true
value entryPoints.0.name vs
value entryPoints.0.stage vertex
value entryPoints.0.inputs.0.location 3
value entryPoints.0.inputs.0.type 'vec3<f32>'
value entryPoints.0.inputs.1.builtin vertex_index
value entryPoints.0.outputs.0.builtin position
value entryPoints.0.outputs.2.location 1
value entryPoints.0.outputs.2.interpolation flat
value entryPoints.0.bindGroupLayouts.0.entries.0.variable material
value entryPoints.0.bindGroupLayouts.0.entries.0.visibility VERTEX
value entryPoints.1.outputs.0.location 0
value entryPoints.2.workgroupSize '[8,4,1]'
value entryPoints.2.overrides '["gain","steps"]'
value entryPoints.2.bindGroupLayouts.0.entries.0.binding 1
value resources.0.minBindingSize 16
value resources.1.type 'array<vec4<f32>>'
value resources.1.access read_write
value resources.1.elementBytes 16
value overrides.0.name gain
value overrides.0.id 7
value overrides.0.hasDefault true
value overrides.1.type u32
value overrides.1.hasDefault false
value structures.0.name Material
value structures.0.size 16
value structures.0.members.1.offset 12

# Every key that is printed stands in the schema.
for key in $(grep -o '"[A-Za-z]*":' out | sort -u | tr -d '":'); do
    grep -q "\`$key\`" "$ALBA_SOURCE/docs/reflect.md"
    expect "docs/reflect.md does not explain $key"
done

run 1 reflect layout_missing.wgsl --json
printf 'fn f() -> u32 { return 1.5; }\n' > wrong.wgsl
run 1 reflect wrong.wgsl --json
json 1
value ok false
value diagnostics.0.line 1
run 2 reflect module.wgsl
err 'add --json'
run 2 reflect --json
run 2 reflect module.wgsl --json --constant a=1
input=module.wgsl
run 0 reflect - --json
value file 'standard input'
finish
