// error: type-mismatch no-matching-overload no-matching-overload unresolved-identifier type-mismatch
@compute @workgroup_size(1)
fn main() {
    var a: i32 = 1.5;
    let b = 1u + 2i;
    let c = vec2f(1) * vec3f(1);
    let d = missing;
    a = 3u;
}
