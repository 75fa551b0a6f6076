// SPDX-License-Identifier: MIT
//
// Operators and conversions (WGSL §Arithmetic, §Comparison, §Bit, §Logical Expressions). The IR's
// operations take operands of one shape: a scalar beside a vector is splatted, a matrix is worked
// through column by column.

#include "shader/wgsl/lower_priv.h"

// The kind of the scalars in a scalar, vector or matrix.
static enum type_kind element_kind(const struct lower *lower, type_id type) {
    return lower_kind_of(lower, type_element_of(lower->types, type));
}

static bool is_float_kind(enum type_kind kind) {
    return kind == TYPE_F32 || kind == TYPE_F16;
}

// ---- Matrices ----

// The same operation on each pair of columns; a scalar operand is used with every column.
static ir_value lower_by_column(
    struct lower *lower, enum binary_operator op, ir_value left, ir_value right) {
    type_id left_type = lower_type_of(lower, left);
    type_id right_type = lower_type_of(lower, right);
    bool is_left_matrix = lower_kind_of(lower, left_type) == TYPE_MATRIX;
    bool is_right_matrix = lower_kind_of(lower, right_type) == TYPE_MATRIX;
    type_id result = is_left_matrix ? left_type : right_type;
    ir_value columns[4];
    uint32_t count = type_get(lower->types, result)->count;
    for (uint32_t i = 0; i < count; i++) {
        ir_value a = is_left_matrix ? ir_builder_extract(&lower->at, left, i) : left;
        ir_value b = is_right_matrix ? ir_builder_extract(&lower->at, right, i) : right;
        columns[i] = lower_binary(lower, op, a, b);
    }
    return ir_builder_construct(&lower->at, result, columns, count);
}

static ir_value lower_product(struct lower *lower, ir_value left, ir_value right) {
    type_id left_type = lower_type_of(lower, left);
    type_id right_type = lower_type_of(lower, right);
    enum type_kind left_kind = lower_kind_of(lower, left_type);
    enum type_kind right_kind = lower_kind_of(lower, right_type);
    if (left_kind == TYPE_MATRIX && right_kind == TYPE_MATRIX) {
        return ir_builder_binary(&lower->at, IR_MATRIX_TIMES_MATRIX, left, right);
    }
    if (left_kind == TYPE_MATRIX && right_kind == TYPE_VECTOR) {
        return ir_builder_binary(&lower->at, IR_MATRIX_TIMES_VECTOR, left, right);
    }
    if (left_kind == TYPE_VECTOR && right_kind == TYPE_MATRIX) {
        return ir_builder_binary(&lower->at, IR_VECTOR_TIMES_MATRIX, left, right);
    }
    return lower_by_column(lower, BINARY_MULTIPLY, left, right);
}

// ---- Binary ----

struct operator_opcodes {
    uint16_t float_op;
    uint16_t signed_op;
    uint16_t unsigned_op; // also of bool
};

static const struct operator_opcodes operator_opcodes[] = {
    [BINARY_ADD] = {IR_ADD_F, IR_ADD_I, IR_ADD_I},
    [BINARY_SUBTRACT] = {IR_SUB_F, IR_SUB_I, IR_SUB_I},
    [BINARY_MULTIPLY] = {IR_MUL_F, IR_MUL_I, IR_MUL_I},
    [BINARY_DIVIDE] = {IR_DIV_F, IR_DIV_S, IR_DIV_U},
    [BINARY_REMAINDER] = {IR_REM_F, IR_REM_S, IR_REM_U},
    [BINARY_AND] = {IR_NONE, IR_AND, IR_AND},
    [BINARY_OR] = {IR_NONE, IR_OR, IR_OR},
    [BINARY_XOR] = {IR_NONE, IR_XOR, IR_XOR},
    [BINARY_SHIFT_LEFT] = {IR_NONE, IR_SHL, IR_SHL},
    [BINARY_SHIFT_RIGHT] = {IR_NONE, IR_SHR_S, IR_SHR_U},
    [BINARY_EQUAL] = {IR_EQ_F, IR_EQ_I, IR_EQ_I},
    [BINARY_NOT_EQUAL] = {IR_NE_F, IR_NE_I, IR_NE_I},
    [BINARY_LESS] = {IR_LT_F, IR_LT_S, IR_LT_U},
    [BINARY_LESS_EQUAL] = {IR_LE_F, IR_LE_S, IR_LE_U},
    [BINARY_GREATER] = {IR_GT_F, IR_GT_S, IR_GT_U},
    [BINARY_GREATER_EQUAL] = {IR_GE_F, IR_GE_S, IR_GE_U},
    // Both operands are known, or this would be an `if`.
    [BINARY_LOGICAL_AND] = {IR_NONE, IR_AND, IR_AND},
    [BINARY_LOGICAL_OR] = {IR_NONE, IR_OR, IR_OR},
};

