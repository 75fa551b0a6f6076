// SPDX-License-Identifier: MIT
//
// The predeclared objects: types, type generators, enumerants and built-in functions. One static
// table; interning its words makes a lookup one load. See check_priv.h for threads.
#include "facts/texel_format.h"
#include "shader/wgsl/check_priv.h"

#define ALIAS_2(kind) (uint16_t)((kind) << 8)

// clang-format off
#define VECTOR_ALIASES(n, text) \
    {"vec" text "i", PREDECLARED_TYPE, TYPE_VECTOR, n, ALIAS_2(TYPE_I32)}, \
    {"vec" text "u", PREDECLARED_TYPE, TYPE_VECTOR, n, ALIAS_2(TYPE_U32)}, \
    {"vec" text "f", PREDECLARED_TYPE, TYPE_VECTOR, n, ALIAS_2(TYPE_F32)}, \
    {"vec" text "h", PREDECLARED_TYPE, TYPE_VECTOR, n, ALIAS_2(TYPE_F16)}, \
    {"vec" text, PREDECLARED_GENERATOR, TYPE_VECTOR, n, 0},
#define MATRIX_ALIASES(c, r, text) \
    {"mat" text "f", PREDECLARED_TYPE, TYPE_MATRIX, c, ALIAS_2(TYPE_F32) | r}, \
    {"mat" text "h", PREDECLARED_TYPE, TYPE_MATRIX, c, ALIAS_2(TYPE_F16) | r}, \
    {"mat" text, PREDECLARED_GENERATOR, TYPE_MATRIX, c, r},

static const struct predeclared types[] = {
    {"bool", PREDECLARED_TYPE, TYPE_BOOL, 0, 0},
    {"i32",  PREDECLARED_TYPE, TYPE_I32, 0, 0},
    {"u32",  PREDECLARED_TYPE, TYPE_U32, 0, 0},
    {"f32",  PREDECLARED_TYPE, TYPE_F32, 0, 0},
    {"f16",  PREDECLARED_TYPE, TYPE_F16, 0, 0},
    VECTOR_ALIASES(2, "2") VECTOR_ALIASES(3, "3") VECTOR_ALIASES(4, "4")
    MATRIX_ALIASES(2, 2, "2x2") MATRIX_ALIASES(2, 3, "2x3") MATRIX_ALIASES(2, 4, "2x4")
    MATRIX_ALIASES(3, 2, "3x2") MATRIX_ALIASES(3, 3, "3x3") MATRIX_ALIASES(3, 4, "3x4")
    MATRIX_ALIASES(4, 2, "4x2") MATRIX_ALIASES(4, 3, "4x3") MATRIX_ALIASES(4, 4, "4x4")
    {"array",  PREDECLARED_GENERATOR, TYPE_ARRAY, 0, 0},
    {"atomic", PREDECLARED_GENERATOR, TYPE_ATOMIC, 0, 0},
    {"ptr",    PREDECLARED_GENERATOR, TYPE_POINTER, 0, 0},
    {"buffer", PREDECLARED_GENERATOR, TYPE_BUFFER, 0, 0},
    {"sampler",            PREDECLARED_TYPE, TYPE_SAMPLER, 0, 0},
    {"sampler_comparison", PREDECLARED_TYPE, TYPE_SAMPLER_COMPARISON, 0, 0},
    {"texture_1d",         PREDECLARED_GENERATOR, TYPE_TEXTURE, TEXTURE_DIMENSION_1D, 0},
    {"texture_2d",         PREDECLARED_GENERATOR, TYPE_TEXTURE, TEXTURE_DIMENSION_2D, 0},
    {"texture_2d_array",   PREDECLARED_GENERATOR, TYPE_TEXTURE, TEXTURE_DIMENSION_2D_ARRAY, 0},
    {"texture_3d",         PREDECLARED_GENERATOR, TYPE_TEXTURE, TEXTURE_DIMENSION_3D, 0},
    {"texture_cube",       PREDECLARED_GENERATOR, TYPE_TEXTURE, TEXTURE_DIMENSION_CUBE, 0},
    {"texture_cube_array", PREDECLARED_GENERATOR, TYPE_TEXTURE, TEXTURE_DIMENSION_CUBE_ARRAY, 0},
    {"texture_multisampled_2d",  PREDECLARED_GENERATOR, TYPE_TEXTURE_MULTISAMPLED, TEXTURE_DIMENSION_2D, 0},
    {"texture_storage_1d",       PREDECLARED_GENERATOR, TYPE_TEXTURE_STORAGE, TEXTURE_DIMENSION_1D, 0},
    {"texture_storage_2d",       PREDECLARED_GENERATOR, TYPE_TEXTURE_STORAGE, TEXTURE_DIMENSION_2D, 0},
    {"texture_storage_2d_array", PREDECLARED_GENERATOR, TYPE_TEXTURE_STORAGE, TEXTURE_DIMENSION_2D_ARRAY, 0},
    {"texture_storage_3d",       PREDECLARED_GENERATOR, TYPE_TEXTURE_STORAGE, TEXTURE_DIMENSION_3D, 0},
    {"texture_depth_2d",         PREDECLARED_TYPE, TYPE_TEXTURE_DEPTH, TEXTURE_DIMENSION_2D, 0},
    {"texture_depth_2d_array",   PREDECLARED_TYPE, TYPE_TEXTURE_DEPTH, TEXTURE_DIMENSION_2D_ARRAY, 0},
    {"texture_depth_cube",       PREDECLARED_TYPE, TYPE_TEXTURE_DEPTH, TEXTURE_DIMENSION_CUBE, 0},
    {"texture_depth_cube_array", PREDECLARED_TYPE, TYPE_TEXTURE_DEPTH, TEXTURE_DIMENSION_CUBE_ARRAY, 0},
    {"texture_depth_multisampled_2d", PREDECLARED_TYPE, TYPE_TEXTURE_DEPTH_MULTISAMPLED, TEXTURE_DIMENSION_2D, 0},
    {"texture_external",         PREDECLARED_TYPE, TYPE_TEXTURE_EXTERNAL, TEXTURE_DIMENSION_2D, 0},
    {"function",  PREDECLARED_SPACE, TYPE_NONE, SPACE_FUNCTION, 0},
    {"private",   PREDECLARED_SPACE, TYPE_NONE, SPACE_PRIVATE, 0},
    {"workgroup", PREDECLARED_SPACE, TYPE_NONE, SPACE_WORKGROUP, 0},
    {"uniform",   PREDECLARED_SPACE, TYPE_NONE, SPACE_UNIFORM, 0},
    {"storage",   PREDECLARED_SPACE, TYPE_NONE, SPACE_STORAGE, 0},
    {"immediate", PREDECLARED_SPACE, TYPE_NONE, SPACE_IMMEDIATE, 0},
    {"read",       PREDECLARED_ACCESS, TYPE_NONE, ACCESS_READ, 0},
    {"write",      PREDECLARED_ACCESS, TYPE_NONE, ACCESS_WRITE, 0},
    {"read_write", PREDECLARED_ACCESS, TYPE_NONE, ACCESS_READ_WRITE, 0},
#define TEXEL_FORMAT(text, name, channel, tier1) {text, PREDECLARED_TEXEL_FORMAT, TYPE_NONE, 0, 0},
#include "facts/texel_format.def"
};

