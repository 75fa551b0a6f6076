// SPDX-License-Identifier: MIT
//
// Types and constants of the text form. Recursion stops at IR_TEXT_TYPE_DEPTH.
#include "shader/ir/ir_read_priv.h"

#include <string.h>

#include "shader/ir/fold_math.h"

#define LARGEST_CONSTANT_BYTES ((uint64_t)64 << 20)

static bool read_type(struct ir_reader *reader, type_id *out_type, uint32_t depth);

bool ir_read_address_space(struct ir_reader *reader, enum address_space *out_space) {
    for (int i = 0; i < SPACE_COUNT; i++) {
        if (ir_read_accept_word(reader, address_space_word((enum address_space)i))) {
            *out_space = (enum address_space)i;
            return true;
        }
    }
    return ir_read_fail(reader, "expected an address space");
}

bool ir_read_access_mode(struct ir_reader *reader, enum access_mode *out_access) {
    for (int i = 0; i < ACCESS_MODE_COUNT; i++) {
        if (ir_read_accept_word(reader, access_mode_word((enum access_mode)i))) {
            *out_access = (enum access_mode)i;
            return true;
        }
    }
    return ir_read_fail(reader, "expected an access mode");
}

static bool finish_type(struct ir_reader *reader, type_id made, type_id *out_type) {
    *out_type = made;
    return made.index != 0 || ir_read_fail(reader, "the type cannot be made");
}

// "<" type
static bool read_element(struct ir_reader *reader, type_id *out_element, uint32_t depth) {
    return ir_read_expect_char(reader, '<') && read_type(reader, out_element, depth + 1);
}

static bool read_vector_or_matrix(
    struct ir_reader *reader, struct text word, type_id *out_type, uint32_t depth) {
    struct type_table *types = &reader->module->types;
    type_id element = {0};
    TRY(read_element(reader, &element, depth) && ir_read_expect_char(reader, '>'));
    if (element.index < TYPE_BOOL || element.index > TYPE_F32) {
        return ir_read_fail(reader, "expected a scalar type");
    }
    uint32_t first = (uint32_t)(word.data[3] - '0');
    if (word.data[0] == 'v') {
        return finish_type(reader, type_vector(types, element, first), out_type);
    }
    if (element.index != TYPE_F32 && element.index != TYPE_F16) {
        return ir_read_fail(reader, "expected a float type");
    }
    return finish_type(
        reader, type_matrix(types, element, first, (uint32_t)(word.data[5] - '0')), out_type);
}

static bool read_array(struct ir_reader *reader, type_id *out_type, uint32_t depth) {
    type_id element = {0};
    enum array_size size = ARRAY_RUNTIME;
    uint32_t count = 0;
    TRY(read_element(reader, &element, depth));
    if (ir_read_accept_char(reader, ',')) {
        size = ir_read_accept_word(reader, "override") ? ARRAY_OVERRIDE : ARRAY_FIXED;
        TRY(ir_read_u32(reader, &count));
    }
    TRY(ir_read_expect_char(reader, '>'));
    if (!type_is_storable(&reader->module->types, element) &&
        type_get(&reader->module->types, element)->align_bytes == 0) {
        return ir_read_fail(reader, "the type cannot be an array's element");
    }
    return finish_type(reader, type_array(&reader->module->types, element, size, count), out_type);
}

static bool read_pointer(struct ir_reader *reader, type_id *out_type, uint32_t depth) {
    enum address_space space = SPACE_FUNCTION;
    enum access_mode access = ACCESS_READ;
    type_id store = {0};
    TRY(ir_read_expect_char(reader, '<') && ir_read_address_space(reader, &space) &&
        ir_read_expect_char(reader, ',') && read_type(reader, &store, depth + 1) &&
        ir_read_expect_char(reader, ',') && ir_read_access_mode(reader, &access) &&
        ir_read_expect_char(reader, '>'));
    return finish_type(
        reader, type_pointer(&reader->module->types, space, store, access), out_type);
}

