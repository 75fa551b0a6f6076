// error: syntax mixed-operators syntax
fn main() {
    let a = 1
    let b = 1 & 2 == 3;
    for (var i = 0, i < 4; i++) { }
}
