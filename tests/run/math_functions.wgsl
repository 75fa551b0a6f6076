// Numeric built-ins against values worked out to 9 digits elsewhere; tolerances by the specification.
//! bind 0.0 read f32 0.5
//! bind 0.1 storage zeros 21
//! expect 0.1 near 3e-7 1.64872127 1.41421356 -0.693147181 -1
//! expect 0.1 near 5e-4 0.479425539 0.877582562 0.546302490
//! expect 0.1 near 1e-3 0.523598776 1.04719755 0.463647609
//! expect 0.1 near 1e-5 0.521095305 1.12762597 0.462117157
//! expect 0.1 near 1e-5 0.481211825 0.549306144
//! expect 0.1 near 1e-6 0.353553391 0.707106781 1.41421356
//! expect 0.1 f32 0.5 0.75 28.6478901
@group(0) @binding(0) var<storage, read> input: f32;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(1)
fn main() {
    let x = input;
    output[0] = exp(x);
    output[1] = exp2(x);
    output[2] = log(x);
    output[3] = log2(x);
    output[4] = sin(x);
    output[5] = cos(x);
    output[6] = tan(x);
    output[7] = asin(x);
    output[8] = acos(x);
    output[9] = atan(x);
    output[10] = sinh(x);
    output[11] = cosh(x);
    output[12] = tanh(x);
    output[13] = asinh(x);
    output[14] = atanh(x);
    output[15] = pow(x, 1.5);
    output[16] = sqrt(x);
    output[17] = inverseSqrt(x);
    output[18] = smoothstep(0.0, 1.0, x);
    output[19] = mix(0.5, 1.0, x);
    output[20] = degrees(x);
}
