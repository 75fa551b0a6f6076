// error: shift-amount shift-amount shift-amount shift-amount shift-amount shift-amount shift-amount
const a = 1u << 32u;
const b = 1i << 31u;
const c = 0x80000000u << 1u;
const d = 1 << 64u;
const e = 8u >> 40u;
fn f(x: u32) -> u32 {
    return (x << 32u) + (x >> 33u);
}
