// Nested loops with break, continue, continuing and break if, switch with a default among the cases, and
// an early return, all divergent: what each invocation counts follows from its index alone.
//   0: sum of odd numbers below i          1: steps of the Collatz sequence from i + 1
//   2: 100 where i is 1 or 4, 200 where 2, 300 else; then 7 more unless it returned (i == 5)
//! dispatch 1 1 1
//! bind 0.0 storage zeros 24
//! expect 0.0 u32 0 0 1 1 4 4 9 9
//! expect 0.0 u32 0 1 7 2 5 8 16 3
//! expect 0.0 u32 307 107 207 307 107 300 307 307
@group(0) @binding(0) var<storage, read_write> output: array<array<u32, 8>, 3>;
fn collatz(start: u32) -> u32 {
    var n = start;
    var steps = 0u;
    loop {
        if n == 1u {
            break;
        }
        if n % 2u == 0u {
            n /= 2u;
            continue;
        }
        n = 3u * n + 1u;
        continuing {
            steps++;
        }
    }
    return steps;
}
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    for (var k = 0u; ; k++) {
        if k >= i { break; }
        if k % 2u == 0u { continue; }
        sum += k;
    }
    output[0][i] = sum;
    output[1][i] = collatz(i + 1u);
    switch i {
        case 1u, 4u: { output[2][i] = 100u; }
        default: { output[2][i] = 300u; }
        case 2u: { output[2][i] = 200u; }
    }
    if i == 5u { return; }
    var n = 0u;
    loop {
        n++;
        continuing {
            output[2][i]++;
            break if n == 7u;
        }
    }
}
