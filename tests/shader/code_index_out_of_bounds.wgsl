// error: index-out-of-bounds index-out-of-bounds index-out-of-bounds index-out-of-bounds index-out-of-bounds index-out-of-bounds index-out-of-bounds
fn f(v: vec3f, a: array<f32, 4>, m: mat2x2f, p: ptr<function, array<f32, 2>>) -> f32 {
    const i = 4;
    return v[3] + a[i] + a[-1] + m[2][0] + m[0][2] + p[2];
}
const b = array(1, 2, 3)[3];
