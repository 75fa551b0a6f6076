// error: cyclic-declaration cyclic-declaration cyclic-declaration cyclic-declaration cyclic-declaration
const a = b;
const b = c + 1;
const c = a;
struct S { next: array<S, 2> }
alias T = array<T, 3>;
fn f() { g(); }
fn g() { f(); }
fn h() { h(); }