static const struct predeclared functions[] = {
#define BUILTIN(id, name, flags, lowering, float_op, signed_op, unsigned_op) \
    {name, PREDECLARED_BUILTIN, TYPE_NONE, BUILTIN_##id, 0},
#include "shader/wgsl/builtin.def"
};
// clang-format on

enum {
    TYPE_ROW_COUNT = sizeof(types) / sizeof(types[0]),
    FUNCTION_ROW_COUNT = BUILTIN_OPERATOR_ADD, // the operators come last and have no names
};

const struct predeclared *predeclared_get(uint32_t row) {
    return row < TYPE_ROW_COUNT ? &types[row] : &functions[row - TYPE_ROW_COUNT];
}

uint32_t predeclared_count(void) {
    return TYPE_ROW_COUNT + FUNCTION_ROW_COUNT;
}

bool predeclared_intern(struct checker *checker) {
    for (uint32_t row = 0; row < predeclared_count(); row++) {
        struct text word = text_from_string(predeclared_get(row)->word);
        struct ast_name *name = ast_module_intern(checker->module, word);
        TRY(name != NULL);
        name->predeclared = row + 1;
    }
    return true;
}

type_id predeclared_type(struct checker *checker, const struct predeclared *row) {
    enum type_kind kind = (enum type_kind)row->type_kind;
    type_id element = type_scalar((enum type_kind)(row->b >> 8));
    struct type opaque = {.kind = kind, .dimension = (enum texture_dimension)row->a};
    switch (kind) {
    case TYPE_BOOL:
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_F32:
    case TYPE_F16:
        return type_scalar(kind);
    case TYPE_VECTOR:
        return type_vector(checker->types, element, row->a);
    case TYPE_MATRIX:
        return type_matrix(checker->types, element, row->a, row->b & 0xff);
    default:
        return type_opaque(checker->types, &opaque);
    }
}
