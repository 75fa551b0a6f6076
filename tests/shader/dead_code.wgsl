// valid
// Bindings that only unreachable statements name are still part of the entry point's interface.
@group(0) @binding(0) var<storage, read_write> used: array<u32>;
@group(0) @binding(1) var<storage, read_write> unreached: array<u32>;

@compute @workgroup_size(1)
fn main() {
    loop {
        used[0] = 1u;
        if used[1] == 0u {
            break;
        } else {
            break;
        }
        unreached[0] = 2u;
    }
    return;
}
