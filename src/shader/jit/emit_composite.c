// SPDX-License-Identifier: MIT
//
// Composite operations on vectors: components change places, no code but for dynamic indices and the
// reductions of bool vectors.
#include "shader/jit/jit_priv.h"

static LLVMValueRef index_constant(struct emit *e, LLVMValueRef index, uint32_t number) {
    LLVMValueRef constant = jit_i32(e, number);
    return LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind ? jit_splat(e, constant)
                                                                    : constant;
}

static LLVMValueRef zero_like(LLVMValueRef value) {
    return LLVMConstNull(LLVMTypeOf(value));
}

// One uniform component, or one vector a part: applies `pick` for each.
typedef LLVMValueRef (*pick_function)(struct emit *e, LLVMValueRef *elements, uint32_t count,
    LLVMValueRef index, LLVMValueRef extra, uint32_t number);

static LLVMValueRef pick_element(struct emit *e, LLVMValueRef *elements, uint32_t count,
    LLVMValueRef index, LLVMValueRef extra, uint32_t number) {
    (void)extra;
    (void)number;
    LLVMValueRef result = zero_like(elements[0]);
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef is_it = LLVMBuildICmp(
            e->builder, LLVMIntEQ, index, index_constant(e, index, i), "");
        result = jit_select(e, is_it, elements[i], result);
    }
    return result;
}

static LLVMValueRef put_element(struct emit *e, LLVMValueRef *elements, uint32_t count,
    LLVMValueRef index, LLVMValueRef extra, uint32_t number) {
    (void)count;
    LLVMValueRef is_it = LLVMBuildICmp(
        e->builder, LLVMIntEQ, index, index_constant(e, index, number), "");
    return jit_select(e, is_it, extra, elements[number]);
}

static void apply(struct emit *e, pick_function pick, const struct component *elements,
    uint32_t count, const struct component *index, const struct component *extra, uint32_t number,
    struct component *out) {
    LLVMValueRef parts[4];
    bool is_uniform = jit_is_uniform(index) && (extra == NULL || jit_is_uniform(extra));
    for (uint32_t i = 0; i < count; i++) {
        is_uniform = is_uniform && jit_is_uniform(&elements[i]);
    }
    if (is_uniform) {
        for (uint32_t i = 0; i < count; i++) {
            parts[i] = elements[i].parts[0];
        }
        *out = jit_uniform(
            pick(e, parts, count, index->parts[0], extra != NULL ? extra->parts[0] : NULL, number));
        return;
    }
    out->kind = SHAPE_VARYING;
    for (uint32_t part = 0; part < e->jam; part++) {
        for (uint32_t i = 0; i < count; i++) {
            parts[i] = jit_part(e, &elements[i], part);
        }
        LLVMValueRef which = jit_is_uniform(index) ? index->parts[0] : jit_part(e, index, part);
        LLVMValueRef added = extra != NULL ? jit_part(e, extra, part) : NULL;
        out->parts[part] = pick(e, parts, count, which, added, number);
    }
}

static void reduce(struct emit *e, enum ir_opcode opcode, const struct component *elements,
    uint32_t count, struct component *out) {
    bool is_uniform = true;
    for (uint32_t i = 0; i < count; i++) {
        is_uniform = is_uniform && jit_is_uniform(&elements[i]);
    }
    out->kind = is_uniform ? SHAPE_ITERATION : SHAPE_VARYING;
    for (uint32_t part = 0; part < (is_uniform ? 1 : e->jam); part++) {
        LLVMValueRef result = NULL;
        for (uint32_t i = 0; i < count; i++) {
            LLVMValueRef element = is_uniform ? elements[i].parts[0]
                                              : jit_part(e, &elements[i], part);
            if (result == NULL) {
                result = element;
            } else if (opcode == IR_ALL) {
                result = LLVMBuildAnd(e->builder, result, element, "");
            } else {
                result = LLVMBuildOr(e->builder, result, element, "");
            }
        }
        out->parts[part] = result;
    }
}

void jit_emit_composite(struct emit *e, const struct ir_op *op) {
    ir_value result = ir_op_result(op, 0);
    uint32_t count = e->facts->values[result.index].component_count;
    if (count == 0) {
        jit_fail(e, "a composite value reached the code generator");
        return;
    }
    struct component *components = jit_components_new(e, count);
    struct component *first = jit_components(e, op->operands[0]);
    uint32_t first_count = e->facts->values[op->operands[0].index].component_count;
    switch (op->opcode) {
    case IR_CONSTRUCT:
        for (uint32_t i = 0; i < count && i < op->operand_count; i++) {
            components[i] = *jit_components(e, op->operands[i]);
        }
        break;
    case IR_SPLAT:
        for (uint32_t i = 0; i < count; i++) {
            components[i] = first[0];
        }
        break;
    case IR_EXTRACT:
        components[0] = first[op->data.index < first_count ? op->data.index : 0];
        break;
    case IR_SWIZZLE:
        for (uint32_t i = 0; i < count; i++) {
            uint32_t from = op->data.swizzle[i];
            components[i] = first[from < first_count ? from : 0];
        }
        break;
    case IR_INSERT:
        for (uint32_t i = 0; i < count; i++) {
            components[i] = i == op->data.index ? *jit_components(e, op->operands[1]) : first[i];
        }
        break;
    case IR_EXTRACT_DYNAMIC:
        apply(e, pick_element, first, first_count, jit_components(e, op->operands[1]), NULL, 0,
            &components[0]);
        break;
    case IR_INSERT_DYNAMIC:
        for (uint32_t i = 0; i < count; i++) {
            apply(e, put_element, first, count, jit_components(e, op->operands[2]),
                jit_components(e, op->operands[1]), i, &components[i]);
        }
        break;
    case IR_ALL:
    case IR_ANY:
        reduce(e, op->opcode, first, first_count, &components[0]);
        break;
    default:
        jit_fail(e, "not a composite operation");
        break;
    }
    jit_set(e, result, components);
}
