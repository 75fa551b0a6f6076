// SPDX-License-Identifier: MIT
//
// A torus knot above a floor. The first pass draws depth as the light sees it; the second one draws
// the picture and looks up in that depth what lies in shadow.

struct Scene {
    camera: mat4x4f,
    light: mat4x4f,
    eye: vec3f,
    to_light: vec3f,
}

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) layer: u32, // of the patterns: 0 the knot's, 1 the floor's
}

struct Surface {
    @builtin(position) place: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) @interpolate(flat) layer: u32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var patterns: texture_2d_array<f32>;
@group(0) @binding(2) var pattern_sampler: sampler;
@group(0) @binding(3) var shadow_map: texture_depth_2d;
@group(0) @binding(4) var shadow_sampler: sampler_comparison;

@vertex
fn light_vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return scene.light * vec4f(position, 1);
}

@vertex
fn camera_vertex(vertex: Vertex) -> Surface {
    return Surface(scene.camera * vec4f(vertex.position, 1), vertex.position, vertex.normal,
        vertex.uv, vertex.layer);
}

// How much light arrives, 0 to 1: nine comparisons, each of them filtered.
fn find_light(position: vec3f) -> f32 {
    let seen = scene.light * vec4f(position, 1);
    let uv = seen.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var sum = 0.0;
    for (var i = 0; i < 9; i++) {
        let offset = vec2f(f32(i % 3 - 1), f32(i / 3 - 1)) * texel;
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + offset, seen.z - 0.002);
    }
    // Beyond what the light's picture holds there is nothing in the way.
    let is_inside = all(abs(uv - 0.5) < vec2f(0.5)) && seen.z < 1;
    return select(1.0, sum / 9, is_inside);
}

@fragment
fn surface_fragment(surface: Surface) -> @location(0) vec4f {
    let color = textureSample(patterns, pattern_sampler, surface.uv, surface.layer).rgb;
    let normal = normalize(surface.normal);
    let to_eye = normalize(scene.eye - surface.position);
    let half_way = normalize(scene.to_light + to_eye);
    let facing = max(dot(normal, scene.to_light), 0.0);
    let arriving = find_light(surface.position + 0.01 * normal) * facing;
    let gloss = select(0.7, 0.08, surface.layer == 1);
    let highlight = gloss * pow(max(dot(normal, half_way), 0.0), 48.0) * arriving;
    // The sky lights from above, the floor a little from below.
    let sky = mix(vec3f(0.10, 0.07, 0.06), vec3f(0.22, 0.27, 0.36), 0.5 + 0.5 * normal.y);
    let lit = color * (sky + vec3f(1.05, 0.98, 0.88) * arriving) + highlight;
    // What is far fades into the background.
    let distance = length(scene.eye - surface.position);
    let fog = smoothstep(9.0, 24.0, distance);
    return vec4f(mix(lit, vec3f(0.36, 0.44, 0.55), fog), 1);
}
