// error: literal-out-of-range literal-out-of-range
enable f16;
const a = 65520h;
const b = 0x1.ffep0h;
