var<workgroup> w: buffer<>bytes;
var<> a: i32;
var<private> q: array<>;
fn f() { let x = bitcast<>(1); let y = vec3<>(1); let z = bufferView<>(&w, 1); f<>(); let p: ptr<> = 1; var t: texture_2d<>; }
var<workgroup> v: atomic<>;