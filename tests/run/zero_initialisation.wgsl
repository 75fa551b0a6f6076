// Memory that nobody wrote is zero, whatever lay there before: function, private and workgroup
// variables, in every workgroup and in every call. 4 workgroups of 32; each invocation first reads
// its variables, adds up what it finds, and then fills them with values that the next must not see.
//   0: the sum of all that was found, which is 0
//   1: the workgroups that ran to their end: 4
//! dispatch 4 1 1
//! bind 0.0 storage zeros 8
//! expect 0.0 u32 0 4
struct Part { a: vec3f, b: array<i32, 3>, c: mat2x2f, d: bool }
@group(0) @binding(0) var<storage, read_write> result: array<atomic<u32>, 2>;
var<workgroup> board: array<u32, 64>;
var<workgroup> parts: Part;
var<private> own: array<u32, 16>;

fn fill(i: u32) -> u32 {
    var local: array<u32, 24>;
    var part: Part;
    var found = 0u;
    for (var k = 0u; k < 24; k++) {
        found |= local[k];
        local[k] = 0xdead0000u | k;
    }
    found |= u32(any(part.a != vec3f())) | u32(part.b[i % 3]) | u32(part.d);
    part = Part(vec3f(1), array(1, 2, 3), mat2x2f(1, 2, 3, 4), true);
    return found | u32(part.b[0] != 1);
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    var found = board[i] | board[63 - i] | u32(any(parts.a != vec3f())) | u32(parts.b[i % 3]) |
        u32(any(parts.c[1] != vec2f())) | u32(parts.d);
    for (var k = 0u; k < 16; k++) {
        found |= own[k];
    }
    workgroupBarrier();
    board[i] = 0xffffffffu;
    board[63 - i] = 0xffffffffu;
    if i == 0 {
        parts = Part(vec3f(7), array(7, 7, 7), mat2x2f(7, 7, 7, 7), true);
        atomicAdd(&result[1], 1);
    }
    for (var k = 0u; k < 16; k++) {
        own[k] = 0xffffffffu;
    }
    found |= fill(i) | fill(i + 1);
    atomicOr(&result[0], found);
}
