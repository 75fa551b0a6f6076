// error: invalid-utf8
const a = 1;
// café
const b = a;
