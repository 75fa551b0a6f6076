// SPDX-License-Identifier: MIT
//
// The C structures of WGSL structures, byte for byte, with padding as members and static assertions
// on every offset and size. See layout.h.
#include "shader/explain/layout.h"

#include <inttypes.h>
#include <string.h>

// Words that WGSL allows as names and C or C++ does not.
static const char *const c_words[] = {"_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex",
    "_Generic", "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "i386", "linux",
    "unix", "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool",
    "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "compl", "concept",
    "constexpr", "const_cast", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "enum", "explicit", "export", "extern", "float", "friend", "goto", "inline", "int", "int32_t",
    "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "restrict", "short",
    "signed", "sizeof", "static", "static_assert", "static_cast", "template", "this",
    "thread_local", "throw", "try", "typedef", "typeid", "typename", "typeof", "uint16_t",
    "uint32_t", "uint8_t", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "xor", "xor_eq"};

static bool ends_with(struct text name, const char *end) {
    size_t length = strlen(end);
    return name.length > length && memcmp(name.data + name.length - length, end, length) == 0;
}

static bool is_c_word(struct text name) {
    for (size_t i = 0; i < sizeof(c_words) / sizeof(c_words[0]); i++) {
        if (text_equals_string(name, c_words[i])) {
            return true;
        }
    }
    return ends_with(name, "_MAX") || ends_with(name, "_MIN"); // macros of <stdint.h>
}

static bool is_hexadecimal(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

// A name as C takes it, no two alike: a word of C gets a '_' behind it, and so does one that differs
// from such a word by '_' at the end alone; bytes outside ASCII become _xHH, and what looks so
// already gets its '_' written the same way.
static void print_name(struct text_buffer *out, struct text name) {
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)name.data[i];
        bool looks_written = c == '_' && i + 3 < name.length && name.data[i + 1] == 'x' &&
            is_hexadecimal(name.data[i + 2]) && is_hexadecimal(name.data[i + 3]);
        if (c >= 0x80 || looks_written) {
            text_buffer_print(out, "_x%02X", c);
        } else {
            text_buffer_append_char(out, (char)c);
        }
    }
    struct text word = name;
    while (word.length > 0 && word.data[word.length - 1] == '_') {
        word.length--;
    }
    if (is_c_word(word)) {
        text_buffer_append_char(out, '_');
    }
}

static void print_base(struct text_buffer *out, const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    while (type->kind == TYPE_ARRAY || type->kind == TYPE_VECTOR || type->kind == TYPE_MATRIX ||
        type->kind == TYPE_ATOMIC) {
        type = type_get(types, type->element);
    }
    switch (type->kind) {
    case TYPE_STRUCT:
        text_buffer_append_string(out, "struct ");
        print_name(out, type->name);
        break;
    case TYPE_F32:
        text_buffer_append_string(out, "float");
        break;
    case TYPE_I32:
        text_buffer_append_string(out, "int32_t");
        break;
    case TYPE_F16:
        text_buffer_append_string(out, "uint16_t");
        break;
    default: // host-shareable types end in these
        text_buffer_append_string(out, "uint32_t");
        break;
    }
}

// "[9][4]": the dimensions behind the name. A vector of three in an array takes the room of four.
static void print_dimensions(struct text_buffer *out, const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    bool is_element = false;
    for (; type->kind == TYPE_ARRAY; type = type_get(types, type->element)) {
        if (type->array_size == ARRAY_FIXED) {
            text_buffer_print(out, "[%" PRIu32 "]", type->count);
        } else {
            text_buffer_append_string(out, "[]");
        }
        is_element = true;
    }
    if (type->kind == TYPE_VECTOR) {
        text_buffer_print(out, "[%" PRIu32 "]", is_element && type->count == 3 ? 4u : type->count);
    } else if (type->kind == TYPE_MATRIX) {
        text_buffer_print(
            out, "[%" PRIu32 "][%" PRIu32 "]", type->count, type->rows == 2 ? 2u : 4u);
    }
}

struct padder {
    const char *word;
    uint32_t number;
};

static void print_padding(struct text_buffer *out, struct padder *padder, uint64_t bytes) {
    if (bytes != 0) {
        text_buffer_print(out, "    uint8_t %s%" PRIu32 "[%" PRIu64 "];\n", padder->word,
            padder->number++, bytes);
    }
}

