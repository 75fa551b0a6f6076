// SPDX-License-Identifier: MIT
//
// Drives the polyfills: finds the operations, computes f16 in f32, replaces results. See pass.h.
#include "shader/pass/polyfill_priv.h"

#include <string.h>

typedef ir_value (*polyfill_function)(struct ir_builder *, enum ir_opcode, const ir_value *);

static bool is_half(const struct ir_builder *b, ir_value x) {
    const struct type_table *types = &b->module->types;
    type_id type = type_of(b, x);
    bool is_plain = type_is_scalar(types, type) || type_kind_of(types, type) == TYPE_VECTOR;
    return is_plain && type_kind_of(types, type_element_of(types, type)) == TYPE_F16;
}

// These are exact or single roundings in f16 itself, or their parts are.
static bool works_in_half(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_CLAMP_F:
    case IR_SIGN_F:
    case IR_FRACT:
    case IR_STEP:
    case IR_SATURATE:
    case IR_MODF_FRACT:
    case IR_DOT_F:
    case IR_CROSS:
    case IR_FACE_FORWARD:
        return true;
    default:
        return false;
    }
}

// The same operation in f32 with its result rounded to f16.
static ir_value widen(struct ir_builder *b, const struct ir_op *op) {
    ir_value operands[4] = {{0}};
    for (uint32_t i = 0; i < op->operand_count && i < 4; i++) {
        operands[i] = is_half(b, op->operands[i]) ? convert(b, IR_F_TO_F, op->operands[i], TYPE_F32)
                                                  : op->operands[i];
    }
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    type_id old = type_of(b, op->first_result);
    if (op->opcode == IR_FREXP_EXP) {
        return ir_builder_op(b, op->opcode, operands, op->operand_count, &old, 1, op->data);
    }
    type_id wide = pass_shape(b, old, TYPE_F32);
    ir_value result = ir_builder_op(b, op->opcode, operands, op->operand_count, &wide, 1, op->data);
    return convert(b, IR_F_TO_F, result, TYPE_F16);
}

static ir_value build(struct ir_builder *b, const struct ir_op *op) {
    static const polyfill_function families[] = {polyfill_common, polyfill_exponential,
        polyfill_trigonometry, polyfill_hyperbolic, polyfill_pack, polyfill_vector,
        polyfill_matrix};
    if (op->opcode == IR_EXTRACT_DYNAMIC) {
        return pass_extract_dynamic(b, op->operands[0], op->operands[1]);
    }
    if (op->opcode == IR_INSERT_DYNAMIC) {
        return pass_insert_dynamic(b, op->operands[0], op->operands[1], op->operands[2]);
    }
    if (is_half(b, op->operands[0]) && !works_in_half(op->opcode)) {
        return widen(b, op);
    }
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        ir_value value = families[i](b, op->opcode, op->operands);
        if (value.index != 0 || b->module->has_failed) {
            return value;
        }
    }
    return (ir_value){0};
}

static bool is_work(
    const struct ir_module *module, const struct ir_function *function, const struct ir_op *op) {
    if (op->parent.index == 0) {
        return false;
    }
    if (op->opcode == IR_EXTRACT_DYNAMIC || op->opcode == IR_INSERT_DYNAMIC) {
        return type_kind_of(&module->types, ir_value_type(function, op->operands[0])) ==
            TYPE_VECTOR;
    }
    return (ir_op_get_info(op->opcode)->flags & IR_FLAG_POLYFILL) != 0;
}

// Rewrites operations [first, end); what it builds comes after.
static bool rewrite(
    struct ir_module *module, uint32_t index, size_t first, size_t end, bool *out_any) {
    struct arena scratch;
    struct pass_map map;
    arena_init(&scratch, MEMORY_COMPILE);
    bool ok = pass_map_init(&map, &scratch, &module->functions.items[index]);
    for (size_t i = first; ok && i < end && !module->has_failed; i++) {
        struct ir_op op = module->functions.items[index].ops.items[i]; // the vector moves
        if (!is_work(module, &module->functions.items[index], &op)) {
            continue;
        }
        struct ir_builder b = ir_builder_before(module, index, (ir_op_id){(uint32_t)i});
        ir_value value = build(&b, &op);
        if (value.index == 0) {
            module->has_failed = true; // every POLYFILL row has a family here
            break;
        }
        pass_map_set(&map, op.first_result, value);
        ir_op_unlink(&module->functions.items[index], (ir_op_id){(uint32_t)i});
        *out_any = true;
    }
    if (ok && *out_any) {
        pass_map_apply(&map, &module->functions.items[index]);
    }
    arena_finish(&scratch);
    return ok && !module->has_failed;
}

enum pass_status pass_polyfill(struct ir_module *module) {
    for (uint32_t f = 0; f < module->functions.count && !module->has_failed; f++) {
        size_t first = 1;
        bool has_any = true;
        while (has_any) {
            size_t end = module->functions.items[f].ops.count;
            has_any = false;
            if (!rewrite(module, f, first, end, &has_any)) {
                return PASS_OUT_OF_MEMORY;
            }
            first = end;
        }
    }
    return pass_finish(module, true);
}
