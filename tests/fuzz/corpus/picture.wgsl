// Vertex and fragment stages, textures, derivatives.
struct Varying { @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) @interpolate(flat) layer: u32 }
@group(0) @binding(0) var colours: texture_2d_array<f32>;
@group(0) @binding(1) var filtering: sampler;
@group(0) @binding(2) var shadows: texture_depth_2d;
@group(0) @binding(3) var comparing: sampler_comparison;
@group(1) @binding(0) var<uniform> model: mat4x4f;
@vertex fn vertices(@location(0) at: vec3f, @location(1) uv: vec2f, @builtin(instance_index) i: u32) -> Varying {
    return Varying(model * vec4f(at, 1), uv, i);
}
@fragment fn pixels(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let slope = fwidth(in.uv);
    var colour = textureSample(colours, filtering, in.uv, in.layer);
    colour += textureSampleGrad(colours, filtering, in.uv, in.layer, dpdx(in.uv), dpdy(in.uv));
    let lit = textureSampleCompare(shadows, comparing, in.uv, 0.5);
    if !front { discard; }
    return vec4f(colour.rgb * lit, colour.a) + textureLoad(colours, vec2i(in.at.xy), 0, 0) * slope.x;
}
