// SPDX-License-Identifier: MIT
//
// The targets: how bytes become a text.
//   bytes   they are the WGSL
//   tokens  each chooses a token: the text gets past the lexer
//   mutate  a valid program, tokens of which are dropped, doubled, moved and replaced
//   alter   a valid program, tokens of which are replaced by others of their kind (fuzz_alter.c)
//   repeat  a few tokens over and over: chains and nesting as deep as the text is long
//   ir      they are IR text
//   ir_mutate  IR text of a valid program, words of which are dropped, doubled, moved and replaced
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_priv.h"

static const char *const words[] = {
#define TOKEN(name, text)
#define PUNCTUATION(name, text) text,
#define KEYWORD(name, text) text,
#include "shader/wgsl/token.def"
#undef TOKEN
#undef PUNCTUATION
#undef KEYWORD
    // clang-format off
    // What programs are made of.
    "a", "b", "c", "f", "main", "S", "x", "xy", "rgba", "_", "0", "1", "2u", "3i", "1.5",
    "0x1p4h", "2147483648", "1e39f", "i32", "u32", "f32", "f16", "bool", "vec2", "vec3f",
    "vec4<u32>", "mat2x3f", "array", "array<f32, 4>", "atomic<u32>", "ptr", "ptr<function, i32>",
    "sampler", "texture_2d<f32>", "texture_storage_2d<rgba8unorm, write>", "function", "private",
    "workgroup", "uniform", "storage", "immediate", "read", "read_write", "@group(0) @binding(0)",
    "@compute", "@vertex", "@fragment", "@workgroup_size(1)", "@builtin(position)",
    "@location(0)", "@align(16)", "@size(8)", "@id(1)", "@must_use",
    "@diagnostic(off, derivative_uniformity)", "enable f16;", "enable subgroups;",
    "requires buffer_view;", "min", "select", "dot", "bitcast<f32>", "dpdx", "textureSample",
    "workgroupBarrier", "atomicAdd", "arrayLength", "frexp", "subgroupAdd",
    "struct S { a: i32, b: vec3f }", "fn f(a: i32) -> i32 { return a; }", "var<private> a: i32;",
    "const c = 1;", "override b = 2u;", "let x = a;", "var a = 1;", "a = a + 1;", "return a;",
    "if (a > 1) { }", "for (var i = 0; i < 4; i++) { }", "loop { break; }",
    "switch a { default { } }", "/*", "*/", "//", "\n", "\xc3\xa9", "\xf0\x9d\x92\x9c", "\"",
    // clang-format on
};

#define WORD_COUNT (uint32_t)(sizeof words / sizeof *words)

static void append_word(struct fuzz_input *input, struct text_buffer *out) {
    text_buffer_append_string(out, words[fuzz_next(input, WORD_COUNT)]);
    if (fuzz_next(input, 8) != 0) {
        text_buffer_append_char(out, ' ');
    }
}

static void write_bytes(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out) {
    (void)corpus;
    text_buffer_append(
        out, (struct text){(const char *)input->bytes + input->at, input->count - input->at});
}

static void write_tokens(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out) {
    (void)corpus;
    while (input->at < input->count) {
        append_word(input, out);
    }
}

// ---------------------------------------------------------------- mutation

// Words with the space after them, numbers, and single characters.
struct pieces {
    struct text *items;
    size_t count;
};

static bool is_word(unsigned char c) {
    return isalnum(c) || c == '_' || c >= 0x80;
}

static struct pieces split(struct text text) {
    struct pieces pieces = {malloc((text.length + 1) * sizeof(struct text)), 0};
    for (size_t at = 0; pieces.items != NULL && at < text.length;) {
        size_t begin = at++;
        while (is_word((unsigned char)text.data[begin]) && at < text.length &&
            is_word((unsigned char)text.data[at])) {
            at++;
        }
        while (at < text.length && isspace((unsigned char)text.data[at])) {
            at++;
        }
        pieces.items[pieces.count++] = (struct text){text.data + begin, at - begin};
    }
    return pieces;
}

static void append_pieces(
    const struct pieces *pieces, size_t begin, size_t end, struct text_buffer *out) {
    for (size_t i = begin; i < end; i++) {
        text_buffer_append(out, pieces->items[i]);
    }
}

static void mutate(struct fuzz_input *input, const struct fuzz_corpus *corpus, bool has_words,
    struct text_buffer *out) {
    if (corpus->count == 0) {
        return;
    }
    struct text text = corpus->items[fuzz_next(input, (uint32_t)corpus->count)];
    struct text other = corpus->items[fuzz_next(input, (uint32_t)corpus->count)];
    struct pieces pieces = split(text), others = split(other);
    size_t at = 0;
    uint32_t changes = 1 + fuzz_next(input, 2) * fuzz_next(input, 4);
    // Changes from the front to the back, each somewhere in what its share of the rest is.
    for (uint32_t i = 0; i < changes && at < pieces.count; i++) {
        size_t rest = (pieces.count - at) / (changes - i);
        size_t place = at + (rest > 1 ? fuzz_next(input, (uint32_t)rest) : 0);
        append_pieces(&pieces, at, place, out);
        size_t size = 1 + fuzz_next(input, fuzz_next(input, 4) == 0 ? 40 : 3);
        size = size < pieces.count - place ? size : pieces.count - place;
        at = place;
        switch (fuzz_next(input, has_words ? 6 : 5)) {
        case 0: // drop
            at = place + size;
            break;
        case 1: // double
            append_pieces(&pieces, place, place + size, out);
            break;
        case 2: { // replace by a piece of the same program
            size_t from = fuzz_next(input, (uint32_t)pieces.count);
            append_pieces(&pieces, from, from + 1, out);
            at = place + 1;
            break;
        }
        case 3: { // insert pieces of another
            size_t from = others.count > 0 ? fuzz_next(input, (uint32_t)others.count) : 0;
            size_t end = from + size < others.count ? from + size : others.count;
            append_pieces(&others, from, end, out);
            break;
        }
        case 4: // exchange with the next
            if (place + 1 < pieces.count) {
                append_pieces(&pieces, place + 1, place + 2, out);
                append_pieces(&pieces, place, place + 1, out);
                at = place + 2;
            }
            break;
        default: // replace by a word of the language
            append_word(input, out);
            at = place + 1;
            break;
        }
    }
    append_pieces(&pieces, at, pieces.count, out);
    free(pieces.items);
    free(others.items);
}