static void print_members(
    struct text_buffer *out, const struct type_table *types, const struct type *type) {
    struct padder padder = {"padding_", 0};
    uint64_t end = 0;
    for (uint32_t i = 0; i < type->member_count; i++) {
        if (text_starts_with(type->members[i].name, "padding_")) {
            padder.word = "wgsl_layout_padding_";
        }
    }
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        uint64_t own = type_get(types, member->type)->size_bytes;
        print_padding(out, &padder, member->offset_bytes - end);
        text_buffer_append_string(out, "    ");
        print_base(out, types, member->type);
        text_buffer_append_char(out, ' ');
        print_name(out, member->name);
        print_dimensions(out, types, member->type);
        text_buffer_append_string(out, "; // ");
        type_print(out, types, member->type);
        text_buffer_append_char(out, '\n');
        end = (uint64_t)member->offset_bytes + own;
        if (member->size_bytes > own) {
            print_padding(out, &padder, member->size_bytes - own);
            end = (uint64_t)member->offset_bytes + member->size_bytes;
        }
    }
    if (!(type->traits & TYPE_TRAIT_RUNTIME_ARRAY)) {
        print_padding(out, &padder, type->size_bytes - end);
    }
}

static void print_assertions(struct text_buffer *out, const struct type *type) {
    for (uint32_t i = 0; i < type->member_count; i++) {
        text_buffer_append_string(out, "_Static_assert(offsetof(struct ");
        print_name(out, type->name);
        text_buffer_append_string(out, ", ");
        print_name(out, type->members[i].name);
        text_buffer_print(
            out, ") == %" PRIu32 ", \"WGSL offset\");\n", type->members[i].offset_bytes);
    }
    if (!(type->traits & TYPE_TRAIT_RUNTIME_ARRAY)) {
        text_buffer_append_string(out, "_Static_assert(sizeof(struct ");
        print_name(out, type->name);
        text_buffer_print(out, ") == %" PRIu64 ", \"WGSL size\");\n", type->size_bytes);
    }
}

static void print_struct(
    struct text_buffer *out, const struct type_table *types, const struct type *type) {
    bool is_only_array = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0 && type->member_count == 1;
    if (is_only_array) {
        text_buffer_append_string(out, "\n// struct ");
        print_name(out, type->name);
        text_buffer_append_string(
            out, " is all runtime-sized array, for which C has no structure: ");
        print_base(out, types, type->members[0].type);
        text_buffer_append_char(out, ' ');
        print_name(out, type->members[0].name);
        print_dimensions(out, types, type->members[0].type);
        text_buffer_append_string(out, "\n");
        return;
    }
    text_buffer_append_string(out, "\nstruct ");
    print_name(out, type->name);
    text_buffer_append_string(out, " {\n");
    print_members(out, types, type);
    text_buffer_append_string(out, "};\n");
    print_assertions(out, type);
}

// A comment must not end early, whatever the file is called.
static void print_source_name(struct text_buffer *out, struct text name) {
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)name.data[i];
        text_buffer_append_char(out, c < 0x20 || c == 0x7f || c == '\\' ? '?' : (char)c);
    }
}

bool layout_print_c_header(struct text_buffer *out, const struct type_table *types,
    const type_id *structures, uint32_t count, struct text source_name, struct arena *arena) {
    bool *is_wanted = ARENA_ARRAY(arena, bool, types->types.count + 1);
    if (is_wanted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        is_wanted[structures[i].index] = true;
    }
    for (size_t i = types->types.count; i-- > 1;) {
        const struct type *type = &types->types.items[i];
        if (!is_wanted[i]) {
            continue;
        }
        if (type->kind == TYPE_ARRAY) {
            is_wanted[type->element.index] = true;
        }
        for (uint32_t k = 0; type->kind == TYPE_STRUCT && k < type->member_count; k++) {
            is_wanted[type->members[k].type.index] = true;
        }
    }
    text_buffer_append_string(out, "// The structures of ");
    print_source_name(out, source_name);
    text_buffer_append_string(out,
        " as C sees them, written by alba layout --c-header. f16 is uint16_t.\n#pragma once\n\n"
        "#include <stddef.h>\n#include <stdint.h>\n\n"
        "#if defined(__cplusplus) && !defined(_Static_assert)\n"
        "#define _Static_assert static_assert\n#endif\n");
    bool is_empty = true;
    for (size_t i = 1; i < types->types.count; i++) {
        if (is_wanted[i] && types->types.items[i].kind == TYPE_STRUCT) {
            print_struct(out, types, &types->types.items[i]);
            is_empty = false;
        }
    }
    text_buffer_append_string(out, is_empty ? "\n// It has no structures.\n" : "");
    return !out->has_failed;
}
