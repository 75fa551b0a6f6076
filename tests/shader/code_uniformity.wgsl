// error: uniformity uniformity uniformity uniformity uniformity uniformity uniformity
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> data: array<u32>;
@group(0) @binding(3) var<storage> ro: array<u32>;
var<workgroup> w: u32;
fn helper(n: u32) { if n > 3 { workgroupBarrier(); } }
fn sample_it(uv: vec2f) -> vec4f { return textureSample(t, s, uv); }
@fragment fn a(@location(0) x: f32, @builtin(position) p: vec4f) -> @location(0) vec4f {
    if x > 0.5 { return sample_it(p.xy); }
    return vec4f(dpdx(x));
}
@compute @workgroup_size(64) fn b(@builtin(local_invocation_index) i: u32) {
    let half = i / 2;
    var copy = half;
    helper(copy);
}
@compute @workgroup_size(64) fn c() {
    if data[0] > 1 { storageBarrier(); }
}
@compute @workgroup_size(64) fn d(@builtin(local_invocation_index) i: u32) {
    for (var k = 0u; k < i; k++) { workgroupBarrier(); }
}
@compute @workgroup_size(64) fn e(@builtin(local_invocation_index) i: u32) {
    if i == 0 { return; }
    workgroupBarrier();
}
@compute @workgroup_size(64) fn g() {
    if w == 1 { workgroupBarrier(); }
}
var<workgroup> arr: array<u32, 4>;
@compute @workgroup_size(64) fn h(@builtin(local_invocation_index) i: u32) {
    _ = workgroupUniformLoad(&arr[i]);
}
