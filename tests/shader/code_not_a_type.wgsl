// error: not-a-type not-a-type not-a-type not-a-type not-a-type not-a-type
const n = 4;
fn g() { }
var<private> a: n;
var<private> b: array<4>;
fn f(x: g) -> abs { }
var<private> c: storage;
var<private> d: vec3<1>;
