// SPDX-License-Identifier: MIT
//
// What the files of the builder share. Not thread-safe.
#pragma once

#include "shader/ir/ir_builder.h"

// Adds and links an operation; none when the module failed (now or before).
ir_op_id ir_builder_add(struct ir_builder *builder, enum ir_opcode opcode, const ir_value *operands,
    uint32_t operand_count, const type_id *result_types, uint32_t result_count,
    union ir_op_data data);
// Gives the operation empty regions.
bool ir_builder_add_regions(struct ir_builder *builder, ir_op_id op, uint32_t region_count);

static inline const struct ir_function *ir_builder_function(const struct ir_builder *builder) {
    return &builder->module->functions.items[builder->function];
}
// The type of a value, none when the value is none.
static inline type_id ir_builder_type(const struct ir_builder *builder, ir_value value) {
    if (builder->module->has_failed || value.index == 0) {
        return (type_id){0};
    }
    return ir_value_type(ir_builder_function(builder), value);
}
