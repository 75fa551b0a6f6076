// SPDX-License-Identifier: MIT
//
// The C expressions of op.def, expanded once for each element type: i32, u32, bool, f32, and f16 as
// f32 whose result is rounded. Pure functions, any thread.
//
// A row becomes a case only where its element letters admit the type: ELEMENT_<letters>(...) either
// keeps its argument or drops it. Families that are not component-wise drop theirs.
#include "shader/ir/ir_fold_priv.h"

#include <string.h>

#include "shader/ir/fold_math.h"

// Exact functions in single precision; the transcendental ones stay in double and are rounded once.
#undef fabs
#undef floor
#undef ceil
#undef trunc
#undef rint
#undef sqrt
#undef fma
#define fabs fabsf
#define floor floorf
#define ceil ceilf
#define trunc truncf
#define rint rintf
#define sqrt sqrtf
#define fma fmaf

#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)

// clang-format off
#define ROW_EXPRESSION(id, element, type, expression) \
    ELEMENT_##element(case IR_##id : {                \
        type result = expression;                     \
        memcpy(out, &result, sizeof(result));         \
        return true;                                  \
    })
// A comparison's result is a 4-byte bool.
#define ROW_TRUTH(id, element, expression)        \
    ELEMENT_##element(case IR_##id : {            \
        uint32_t result = (expression) ? 1u : 0u; \
        memcpy(out, &result, sizeof(result));     \
        return true;                              \
    })
// clang-format on
#define ROW_DROPPED(id, element, expression)

#define ROW_UNARY_VECTOR ROW_DROPPED
#define ROW_BINARY_VECTOR ROW_DROPPED
#define ROW_TERNARY_VECTOR ROW_DROPPED
#define ROW_BITCAST ROW_DROPPED
#define ROW_PACK ROW_DROPPED
#define ROW_UNPACK ROW_DROPPED
#define ROW_DOT_PACKED ROW_DROPPED
#define ROW_DOT ROW_DROPPED
#define ROW_LENGTH ROW_DROPPED
#define ROW_DISTANCE ROW_DROPPED
#define ROW_REFRACT ROW_DROPPED
#define ROW_DETERMINANT ROW_DROPPED
#define ROW_TRANSPOSE ROW_DROPPED
#define ROW_MATRIX_PRODUCT ROW_DROPPED
#define ROW_CONSTRUCT ROW_DROPPED
#define ROW_SPLAT ROW_DROPPED
#define ROW_EXTRACT ROW_DROPPED
#define ROW_EXTRACT_DYNAMIC ROW_DROPPED
#define ROW_INSERT ROW_DROPPED
#define ROW_INSERT_DYNAMIC ROW_DROPPED
#define ROW_SWIZZLE ROW_DROPPED
#define ROW_SELECT ROW_DROPPED
#define ROW_REDUCE_BOOL ROW_DROPPED
#define ROW_VAR ROW_DROPPED
#define ROW_VARIABLE ROW_DROPPED
#define ROW_ACCESS ROW_DROPPED
#define ROW_LOAD ROW_DROPPED
#define ROW_STORE ROW_DROPPED
#define ROW_COPY_MEMORY ROW_DROPPED
#define ROW_ARRAY_LENGTH ROW_DROPPED
#define ROW_ATOMIC_LOAD ROW_DROPPED
#define ROW_ATOMIC_STORE ROW_DROPPED
#define ROW_ATOMIC_RMW ROW_DROPPED
#define ROW_ATOMIC_COMPARE_EXCHANGE ROW_DROPPED
#define ROW_BARRIER ROW_DROPPED
#define ROW_LOAD_INPUT ROW_DROPPED
#define ROW_STORE_OUTPUT ROW_DROPPED
#define ROW_OVERRIDE ROW_DROPPED
#define ROW_DISCARD ROW_DROPPED
#define ROW_CALL ROW_DROPPED
#define ROW_CONTROL ROW_DROPPED
#define ROW_TERMINATOR ROW_DROPPED
#define ROW_TEXTURE_QUERY ROW_DROPPED
#define ROW_TEXTURE_LOAD ROW_DROPPED
#define ROW_TEXTURE_STORE ROW_DROPPED
#define ROW_TEXTURE_SAMPLE ROW_DROPPED
#define ROW_DERIVATIVE ROW_DROPPED
#define ROW_SUBGROUP_REDUCE ROW_DROPPED
#define ROW_SUBGROUP_VOTE ROW_DROPPED
#define ROW_SUBGROUP_ELECT ROW_DROPPED
#define ROW_SUBGROUP_SHUFFLE ROW_DROPPED
#define ROW_BUFFER_VIEW ROW_DROPPED
#define ROW_BUFFER_LIMIT ROW_DROPPED
#define ROW_BUFFER_LENGTH ROW_DROPPED

