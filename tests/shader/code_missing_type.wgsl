// error: missing-type missing-type missing-type missing-type missing-type
var<private> a;
override b;
fn f() {
    var c;
}
@group(0) @binding(0) var<storage> d;
@group(0) @binding(1) var e;
