// SPDX-License-Identifier: MIT
//
// Types as the user would write them, and the words of the small enumerations. Any thread.
#include "shader/type/type.h"

#include <inttypes.h>

#include "facts/texel_format.h"

// Deeper nesting than this only comes from IR that no WGSL gives.
#define PRINT_DEPTH_LIMIT 32

const char *address_space_word(enum address_space space) {
    static const char *const words[] = {
#define SPACE(name, word, access) word,
#include "facts/address_space.def"
    };
    return (unsigned)space < SPACE_COUNT ? words[space] : "?";
}

const char *access_mode_word(enum access_mode access) {
    static const char *const words[] = {"read", "write", "read_write"};
    return (unsigned)access < ACCESS_MODE_COUNT ? words[access] : "?";
}

const char *builtin_value_word(enum builtin_value value) {
    static const char *const words[] = {
#define BUILTIN_VALUE(name, word, stage, direction, type, enable) word,
#include "facts/builtin_value.def"
    };
    return (unsigned)value < BUILTIN_VALUE_COUNT ? words[value] : "?";
}

static const char *dimension_word(enum texture_dimension dimension) {
    static const char *const words[] = {"1d", "2d", "2d_array", "3d", "cube", "cube_array"};
    return (unsigned)dimension < sizeof(words) / sizeof(words[0]) ? words[dimension] : "?";
}

static enum access_mode default_access(enum address_space space) {
    static const enum access_mode modes[] = {
#define SPACE(name, word, access) ACCESS_##access,
#include "facts/address_space.def"
    };
    return modes[space];
}

static void print(
    struct text_buffer *out, const struct type_table *table, type_id id, uint32_t depth);

static void print_view(struct text_buffer *out, const struct type_table *table,
    const struct type *type, const char *word, uint32_t depth) {
    text_buffer_print(out, "%s<%s, ", word, address_space_word(type->space));
    print(out, table, type->element, depth + 1);
    if (type->access != default_access(type->space) || type->space == SPACE_STORAGE) {
        text_buffer_print(out, ", %s", access_mode_word(type->access));
    }
    text_buffer_append_char(out, '>');
}

static void print_array(struct text_buffer *out, const struct type_table *table,
    const struct type *type, uint32_t depth) {
    text_buffer_append_string(out, "array<");
    print(out, table, type->element, depth + 1);
    switch (type->array_size) {
    case ARRAY_FIXED:
        text_buffer_print(out, ", %" PRIu32, type->count);
        break;
    case ARRAY_OVERRIDE:
        if (type->name.length != 0) {
            text_buffer_print(out, ", %.*s", TEXT_ARGS(type->name));
        } else {
            text_buffer_print(out, ", override %" PRIu32, type->count);
        }
        break;
    case ARRAY_RUNTIME:
        break;
    }
    text_buffer_append_char(out, '>');
}

static void print_with_element(struct text_buffer *out, const struct type_table *table,
    const char *word, type_id element, uint32_t depth) {
    text_buffer_print(out, "%s<", word);
    print(out, table, element, depth + 1);
    text_buffer_append_char(out, '>');
}

static void print_texture(struct text_buffer *out, const struct type_table *table,
    const struct type *type, uint32_t depth) {
    const char *dimension = dimension_word(type->dimension);
    switch (type->kind) {
    case TYPE_TEXTURE:
        text_buffer_print(out, "texture_%s", dimension);
        print_with_element(out, table, "", type->element, depth);
        return;
    case TYPE_TEXTURE_MULTISAMPLED:
        print_with_element(out, table, "texture_multisampled_2d", type->element, depth);
        return;
    case TYPE_TEXTURE_DEPTH:
        text_buffer_print(out, "texture_depth_%s", dimension);
        return;
    case TYPE_TEXTURE_DEPTH_MULTISAMPLED:
        text_buffer_append_string(out, "texture_depth_multisampled_2d");
        return;
    case TYPE_TEXTURE_STORAGE:
        text_buffer_print(out, "texture_storage_%s<%s, %s>", dimension,
            texel_format_word(type->texel_format), access_mode_word(type->access));
        return;
    default:
        text_buffer_append_string(out, "texture_external");
        return;
    }
}

static void print(
    struct text_buffer *out, const struct type_table *table, type_id id, uint32_t depth) {
    static const char *const scalars[] = {
        "?", "void", "bool", "i32", "u32", "f16", "f32", "abstract-int", "abstract-float"};
    const struct type *type = type_get(table, id);
    if (depth > PRINT_DEPTH_LIMIT) {
        text_buffer_append_string(out, "...");
        return;
    }
    switch (type->kind) {
    case TYPE_NONE:
    case TYPE_VOID:
    case TYPE_BOOL:
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_F16:
    case TYPE_F32:
    case TYPE_ABSTRACT_INT:
    case TYPE_ABSTRACT_FLOAT:
        text_buffer_append_string(out, scalars[type->kind]);
        return;
    case TYPE_VECTOR:
        text_buffer_print(out, "vec%" PRIu32, type->count);
        print_with_element(out, table, "", type->element, depth);
        return;
    case TYPE_MATRIX:
        text_buffer_print(out, "mat%" PRIu32 "x%" PRIu32, type->count, type->rows);
        print_with_element(out, table, "", type->element, depth);
        return;
    case TYPE_ARRAY:
        print_array(out, table, type, depth);
        return;
    case TYPE_STRUCT:
        text_buffer_append(out, type->name);
        return;
    case TYPE_ATOMIC:
        print_with_element(out, table, "atomic", type->element, depth);
        return;
    case TYPE_POINTER:
        print_view(out, table, type, "ptr", depth);
        return;
    case TYPE_REFERENCE:
        print_view(out, table, type, "ref", depth);
        return;
    case TYPE_BUFFER:
        text_buffer_append_string(out, "buffer");
        if (type->array_size == ARRAY_OVERRIDE) {
            text_buffer_print(out, "<%.*s>", TEXT_ARGS(type->name));
        } else if (type->count != 0) {
            text_buffer_print(out, "<%" PRIu32 ">", type->count);
        }
        return;
    case TYPE_SAMPLER:
        text_buffer_append_string(out, "sampler");
        return;
    case TYPE_SAMPLER_COMPARISON:
        text_buffer_append_string(out, "sampler_comparison");
        return;
    case TYPE_TEXTURE:
    case TYPE_TEXTURE_MULTISAMPLED:
    case TYPE_TEXTURE_DEPTH:
    case TYPE_TEXTURE_DEPTH_MULTISAMPLED:
    case TYPE_TEXTURE_STORAGE:
    case TYPE_TEXTURE_EXTERNAL:
        print_texture(out, table, type, depth);
        return;
    case TYPE_KIND_COUNT:
        return;
    }
}

void type_print(struct text_buffer *out, const struct type_table *table, type_id id) {
    print(out, table, id, 0);
}