// Integers. Shifts and bit fields take u32 operands; other families take T.
#define ROW_COMPARE ROW_TRUTH
#define ROW_UNARY(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_BINARY(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_TERNARY(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_SHIFT ROW_DROPPED
#define ROW_EXTRACT_BITS ROW_DROPPED
#define ROW_INSERT_BITS ROW_DROPPED
#define ROW_LDEXP ROW_DROPPED
#define ROW_FREXP_EXP ROW_DROPPED
#define ROW_CONVERT ROW_DROPPED

static void read_words(const unsigned char *const *operands, uint32_t count, uint32_t *words) {
    for (uint32_t i = 0; i < count && i < 4; i++) {
        memcpy(&words[i], operands[i], sizeof(uint32_t));
    }
}

// Operand counts, so that no absent operand is read.
static uint32_t operand_count(enum ir_opcode opcode) {
    switch (ir_op_get_info(opcode)->family) {
    case IR_FAMILY_UNARY:
    case IR_FAMILY_CONVERT:
    case IR_FAMILY_FREXP_EXP:
        return 1;
    case IR_FAMILY_BINARY:
    case IR_FAMILY_COMPARE:
    case IR_FAMILY_SHIFT:
    case IR_FAMILY_LDEXP:
        return 2;
    case IR_FAMILY_TERNARY:
    case IR_FAMILY_EXTRACT_BITS:
        return 3;
    case IR_FAMILY_INSERT_BITS:
        return 4;
    default:
        return 0;
    }
}

#define ELEMENT_I(...) __VA_ARGS__
#define ELEMENT_S(...) __VA_ARGS__
#define ELEMENT_U(...)
#define ELEMENT_F(...)
#define ELEMENT_B(...)
#define ELEMENT_IB(...) __VA_ARGS__
#define ELEMENT_N(...) __VA_ARGS__
#define ELEMENT_A(...) __VA_ARGS__

