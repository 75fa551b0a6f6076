// SPDX-License-Identifier: MIT
//
// Parsed signatures of built-in functions, between builtin_table.c and builtin_match.c.
#pragma once

#include "shader/wgsl/builtin_table.h"

// Scalar type parameters, in the order of BUILTIN_TYPE_PARAMETERS.
enum { ELEMENT_S = TYPE_KIND_COUNT, ELEMENT_I, ELEMENT_C, ELEMENT_A, ELEMENT_L };

// Sizes 2, 3 and 4 are themselves; 0 is none.
enum { SIZE_N = 5, SIZE_C, SIZE_R, SIZE_K, SIZE_N_OR_SCALAR };

enum pattern_kind {
    PATTERN_VALUE, // scalar, vector or matrix: element, columns, rows
    PATTERN_POINTER_ATOMIC,
    PATTERN_POINTER_RUNTIME_ARRAY,
    PATTERN_POINTER_ANY, // to W
    PATTERN_ANY,         // W
    PATTERN_FREXP_RESULT,
    PATTERN_MODF_RESULT,
    PATTERN_COMPARE_EXCHANGE_RESULT,
    PATTERN_HANDLE, // a texture or sampler: opaque, dimension; element S, a kind or none
};

struct builtin_pattern {
    uint8_t kind;
    uint8_t element; // enum type_kind, ELEMENT_S or ELEMENT_I
    uint8_t columns; // of a vector: its size, rows is 0; of a scalar: 0
    uint8_t rows;
    bool is_workgroup; // pointers: only this space
    bool is_const;     // the argument must be a const-expression
    uint8_t opaque;    // PATTERN_HANDLE: enum type_kind
    uint8_t dimension; // PATTERN_HANDLE: enum texture_dimension
};

struct builtin_overload {
    struct builtin_pattern parameters[BUILTIN_PARAMETER_LIMIT];
    struct builtin_pattern result;
    uint8_t parameter_count;
    bool has_result;
    uint8_t access_modes; // of a storage texture: bit of each enum access_mode; 0: any
    // Of each type parameter: bit of each enum type_kind that is allowed.
    uint16_t sets[BUILTIN_TYPE_PARAMETERS];
};

struct builtin_overloads {
    const struct builtin_overload *items;
    uint32_t count;
};

// The parsed overloads of a function, NULL when out of memory.
const struct builtin_overloads *builtin_parse(struct builtin_cache *cache, uint32_t id);
