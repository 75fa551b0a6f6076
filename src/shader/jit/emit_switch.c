// SPDX-License-Identifier: MIT
//
// Switches: a branch on a uniform selector; otherwise each case runs in turn with the lanes that
// select it.
#include "shader/jit/jit_priv.h"

static void emit_uniform(
    struct emit *e, const struct ir_op *op, LLVMValueRef selector, struct frame *frame) {
    uint32_t selector_count = 0;
    LLVMBasicBlockRef fallback = frame->exit_block;
    LLVMBasicBlockRef *blocks = ARENA_ARRAY(e->arena, LLVMBasicBlockRef, op->region_count + 1);
    if (blocks == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < op->region_count; i++) {
        blocks[i] = jit_block(e, "case");
        selector_count += op->data.cases[i].selector_count;
        if (op->data.cases[i].is_default) {
            fallback = blocks[i];
        }
    }
    LLVMValueRef branch = LLVMBuildSwitch(e->builder, selector, fallback, selector_count);
    for (uint32_t i = 0; i < op->region_count && !e->has_failed; i++) {
        const struct ir_case *one = &op->data.cases[i];
        for (uint32_t k = 0; k < one->selector_count && !one->is_default; k++) {
            LLVMAddCase(branch, jit_i32(e, one->selectors[k]), blocks[i]);
        }
        jit_move_to(e, blocks[i]);
        e->lanes = frame->entry_lanes;
        jit_emit_region(e, op->regions[i]);
        jit_memory_barrier(e);
        if (!e->is_closed) {
            LLVMBuildBr(e->builder, frame->exit_block);
        }
    }
    jit_move_to(e, frame->exit_block);
}

static struct component selected(
    struct emit *e, const struct component *selector, const struct ir_case *one) {
    struct component result = {.kind = SHAPE_VARYING};
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef value = jit_part(e, selector, part);
        result.parts[part] = LLVMConstNull(e->vi1);
        for (uint32_t k = 0; k < one->selector_count; k++) {
            LLVMValueRef is_it = LLVMBuildICmp(
                e->builder, LLVMIntEQ, value, jit_splat(e, jit_i32(e, one->selectors[k])), "");
            result.parts[part] = LLVMBuildOr(e->builder, result.parts[part], is_it, "");
        }
    }
    return result;
}

static void emit_varying(
    struct emit *e, const struct ir_op *op, const struct component *selector, struct frame *frame) {
    // What no other case selects is the default's.
    struct lanes rest = frame->entry_lanes;
    uint32_t count = op->region_count;
    struct lanes *wanted = ARENA_ARRAY(e->arena, struct lanes, count + 1);
    if (wanted == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!op->data.cases[i].is_default) {
            struct component is_it = selected(e, selector, &op->data.cases[i]);
            wanted[i] = jit_lanes_and(e, &frame->entry_lanes, &is_it, false);
            rest = jit_lanes_and(e, &rest, &is_it, true);
        }
    }
    for (uint32_t i = 0; i < count && !e->has_failed; i++) {
        e->lanes = op->data.cases[i].is_default ? rest : wanted[i];
        LLVMBasicBlockRef body = jit_block(e, "case");
        LLVMBasicBlockRef next = jit_block(e, "next");
        LLVMBuildCondBr(e->builder, jit_lanes_any(e, &e->lanes), body, next);
        jit_move_to(e, body);
        jit_emit_region(e, op->regions[i]);
        jit_memory_barrier(e);
        if (!e->is_closed) {
            LLVMBuildBr(e->builder, next);
        }
        jit_move_to(e, next);
    }
    LLVMBuildBr(e->builder, frame->exit_block);
    jit_move_to(e, frame->exit_block);
}

void jit_emit_switch(struct emit *e, ir_op_id id) {
    const struct ir_op *op = ir_op_get(e->function, id);
    const struct op_facts *facts = &e->facts->ops[id.index];
    struct component *selector = jit_components(e, op->operands[0]);
    ir_value *results = ARENA_ARRAY(e->arena, ir_value, op->result_count + 1);
    struct frame frame = {
        .kind = FRAME_SWITCH,
        .op = id,
        .parent = e->frame,
        .is_varying = facts->is_varying,
        .is_masked = facts->is_masked,
        .entry_lanes = e->lanes,
        .exit_block = jit_block(e, "endswitch"),
    };
    if (results == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < op->result_count; i++) {
        results[i] = ir_op_result(op, i);
    }
    frame.results = jit_homes_for_values(e, results, op->result_count, false);
    if (e->has_failed) {
        return;
    }
    if (facts->has_leaks && (facts->is_varying || facts->is_masked || facts->has_lane_leaks)) {
        jit_lanes_home_create(e, &frame.exit_lanes, "arrived");
        jit_lanes_home_clear(e, &frame.exit_lanes);
    }
    e->frame = &frame;
    if (facts->is_varying) {
        emit_varying(e, op, selector, &frame);
    } else if (jit_is_uniform(selector)) {
        emit_uniform(e, op, selector->parts[0], &frame);
    } else {
        jit_fail(e, "a selector is less uniform than its analysis says");
    }
    e->frame = frame.parent;
    if (!frame.has_arrivals) {
        e->lanes = (struct lanes){.is_dead = true};
        return;
    }
    e->lanes = frame.exit_lanes.is_set ? jit_lanes_home_load(e, &frame.exit_lanes)
                                       : frame.entry_lanes;
    jit_homes_to_values(e, results, op->result_count, frame.results, e->segment);
}