ir_value lower_binary(struct lower *lower, enum binary_operator op, ir_value left, ir_value right) {
    if (!ir_value_is_set(left) || !ir_value_is_set(right)) {
        return (ir_value){0};
    }
    type_id left_type = lower_type_of(lower, left);
    type_id right_type = lower_type_of(lower, right);
    if (lower_kind_of(lower, left_type) == TYPE_MATRIX ||
        lower_kind_of(lower, right_type) == TYPE_MATRIX) {
        return op == BINARY_MULTIPLY ? lower_product(lower, left, right)
                                     : lower_by_column(lower, op, left, right);
    }
    bool is_left_vector = lower_kind_of(lower, left_type) == TYPE_VECTOR;
    bool is_right_vector = lower_kind_of(lower, right_type) == TYPE_VECTOR;
    if (is_left_vector && !is_right_vector) {
        type_id vector = type_with_element(lower->types, left_type, right_type);
        right = ir_builder_splat(&lower->at, vector, right);
    } else if (is_right_vector && !is_left_vector) {
        type_id vector = type_with_element(lower->types, right_type, left_type);
        left = ir_builder_splat(&lower->at, vector, left);
    }
    enum type_kind kind = element_kind(lower, left_type);
    const struct operator_opcodes *row = &operator_opcodes[op];
    uint16_t opcode = is_float_kind(kind) ? row->float_op
        : kind == TYPE_I32                ? row->signed_op
                                          : row->unsigned_op;
    if (opcode == IR_NONE) {
        lower->ir->has_failed = true; // the checker lets no such operation pass
        return (ir_value){0};
    }
    return ir_builder_binary(&lower->at, (enum ir_opcode)opcode, left, right);
}

ir_value lower_unary(struct lower *lower, enum unary_operator op, ir_value operand) {
    if (!ir_value_is_set(operand)) {
        return operand;
    }
    switch (op) {
    case UNARY_NEGATE: {
        bool is_float = is_float_kind(element_kind(lower, lower_type_of(lower, operand)));
        return ir_builder_unary(&lower->at, is_float ? IR_NEG_F : IR_NEG_I, operand);
    }
    case UNARY_NOT:
    case UNARY_COMPLEMENT:
        return ir_builder_unary(&lower->at, IR_NOT, operand);
    }
    return operand;
}

// ---- Conversions ----

// A scalar or vector with every component the number 1, bool true being 1.
static ir_value make_one(struct lower *lower, type_id shape) {
    type_id element = type_element_of(lower->types, shape);
    ir_value one;
    switch (lower_kind_of(lower, element)) {
    case TYPE_F32:
        one = ir_builder_f32(&lower->at, 1.0f);
        break;
    case TYPE_F16: {
        static const uint16_t half_one = 0x3C00;
        one = ir_builder_constant_bytes(&lower->at, element, &half_one);
        break;
    }
    case TYPE_I32:
        one = ir_builder_i32(&lower->at, 1);
        break;
    default:
        one = ir_builder_u32(&lower->at, 1);
        break;
    }
    return lower_kind_of(lower, shape) == TYPE_VECTOR ? ir_builder_splat(&lower->at, shape, one)
                                                      : one;
}

static ir_value convert_from_bool(struct lower *lower, ir_value value, type_id to) {
    ir_value one = make_one(lower, to);
    ir_value zero = ir_builder_zero(&lower->at, to);
    return ir_builder_select(&lower->at, zero, one, value);
}

static ir_value convert_matrix(struct lower *lower, ir_value value, type_id to) {
    struct type row = *type_get(lower->types, to);
    type_id column = type_vector(lower->types, row.element, row.rows);
    ir_value columns[4];
    for (uint32_t i = 0; i < row.count; i++) {
        columns[i] = lower_convert(lower, ir_builder_extract(&lower->at, value, i), column);
    }
    return ir_builder_construct(&lower->at, to, columns, row.count);
}

ir_value lower_convert(struct lower *lower, ir_value value, type_id to) {
    type_id from = lower_type_of(lower, value);
    if (!ir_value_is_set(value) || type_equals(from, to)) {
        return value;
    }
    if (lower_kind_of(lower, to) == TYPE_MATRIX) {
        return convert_matrix(lower, value, to);
    }
    enum type_kind from_kind = element_kind(lower, from);
    enum type_kind to_kind = element_kind(lower, to);
    if (from_kind == TYPE_BOOL) {
        return convert_from_bool(lower, value, to);
    }
    if (to_kind == TYPE_BOOL) {
        ir_value zero = ir_builder_zero(&lower->at, from);
        enum ir_opcode opcode = is_float_kind(from_kind) ? IR_NE_F : IR_NE_I;
        return ir_builder_binary(&lower->at, opcode, value, zero);
    }
    if (is_float_kind(from_kind)) {
        enum ir_opcode opcode = is_float_kind(to_kind) ? IR_F_TO_F
            : to_kind == TYPE_I32                      ? IR_F_TO_S
                                                       : IR_F_TO_U;
        return ir_builder_convert(&lower->at, opcode, to, value);
    }
    if (is_float_kind(to_kind)) {
        enum ir_opcode opcode = from_kind == TYPE_I32 ? IR_S_TO_F : IR_U_TO_F;
        return ir_builder_convert(&lower->at, opcode, to, value);
    }
    return ir_builder_convert(&lower->at, IR_BITCAST, to, value); // i32 and u32
}
