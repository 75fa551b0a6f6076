// Gravity of every body on every other, bodies passed through workgroup memory in tiles.
@group(0) @binding(0) var<storage, read> a: array<vec4f>; // position, mass
@group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
var<workgroup> tile: array<vec4f, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let count = arrayLength(&a);
    let me = a[id.x].xyz;
    var pull = vec3f(0.0);
    for (var start = 0u; start < count; start += 64u) {
        tile[local] = a[start + local];
        workgroupBarrier();
        for (var k = 0u; k < 64u; k++) {
            let other = tile[k];
            let d = other.xyz - me;
            let r2 = dot(d, d) + 0.01;
            let inverse = inverseSqrt(r2);
            pull += d * (other.w * inverse * inverse * inverse);
        }
        workgroupBarrier();
    }
    b[id.x] = vec4f(pull, 0.0);
}