static void write_mutated(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out) {
    mutate(input, corpus, true, out);
}

static void write_mutated_ir(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out) {
    mutate(input, corpus, false, out);
}

// ---------------------------------------------------------------- repetition

struct frame {
    const char *head, *piece, *tail;
};
static const struct frame frames[] = {
    {"fn f(a: i32) -> i32 { return a", "+a", "; }"},
    {"fn f(a: i32) -> i32 { var b = a; return b", "+b", "; }"},
    {"var<private> a: i32; fn f() { let b = a", "+a", "; }"},
    {"fn f(a: bool) -> bool { return a", "&&a", "; }"},
    {"fn f(a: bool) -> bool { return a", "|a", "; }"},
    {"fn f(a: vec4f) -> vec4f { return a", ".xyzw", "; }"},
    {"fn f(a: vec2f) -> vec2f { return a", ".xy", "; }"},
    {"fn f() { var a = 1;", "a++;", "}"},
    {"fn f() { var a = 1;", "a=a;", "}"},
    {"fn f() { var a = 1;", "a+=a;", "}"},
    {"fn f() {", "{}", "}"},
    {"fn f() {", ";", "}"},
    {"fn f(a: i32) { if a == 1 {}", "else if a==2{}", "}"},
    {"fn f(a: bool) {", "if a{}", "}"},
    {"fn f(a: i32) { switch a { default{}", "case 1{}", "} }"},
    {"fn f() {", "loop{break;}", "}"},
    {"fn f() {", "{let a=1;}", "}"},
    {"fn f() -> i32 { return 1", "+1", "; }"},
    {"const a = 1", "+1", ";"},
    {"const a = true", "&&true", ";"},
    {"const a = array(1", ",1", ");"},
    {"const a = vec2(1", ",1", ");"},
    {"fn g() {} fn f() {", "g();", "}"},
    {"", "fn f(){}", ""},
    {"", "const a=1;", ""},
    {"", "const_assert true;", ""},
    {"", "alias a=i32;", ""},
    {"", "var<private> a:i32;", ""},
    {"", "override a=1;", ""},
    {"", "struct S{a:i32}", ""},
    {"struct S {", "a:i32,", "}"},
    {"fn f(", "a:i32,", ") {}"},
    {"fn f() {", "_=1;", "}"},
    {"fn f() {", "let a=array(1);", "}"},
    {"fn f() { let a = ", "-", "1; }"},
    {"fn f() { let a = ", "(", "1; }"},
    {"fn f() { ", "{", ""},
    {"fn f() { ", "if true {", ""},
    {"fn f() { a", "[0]", " = 1; }"},
    {"fn f() { a", "<a", " = 1; }"},
    {"fn f() { let a = ", "vec2<", "1; }"},
    {"alias a = ", "array<", "i32"},
    {"", "@a ", "fn f() {}"},
    {"", "/*", ""},
    {"", "\"", ""},
    {"", "$'", ""},
    {"", "diagnostic(off,a.b);", ""},
    {"enable f16", ",f16", ";"},
    {"fn f() {", "@diagnostic(off,a){}", "}"},
    {"fn f(a: ptr<function, i32>) { let b = a", "+*a", "; }"},
    {"fn f() { var a: array<i32, 4>; let b = a[0]", "+a[1]", "; }"},
    {"@group(0) @binding(0) var<storage, read_write> a: array<u32>;"
     "@compute @workgroup_size(1) fn f() {",
        "a[0]=a[1];", "}"},
    {"@fragment fn f() {", "_=dpdx(1.);", "}"},
    {"@compute @workgroup_size(1) fn f() {", "workgroupBarrier();", "}"},
};

static void write_repeated(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out) {
    (void)corpus;
    const struct frame *frame = &frames[fuzz_next(input, sizeof frames / sizeof *frames)];
    struct text_buffer piece = {0};
    uint32_t choice = fuzz_next(input, 3);
    if (choice != 0) {
        text_buffer_append_string(&piece, frame->piece);
    }
    for (uint32_t i = 0; choice != 1 && i <= choice; i++) {
        append_word(input, &piece);
    }
    size_t most = (size_t)64 << fuzz_next(input, 11);
    text_buffer_append_string(out, frame->head);
    while (out->length < most && piece.length != 0) {
        text_buffer_append(out, text_buffer_get(&piece));
    }
    text_buffer_append_string(out, frame->tail);
    text_buffer_finish(&piece);
}

const struct fuzz_target fuzz_targets[] = {
    {"bytes", FUZZ_WGSL, write_bytes},
    {"tokens", FUZZ_WGSL, write_tokens},
    {"mutate", FUZZ_WGSL, write_mutated},
    {"alter", FUZZ_WGSL, fuzz_write_altered},
    {"repeat", FUZZ_WGSL, write_repeated},
    {"ir", FUZZ_IR, write_bytes},
    {"ir_mutate", FUZZ_IR, write_mutated_ir},
    {NULL, FUZZ_WGSL, NULL},
};
