// SPDX-License-Identifier: MIT
//
// Loops and the terminators of all constructs. In a masked loop lanes leave at different times: it
// runs until no lane is left, results are blended as lanes leave. In an unmasked loop every exit is
// a branch.
#include "shader/jit/jit_priv.h"

#define FINITE_TRIPS 1000000u

void jit_poll_cancel(struct emit *e) {
    if (!e->options->poll_cancel || e->cancel == NULL) {
        return;
    }
    LLVMValueRef flag = LLVMBuildLoad2(e->builder, e->i32, e->cancel, "cancel");
    LLVMSetOrdering(flag, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(flag, 4);
    LLVMValueRef is_set = LLVMBuildICmp(e->builder, LLVMIntNE, flag, LLVMConstNull(e->i32), "");
    LLVMBasicBlockRef go_on = jit_block(e, "go_on");
    LLVMBuildCondBr(e->builder, is_set, e->abandon_block, go_on);
    jit_move_to(e, go_on);
}

static const struct ir_op *definition(const struct emit *e, ir_value value) {
    const struct ir_value_info *info = ir_value_get(e->function, value);
    return info->kind == IR_VALUE_RESULT ? ir_op_get(e->function, (ir_op_id){info->definition})
                                         : NULL;
}

// for (i = a; i < b; i += c) with constants and few iterations, the test at the body's start.
bool jit_loop_is_finite(const struct emit *e, ir_op_id id) {
    const struct ir_op *loop = ir_op_get(e->function, id);
    const struct ir_region *body = ir_region_get(e->function, loop->regions[0]);
    const struct ir_region *continuing = ir_region_get(e->function, loop->regions[1]);
    if (e->facts->ops[id.index].has_loop || e->facts->ops[id.index].has_call) {
        return false;
    }
    ir_op_id at = body->first;
    while (at.index != 0 && ir_op_get(e->function, at)->region_count == 0) {
        at = ir_op_get(e->function, at)->next;
    }
    if (at.index == 0 || ir_op_get(e->function, at)->opcode != IR_IF) {
        return false;
    }
    const struct ir_op *test = ir_op_get(e->function, at);
    ir_op_id leave = ir_region_get(e->function, test->regions[1])->first;
    const struct ir_op *compare = definition(e, test->operands[0]);
    if (leave.index == 0 || ir_op_get(e->function, leave)->opcode != IR_EXIT_LOOP ||
        compare == NULL || (compare->opcode != IR_LT_U && compare->opcode != IR_LT_S)) {
        return false;
    }
    const struct ir_value_info *counter = ir_value_get(e->function, compare->operands[0]);
    const struct ir_op *next = ir_op_get(e->function, continuing->last);
    uint32_t start, bound, step;
    if (counter->kind != IR_VALUE_REGION_PARAMETER ||
        counter->definition != loop->regions[0].index || next->opcode != IR_NEXT_ITERATION ||
        counter->position >= next->operand_count ||
        !jit_constant_u32(e, e->function, compare->operands[1], &bound) ||
        !jit_constant_u32(e, e->function, loop->operands[counter->position], &start)) {
        return false;
    }
    const struct ir_op *add = definition(e, next->operands[counter->position]);
    return add != NULL && add->opcode == IR_ADD_I &&
        add->operands[0].index == compare->operands[0].index &&
        jit_constant_u32(e, e->function, add->operands[1], &step) && step > 0 && step < 0x10000u &&
        start < bound && bound < 0x7fff0000u && (bound - start) / step < FINITE_TRIPS;
}

static void emit_body(struct emit *e, const struct ir_op *op, struct frame *frame) {
    const struct ir_region *body = ir_region_get(e->function, op->regions[0]);
    LLVMBuildBr(e->builder, frame->header_block);
    jit_move_to(e, frame->header_block);
    if (frame->is_masked) {
        e->lanes = jit_lanes_home_load(e, &frame->loop_lanes);
        jit_lanes_home_clear(e, &frame->continue_lanes);
        jit_count_iteration(e, frame);
    }
    jit_homes_to_values(e, body->parameters, body->parameter_count, frame->parameters, e->segment);
    jit_emit_region(e, op->regions[0]);
    jit_memory_barrier(e);
    if (!e->is_closed) {
        LLVMBuildBr(e->builder, frame->continue_block);
    }
}

static void emit_continuing(struct emit *e, const struct ir_op *op, struct frame *frame) {
    const struct ir_region *continuing = ir_region_get(e->function, op->regions[1]);
    jit_move_to(e, frame->continue_block);
    if (!frame->has_continued) {
        // No way leads to the continuing region; the values that it uses were not emitted.
        LLVMBuildBr(e->builder, frame->exit_block);
        return;
    }
    e->lanes = frame->entry_lanes;
    if (frame->is_masked) {
        e->lanes = jit_lanes_home_load(e, &frame->continue_lanes);
        LLVMBasicBlockRef block = jit_block(e, "continuing");
        struct lanes wanted = jit_needs_live_lane(e, frame->op) ? jit_effect_lanes(e) : e->lanes;
        LLVMBuildCondBr(e->builder, jit_lanes_any(e, &wanted), block, frame->exit_block);
        jit_move_to(e, block);
    }
    jit_homes_to_values(e, continuing->parameters, continuing->parameter_count,
        frame->continue_parameters, e->segment);
    jit_emit_region(e, op->regions[1]);
    jit_memory_barrier(e);
    if (!e->is_closed) { // unreachable by contract
        LLVMBuildBr(e->builder, frame->exit_block);
    }
}

void jit_emit_loop(struct emit *e, ir_op_id id) {
    const struct ir_op *op = ir_op_get(e->function, id);
    const struct op_facts *facts = &e->facts->ops[id.index];
    const struct ir_region *body = ir_region_get(e->function, op->regions[0]);
    const struct ir_region *continuing = ir_region_get(e->function, op->regions[1]);
    ir_value *results = ARENA_ARRAY(e->arena, ir_value, op->result_count + 1);
    struct frame frame = {
        .kind = FRAME_LOOP,
        .op = id,
        .parent = e->frame,
        .is_masked = facts->is_masked,
        .entry_lanes = e->lanes,
        .exit_block = jit_block(e, "endloop"),
        .continue_block = jit_block(e, "continue"),
        .header_block = jit_block(e, "loop"),
        .is_finite = jit_loop_is_finite(e, id),
    };
    for (uint32_t i = 0; results != NULL && i < op->result_count; i++) {
        results[i] = ir_op_result(op, i);
    }
    if (results == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    frame.results = jit_homes_for_values(e, results, op->result_count, false);
    frame.parameters = jit_homes_for_values(e, body->parameters, body->parameter_count, false);
    frame.continue_parameters = jit_homes_for_values(
        e, continuing->parameters, continuing->parameter_count, false);
    if (e->has_failed) {
        return;
    }
    jit_values_to_homes(e, op->operands, op->operand_count, frame.parameters, NULL);
    if (frame.is_masked) {
        e->has_masked_loop = true;
        jit_lanes_home_create(e, &frame.loop_lanes, "running");
        jit_lanes_home_create(e, &frame.continue_lanes, "continued");
        jit_lanes_home_store(e, &frame.loop_lanes, &e->lanes);
        if (facts->has_leaks) {
            jit_lanes_home_create(e, &frame.exit_lanes, "left");
            jit_lanes_home_clear(e, &frame.exit_lanes);
        }
        jit_count_prepare(e, &frame);
    }
    e->frame = &frame;
    emit_body(e, op, &frame);
    if (!e->has_failed) {
        emit_continuing(e, op, &frame);
    }
    e->frame = frame.parent;
    jit_move_to(e, frame.exit_block);
    e->lanes = frame.exit_lanes.is_set ? jit_lanes_home_load(e, &frame.exit_lanes)
                                       : frame.entry_lanes;
    if (!frame.has_arrivals) {
        e->lanes = (struct lanes){.is_dead = true};
        return;
    }
    jit_count_finish(e, &frame);
    jit_homes_to_values(e, results, op->result_count, frame.results, e->segment);
}

// Lanes stop here: all of them by a branch, or some while the rest of the code goes on.
static void leave(struct emit *e, bool is_direct, LLVMBasicBlockRef target) {
    if (is_direct) {
        LLVMBuildBr(e->builder, target);
        e->is_closed = true;
    }
    e->lanes = (struct lanes){.is_dead = true};
}

static void exit_if(struct emit *e, const struct ir_op *op) {
    struct frame *frame = e->frame;
    if (frame->kind != FRAME_IF) {
        jit_fail(e, "exit_if outside an if");
        return;
    }
    bool blends = frame->is_varying && frame->has_arrivals;
    jit_values_to_homes(
        e, op->operands, op->operand_count, frame->results, blends ? &e->lanes : NULL);
    if (frame->exit_lanes.is_set) {
        jit_lanes_home_add(e, &frame->exit_lanes, &e->lanes);
    }
    frame->has_arrivals = true;
    e->lanes = (struct lanes){.is_dead = true};
}

// Whether no lane can have left from another region of the `if` before.
static bool is_first_way_out(
    const struct emit *e, const struct ir_op *test, const struct ir_op *op) {
    const struct ir_region *first = ir_region_get(e->function, test->regions[0]);
    return test->regions[0].index == op->parent.index ||
        (first->first.index == first->last.index &&
            ir_op_get(e->function, first->last)->opcode == IR_EXIT_IF);
}

// The lanes under which results are written. Every lane that is still in a loop writes them again
// before it leaves, so that any mask of such lanes does that is at hand: those that began the
// iteration, where the loop has one way out; those that came to the `if` around, where it has.
static struct lanes writing_lanes(
    struct emit *e, const struct ir_op *op, const struct frame *frame) {
    if (frame->kind != FRAME_LOOP || !frame->loop_lanes.is_set || op->operand_count == 0) {
        return e->lanes;
    }
    if (e->facts->exit_count[frame->op.index] == 1) {
        return jit_lanes_home_load(e, &frame->loop_lanes);
    }
    const struct frame *around = e->frame;
    bool has_entry = around->kind == FRAME_IF && around->parent == frame &&
        (around->entry_lanes.is_full || around->entry_lanes.parts[0] != NULL);
    return has_entry && is_first_way_out(e, ir_op_get(e->function, around->op), op)
        ? around->entry_lanes
        : e->lanes;
}

static void exit_construct(struct emit *e, const struct ir_op *op, enum frame_kind kind) {
    bool is_direct;
    struct frame *frame = jit_frame_find(e, kind, &is_direct);
    if (frame == NULL) {
        return;
    }
    bool blends = frame->is_masked || frame->is_varying;
    struct lanes writing = writing_lanes(e, op, frame);
    jit_values_to_homes(
        e, op->operands, op->operand_count, frame->results, blends ? &writing : NULL);
    if (frame->exit_lanes.is_set) {
        jit_lanes_home_add(e, &frame->exit_lanes, &e->lanes);
    }
    frame->has_arrivals = true;
    // Lanes that wait to continue must go on; before the first `continue` there are none, and values
    // for the continuing region need not exist yet.
    bool to_continue = kind == FRAME_LOOP && frame->is_masked && frame->has_continued;
    leave(e, is_direct && !frame->is_varying,
        to_continue ? frame->continue_block : frame->exit_block);
}

static void continue_loop(struct emit *e, const struct ir_op *op) {
    bool is_direct;
    struct frame *frame = jit_frame_find(e, FRAME_LOOP, &is_direct);
    if (frame == NULL) {
        return;
    }
    bool blends = frame->is_masked && e->facts->continue_count[frame->op.index] > 1;
    jit_values_to_homes(
        e, op->operands, op->operand_count, frame->continue_parameters, blends ? &e->lanes : NULL);
    if (frame->is_masked) {
        jit_lanes_home_add(e, &frame->continue_lanes, &e->lanes);
    }
    frame->has_continued = true;
    leave(e, is_direct, frame->continue_block);
}

static void next_iteration(struct emit *e, const struct ir_op *op) {
    struct frame *frame = e->frame;
    if (frame->kind != FRAME_LOOP) {
        jit_fail(e, "next_iteration outside a loop");
        return;
    }
    jit_values_to_homes(e, op->operands, op->operand_count, frame->parameters, NULL);
    if (frame->is_masked) {
        jit_lanes_home_store(e, &frame->loop_lanes, &e->lanes);
    }
    if (!frame->is_finite) {
        jit_poll_cancel(e);
    }
    leave(e, true, frame->header_block);
}

static void break_if(struct emit *e, const struct ir_op *op) {
    struct frame *frame = e->frame;
    if (frame->kind != FRAME_LOOP) {
        jit_fail(e, "break_if outside a loop");
        return;
    }
    uint32_t count = op->data.break_if.body_argument_count;
    const ir_value *results = op->operands + 1 + count;
    uint32_t result_count = op->operand_count - 1 - count;
    struct component *condition = jit_components(e, op->operands[0]);
    LLVMValueRef is_over;
    if (frame->is_masked) {
        struct lanes leaving = jit_lanes_and(e, &e->lanes, condition, false);
        struct lanes staying = jit_lanes_and(e, &e->lanes, condition, true);
        // The results are read before the parameters change.
        jit_values_to_homes(e, results, result_count, frame->results, &leaving);
        jit_values_to_homes(e, op->operands + 1, count, frame->parameters, NULL);
        if (frame->exit_lanes.is_set) {
            jit_lanes_home_add(e, &frame->exit_lanes, &leaving);
        }
        jit_lanes_home_store(e, &frame->loop_lanes, &staying);
        is_over = LLVMBuildNot(e->builder, jit_lanes_any(e, &staying), "");
    } else {
        if (!jit_is_uniform(condition)) {
            jit_fail(e, "a loop's condition is less uniform than its analysis says");
            return;
        }
        jit_values_to_homes(e, results, result_count, frame->results, NULL);
        jit_values_to_homes(e, op->operands + 1, count, frame->parameters, NULL);
        is_over = condition->parts[0];
    }
    frame->has_arrivals = true;
    jit_poll_cancel(e);
    LLVMBuildCondBr(e->builder, is_over, frame->exit_block, frame->header_block);
    e->is_closed = true;
    e->lanes = (struct lanes){.is_dead = true};
}

static void return_from(struct emit *e, const struct ir_op *op) {
    bool is_direct;
    struct frame *frame = jit_frame_find(e, FRAME_FUNCTION, &is_direct);
    if (frame == NULL) {
        return;
    }
    if (op->operand_count == 1 && e->has_return_home) {
        jit_values_to_homes(e, op->operands, 1, &e->return_home, &e->lanes);
    }
    leave(e, is_direct, frame->exit_block);
}

void jit_emit_terminator(struct emit *e, ir_op_id id) {
    const struct ir_op *op = ir_op_get(e->function, id);
    switch (op->opcode) {
    case IR_EXIT_IF:
        exit_if(e, op);
        break;
    case IR_EXIT_SWITCH:
        exit_construct(e, op, FRAME_SWITCH);
        break;
    case IR_EXIT_LOOP:
        exit_construct(e, op, FRAME_LOOP);
        break;
    case IR_CONTINUE:
        continue_loop(e, op);
        break;
    case IR_NEXT_ITERATION:
        next_iteration(e, op);
        break;
    case IR_BREAK_IF:
        break_if(e, op);
        break;
    case IR_RETURN:
        return_from(e, op);
        break;
    default: // unreachable
        e->lanes = (struct lanes){.is_dead = true};
        break;
    }
}