static bool fold_i32(enum ir_opcode opcode, const uint32_t *words, unsigned char *out) {
    typedef int32_t T;
    typedef uint32_t U;
    T a = (T)words[0], b = (T)words[1], c = (T)words[2];
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

#undef ROW_UNARY
#undef ROW_BINARY
#undef ROW_TERNARY
#undef ROW_COMPARE
#undef ROW_SHIFT
#undef ROW_EXTRACT_BITS
#undef ROW_INSERT_BITS
#define ROW_UNARY ROW_DROPPED
#define ROW_BINARY ROW_DROPPED
#define ROW_TERNARY ROW_DROPPED
#define ROW_COMPARE ROW_DROPPED
#define ROW_SHIFT(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_EXTRACT_BITS(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_INSERT_BITS ROW_DROPPED

#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_i32_bits(enum ir_opcode opcode, const uint32_t *words, unsigned char *out) {
    typedef int32_t T;
    typedef uint32_t U;
    T a = (T)words[0];
    uint32_t b = words[1], c = words[2];
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

#undef ROW_SHIFT
#undef ROW_EXTRACT_BITS
#undef ROW_INSERT_BITS
#define ROW_SHIFT ROW_DROPPED
#define ROW_EXTRACT_BITS ROW_DROPPED
#define ROW_INSERT_BITS(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
// The same bits for i32 and u32.
static bool fold_insert_op(enum ir_opcode opcode, const uint32_t *words, unsigned char *out) {
    typedef uint32_t T;
    typedef uint32_t U;
    T a = words[0], b = words[1], c = words[2], d = words[3];
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

#undef ELEMENT_S
#undef ELEMENT_U
#define ELEMENT_S(...)
#define ELEMENT_U(...) __VA_ARGS__
#undef ROW_UNARY
#undef ROW_BINARY
#undef ROW_TERNARY
#undef ROW_COMPARE
#undef ROW_SHIFT
#undef ROW_EXTRACT_BITS
#undef ROW_INSERT_BITS
#define ROW_UNARY(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_BINARY(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_TERNARY(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_COMPARE ROW_TRUTH
#define ROW_SHIFT(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_EXTRACT_BITS(id, element, expression) ROW_EXPRESSION(id, element, T, expression)
#define ROW_INSERT_BITS ROW_DROPPED

#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_u32(enum ir_opcode opcode, const uint32_t *words, unsigned char *out) {
    typedef uint32_t T;
    typedef uint32_t U;
    T a = words[0], b = words[1], c = words[2];
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

// bool: one component is read as 0 or 1 and written as 4 bytes.
#undef ELEMENT_I
#undef ELEMENT_U
#undef ELEMENT_B
#undef ELEMENT_N
#define ELEMENT_I(...)
#define ELEMENT_U(...)
#define ELEMENT_B(...) __VA_ARGS__
#define ELEMENT_N(...)
#undef ROW_UNARY
#undef ROW_BINARY
#undef ROW_TERNARY
#undef ROW_SHIFT
#undef ROW_EXTRACT_BITS
#define ROW_UNARY ROW_TRUTH
#define ROW_BINARY ROW_TRUTH
#define ROW_TERNARY ROW_DROPPED
#define ROW_SHIFT ROW_DROPPED
#define ROW_EXTRACT_BITS ROW_DROPPED

#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_bool(enum ir_opcode opcode, const uint32_t *words, unsigned char *out) {
    typedef bool T;
    T a = words[0] != 0, b = words[1] != 0;
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

// Floats: computed in f32; the caller rounds to f16.
#undef ELEMENT_B
#undef ELEMENT_IB
#undef ELEMENT_F
#undef ELEMENT_N
#define ELEMENT_B(...)
#define ELEMENT_IB(...)
#define ELEMENT_F(...) __VA_ARGS__
#define ELEMENT_N(...) __VA_ARGS__
#undef ROW_UNARY
#undef ROW_BINARY
#undef ROW_TERNARY
#undef ROW_LDEXP
#undef ROW_FREXP_EXP
#undef ROW_CONVERT
#define ROW_UNARY(id, element, expression) ROW_EXPRESSION(id, element, T, (T)(expression))
#define ROW_BINARY(id, element, expression) ROW_EXPRESSION(id, element, T, (T)(expression))
#define ROW_TERNARY(id, element, expression) ROW_EXPRESSION(id, element, T, (T)(expression))
#define ROW_LDEXP ROW_DROPPED
#define ROW_FREXP_EXP(id, element, expression) ROW_EXPRESSION(id, element, int32_t, expression)
#define ROW_CONVERT ROW_DROPPED

#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_f32(enum ir_opcode opcode, const float *numbers, unsigned char *out) {
    typedef float T;
    T a = numbers[0], b = numbers[1], c = numbers[2];
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

#undef ROW_UNARY
#undef ROW_BINARY
#undef ROW_TERNARY
#undef ROW_COMPARE
#undef ROW_LDEXP
#undef ROW_FREXP_EXP
#undef ROW_CONVERT
#define ROW_UNARY ROW_DROPPED
#define ROW_BINARY ROW_DROPPED
#define ROW_TERNARY ROW_DROPPED
#define ROW_COMPARE ROW_DROPPED
#define ROW_LDEXP(id, element, expression) ROW_EXPRESSION(id, element, float, expression)
#define ROW_FREXP_EXP ROW_DROPPED
#define ROW_CONVERT ROW_DROPPED
#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_ldexp_op(enum ir_opcode opcode, float a, int32_t b, unsigned char *out) {
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

// Conversions: the row's letter is that of the source. R is float, also where it is rounded to f16
// afterwards: an i32 or u32 that f32 rounds is beyond f16's range.
#undef ELEMENT_F
#define ELEMENT_F(...)
#undef ELEMENT_S
#define ELEMENT_S(...) __VA_ARGS__
#undef ROW_LDEXP
#undef ROW_CONVERT
#define ROW_LDEXP ROW_DROPPED
#define ROW_CONVERT(id, element, expression) ROW_EXPRESSION(id, element, R, expression)
#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_convert_i32(enum ir_opcode opcode, int32_t a, unsigned char *out) {
    typedef float R;
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

#undef ELEMENT_S
#undef ELEMENT_U
#define ELEMENT_S(...)
#define ELEMENT_U(...) __VA_ARGS__
#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_convert_u32(enum ir_opcode opcode, uint32_t a, unsigned char *out) {
    typedef float R;
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

// Each expression's own type is the result's: int32_t, uint32_t or float.
#undef ELEMENT_U
#undef ELEMENT_F
#define ELEMENT_U(...)
#define ELEMENT_F(...) __VA_ARGS__
#undef ROW_CONVERT
// clang-format off
#define ROW_CONVERT(id, element, expression)                                            \
    ELEMENT_##element(case IR_##id : {                                                  \
        union {                                                                         \
            float f;                                                                    \
            int32_t i;                                                                  \
            uint32_t u;                                                                 \
        } result;                                                                       \
        *_Generic((expression), float : &result.f, int32_t : &result.i, uint32_t : &result.u) = \
            expression;                                                                 \
        memcpy(out, &result, sizeof(result));                                           \
        return true;                                                                    \
    })
