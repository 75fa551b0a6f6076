// SPDX-License-Identifier: MIT
//
// Values of const-expressions (WGSL §const Expressions). The checker makes them, lowering turns them
// into IR constants. Values are immutable and shared: an array built from values points to them, so
// memory is linear in the source however large the type is. A zero value has no parts at all. All
// live in the compilation's arena. One thread at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shader/type/type.h"

// One scalar. Integers and bool (0, 1) in `integer`, i32 sign-extended, u32 zero-extended; f16, f32
// and abstract floats in `real`, always exactly a value of the type.
union const_scalar {
    int64_t integer;
    double real;
};

struct const_value;

// The parts of an array or structure: as many as the type says.
struct const_composite {
    const struct const_value *const *items;
    // Conversions of an abstract array that were asked for before.
    const struct const_value *converted[TYPE_ABSTRACT_FLOAT + 1];
};

struct const_value {
    type_id type;
    bool is_zero; // the zero value of the type; the union is not set
    union {
        union const_scalar scalar;            // scalar types
        const union const_scalar *components; // vectors and matrices (column by column)
        struct const_composite *composite;    // arrays and structures
    };
};

// Each returns NULL when out of memory.
const struct const_value *const_value_zero(struct arena *arena, type_id type);
const struct const_value *const_value_scalar(
    struct arena *arena, type_id type, union const_scalar scalar);
const struct const_value *const_value_integer(struct arena *arena, type_id type, int64_t value);
const struct const_value *const_value_real(struct arena *arena, type_id type, double value);
const struct const_value *const_value_bool(struct arena *arena, bool value);
// `components` is copied.
const struct const_value *const_value_components(struct arena *arena,
    const struct type_table *types, type_id type, const union const_scalar *components);
// An array or structure; `items` is copied, its values are shared.
const struct const_value *const_value_composite(
    struct arena *arena, type_id type, const struct const_value *const *items, uint32_t count);

// The scalar of a scalar, vector or matrix at that component.
union const_scalar const_value_get(
    const struct const_value *value, const struct type_table *types, uint32_t component);
int64_t const_value_get_integer(const struct const_value *value);
bool const_value_get_bool(const struct const_value *value);
// Element of a vector, matrix (a column), array or structure; the index must be in range. NULL when
// out of memory.
const struct const_value *const_value_element(
    struct arena *arena, struct type_table *types, const struct const_value *value, uint32_t index);

// Writes the bytes of an IR constant (the type's memory layout, bool in 4 bytes, little-endian,
// padding zero): size_bytes of the type, which the caller has allocated. Must not be abstract.
void const_value_write(
    const struct const_value *value, const struct type_table *types, void *out_bytes);
// For messages: "3", "vec2(1, 2)"; arrays are cut short.
void const_value_print(
    struct text_buffer *out, const struct type_table *types, const struct const_value *value);
