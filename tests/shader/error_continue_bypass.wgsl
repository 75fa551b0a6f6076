// error: control-flow
// WGSL §Continue Statement: a continue must not skip a declaration that the continuing block uses.
fn f(a: bool) {
    loop {
        if a { continue; }
        let z = 2;
        continuing {
            _ = z;
            break if true;
        }
    }
}
