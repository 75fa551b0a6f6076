// error: no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload no-matching-overload
fn f(i: i32, u: u32, x: f32, b: bool, v: vec3f, m: mat4x4f) {
    let a = i + u;
    let c = x * i;
    let d = !i;
    let e = -u;
    let g = ~x;
    let h = v * m;
    let j = b && i;
    let k = max(i, u);
    let l = dot(v, vec2f());
    let n = sqrt(i);
    let o = vec3f(1, 2);
    let p = vec3f(vec2f(), vec2f());
    let q = mat2x2f(1, 2, 3);
    let r = f32(v);
    let s = v == vec3i();
    let t = bitcast<f32>(v);
    let w = bitcast<vec2f>(x);
    var y = x;
    y++;
    y += i;
    let z = atomicAdd(&y, 1);
    let aa = clamp(x, 0, 1u);
    let bb = x % b;
    let cc = x << 1u;
    let dd = u << i;
    let ee = array(1u, 2i);
    let ff = vec3(1u, 2i, 3f);
    let gg = select(1, 2u, 3);
    let hh = min(x);
}
