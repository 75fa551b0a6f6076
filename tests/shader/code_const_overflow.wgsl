// error: const-overflow literal-out-of-range const-overflow const-overflow const-overflow const-overflow const-overflow const-overflow const-overflow const-overflow
const a = 2147483647i + 1i;
const b = 9223372036854775807 + 1;
const c = 4294967295u * 2u;
const d = -2147483648i / -1i;
const e = 1e308 * 10.0;
const f = 3e38f * 10f;
const g = 0.0 / 0.0;
const h = exp(1000f);
const i = pow(10f, 50f);
const j = bitcast<f32>(0x7f800000u);
const k = unpack2x16float(0x7c00u);
const l = 1u - 2u;
const m = -(-2147483647i - 1i);
const n = abs(-9223372036854775807 - 1);
const o = 1.0 / 0.0;
