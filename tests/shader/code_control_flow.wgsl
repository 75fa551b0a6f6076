// error: control-flow control-flow control-flow control-flow infinite-loop control-flow control-flow control-flow
fn f(i: i32) -> i32 {
    break;
    continue;
    loop {
        if i > 1 { break; }
        continuing { return 1; }
    }
    loop {
        continuing { break; }
    }
    loop {
        continuing { continue; }
    }
    loop {
        if i > 3 { continue; }
        let x = 1;
        continuing { _ = x; break if i > 2; }
    }
    switch i { default: { continue; } }
    return 1;
}
