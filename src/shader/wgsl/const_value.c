// SPDX-License-Identifier: MIT
//
// Making, taking apart, writing and printing constant values; const_value.h has the contract.
#include "shader/wgsl/const_value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "shader/wgsl/const_scalar.h"

static struct const_value *make(struct arena *arena, type_id type) {
    struct const_value *value = ARENA_NEW(arena, struct const_value);
    if (value != NULL) {
        value->type = type;
    }
    return value;
}

const struct const_value *const_value_zero(struct arena *arena, type_id type) {
    struct const_value *value = make(arena, type);
    if (value != NULL) {
        value->is_zero = true;
    }
    return value;
}

const struct const_value *const_value_scalar(
    struct arena *arena, type_id type, union const_scalar scalar) {
    struct const_value *value = make(arena, type);
    if (value != NULL) {
        value->scalar = scalar;
    }
    return value;
}

const struct const_value *const_value_integer(struct arena *arena, type_id type, int64_t integer) {
    return const_value_scalar(arena, type, (union const_scalar){.integer = integer});
}

const struct const_value *const_value_real(struct arena *arena, type_id type, double real) {
    return const_value_scalar(arena, type, (union const_scalar){.real = real});
}

const struct const_value *const_value_bool(struct arena *arena, bool value) {
    return const_value_integer(arena, type_scalar(TYPE_BOOL), value);
}

const struct const_value *const_value_components(struct arena *arena,
    const struct type_table *types, type_id type, const union const_scalar *components) {
    struct const_value *value = make(arena, type);
    if (value == NULL) {
        return NULL;
    }
    if (type_is_scalar(types, type)) {
        value->scalar = components[0];
        return value;
    }
    value->components = arena_copy(
        arena, components, type_component_count(types, type) * sizeof(*components));
    return value->components == NULL ? NULL : value;
}

const struct const_value *const_value_composite(
    struct arena *arena, type_id type, const struct const_value *const *items, uint32_t count) {
    struct const_value *value = make(arena, type);
    if (value == NULL) {
        return NULL;
    }
    value->composite = ARENA_NEW(arena, struct const_composite);
    if (value->composite == NULL) {
        return NULL;
    }
    value->composite->items = arena_copy(arena, items, count * sizeof(*items));
    return value->composite->items == NULL ? NULL : value;
}

static bool is_real(enum type_kind kind) {
    return kind == TYPE_F32 || kind == TYPE_F16 || kind == TYPE_ABSTRACT_FLOAT;
}

union const_scalar const_value_get(
    const struct const_value *value, const struct type_table *types, uint32_t component) {
    if (value->is_zero) {
        union const_scalar zero = {.integer = 0};
        if (is_real(type_kind_of(types, type_element_of(types, value->type)))) {
            zero.real = 0.0;
        }
        return zero;
    }
    return type_is_scalar(types, value->type) ? value->scalar : value->components[component];
}

int64_t const_value_get_integer(const struct const_value *value) {
    return value->is_zero ? 0 : value->scalar.integer;
}

bool const_value_get_bool(const struct const_value *value) {
    return !value->is_zero && value->scalar.integer != 0;
}

const struct const_value *const_value_element(struct arena *arena, struct type_table *types,
    const struct const_value *value, uint32_t index) {
    enum type_kind kind = type_kind_of(types, value->type);
    type_id element = type_element_at(types, value->type, index);
    if (value->is_zero) {
        return const_value_zero(arena, element);
    }
    if (kind == TYPE_VECTOR) {
        return const_value_scalar(arena, element, value->components[index]);
    }
    if (kind == TYPE_MATRIX) {
        uint32_t rows = type_get(types, value->type)->rows;
        return const_value_components(arena, types, element, &value->components[index * rows]);
    }
    return value->composite->items[index];
}

// ---- Bytes -------------------------------------------------------------------------------------

static void write_bytes(unsigned char *out, uint64_t bits, uint32_t size_bytes) {
    for (uint32_t i = 0; i < size_bytes; i++) {
        out[i] = (unsigned char)(bits >> (8 * i));
    }
}

static void write_scalar(unsigned char *out, enum type_kind kind, union const_scalar scalar) {
    if (kind == TYPE_F32) {
        float single = (float)scalar.real;
        uint32_t bits;
        memcpy(&bits, &single, sizeof(bits));
        write_bytes(out, bits, 4);
    } else if (kind == TYPE_F16) {
        write_bytes(out, const_f16_to_bits(scalar.real), 2);
    } else {
        write_bytes(out, (uint64_t)scalar.integer, 4);
    }
}

static void write_components(
    const struct const_value *value, const struct type_table *types, unsigned char *out) {
    const struct type *type = type_get(types, value->type);
    enum type_kind element = type_kind_of(types, type_element_of(types, value->type));
    uint32_t scalar_bytes = element == TYPE_F16 ? 2 : 4;
    uint32_t rows = type->kind == TYPE_MATRIX ? type->rows : 1;
    for (uint32_t i = 0; i < type_component_count(types, value->type); i++) {
        uint32_t offset = type->stride_bytes * (i / rows) + scalar_bytes * (i % rows);
        write_scalar(out + offset, element, const_value_get(value, types, i));
    }
}

// Recursion is bounded by the nesting depth of types (15 in a checked module).
static void write(
    const struct const_value *value, const struct type_table *types, unsigned char *out) {
    const struct type *type = type_get(types, value->type);
    if (value->is_zero) {
        return;
    }
    if (type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT) {
        write_components(value, types, out);
        return;
    }
    uint32_t count = type->kind == TYPE_ARRAY ? type->count : type->member_count;
    for (uint32_t i = 0; i < count; i++) {
        write(value->composite->items[i], types, out + type_element_offset(types, value->type, i));
    }
}

void const_value_write(
    const struct const_value *value, const struct type_table *types, void *out_bytes) {
    memset(out_bytes, 0, (size_t)type_get(types, value->type)->size_bytes);
    write(value, types, out_bytes);
}

// ---- Text --------------------------------------------------------------------------------------

static void print_scalar(struct text_buffer *out, enum type_kind kind, union const_scalar scalar) {
    switch (kind) {
    case TYPE_BOOL:
        text_buffer_append_string(out, scalar.integer != 0 ? "true" : "false");
        return;
    case TYPE_F32:
    case TYPE_F16:
        text_buffer_append_real(out, scalar.real, true);
        return;
    case TYPE_ABSTRACT_FLOAT:
        text_buffer_append_real(out, scalar.real, false);
        return;
    default:
        text_buffer_print(out, "%" PRId64, scalar.integer);
        return;
    }
}

void const_value_print(
    struct text_buffer *out, const struct type_table *types, const struct const_value *value) {
    const struct type *type = type_get(types, value->type);
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT) {
        type_print(out, types, value->type);
        text_buffer_append_string(out, value->is_zero ? "()" : "(...)");
        return;
    }
    enum type_kind element = type_kind_of(types, type_element_of(types, value->type));
    uint32_t count = type_component_count(types, value->type);
    if (type_is_scalar(types, value->type)) {
        print_scalar(out, element, const_value_get(value, types, 0));
        return;
    }
    type_print(out, types, value->type);
    for (uint32_t i = 0; i < count; i++) {
        text_buffer_append_string(out, i == 0 ? "(" : ", ");
        print_scalar(out, element, const_value_get(value, types, i));
    }
    text_buffer_append_char(out, ')');
}
