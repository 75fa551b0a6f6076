// Matrices are column-major: products of every form, transpose, determinant, columns by index.
//   m = columns (1 2) (3 4) (5 6); m * (1 10 100) = (531 642); (1 10) * m = (21 43 65)
//   square = columns (2 1) (0 3): determinant 6; square * square = columns (4 5) (0 9)
//! bind 0.0 read f32 1 2 3 4 5 6
//! bind 0.1 storage zeros 18
//! expect 0.1 f32 531 642 21 43 65 6
//! expect 0.1 f32 4 5 0 9
//! expect 0.1 f32 1 3 5 2 4 6
//! expect 0.1 f32 3 4
@group(0) @binding(0) var<storage, read> m: mat3x2f;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(local_invocation_index) zero: u32) {
    let a = m * vec3f(1, 10, 100);
    let b = vec2f(1, 10) * m;
    let square = mat2x2f(m[0].y, m[0].x, 0, m[1].x);
    let squared = square * square;
    let turned = transpose(m);
    output[0] = a.x;
    output[1] = a.y;
    output[2] = b.x;
    output[3] = b.y;
    output[4] = b.z;
    output[5] = determinant(square);
    for (var i = 0u; i < 4u; i++) {
        output[6u + i] = squared[i / 2u][i % 2u];
    }
    for (var i = 0u; i < 6u; i++) {
        output[10u + i] = turned[i / 3u][i % 3u];
    }
    output[16] = m[zero + 1u].x;
    output[17] = m[zero + 1u][zero + 1u];
}
