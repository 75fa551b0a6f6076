// error: infinite-loop control-flow control-flow control-flow
fn f() { loop { } }
fn g() { break; }
fn h() { continue; }
fn i() { loop { continuing { return; break if true; } } }
