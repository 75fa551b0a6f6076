// error: condition-type condition-type condition-type condition-type condition-type condition-type
fn f(i: i32, x: f32) {
    if i { }
    while x { }
    for (; i; ) { }
    loop { continuing { break if i; } }
    let v = vec3<bool>();
    if v { }
}
const_assert 1;
