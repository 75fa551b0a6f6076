// error: invalid-swizzle invalid-swizzle invalid-swizzle invalid-swizzle invalid-swizzle invalid-swizzle invalid-swizzle invalid-swizzle invalid-swizzle
fn f(v: vec3f, w: vec2f) {
    let a = v.w;
    let b = w.z;
    let c = v.xg;
    let d = v.xyzxy;
    let e = v.q;
    let g = v.xx.z;
    let h = v.length;
    let i = v.XYZ;
    let j = v.rgb.a;
}
