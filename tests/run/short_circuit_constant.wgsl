// A constant left side of && or || that decides: the right side is not evaluated, also where parts of it
// are constant expressions.
//! bind 0.0 storage u32 5 0 0 0
//! expect 0.0 u32 5 1 0 1
@group(0) @binding(0) var<storage, read_write> output: array<u32>;
const numbers = array<i32, 3>(1, 2, 3);
@compute @workgroup_size(1)
fn main() {
    let n = i32(output[0]);
    output[1] = u32(true || (1 == (numbers[n] & i32(3))));
    output[2] = u32((!any(vec2<bool>(true))) && (n / i32(0 + 1) == 5));
    output[3] = u32((2 > 3) || n == 5);
}
