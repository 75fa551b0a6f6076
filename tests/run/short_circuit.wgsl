// && and || evaluate their right side only where needed; side effects and order of evaluation.
//! bind 0.0 storage zeros 6
//! expect 0.0 u32 1 2 0 1 12 21
@group(0) @binding(0) var<storage, read_write> output: array<u32>;
var<private> calls: u32;
var<private> trace: u32;
fn note(result: bool) -> bool {
    calls++;
    return result;
}
fn mark(digit: u32) -> u32 {
    trace = trace * 10u + digit;
    return digit;
}
@compute @workgroup_size(1)
fn main(@builtin(local_invocation_index) zero: u32) {
    let no = zero != 0u;
    let a = note(no) && note(true);
    output[0] = calls;
    let b = note(!no) || note(true);
    output[1] = calls;
    output[2] = u32(a);
    output[3] = u32(b);
    let x = mark(1u) + mark(2u);
    output[4] = trace;
    trace = 0u;
    let y = vec2u(mark(2u), mark(1u));
    output[5] = trace + 0u * (x + y.x);
}
