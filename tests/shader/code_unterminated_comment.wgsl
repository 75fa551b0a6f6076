// error: unterminated-comment
const a = 1; /* one /* two */ still open
const b = a;