static bool read_texture(
    struct ir_reader *reader, enum type_kind kind, type_id *out_type, uint32_t depth) {
    struct type type = {.kind = kind};
    int dimension = 0;
    TRY(ir_read_expect_char(reader, '<') &&
        ir_read_from_list(reader, ir_dimension_words, &dimension));
    type.dimension = (enum texture_dimension)dimension;
    if (kind == TYPE_TEXTURE || kind == TYPE_TEXTURE_MULTISAMPLED) {
        TRY(ir_read_expect_char(reader, ',') && read_type(reader, &type.element, depth + 1));
    } else if (kind == TYPE_TEXTURE_STORAGE) {
        TRY(ir_read_expect_char(reader, ',') && ir_read_u32(reader, &type.texel_format) &&
            ir_read_expect_char(reader, ',') && ir_read_access_mode(reader, &type.access));
    }
    TRY(ir_read_expect_char(reader, '>'));
    return finish_type(reader, type_opaque(&reader->module->types, &type), out_type);
}

static bool read_struct(struct ir_reader *reader, type_id *out_type) {
    uint32_t number = 0;
    TRY(ir_read_expect_char(reader, '#') && ir_read_u32(reader, &number));
    if (number >= reader->structs.count) {
        return ir_read_fail(reader, "the structure is not declared above");
    }
    *out_type = reader->structs.items[number];
    return true;
}

static bool is_vector_or_matrix(struct text word) {
    bool is_vector = word.length == 4 && memcmp(word.data, "vec", 3) == 0;
    bool is_matrix = word.length == 6 && memcmp(word.data, "mat", 3) == 0 && word.data[4] == 'x' &&
        word.data[5] >= '2' && word.data[5] <= '4';
    return (is_vector || is_matrix) && word.data[3] >= '2' && word.data[3] <= '4';
}

static bool read_named_type(
    struct ir_reader *reader, struct text word, type_id *out_type, uint32_t depth) {
    static const struct ir_word scalars[] = {{"void", TYPE_VOID}, {"bool", TYPE_BOOL},
        {"i32", TYPE_I32}, {"u32", TYPE_U32}, {"f16", TYPE_F16}, {"f32", TYPE_F32}, {NULL, 0}};
    static const struct ir_word opaques[] = {{"sampler", TYPE_SAMPLER},
        {"sampler_comparison", TYPE_SAMPLER_COMPARISON},
        {"texture_external", TYPE_TEXTURE_EXTERNAL}, {NULL, 0}};
    static const struct ir_word textures[] = {{"texture", TYPE_TEXTURE},
        {"texture_multisampled", TYPE_TEXTURE_MULTISAMPLED}, {"texture_depth", TYPE_TEXTURE_DEPTH},
        {"texture_depth_multisampled", TYPE_TEXTURE_DEPTH_MULTISAMPLED},
        {"texture_storage", TYPE_TEXTURE_STORAGE}, {NULL, 0}};
    for (const struct ir_word *row = scalars; row->word != NULL; row++) {
        if (text_equals_string(word, row->word)) {
            *out_type = type_scalar((enum type_kind)row->value);
            return true;
        }
    }
    for (const struct ir_word *row = opaques; row->word != NULL; row++) {
        if (text_equals_string(word, row->word)) {
            struct type type = {.kind = (enum type_kind)row->value};
            return finish_type(reader, type_opaque(&reader->module->types, &type), out_type);
        }
    }
    for (const struct ir_word *row = textures; row->word != NULL; row++) {
        if (text_equals_string(word, row->word)) {
            return read_texture(reader, (enum type_kind)row->value, out_type, depth);
        }
    }
    reader->at = (size_t)(word.data - reader->source.data);
    return ir_read_fail(reader, "unknown type");
}

static bool read_type(struct ir_reader *reader, type_id *out_type, uint32_t depth) {
    struct type_table *types = &reader->module->types;
    struct text word = {0};
    if (depth >= IR_TEXT_TYPE_DEPTH) {
        return ir_read_fail(reader, "the type is nested too deeply");
    }
    TRY(ir_read_word(reader, &word));
    if (is_vector_or_matrix(word)) {
        return read_vector_or_matrix(reader, word, out_type, depth);
    }
    if (text_equals_string(word, "array")) {
        return read_array(reader, out_type, depth);
    }
    if (text_equals_string(word, "struct")) {
        return read_struct(reader, out_type);
    }
    if (text_equals_string(word, "ptr")) {
        return read_pointer(reader, out_type, depth);
    }
    if (text_equals_string(word, "atomic")) {
        type_id element = {0};
        TRY(read_element(reader, &element, depth) && ir_read_expect_char(reader, '>'));
        if (element.index != TYPE_I32 && element.index != TYPE_U32) {
            return ir_read_fail(reader, "an atomic is of i32 or u32");
        }
        return finish_type(reader, type_atomic(types, element), out_type);
    }
    if (text_equals_string(word, "buffer")) {
        uint32_t size_bytes = 0;
        TRY(ir_read_expect_char(reader, '<'));
        bool is_override = ir_read_accept_word(reader, "override");
        TRY(ir_read_u32(reader, &size_bytes) && ir_read_expect_char(reader, '>'));
        return finish_type(reader,
            is_override ? type_buffer_override(types, size_bytes) : type_buffer(types, size_bytes),
            out_type);
    }
    return read_named_type(reader, word, out_type, depth);
}

