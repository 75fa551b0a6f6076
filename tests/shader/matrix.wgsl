// valid
@group(0) @binding(0) var<storage, read_write> m: mat3x2<f32>;
@group(0) @binding(1) var<storage, read_write> n: mat2x3<f32>;
@group(0) @binding(2) var<storage, read_write> v: vec3<f32>;

@compute @workgroup_size(1)
fn main() {
    let product = m * n;
    let sum = product + product - mat2x2(1, 2, 3, 4);
    let scaled = 2 * sum * v.x;
    let columns = mat2x2(scaled[0], scaled[1]);
    v = vec3(m * v, determinant(columns));
    let row = v * n;
    n = transpose(m);
    m = mat3x2(m[0], m[1], row.xy);
    m *= 0.5;
    m[2][v_index()] = 3;
}

fn v_index() -> u32 { return u32(v.x); }
