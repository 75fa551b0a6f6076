// valid
struct Vertex { @location(0) position: vec3f, @location(1) kind: u32 }
struct Varying { @builtin(position) position: vec4f, @location(0) colour: vec3f, @location(1) @interpolate(flat) kind: u32 }
@group(0) @binding(0) var<uniform> transform: mat4x4f;

@vertex
fn vertex_main(vertex: Vertex, @builtin(vertex_index) index: u32) -> Varying {
    var out: Varying;
    out.position = transform * vec4(vertex.position, 1);
    out.colour = vec3(f32(index));
    out.kind = vertex.kind;
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    if in.kind == 3u { discard; }
    return vec4(in.colour, in.position.z);
}
