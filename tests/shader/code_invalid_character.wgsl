// error: invalid-character invalid-character invalid-character invalid-character invalid-character invalid-character
fn f(x: i32) {
    let a = x > 0 ? 1 : 2;
    let b = "two words";
    let c = 'c';
    let d = x $ 3;
    let e = x − 1;
}
#define N 3
