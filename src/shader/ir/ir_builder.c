// SPDX-License-Identifier: MIT
//
// The general operation of the builder: allocation, linking, results. See ir_builder.h.
#include "shader/ir/ir_builder_priv.h"

#include <string.h>

static bool fail(struct ir_module *module) {
    module->has_failed = true;
    return false;
}

struct ir_builder ir_builder_create(struct ir_module *module, uint32_t function) {
    struct ir_builder builder = {.module = module, .function = function};
    if (!module->has_failed && function < module->functions.count) {
        builder.region = module->functions.items[function].body;
    } else {
        module->has_failed = true;
    }
    return builder;
}

static void link_op(struct ir_function *function, const struct ir_builder *builder, ir_op_id id) {
    struct ir_op *op = ir_op_get(function, id);
    struct ir_region *region = ir_region_get(function, builder->region);
    op->parent = builder->region;
    op->next = builder->before;
    op->previous = builder->before.index != 0 ? ir_op_get(function, builder->before)->previous
                                              : region->last;
    if (op->previous.index != 0) {
        ir_op_get(function, op->previous)->next = id;
    } else {
        region->first = id;
    }
    if (op->next.index != 0) {
        ir_op_get(function, op->next)->previous = id;
    } else {
        region->last = id;
    }
}

static bool add_results(struct ir_module *module, struct ir_function *function, ir_op_id id,
    const type_id *types, uint32_t count) {
    struct ir_op *op = ir_op_get(function, id);
    op->first_result = (ir_value){count == 0 ? 0 : (uint32_t)function->values.count};
    op->result_count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_value_info info = {
            .kind = IR_VALUE_RESULT, .type = types[i], .definition = id.index, .position = i};
        if (types[i].index == 0 || !arena_vector_push(module->arena, &function->values, info)) {
            return fail(module);
        }
    }
    return true;
}

ir_op_id ir_builder_add(struct ir_builder *builder, enum ir_opcode opcode, const ir_value *operands,
    uint32_t operand_count, const type_id *result_types, uint32_t result_count,
    union ir_op_data data) {
    struct ir_module *module = builder->module;
    if (module->has_failed) {
        return (ir_op_id){0};
    }
    for (uint32_t i = 0; i < operand_count; i++) {
        if (operands[i].index == 0) {
            fail(module);
            return (ir_op_id){0};
        }
    }
    struct ir_function *function = &module->functions.items[builder->function];
    struct ir_op op = {
        .opcode = opcode, .span = builder->span, .operand_count = operand_count, .data = data};
    if (operand_count != 0) {
        op.operands = arena_allocate_packed(module->arena, operand_count * sizeof(*operands));
        if (op.operands == NULL) {
            fail(module);
            return (ir_op_id){0};
        }
        memcpy(op.operands, operands, operand_count * sizeof(*operands));
    }
    ir_op_id id = {(uint32_t)function->ops.count};
    if (!arena_vector_push(module->arena, &function->ops, op) ||
        !add_results(module, function, id, result_types, result_count)) {
        fail(module);
        return (ir_op_id){0};
    }
    link_op(function, builder, id);
    return id;
}

bool ir_builder_add_regions(struct ir_builder *builder, ir_op_id id, uint32_t region_count) {
    struct ir_module *module = builder->module;
    struct ir_function *function = &module->functions.items[builder->function];
    if (region_count > IR_REGION_LIMIT) {
        return fail(module);
    }
    ir_region_id *regions = arena_allocate_packed(
        module->arena, region_count * sizeof(ir_region_id));
    if (regions == NULL) {
        return fail(module);
    }
    for (uint32_t i = 0; i < region_count; i++) {
        regions[i] = (ir_region_id){(uint32_t)function->regions.count};
        if (!arena_vector_push(
                module->arena, &function->regions, (struct ir_region){.owner = id})) {
            return fail(module);
        }
    }
    struct ir_op *op = ir_op_get(function, id);
    op->regions = regions;
    op->region_count = region_count;
    return true;
}

ir_value ir_builder_op(struct ir_builder *builder, enum ir_opcode opcode, const ir_value *operands,
    uint32_t operand_count, const type_id *result_types, uint32_t result_count,
    union ir_op_data data) {
    ir_op_id id = ir_builder_add(
        builder, opcode, operands, operand_count, result_types, result_count, data);
    if (id.index == 0) {
        return (ir_value){0};
    }
    return ir_op_get(&builder->module->functions.items[builder->function], id)->first_result;
}

ir_value ir_region_add_parameter(
    struct ir_module *module, uint32_t function_index, ir_region_id region_id, type_id type) {
    if (module->has_failed || region_id.index == 0) {
        module->has_failed = true;
        return (ir_value){0};
    }
    struct ir_function *function = &module->functions.items[function_index];
    struct ir_region *region = ir_region_get(function, region_id);
    uint32_t count = region->parameter_count;
    ir_value value = {(uint32_t)function->values.count};
    // Grows at powers of two, so that adding n parameters copies O(n).
    if ((count & (count - 1)) == 0) {
        ir_value *grown = ARENA_ARRAY(module->arena, ir_value, count == 0 ? 1 : (size_t)count * 2);
        if (grown == NULL) {
            module->has_failed = true;
            return (ir_value){0};
        }
        if (count != 0) {
            memcpy(grown, region->parameters, count * sizeof(ir_value));
        }
        region->parameters = grown;
    }
    struct ir_value_info info = {.kind = IR_VALUE_REGION_PARAMETER,
        .type = type,
        .definition = region_id.index,
        .position = count};
    if (type.index == 0 || !arena_vector_push(module->arena, &function->values, info)) {
        module->has_failed = true;
        return (ir_value){0};
    }
    region->parameters[count] = value;
    region->parameter_count = count + 1;
    return value;
}
