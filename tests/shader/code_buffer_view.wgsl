// error: buffer-view buffer-view buffer-view
@group(0) @binding(0) var<storage> words: buffer<64>;
fn f() {
    _ = *bufferView<vec4u>(&words, 56);
    _ = *bufferView<vec4u>(&words, 64);
    _ = *bufferView<array<u32, 32>>(&words, 0);
}
