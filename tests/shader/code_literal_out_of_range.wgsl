// error: literal-out-of-range literal-out-of-range literal-out-of-range literal-out-of-range literal-out-of-range literal-out-of-range
const a = 4294967296u;
const b = 2147483648i;
const c = 99999999999999999999;
const d = 1e39f;
const e = 1e400;
const f = 0x1.00000001p0f;
