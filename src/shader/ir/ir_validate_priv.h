// SPDX-License-Identifier: MIT
//
// What the files of the validator share. Pure checks on a module that nobody changes meanwhile.
#pragma once

#include "shader/ir/ir.h"

struct ir_type_check {
    const uint32_t *entries; // by function: its entry point's index + 1, 0: it is none's
    const struct ir_module *module;
    const struct ir_function *function;
    const struct ir_op *op;
    const struct ir_entry_point *entry; // whose function this is, or NULL
    uint32_t function_number;
};
// The broken rule of operand, result and data types of one operation whose operands and results are
// valid indices, NULL when there is none. Regions and terminators are the caller's.
const char *ir_validate_op_types(const struct ir_type_check *check);
const char *ir_validate_memory_types(const struct ir_type_check *check);
const char *ir_validate_resource_types(const struct ir_type_check *check);
const char *ir_validate_composite_types(const struct ir_type_check *check);

// Shape of a scalar or vector: element kind and component count; count 0 for any other type.
struct ir_shape {
    enum type_kind element;
    uint32_t count;
};
struct ir_shape ir_shape_of(const struct type_table *types, type_id type);
// Whether op.def's letters admit the element.
bool ir_elements_admit(const char *letters, enum type_kind element);
static inline type_id ir_operand_type(const struct ir_type_check *check, uint32_t number) {
    return ir_value_type(check->function, check->op->operands[number]);
}
static inline type_id ir_result_type(const struct ir_type_check *check, uint32_t number) {
    return ir_value_type(check->function, ir_op_result(check->op, number));
}
