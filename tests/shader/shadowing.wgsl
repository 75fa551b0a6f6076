// valid
const x = 1;
@group(0) @binding(0) var<storage, read_write> out: array<i32>;
alias f32x = vec2<i32>;

fn f(min: i32) -> i32 {
    let x = x + min;
    {
        let x = x * 2;
        var vec2 = x;
        vec2 += 1;
        return vec2;
    }
}

@compute @workgroup_size(1)
fn main() {
    out[0] = f(2);
    out[1] = f32x(3, 4).y;
}
