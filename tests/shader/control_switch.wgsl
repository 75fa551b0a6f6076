// valid
const two = 2;
@group(0) @binding(0) var<storage, read_write> a: array<i32>;

fn pick(x: u32) -> i32 {
    switch x {
        case 0u, 1u { return 10; }
        case two, default { return 20; }
    }
}

@compute @workgroup_size(1)
fn main() {
    for (var i = 0; i < 8; i++) {
        switch a[i] {
            case -1: { continue; }
            case 3 { break; }
            default: {
                if a[i] > 5 { break; }
                a[i] = pick(u32(i));
            }
        }
        a[i] += 1;
    }
}
