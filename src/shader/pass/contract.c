// SPDX-License-Identifier: MIT
//
// Fixes the rounding of a*b + c for a target: fused where it can, two roundings where it cannot.
// See pass.h.
#include "shader/pass/pass_priv.h"

// How often each value is used, counted up to 2.
static uint8_t *count_uses(const struct ir_function *function, struct arena *scratch) {
    uint8_t *uses = ARENA_ARRAY(scratch, uint8_t, function->values.count);
    for (size_t i = 1; uses != NULL && i < function->ops.count; i++) {
        const struct ir_op *op = &function->ops.items[i];
        for (uint32_t k = 0; k < op->operand_count && op->parent.index != 0; k++) {
            uint8_t *count = &uses[op->operands[k].index];
            *count = *count < 2 ? (uint8_t)(*count + 1) : 2;
        }
    }
    return uses;
}

// A multiplication with a single use, in the same region: moving it into a branch or out of one
// would change when it is computed, not what, but a region further in may run more often.
static const struct ir_op *find_product(
    const struct ir_function *function, const uint8_t *uses, ir_value value, ir_region_id region) {
    const struct ir_op *op = pass_definition(function, value);
    bool is_fit = op != NULL && op->opcode == IR_MUL_F && value.index != 0 &&
        uses[value.index] == 1 && op->parent.index == region.index;
    return is_fit ? op : NULL;
}

static bool fuse_one(struct ir_module *module, uint32_t index, ir_op_id id, const uint8_t *uses,
    size_t use_count, struct pass_map *map) {
    struct ir_function *function = &module->functions.items[index];
    struct ir_op op = *ir_op_get(function, id);
    bool is_sub = op.opcode == IR_SUB_F;
    if (op.operands[0].index >= use_count || op.operands[1].index >= use_count) {
        return true;
    }
    const struct ir_op *product = find_product(function, uses, op.operands[0], op.parent);
    bool is_first = product != NULL;
    if (!is_first) {
        product = find_product(function, uses, op.operands[1], op.parent);
    }
    if (product == NULL) {
        return true;
    }
    ir_value a = product->operands[0];
    ir_value b = product->operands[1];
    ir_value c = op.operands[is_first ? 1 : 0];
    ir_op_id product_id = {ir_value_get(function, op.operands[is_first ? 0 : 1])->definition};
    struct ir_builder builder = ir_builder_before(module, index, id);
    if (is_sub && is_first) {
        c = ir_builder_unary(&builder, IR_NEG_F, c);
    } else if (is_sub) {
        a = ir_builder_unary(&builder, IR_NEG_F, a);
    }
    ir_value fused = ir_builder_ternary(&builder, IR_FMA, a, b, c);
    if (module->has_failed) {
        return false;
    }
    pass_map_set(map, op.first_result, fused);
    function = &module->functions.items[index];
    ir_op_unlink(function, id);
    ir_op_unlink(function, product_id);
    return true;
}

static bool split_one(struct ir_module *module, uint32_t index, ir_op_id id, struct pass_map *map) {
    struct ir_op op = *ir_op_get(&module->functions.items[index], id);
    struct ir_builder builder = ir_builder_before(module, index, id);
    ir_value product = ir_builder_binary(&builder, IR_MUL_F, op.operands[0], op.operands[1]);
    ir_value sum = ir_builder_binary(&builder, IR_ADD_F, product, op.operands[2]);
    if (module->has_failed) {
        return false;
    }
    pass_map_set(map, op.first_result, sum);
    ir_op_unlink(&module->functions.items[index], id);
    return true;
}

// Where a value that was replaced feeds a later operation, the later one still names the old value:
// uses are counted by old values and replaced once at the end.
static bool contract_function(
    struct ir_module *module, uint32_t index, bool has_fma, struct arena *scratch) {
    struct ir_function *function = &module->functions.items[index];
    struct pass_map map;
    TRY(pass_map_init(&map, scratch, function));
    size_t use_count = function->values.count;
    const uint8_t *uses = count_uses(function, scratch);
    TRY(uses != NULL);
    size_t op_count = function->ops.count;
    for (uint32_t i = 1; i < op_count; i++) {
        const struct ir_op *op = &module->functions.items[index].ops.items[i];
        if (op->parent.index == 0) {
            continue;
        }
        if (has_fma && (op->opcode == IR_ADD_F || op->opcode == IR_SUB_F)) {
            TRY(fuse_one(module, index, (ir_op_id){i}, uses, use_count, &map));
        } else if (!has_fma && op->opcode == IR_FMA) {
            TRY(split_one(module, index, (ir_op_id){i}, &map));
        }
    }
    pass_map_apply(&map, &module->functions.items[index]);
    return true;
}

enum pass_status pass_contract(struct ir_module *module, bool has_fma) {
    bool ok = !module->has_failed;
    for (uint32_t f = 0; f < module->functions.count && ok; f++) {
        struct arena scratch;
        arena_init(&scratch, MEMORY_COMPILE);
        ok = contract_function(module, f, has_fma, &scratch);
        arena_finish(&scratch);
    }
    return pass_finish(module, ok);
}
