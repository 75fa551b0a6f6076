// valid
@group(0) @binding(0) var<storage, read_write> a: array<i32>;

fn sign(x: i32) -> i32 {
    if x < 0 {
        return -1;
    } else if x == 0 {
        return 0;
    } else {
        return 1;
    }
}

@compute @workgroup_size(1)
fn main() {
    if a[0] > 0 {
        a[1] = sign(a[0]);
    }
    if a[1] == 1 { a[2] = 1; } else if a[1] == 2 { a[2] = 2; }
    {
        var a = 3;
        if true { a = 4; }
    }
}
