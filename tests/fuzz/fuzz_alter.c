// SPDX-License-Identifier: MIT
//
// The target `alter`: a valid program in which tokens give way to others of their class - numbers to
// numbers with the same suffix, operators to operators of the same operands, types to types of the
// same shape - and single lines are left out or come twice. Most results are still valid, so that
// they get through lowering and the passes.
#include <ctype.h>
#include <string.h>

#include "fuzz/fuzz_priv.h"

struct word_class {
    const char *const *words; // ends with NULL
};

static const char *const arithmetic[] = {"+", "-", "*", "/", "%", NULL};
static const char *const assignments[] = {"+=", "-=", "*=", "/=", "%=", NULL};
static const char *const bitwise[] = {"&", "|", "^", NULL};
static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
static const char *const logical[] = {"&&", "||", NULL};
static const char *const steps[] = {"++", "--", NULL};
static const char *const scalars[] = {"i32", "u32", "f32", "bool", NULL};
static const char *const vectors2[] = {"vec2f", "vec2i", "vec2u", NULL};
static const char *const vectors3[] = {"vec3f", "vec3i", "vec3u", NULL};
static const char *const vectors4[] = {"vec4f", "vec4i", "vec4u", NULL};
static const char *const swizzles[] = {"x", "y", "z", "xy", "yx", "xyz", NULL};
static const char *const functions1[] = {"abs", "sign", "sqrt", "sin", "exp2", "floor", "fract",
    "normalize", "countOneBits", "reverseBits", "firstLeadingBit", NULL};
static const char *const functions2[] = {"min", "max", "pow", "step", "distance", "dot", NULL};
static const char *const functions3[] = {"clamp", "mix", "fma", "select", "smoothstep", NULL};
static const char *const flow[] = {"break", "continue", "return", NULL};
static const char *const barriers[] = {
    "workgroupBarrier", "storageBarrier", "textureBarrier", NULL};
static const char *const atomics[] = {
    "atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor", NULL};

static const struct word_class classes[] = {
    {arithmetic},
    {assignments},
    {bitwise},
    {comparisons},
    {logical},
    {steps},
    {scalars},
    {vectors2},
    {vectors3},
    {vectors4},
    {swizzles},
    {functions1},
    {functions2},
    {functions3},
    {flow},
    {barriers},
    {atomics},
};

static const char *const numbers[] = {
    "0", "1", "2", "3", "7", "31", "32", "255", "256", "65535", "2147483647", "4294967295"};

// The class that holds the text without the space after it, NULL: none.
static const struct word_class *find_class(struct text word) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        for (size_t k = 0; classes[i].words[k] != NULL; k++) {
            if (text_equals_string(word, classes[i].words[k])) {
                return &classes[i];
            }
        }
    }
    return NULL;
}

static void append_number(struct fuzz_input *input, struct text word, struct text_buffer *out) {
    text_buffer_append_string(out, numbers[fuzz_next(input, sizeof numbers / sizeof *numbers)]);
    char last = word.data[word.length - 1];
    if (isalpha((unsigned char)last) && last != 'x') {
        text_buffer_append_char(out, last);
    }
}

static bool is_operator(char c) {
    return c != '\0' && strchr("+-*/%&|^<>=!", c) != NULL;
}

// The token at the beginning of the text: a word, an operator of one or two characters, or one
// character.
static size_t measure_token(const char *at, size_t left) {
    size_t size = 1;
    if (isalnum((unsigned char)at[0]) || at[0] == '_') {
        while (size < left &&
            (isalnum((unsigned char)at[size]) || at[size] == '_' ||
                (at[size] == '.' && isdigit((unsigned char)at[0])))) {
            size++;
        }
    } else if (is_operator(at[0]) && left > 1 &&
        (at[1] == '=' || (at[1] == at[0] && at[0] != '*'))) {
        size = 2;
    }
    return size;
}

static void append_altered(struct fuzz_input *input, struct text word, struct text_buffer *out) {
    const struct word_class *class = find_class(word);
    if (class != NULL) {
        uint32_t count = 0;
        while (class->words[count] != NULL) {
            count++;
        }
        text_buffer_append_string(out, class->words[fuzz_next(input, count)]);
    } else if (isdigit((unsigned char)word.data[0])) {
        append_number(input, word, out);
    } else {
        text_buffer_append(out, word);
    }
}

// The line, in which about one of `rarity` tokens that can be altered is.
static void append_line(
    struct fuzz_input *input, struct text line, uint32_t rarity, struct text_buffer *out) {
    for (size_t at = 0; at < line.length;) {
        size_t size = measure_token(line.data + at, line.length - at);
        struct text word = {line.data + at, size};
        bool can_change = find_class(word) != NULL || isdigit((unsigned char)word.data[0]);
        // Numbers in attributes and comments make too many programs invalid.
        if (can_change && fuzz_next(input, rarity) == 1) {
            append_altered(input, word, out);
        } else {
            text_buffer_append(out, word);
        }
        at += size;
    }
}

void fuzz_write_altered(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out) {
    if (corpus->valid_count == 0) {
        return;
    }
    size_t chosen = corpus->valid[fuzz_next(input, (uint32_t)corpus->valid_count)];
    struct text text = corpus->items[chosen];
    uint32_t rarity = 8u << fuzz_next(input, 5);
    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.data + at, '\n', text.length - at);
        size_t size = end != NULL ? (size_t)(end - (text.data + at)) + 1 : text.length - at;
        struct text line = {text.data + at, size};
        at += size;
        uint32_t fate = fuzz_next(input, 64);
        bool is_statement = size > 1 && memchr(line.data, ';', size) != NULL;
        if (is_statement && fate == 1) {
            continue;
        }
        if (memchr(line.data, '@', size) != NULL) {
            text_buffer_append(out, line);
            continue;
        }
        append_line(input, line, rarity, out);
        if (is_statement && fate == 2) {
            append_line(input, line, rarity, out);
        }
    }
}
