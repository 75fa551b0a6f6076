// valid
struct S { v: vec3<f32>, m: mat2x2<f32>, a: array<i32, 4> }
@group(0) @binding(0) var<storage, read_write> s: S;
var<private> counter: i32;

fn next() -> i32 {
    counter += 1;
    return counter;
}

@compute @workgroup_size(1)
fn main() {
    s.v.y = 1.5;
    s.v[2] = s.v.x;
    s.m[1] = vec2(1, 2);
    s.m[0][1] *= 2;
    s.a[next()] += next();
    s.a[0]++;
    s.a[1]--;
    s.v *= s.v.zyx;
    s.v /= 2;
    _ = next();
    var copy = s;
    copy.a = array(1, 2, 3, 4);
    s = copy;
}
