// error: syntax syntax syntax
// One brace too many ends the function early: its other statements are no errors of their own.
fn early(n: i32) -> i32 {
    var sum = 0;
    }
    for (var i = 0; i < n; i++) {
        let twice = 2 * i;
        if twice > 3 { continue; }
        sum += twice;
    }
    return sum;
}
// A header that is broken takes parameters and result with it.
fn header(a: i32 b: i32) -> i32 {
    return a + b;
}
// A brace too few: the function is told of where the next begins.
fn missing() {
    for (var i = 0; i < 3; i++) {
        loop { break; }
fn uses() -> i32 {
    missing();
    return header(1, 2) + early(3);
}
