// SPDX-License-Identifier: MIT
//
// Building control operations and moving builders into their regions. See ir_builder.h.
#include "shader/ir/ir_builder_priv.h"

static const union ir_op_data no_data;

ir_op_id ir_builder_if(struct ir_builder *builder, ir_value condition, const type_id *result_types,
    uint32_t result_count) {
    ir_op_id op = ir_builder_add(
        builder, IR_IF, &condition, 1, result_types, result_count, no_data);
    if (op.index == 0 || !ir_builder_add_regions(builder, op, 2)) {
        return (ir_op_id){0};
    }
    return op;
}

ir_op_id ir_builder_loop(struct ir_builder *builder, const ir_value *initial,
    uint32_t initial_count, const type_id *result_types, uint32_t result_count) {
    ir_op_id op = ir_builder_add(
        builder, IR_LOOP, initial, initial_count, result_types, result_count, no_data);
    if (op.index == 0 || !ir_builder_add_regions(builder, op, 2)) {
        return (ir_op_id){0};
    }
    ir_region_id body = ir_op_get(ir_builder_function(builder), op)->regions[0];
    for (uint32_t i = 0; i < initial_count; i++) {
        ir_region_add_parameter(
            builder->module, builder->function, body, ir_builder_type(builder, initial[i]));
    }
    return builder->module->has_failed ? (ir_op_id){0} : op;
}

ir_op_id ir_builder_switch(struct ir_builder *builder, ir_value selector,
    const struct ir_case *cases, uint32_t case_count, const type_id *result_types,
    uint32_t result_count) {
    struct ir_module *module = builder->module;
    struct ir_case *copies = ARENA_ARRAY(module->arena, struct ir_case, case_count);
    for (uint32_t i = 0; copies != NULL && i < case_count; i++) {
        copies[i] = cases[i];
        copies[i].selectors = arena_copy(
            module->arena, cases[i].selectors, cases[i].selector_count * sizeof(uint32_t));
        if (copies[i].selectors == NULL) {
            copies = NULL;
        }
    }
    if (copies == NULL) {
        module->has_failed = true;
        return (ir_op_id){0};
    }
    union ir_op_data data = {.cases = copies};
    ir_op_id op = ir_builder_add(
        builder, IR_SWITCH, &selector, 1, result_types, result_count, data);
    if (op.index == 0 || !ir_builder_add_regions(builder, op, case_count)) {
        return (ir_op_id){0};
    }
    return op;
}

struct ir_builder ir_builder_in(
    const struct ir_builder *builder, ir_op_id control, uint32_t number) {
    struct ir_builder inner = *builder;
    inner.before = (ir_op_id){0};
    inner.region = (ir_region_id){0};
    if (!builder->module->has_failed && control.index != 0) {
        inner.region = ir_op_get(ir_builder_function(builder), control)->regions[number];
    }
    return inner;
}

struct ir_builder ir_builder_before(struct ir_module *module, uint32_t function, ir_op_id op) {
    struct ir_builder builder = {.module = module, .function = function, .before = op};
    if (!module->has_failed && op.index != 0) {
        const struct ir_op *row = ir_op_get(&module->functions.items[function], op);
        builder.region = row->parent;
        builder.span = row->span;
    }
    return builder;
}

void ir_builder_terminate(struct ir_builder *builder, enum ir_opcode terminator,
    const ir_value *operands, uint32_t operand_count) {
    ir_builder_op(builder, terminator, operands, operand_count, NULL, 0, no_data);
}

bool ir_region_is_terminated(const struct ir_function *function, ir_region_id region) {
    if (region.index == 0) {
        return true; // only after a failed allocation
    }
    ir_op_id last = ir_region_get(function, region)->last;
    return last.index != 0 &&
        (ir_op_get_info(ir_op_get(function, last)->opcode)->flags & IR_FLAG_TERMINATOR) != 0;
}