bool ir_read_type(struct ir_reader *reader, type_id *out_type) {
    return read_type(reader, out_type, 0);
}

static bool read_float_bits(struct ir_reader *reader, enum type_kind kind, uint32_t *out_word) {
    float number = 0;
    struct text word = ir_read_peek_word(reader);
    bool is_bits = word.length > 2 && word.data[0] == '0' && word.data[1] == 'x';
    if (is_bits) {
        reader->at += 2;
        uint32_t bits = 0;
        for (size_t i = 2; i < word.length; i++) {
            char c = word.data[i];
            int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0 || bits >> 28 != 0) {
                return ir_read_fail(reader, "malformed bits");
            }
            bits = bits << 4 | (uint32_t)digit;
        }
        reader->at += word.length - 2;
        *out_word = bits;
        return true;
    }
    TRY(ir_read_f32(reader, &number));
    if (kind == TYPE_F16) {
        *out_word = fold_float_to_half(number);
    } else {
        memcpy(out_word, &number, sizeof(number));
    }
    return true;
}

static bool read_scalar(struct ir_reader *reader, enum type_kind kind, unsigned char *bytes) {
    uint32_t word = 0;
    if (kind == TYPE_BOOL) {
        word = ir_read_accept_word(reader, "true") ? 1 : 0;
        if (word == 0) {
            TRY(ir_read_expect_word(reader, "false"));
        }
    } else if (kind == TYPE_I32 || kind == TYPE_U32) {
        TRY(ir_read_bits(reader, &word));
    } else {
        TRY(read_float_bits(reader, kind, &word));
    }
    memcpy(bytes, &word, kind == TYPE_F16 ? 2 : 4);
    return true;
}

// The elements of a composite, or the scalar itself, between the parentheses.
static bool read_elements(
    struct ir_reader *reader, type_id id, unsigned char *bytes, uint32_t depth) {
    const struct type_table *types = &reader->module->types;
    if (type_is_scalar(types, id)) {
        return read_scalar(reader, type_kind_of(types, id), bytes);
    }
    if (depth >= IR_TEXT_TYPE_DEPTH) {
        return ir_read_fail(reader, "the constant is nested too deeply");
    }
    const struct type *type = type_get(types, id);
    uint32_t count = type->kind == TYPE_STRUCT ? type->member_count : type->count;
    for (uint32_t i = 0; i < count; i++) {
        TRY(i == 0 || ir_read_expect_char(reader, ','));
        type_id element = type_element_at(types, id, i);
        bool is_nested = !type_is_scalar(types, element);
        TRY(!is_nested || ir_read_expect_char(reader, '('));
        TRY(read_elements(reader, element, bytes + type_element_offset(types, id, i), depth + 1));
        TRY(!is_nested || ir_read_expect_char(reader, ')'));
    }
    return true;
}

bool ir_read_constant(struct ir_reader *reader, uint32_t *out_constant) {
    const struct type_table *types = &reader->module->types;
    type_id type = {0};
    TRY(ir_read_type(reader, &type) && ir_read_expect_char(reader, '('));
    if (!type_is_constructible(types, type)) {
        return ir_read_fail(reader, "a constant has a constructible type");
    }
    unsigned char *bytes = NULL;
    bool ok = true;
    if (ir_read_peek(reader) != ')') {
        uint64_t size_bytes = type_get(types, type)->size_bytes;
        if (size_bytes > LARGEST_CONSTANT_BYTES) {
            return ir_read_fail(reader, "the constant is too large");
        }
        bytes = memory_allocate_zeroed(MEMORY_COMPILE, (size_t)size_bytes, 1);
        ok = bytes != NULL ? read_elements(reader, type, bytes, 0)
                           : ir_read_fail(reader, "out of memory");
    }
    ok = ok && ir_read_expect_char(reader, ')');
    if (ok) {
        *out_constant = ir_constant_create(reader->module, type, bytes);
        ok = *out_constant != UINT32_MAX || ir_read_fail(reader, "out of memory");
    }
    memory_free(bytes);
    return ok;
}
