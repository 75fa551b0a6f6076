// error: invalid-call invalid-call
@compute @workgroup_size(1) fn main() { }
@fragment fn frag() -> @location(0) vec4f { return vec4f(); }
fn f() {
    main();
    let a = frag();
}
