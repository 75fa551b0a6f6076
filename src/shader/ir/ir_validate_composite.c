// SPDX-License-Identifier: MIT
//
// Types of composite operations: construct, extract, insert, swizzle, select. See op.def.
#include "shader/ir/ir_validate_priv.h"

#define WRONG_OPERAND "an operand has a type that the operation does not admit"
#define WRONG_RESULT "the result type does not follow from the operands"
#define WRONG_COUNT "wrong number of operands or results"
#define WRONG_INDEX "the index is outside the composite"

// Elements of a value type, 0 for scalars and types that are no values.
static uint32_t element_count(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    switch (type->kind) {
    case TYPE_VECTOR:
    case TYPE_MATRIX:
        return type->count;
    case TYPE_ARRAY:
        return type->array_size == ARRAY_FIXED ? type->count : 0;
    case TYPE_STRUCT:
        return type->member_count;
    default:
        return 0;
    }
}

static bool is_dynamic_composite(const struct type_table *types, type_id id) {
    return type_kind_of(types, id) != TYPE_STRUCT && element_count(types, id) != 0;
}

static bool is_index(type_id id) {
    return id.index == TYPE_I32 || id.index == TYPE_U32;
}

static const char *check_construct(const struct ir_type_check *check) {
    const struct type_table *types = &check->module->types;
    type_id result = ir_result_type(check, 0);
    uint32_t count = element_count(types, result);
    if (count == 0 || !type_is_constructible(types, result)) {
        return WRONG_RESULT;
    }
    if (count != check->op->operand_count) {
        return WRONG_COUNT;
    }
    // The element type of all but structures is one lookup.
    type_id element = type_element_at(types, result, 0);
    bool is_struct = type_kind_of(types, result) == TYPE_STRUCT;
    for (uint32_t i = 0; i < count; i++) {
        if (is_struct) {
            element = type_element_at(types, result, i);
        }
        if (!type_equals(ir_operand_type(check, i), element)) {
            return WRONG_OPERAND;
        }
    }
    return NULL;
}

static const char *check_swizzle(const struct ir_type_check *check) {
    const struct type_table *types = &check->module->types;
    struct ir_shape from = ir_shape_of(types, ir_operand_type(check, 0));
    struct ir_shape to = ir_shape_of(types, ir_result_type(check, 0));
    if (from.count < 2) {
        return WRONG_OPERAND;
    }
    if (to.count == 0 || to.element != from.element) {
        return WRONG_RESULT;
    }
    for (uint32_t i = 0; i < to.count; i++) {
        if (check->op->data.swizzle[i] >= from.count) {
            return WRONG_INDEX;
        }
    }
    return NULL;
}

static const char *check_select(const struct ir_type_check *check) {
    const struct type_table *types = &check->module->types;
    type_id type = ir_operand_type(check, 0);
    struct ir_shape value = ir_shape_of(types, type);
    struct ir_shape condition = ir_shape_of(types, ir_operand_type(check, 2));
    if (!type_equals(type, ir_operand_type(check, 1)) || !type_is_constructible(types, type) ||
        condition.element != TYPE_BOOL ||
        (condition.count != 1 && condition.count != value.count)) {
        return WRONG_OPERAND;
    }
    return type_equals(ir_result_type(check, 0), type) ? NULL : WRONG_RESULT;
}

static const char *check_extract_insert(const struct ir_type_check *check) {
    const struct type_table *types = &check->module->types;
    const struct ir_op *op = check->op;
    type_id composite = ir_operand_type(check, 0);
    bool is_insert = op->opcode == IR_INSERT;
    if (op->operand_count != (is_insert ? 2u : 1u)) {
        return WRONG_COUNT;
    }
    if (op->data.index >= element_count(types, composite)) {
        return WRONG_INDEX;
    }
    type_id element = type_element_at(types, composite, op->data.index);
    if (is_insert && !type_equals(ir_operand_type(check, 1), element)) {
        return WRONG_OPERAND;
    }
    return type_equals(ir_result_type(check, 0), is_insert ? composite : element) ? NULL
                                                                                  : WRONG_RESULT;
}

static const char *check_dynamic(const struct ir_type_check *check) {
    const struct type_table *types = &check->module->types;
    const struct ir_op *op = check->op;
    bool is_insert = op->opcode == IR_INSERT_DYNAMIC;
    if (op->operand_count != (is_insert ? 3u : 2u)) {
        return WRONG_COUNT;
    }
    type_id composite = ir_operand_type(check, 0);
    if (!is_dynamic_composite(types, composite) ||
        !is_index(ir_operand_type(check, is_insert ? 2 : 1))) {
        return WRONG_OPERAND;
    }
    type_id element = type_element_at(types, composite, 0);
    if (is_insert && !type_equals(ir_operand_type(check, 1), element)) {
        return WRONG_OPERAND;
    }
    return type_equals(ir_result_type(check, 0), is_insert ? composite : element) ? NULL
                                                                                  : WRONG_RESULT;
}

static const char *check_splat(const struct ir_type_check *check) {
    const struct type_table *types = &check->module->types;
    struct ir_shape from = ir_shape_of(types, ir_operand_type(check, 0));
    struct ir_shape to = ir_shape_of(types, ir_result_type(check, 0));
    if (from.count != 1) {
        return WRONG_OPERAND;
    }
    return to.count >= 2 && to.element == from.element ? NULL : WRONG_RESULT;
}

static const char *check_reduce(const struct ir_type_check *check) {
    struct ir_shape from = ir_shape_of(&check->module->types, ir_operand_type(check, 0));
    if (from.element != TYPE_BOOL) {
        return WRONG_OPERAND;
    }
    return ir_result_type(check, 0).index == TYPE_BOOL ? NULL : WRONG_RESULT;
}

const char *ir_validate_composite_types(const struct ir_type_check *check) {
    const struct ir_op *op = check->op;
    if (op->result_count != 1 || op->operand_count == 0) {
        return WRONG_COUNT;
    }
    switch (op->opcode) {
    case IR_CONSTRUCT:
        return check_construct(check);
    case IR_EXTRACT:
    case IR_INSERT:
        return check_extract_insert(check);
    case IR_EXTRACT_DYNAMIC:
    case IR_INSERT_DYNAMIC:
        return check_dynamic(check);
    case IR_SELECT:
        return op->operand_count == 3 ? check_select(check) : WRONG_COUNT;
    case IR_SPLAT:
        return op->operand_count == 1 ? check_splat(check) : WRONG_COUNT;
    case IR_SWIZZLE:
        return op->operand_count == 1 ? check_swizzle(check) : WRONG_COUNT;
    default: // all, any
        return op->operand_count == 1 ? check_reduce(check) : WRONG_COUNT;
    }
}
