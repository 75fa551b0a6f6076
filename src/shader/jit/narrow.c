// SPDX-License-Identifier: MIT
//
// Segments that only the first lanes take part in: `if (local_invocation_index < n) { ... }` between
// two barriers, as every reduction has it. Iterations beyond the bound would find no lane active;
// the segment's loop ends before them.
#include "shader/jit/jit_priv.h"

static const struct ir_op *definition(const struct emit *e, ir_value value) {
    const struct ir_value_info *info = ir_value_get(e->function, value);
    return info->kind == IR_VALUE_RESULT ? ir_op_get(e->function, (ir_op_id){info->definition})
                                         : NULL;
}

// The value is the invocation's number in the workgroup.
static bool is_lane_number(const struct emit *e, ir_value value) {
    const struct ir_op *op = definition(e, value);
    bool is_row = e->size[1] == 1 && e->size[2] == 1;
    enum builtin_value wanted = BUILTIN_VALUE_LOCAL_INVOCATION_INDEX;
    if (op != NULL && is_row && op->opcode == IR_EXTRACT && op->data.index == 0) {
        op = definition(e, op->operands[0]);
        wanted = BUILTIN_VALUE_LOCAL_INVOCATION_ID;
    }
    return op != NULL && op->opcode == IR_LOAD_INPUT && op->data.index < e->entry->input_count &&
        e->entry->inputs[op->data.index].is_builtin &&
        e->entry->inputs[op->data.index].builtin == wanted;
}

static bool is_workgroup_value(const struct emit *e, ir_value value) {
    const struct ir_value_info *info = ir_value_get(e->function, value);
    return info->kind == IR_VALUE_CONSTANT ||
        (e->facts->values[value.index].segment == JIT_SEGMENT_WORKGROUP &&
            jit_shape_of(e->facts, value, 0)->kind == SHAPE_WORKGROUP);
}

// The only `if` of [first, end) when all else there is free of effects and nothing made there is
// needed elsewhere.
static const struct ir_op *find_if(const struct emit *e, ir_op_id first, ir_op_id end) {
    const struct ir_op *found = NULL;
    for (ir_op_id id = first; id.index != 0 && id.index != end.index;
         id = ir_op_get(e->function, id)->next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        for (uint32_t i = 0; i < op->result_count; i++) {
            if (!e->facts->ops[id.index].is_hoisted &&
                e->facts->values[ir_op_result(op, i).index].needs_slot) {
                return NULL;
            }
        }
        if (op->opcode == IR_IF && found == NULL) {
            found = op;
        } else if (op->region_count > 0 || (op->opcode != IR_LOAD && (flags & IR_FLAG_PURE) == 0)) {
            return NULL;
        }
    }
    return found;
}

LLVMValueRef jit_narrow_segment(struct emit *e, ir_op_id first, ir_op_id end) {
    const struct ir_op *op = e->iteration_count > 1 ? find_if(e, first, end) : NULL;
    if (op == NULL) {
        return NULL;
    }
    const struct ir_region *otherwise = ir_region_get(e->function, op->regions[1]);
    const struct ir_op *compare = definition(e, op->operands[0]);
    if (ir_op_get(e->function, otherwise->first)->opcode != IR_EXIT_IF || compare == NULL ||
        (compare->opcode != IR_LT_U && compare->opcode != IR_EQ_I) ||
        !is_lane_number(e, compare->operands[0]) || !is_workgroup_value(e, compare->operands[1])) {
        return NULL;
    }
    // Lanes below `bound` take part: their iterations, at most all.
    LLVMValueRef bound = jit_components(e, compare->operands[1])->parts[0];
    LLVMValueRef arguments[] = {bound, jit_i32(e, e->lane_count)};
    bound = jit_intrinsic(e, "llvm.umin", e->i32, arguments, 2);
    if (compare->opcode == IR_EQ_I) {
        bound = LLVMBuildAdd(e->builder, bound, jit_i32(e, 1), "");
    }
    uint32_t lanes = e->width * e->jam;
    LLVMValueRef rounded = LLVMBuildAdd(e->builder, bound, jit_i32(e, lanes - 1), "");
    rounded = LLVMBuildUDiv(e->builder, rounded, jit_i32(e, lanes), "");
    LLVMValueRef most[] = {rounded, jit_i32(e, e->iteration_count)};
    return jit_intrinsic(e, "llvm.umin", e->i32, most, 2);
}
