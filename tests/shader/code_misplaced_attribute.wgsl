// error: misplaced-attribute misplaced-attribute misplaced-attribute misplaced-attribute misplaced-attribute misplaced-attribute misplaced-attribute misplaced-attribute misplaced-attribute
@workgroup_size(1) const a = 1;
@group(0) struct S { @binding(0) a: f32 }
@size(16) fn f(@align(4) x: f32) { @vertex if x > 0 { } }
@const fn g() { }
@id(1) var<private> q: f32;
fn h() { @id(2) let z = 1; }
