// SPDX-License-Identifier: MIT
//
// Constant folding of scalars and vectors. See simplify_priv.h.
#include "shader/ir/ir_fold.h"
#include "shader/pass/simplify_priv.h"

ir_value simplify_fold(struct simplifier *s, ir_op_id id) {
    static const unsigned char zeros[16];
    const struct ir_op *op = ir_op_get(simplify_function(s), id);
    const struct type_table *types = &s->module->types;
    const void *operands[4];
    type_id operand_types[4];
    unsigned char bytes[16] = {0};
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    if ((flags & IR_FLAG_PURE) == 0 || (flags & IR_FLAG_POLYFILL) != 0 || op->result_count != 1 ||
        op->operand_count == 0 || op->operand_count > 4) {
        return (ir_value){0};
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        bool is_constant = false;
        operands[i] = pass_constant_bytes(
            s->module, simplify_function(s), op->operands[i], &is_constant);
        operand_types[i] = ir_value_type(simplify_function(s), op->operands[i]);
        if (!is_constant || type_get(types, operand_types[i])->size_bytes > sizeof(zeros)) {
            return (ir_value){0};
        }
        operands[i] = operands[i] == NULL ? zeros : operands[i];
    }
    type_id type = ir_value_type(simplify_function(s), op->first_result);
    bool is_plain = type_is_scalar(types, type) || type_kind_of(types, type) == TYPE_VECTOR;
    if (!is_plain || !ir_fold_op(types, op, type, operand_types, operands, bytes)) {
        return (ir_value){0};
    }
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    return ir_builder_constant_bytes(&b, type, bytes);
}