// clang-format on
#define IR_OP(id, text, family, element, flags, expression) ROW_##family(id, element, expression)
static bool fold_convert_f32(enum ir_opcode opcode, float a, unsigned char *out) {
    typedef float R;
    switch (opcode) {
#include "shader/ir/op.def"
    default:
        return false;
    }
}

static float read_float(bool is_half, const unsigned char *bytes) {
    float number = 0;
    if (is_half) {
        uint16_t half = 0;
        memcpy(&half, bytes, sizeof(half));
        return fold_half_to_float(half);
    }
    memcpy(&number, bytes, sizeof(number));
    return number;
}

static bool fold_float(enum ir_opcode opcode, bool is_half, bool result_is_half,
    const unsigned char *const *operands, unsigned char *out) {
    enum ir_family family = ir_op_get_info(opcode)->family;
    unsigned char wide[4];
    float numbers[3] = {0};
    uint32_t count = family == IR_FAMILY_LDEXP ? 1 : operand_count(opcode);
    for (uint32_t i = 0; i < count && i < 3; i++) {
        numbers[i] = read_float(is_half, operands[i]);
    }
    bool ok = false;
    if (family == IR_FAMILY_LDEXP) {
        int32_t exponent = 0;
        memcpy(&exponent, operands[1], sizeof(exponent));
        ok = fold_ldexp_op(opcode, numbers[0], exponent, wide);
    } else if (family == IR_FAMILY_CONVERT) {
        // f16 infinities become its largest finite values before they become integers.
        if (is_half && opcode != IR_F_TO_F) {
            numbers[0] = numbers[0] > 65504.0f ? 65504.0f
                : numbers[0] < -65504.0f       ? -65504.0f
                                               : numbers[0];
        }
        ok = fold_convert_f32(opcode, numbers[0], wide);
    } else {
        ok = fold_f32(opcode, numbers, wide);
    }
    if (ok && result_is_half) {
        float number = 0;
        memcpy(&number, wide, sizeof(number));
        uint16_t half = fold_float_to_half(number);
        memcpy(out, &half, sizeof(half));
    } else if (ok) {
        memcpy(out, wide, sizeof(wide));
    }
    return ok;
}

bool ir_fold_component(enum ir_opcode opcode, enum type_kind element, bool result_is_half,
    const unsigned char *const *operands, unsigned char *out) {
    if (element == TYPE_F32 || element == TYPE_F16) {
        return fold_float(opcode, element == TYPE_F16, result_is_half, operands, out);
    }
    uint32_t words[4] = {0};
    read_words(operands, operand_count(opcode), words);
    enum ir_family family = ir_op_get_info(opcode)->family;
    if (family == IR_FAMILY_CONVERT) {
        unsigned char wide[4];
        bool ok = element == TYPE_I32 ? fold_convert_i32(opcode, (int32_t)words[0], wide)
                                      : fold_convert_u32(opcode, words[0], wide);
        if (ok && result_is_half) {
            float number = 0;
            memcpy(&number, wide, sizeof(number));
            uint16_t half = fold_float_to_half(number);
            memcpy(out, &half, sizeof(half));
        } else if (ok) {
            memcpy(out, wide, sizeof(wide));
        }
        return ok;
    }
    if (element == TYPE_BOOL) {
        return fold_bool(opcode, words, out);
    }
    if (family == IR_FAMILY_INSERT_BITS) {
        return fold_insert_op(opcode, words, out);
    }
    if (element == TYPE_U32) {
        return fold_u32(opcode, words, out);
    }
    return family == IR_FAMILY_SHIFT || family == IR_FAMILY_EXTRACT_BITS
        ? fold_i32_bits(opcode, words, out)
        : fold_i32(opcode, words, out);
}
