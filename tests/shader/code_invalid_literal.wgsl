// error: invalid-literal invalid-literal invalid-literal invalid-literal invalid-literal invalid-literal invalid-literal invalid-literal
const a = 017;
const b = 0x;
const c = 1.5u;
const d = 1e;
const e = 0x1.8h;
const g = 12abc;
const h = 0xfz;
const i = 1_000;
