// error: buffer-view
@group(0) @binding(0) var<storage> words: buffer<64>;
fn last() -> vec4u {
    return *bufferView<vec4u>(&words, 56);
}
