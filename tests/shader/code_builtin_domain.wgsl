// error: builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain builtin-domain
const a = sqrt(-1.0);
const b = log(0.0);
const c = acos(2.0);
const d = clamp(1, 3, 2);
const e = clamp(1.0, 3.0, 2.0);
const g = smoothstep(1.0, 1.0, 0.5);
const h = ldexp(1.0f, 200);
const i = extractBits(1u, 30u, 4u);
const j = insertBits(1u, 2u, 30u, 4u);
const k = normalize(vec2f(0, 0));
const l = inverseSqrt(0.0);
const m = atanh(1.0);
const n = asin(1.5);
const o = acosh(0.5);
const q = pow(-1.0, 0.5);
const r = log2(-1.0);
fn f(x: f32, u: u32) { _ = clamp(x, 3.0, 2.0); _ = extractBits(u, 30u, 4u); _ = smoothstep(2.0, 2.0, x); }
