// valid
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn effect(x: u32) -> bool {
    a[x] += 1u;
    return a[x] > 3u;
}

@compute @workgroup_size(1)
fn main() {
    let both = effect(0u) && effect(1u) && effect(2u);
    let either = effect(3u) || (effect(4u) && effect(5u));
    let plain = (effect(6u) & effect(7u)) | both;
    a[8] = select(0u, 1u, plain != either);
}
