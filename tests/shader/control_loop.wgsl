// valid
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(1)
fn main() {
    for (var i = 0u; i < 4u; i++) {
        if i == 2u { continue; }
        a[i] = i;
    }
    var n = 0u;
    while n < 10u {
        n += 3u;
        if n > 7u { break; }
    }
    loop {
        let step = n & 1u;
        if step == 0u { continue; }
        a[n] = step;
        continuing {
            n = n + step + 1u;
            break if n > 20u;
        }
    }
    loop {
        if n == 0u { return; }
        n--;
    }
}
