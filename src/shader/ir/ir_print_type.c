// SPDX-License-Identifier: MIT
//
// Types and constants in the text form; ir_text_priv.h has the grammar.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shader/ir/fold_math.h"
#include "shader/ir/ir_text_priv.h"

static void print_type(
    struct text_buffer *out, const struct ir_print_types *context, type_id id, uint32_t depth);

static const char *scalar_word(enum type_kind kind) {
    switch (kind) {
    case TYPE_VOID:
        return "void";
    case TYPE_BOOL:
        return "bool";
    case TYPE_I32:
        return "i32";
    case TYPE_U32:
        return "u32";
    case TYPE_F16:
        return "f16";
    case TYPE_F32:
        return "f32";
    case TYPE_SAMPLER:
        return "sampler";
    case TYPE_SAMPLER_COMPARISON:
        return "sampler_comparison";
    case TYPE_TEXTURE_EXTERNAL:
        return "texture_external";
    default:
        return NULL;
    }
}

static void print_array(struct text_buffer *out, const struct ir_print_types *context,
    const struct type *type, uint32_t depth) {
    text_buffer_append_string(out, "array<");
    print_type(out, context, type->element, depth);
    if (type->array_size == ARRAY_FIXED) {
        text_buffer_print(out, ", %u", type->count);
    } else if (type->array_size == ARRAY_OVERRIDE) {
        text_buffer_print(out, ", override %u", type->count);
    }
    text_buffer_append_char(out, '>');
}

static void print_texture(struct text_buffer *out, const struct ir_print_types *context,
    const struct type *type, uint32_t depth) {
    const char *dimension = ir_word_of(ir_dimension_words, (int)type->dimension);
    switch (type->kind) {
    case TYPE_TEXTURE:
    case TYPE_TEXTURE_MULTISAMPLED:
        text_buffer_print(out, "%s<%s, ",
            type->kind == TYPE_TEXTURE ? "texture" : "texture_multisampled", dimension);
        print_type(out, context, type->element, depth);
        text_buffer_append_char(out, '>');
        break;
    case TYPE_TEXTURE_DEPTH:
        text_buffer_print(out, "texture_depth<%s>", dimension);
        break;
    case TYPE_TEXTURE_DEPTH_MULTISAMPLED:
        text_buffer_print(out, "texture_depth_multisampled<%s>", dimension);
        break;
    default:
        text_buffer_print(out, "texture_storage<%s, %u, %s>", dimension, type->texel_format,
            access_mode_word(type->access));
        break;
    }
}

// Recursion ends with the type's own nesting, which type construction and the depth here bound.
static void print_type(
    struct text_buffer *out, const struct ir_print_types *context, type_id id, uint32_t depth) {
    const struct type *type = type_get(&context->module->types, id);
    const char *word = scalar_word(type->kind);
    if (word != NULL) {
        text_buffer_append_string(out, word);
        return;
    }
    if (depth >= IR_TEXT_TYPE_DEPTH) {
        text_buffer_append_string(out, "?");
        return;
    }
    switch (type->kind) {
    case TYPE_VECTOR:
        text_buffer_print(out, "vec%u<", type->count);
        print_type(out, context, type->element, depth + 1);
        text_buffer_append_char(out, '>');
        break;
    case TYPE_MATRIX:
        text_buffer_print(out, "mat%ux%u<", type->count, type->rows);
        print_type(out, context, type->element, depth + 1);
        text_buffer_append_char(out, '>');
        break;
    case TYPE_ARRAY:
        print_array(out, context, type, depth + 1);
        break;
    case TYPE_STRUCT:
        text_buffer_print(out, "struct#%u", context->struct_numbers[id.index]);
        break;
    case TYPE_ATOMIC:
        text_buffer_append_string(out, "atomic<");
        print_type(out, context, type->element, depth + 1);
        text_buffer_append_char(out, '>');
        break;
    case TYPE_POINTER:
        text_buffer_print(out, "ptr<%s, ", address_space_word(type->space));
        print_type(out, context, type->element, depth + 1);
        text_buffer_print(out, ", %s>", access_mode_word(type->access));
        break;
    case TYPE_BUFFER:
        text_buffer_print(out, type->array_size == ARRAY_OVERRIDE ? "buffer<override %u>" : "buffer<%u>",
            type->count);
        break;
    case TYPE_TEXTURE:
    case TYPE_TEXTURE_MULTISAMPLED:
    case TYPE_TEXTURE_DEPTH:
    case TYPE_TEXTURE_DEPTH_MULTISAMPLED:
    case TYPE_TEXTURE_STORAGE:
        print_texture(out, context, type, depth + 1);
        break;
    default:
        text_buffer_append_string(out, "?");
        break;
    }
}

void ir_print_type(struct text_buffer *out, const struct ir_print_types *context, type_id type) {
    print_type(out, context, type, 0);
}

// Nine significant digits name an f32; the decimal point is "." in every locale.
static void print_float(struct text_buffer *out, float value, uint32_t bits) {
    if (!isfinite(value)) {
        text_buffer_print(out, "0x%x", bits);
        return;
    }
    char digits[48];
    snprintf(digits, sizeof(digits), "%.9g", (double)value);
    for (char *c = digits; *c != '\0'; c++) {
        if (*c != '-' && *c != '+' && *c != 'e' && (*c < '0' || *c > '9')) {
            *c = '.';
        }
    }
    text_buffer_append_string(out, digits);
}

static void print_scalar(struct text_buffer *out, enum type_kind kind, const unsigned char *bytes) {
    uint32_t word = 0;
    memcpy(&word, bytes, kind == TYPE_F16 ? 2 : 4);
    float number = 0;
    switch (kind) {
    case TYPE_BOOL:
        text_buffer_append_string(out, word != 0 ? "true" : "false");
        break;
    case TYPE_I32:
        text_buffer_print(out, "%lld", (long long)(int32_t)word);
        break;
    case TYPE_F16:
        print_float(out, fold_half_to_float((uint16_t)word), word);
        break;
    case TYPE_F32:
        memcpy(&number, &word, sizeof(number));
        print_float(out, number, word);
        break;
    default:
        text_buffer_print(out, "%u", word);
        break;
    }
}

static uint32_t element_count(const struct type *type) {
    return type->kind == TYPE_STRUCT ? type->member_count : type->count;
}

static void print_elements(struct text_buffer *out, const struct type_table *types, type_id id,
    const unsigned char *bytes, uint32_t depth) {
    const struct type *type = type_get(types, id);
    if (type_is_scalar(types, id)) {
        print_scalar(out, type->kind, bytes);
        return;
    }
    text_buffer_append_char(out, '(');
    uint32_t count = depth < IR_TEXT_TYPE_DEPTH ? element_count(type) : 0;
    for (uint32_t i = 0; i < count; i++) {
        text_buffer_append_string(out, i == 0 ? "" : ", ");
        print_elements(out, types, type_element_at(types, id, i),
            bytes + type_element_offset(types, id, i), depth + 1);
    }
    text_buffer_append_char(out, ')');
}

void ir_print_constant(struct text_buffer *out, const struct ir_print_types *context,
    const struct ir_constant *constant) {
    const struct type_table *types = &context->module->types;
    ir_print_type(out, context, constant->type);
    if (constant->bytes == NULL) {
        text_buffer_append_string(out, "()");
    } else if (type_is_scalar(types, constant->type)) {
        text_buffer_append_char(out, '(');
        print_scalar(out, type_kind_of(types, constant->type), constant->bytes);
        text_buffer_append_char(out, ')');
    } else {
        print_elements(out, types, constant->type, constant->bytes, 0);
    }
}
