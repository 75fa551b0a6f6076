// error: pointer-aliasing pointer-aliasing pointer-aliasing pointer-aliasing
var<private> g: i32;
fn add(a: ptr<function, i32>, b: ptr<function, i32>) { *a += *b; }
fn poke(p: ptr<private, i32>) { g = *p; }
fn read_g(p: ptr<private, i32>) { *p = g; }
fn f() {
    var x = 1;
    add(&x, &x);
    poke(&g);
    read_g(&g);
    var arr = array(1, 2);
    add(&arr[0], &arr[1]);
}
