// valid
struct Inner { a: vec2f, b: i32 }
const table = array<Inner, 2>(Inner(vec2(1, 2), 3), Inner(vec2(4, 5), 6));
var<private> seen: bool;
var<private> inner = Inner(vec2(0.5), -1);
var<workgroup> scratch: array<Inner, 8>;
@group(1) @binding(3) var<storage> input: array<Inner>;
@group(1) @binding(4) var<storage, read_write> output: Inner;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_id) id: vec3u) {
    var zero: Inner;
    var counts: array<i32, 3>;
    const offset = 1u;
    let from_table = table[id.x + offset].b;
    let whole = table;
    scratch[id.x] = input[id.x];
    counts[id.y] = from_table + whole[1].b;
    seen = counts[0] == zero.b;
    inner.b += select(0, 1, seen);
    output = Inner(scratch[0].a, inner.b);
}
