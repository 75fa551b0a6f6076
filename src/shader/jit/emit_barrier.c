// SPDX-License-Identifier: MIT
//
// Code of the workgroup level: segments as loops over the workgroup's iterations, and the control
// operations that contain barriers, executed once a workgroup by real branches. A barrier itself is
// nothing: one thread has finished the segment before it starts the next.
#include "shader/jit/jit_priv.h"

static bool has_scratch(const struct home *homes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < homes[i].component_count; c++) {
            if (homes[i].components[c].in_scratch) {
                return true;
            }
        }
    }
    return false;
}

// Values, from wherever they are, to the homes of a workgroup-level construct.
static void store_everywhere(
    struct emit *e, const ir_value *values, uint32_t count, struct home *homes) {
    struct segment segment;
    if (count == 0) {
        return;
    }
    bool is_single = !e->has_slots;
    if (!is_single && !has_scratch(homes, count)) {
        jit_values_to_homes(e, values, count, homes, NULL);
        return;
    }
    if (is_single) {
        // Values of the one iteration are at hand; read them as such, not as the first lane's.
        e->segment = 1;
        jit_values_to_homes(e, values, count, homes, NULL);
        e->segment = JIT_SEGMENT_WORKGROUP;
        return;
    }
    jit_begin_segment(e, jit_extra_segment(e), NULL, &segment);
    e->lanes = jit_lanes_full();
    jit_values_to_homes(e, values, count, homes, NULL);
    jit_end_segment(e, &segment);
    jit_close_segment(e, &segment);
}

static struct frame *find(struct emit *e, enum frame_kind kind) {
    struct frame *frame = e->frame;
    while (frame != NULL && !(frame->kind == kind && frame->is_workgroup_level)) {
        frame = frame->parent;
    }
    if (frame == NULL) {
        jit_fail(e, "a terminator of the workgroup level has no target");
    }
    return frame;
}

struct destination {
    const ir_value *values[2];
    uint32_t counts[2];
    struct home *homes[2];
};

// Where a terminator's operands go.
static bool find_destination(struct emit *e, const struct ir_op *op, struct destination *d) {
    struct frame *frame = NULL;
    memset(d, 0, sizeof(*d));
    switch (op->opcode) {
    case IR_EXIT_IF:
        frame = find(e, FRAME_IF);
        break;
    case IR_EXIT_SWITCH:
        frame = find(e, FRAME_SWITCH);
        break;
    case IR_RETURN:
    case IR_UNREACHABLE:
        return true;
    default:
        frame = find(e, FRAME_LOOP);
        break;
    }
    if (frame == NULL) {
        return false;
    }
    d->values[0] = op->operands;
    d->counts[0] = op->operand_count;
    d->homes[0] = frame->results;
    if (op->opcode == IR_CONTINUE) {
        d->homes[0] = frame->continue_parameters;
    } else if (op->opcode == IR_NEXT_ITERATION) {
        d->homes[0] = frame->parameters;
    } else if (op->opcode == IR_BREAK_IF) {
        uint32_t count = op->data.break_if.body_argument_count;
        d->values[0] = op->operands + 1 + count;
        d->counts[0] = op->operand_count - 1 - count;
        d->values[1] = op->operands + 1;
        d->counts[1] = count;
        d->homes[1] = frame->parameters;
    }
    return true;
}

static void segment_body(struct emit *e, ir_op_id first, ir_op_id end, const struct ir_op *last) {
    LLVMBasicBlockRef skip = NULL;
    struct lanes_home arrived = {0};
    bool tracks = e->first_alive != NULL;
    if (tracks) {
        jit_lanes_home_create(e, &arrived, "arrived");
        jit_lanes_home_clear(e, &arrived);
    }
    LLVMBasicBlockRef end_block = e->frame->exit_block;
    jit_emit_ops(e, first, end, &skip);
    jit_memory_barrier(e);
    if (!e->is_closed && !e->lanes.is_dead && !e->has_failed) {
        struct destination d = {0};
        struct lanes lanes = e->lanes;
        if (last != NULL && find_destination(e, last, &d)) {
            jit_values_to_homes(e, d.values[0], d.counts[0], d.homes[0], NULL);
            jit_values_to_homes(e, d.values[1], d.counts[1], d.homes[1], NULL);
        }
        if (tracks) {
            jit_lanes_home_store(e, &arrived, &lanes);
        }
    }
    jit_end_skip(e, skip);
    if (!e->is_closed) {
        LLVMBuildBr(e->builder, end_block);
        e->is_closed = true;
    }
    e->segment_arrived = arrived;
}

static void emit_segment(
    struct emit *e, uint32_t id, ir_op_id first, ir_op_id end, const struct ir_op *last) {
    struct segment segment;
    bool tracks = e->first_alive != NULL;
    struct lanes_home arrived;
    if (tracks) {
        LLVMBuildStore(e->builder, jit_i32(e, UINT32_MAX), e->first_alive);
    }
    bool can_narrow = (last == NULL || last->operand_count == 0) && !tracks;
    LLVMValueRef limit = e->stage.has_batches ? jit_batch_iterations(e)
        : can_narrow                          ? jit_narrow_segment(e, first, end)
                                              : NULL;
    jit_begin_segment(e, id, limit, &segment);
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->builder);
    LLVMPositionBuilderAtEnd(e->builder, e->preamble);
    e->lanes = tracks ? jit_load_alive(e) : jit_existing_lanes(e);
    LLVMPositionBuilderAtEnd(e->builder, block);
    if (!e->facts->has_barrier) {
        jit_private_initialise(e);
    }
    jit_begin_live(e);
    segment_body(e, first, end, last);
    arrived = e->segment_arrived;
    jit_end_segment(e, &segment);
    jit_end_live(e);
    if (tracks) {
        struct lanes lanes = jit_lanes_home_load(e, &arrived);
        jit_store_alive(e, &lanes);
        jit_note_first_alive(e, &lanes);
    }
    jit_close_segment(e, &segment);
    if (tracks && e->workgroup_end != NULL) {
        // Nobody left: the workgroup is done.
        LLVMBasicBlockRef go_on = jit_block(e, "alive");
        LLVMValueRef lane = LLVMBuildLoad2(e->builder, e->i32, e->first_alive, "");
        LLVMValueRef none = LLVMBuildICmp(e->builder, LLVMIntEQ, lane, jit_i32(e, UINT32_MAX), "");
        LLVMBuildCondBr(e->builder, none, e->workgroup_end, go_on);
        jit_move_to(e, go_on);
    }
}

static void emit_terminator(struct emit *e, const struct ir_op *op, bool is_stored) {
    struct destination d;
    if (!is_stored) {
        if (!find_destination(e, op, &d)) {
            return;
        }
        store_everywhere(e, d.values[0], d.counts[0], d.homes[0]);
        store_everywhere(e, d.values[1], d.counts[1], d.homes[1]);
    }
    struct frame *frame;
    LLVMBasicBlockRef target = e->workgroup_end;
    switch (op->opcode) {
    case IR_EXIT_IF:
    case IR_EXIT_SWITCH:
    case IR_EXIT_LOOP:
        frame = find(e,
            op->opcode == IR_EXIT_IF           ? FRAME_IF
                : op->opcode == IR_EXIT_SWITCH ? FRAME_SWITCH
                                               : FRAME_LOOP);
        if (frame != NULL) {
            frame->has_arrivals = true;
            target = frame->exit_block;
        }
        break;
    case IR_CONTINUE:
        frame = find(e, FRAME_LOOP);
        if (frame != NULL) {
            frame->has_continued = true;
            target = frame->continue_block;
        }
        break;
    case IR_NEXT_ITERATION:
        jit_poll_cancel(e);
        frame = find(e, FRAME_LOOP);
        target = frame != NULL ? frame->header_block : target;
        break;
    case IR_BREAK_IF:
        frame = find(e, FRAME_LOOP);
        if (frame != NULL) {
            struct component *condition = jit_components(e, op->operands[0]);
            frame->has_arrivals = true;
            jit_poll_cancel(e);
            LLVMBuildCondBr(
                e->builder, condition->parts[0], frame->exit_block, frame->header_block);
            e->is_closed = true;
        }
        return;
    default:
        break;
    }
    LLVMBuildBr(e->builder, target);
    e->is_closed = true;
}

static void emit_region(struct emit *e, ir_region_id region);

// Makes the values of a workgroup-level construct known: scalars at once, lanes' values by slot.
static void publish(struct emit *e, const ir_value *values, uint32_t count, struct home *homes) {
    for (uint32_t i = 0; i < count; i++) {
        struct emitted_value *emitted = &e->values[values[i].index];
        emitted->slot = &homes[i];
        if (!e->has_slots || !has_scratch(&homes[i], 1)) {
            emitted->components = jit_home_load(e, &homes[i]);
            emitted->segment = JIT_SEGMENT_WORKGROUP;
        } else {
            emitted->components = NULL;
        }
    }
}

static ir_value *results_of(struct emit *e, const struct ir_op *op) {
    ir_value *values = ARENA_ARRAY(e->arena, ir_value, op->result_count + 1);
    for (uint32_t i = 0; values != NULL && i < op->result_count; i++) {
        values[i] = ir_op_result(op, i);
    }
    if (values == NULL) {
        jit_fail(e, "out of memory");
    }
    return values;
}

static void emit_loop(struct emit *e, const struct ir_op *op, struct frame *frame) {
    const struct ir_region *body = ir_region_get(e->function, op->regions[0]);
    const struct ir_region *continuing = ir_region_get(e->function, op->regions[1]);
    frame->parameters = jit_homes_for_values(e, body->parameters, body->parameter_count, true);
    frame->continue_parameters = jit_homes_for_values(
        e, continuing->parameters, continuing->parameter_count, true);
    frame->header_block = jit_block(e, "workgroup_loop");
    frame->continue_block = jit_block(e, "workgroup_continue");
    if (e->has_failed) {
        return;
    }
    store_everywhere(e, op->operands, op->operand_count, frame->parameters);
    LLVMBuildBr(e->builder, frame->header_block);
    jit_move_to(e, frame->header_block);
    publish(e, body->parameters, body->parameter_count, frame->parameters);
    emit_region(e, op->regions[0]);
    jit_move_to(e, frame->continue_block);
    if (!frame->has_continued) {
        LLVMBuildBr(e->builder, frame->exit_block);
        return;
    }
    publish(e, continuing->parameters, continuing->parameter_count, frame->continue_parameters);
    emit_region(e, op->regions[1]);
}

static void emit_switch(
    struct emit *e, const struct ir_op *op, LLVMValueRef selector, struct frame *frame) {
    uint32_t total = 0;
    LLVMBasicBlockRef fallback = frame->exit_block;
    LLVMBasicBlockRef *blocks = ARENA_ARRAY(e->arena, LLVMBasicBlockRef, op->region_count + 1);
    if (blocks == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < op->region_count; i++) {
        blocks[i] = jit_block(e, "workgroup_case");
        total += op->data.cases[i].selector_count;
        fallback = op->data.cases[i].is_default ? blocks[i] : fallback;
    }
    LLVMValueRef branch = LLVMBuildSwitch(e->builder, selector, fallback, total);
    for (uint32_t i = 0; i < op->region_count && !e->has_failed; i++) {
        const struct ir_case *one = &op->data.cases[i];
        for (uint32_t k = 0; k < one->selector_count && !one->is_default; k++) {
            LLVMAddCase(branch, jit_i32(e, one->selectors[k]), blocks[i]);
        }
        jit_move_to(e, blocks[i]);
        emit_region(e, op->regions[i]);
    }
}

static void emit_control(struct emit *e, ir_op_id id) {
    const struct ir_op *op = ir_op_get(e->function, id);
    ir_value *results = results_of(e, op);
    struct frame frame = {
        .kind = op->opcode == IR_IF ? FRAME_IF
            : op->opcode == IR_LOOP ? FRAME_LOOP
                                    : FRAME_SWITCH,
        .op = id,
        .parent = e->frame,
        .is_workgroup_level = true,
        .exit_block = jit_block(e, "workgroup_exit"),
    };
    frame.results = results != NULL ? jit_homes_for_values(e, results, op->result_count, true)
                                    : NULL;
    if (e->has_failed) {
        return;
    }
    e->frame = &frame;
    if (op->opcode == IR_LOOP) {
        emit_loop(e, op, &frame);
    } else if (op->opcode == IR_IF) {
        LLVMValueRef condition = jit_components(e, op->operands[0])->parts[0];
        LLVMBasicBlockRef blocks[2] = {
            jit_block(e, "workgroup_then"), jit_block(e, "workgroup_else")};
        LLVMBuildCondBr(e->builder, condition, blocks[0], blocks[1]);
        for (int i = 0; i < 2 && !e->has_failed; i++) {
            jit_move_to(e, blocks[i]);
            emit_region(e, op->regions[i]);
        }
    } else {
        emit_switch(e, op, jit_components(e, op->operands[0])->parts[0], &frame);
    }
    e->frame = frame.parent;
    jit_move_to(e, frame.exit_block);
    publish(e, results, op->result_count, frame.results);
}

// The segment that the operations in [first, end) and the terminator belong to, none if all of
// them are workgroup code; emits those that are.
static uint32_t emit_hoisted(struct emit *e, ir_op_id first, ir_op_id end, ir_op_id last) {
    uint32_t segment = JIT_SEGMENT_NONE;
    for (ir_op_id id = first; id.index != 0 && id.index != end.index && !e->has_failed;
         id = ir_op_get(e->function, id)->next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        if (e->facts->ops[id.index].is_hoisted) {
            jit_emit_op(e, id);
        } else if (!jit_is_symbolic(e->module, e->function, op)) {
            segment = e->facts->ops[id.index].segment;
        }
    }
    if (last.index != 0 && segment == JIT_SEGMENT_NONE &&
        e->facts->ops[last.index].segment != JIT_SEGMENT_WORKGROUP) {
        segment = e->facts->ops[last.index].segment;
    }
    return segment;
}

static void emit_region(struct emit *e, ir_region_id region) {
    ir_op_id id = ir_region_get(e->function, region)->first;
    ir_op_id start = id;
    if (e->depth > IR_NESTING_LIMIT + 8) {
        jit_fail(e, "control flow is nested too deeply");
        return;
    }
    e->depth++;
    while (id.index != 0 && !e->has_failed) {
        const struct ir_op *op = ir_op_get(e->function, id);
        const struct op_facts *facts = &e->facts->ops[id.index];
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        bool is_last = (flags & IR_FLAG_TERMINATOR) != 0;
        bool is_boundary = (flags & IR_FLAG_BARRIER) != 0 || facts->is_workgroup_level;
        if (is_last || is_boundary) {
            uint32_t segment = emit_hoisted(e, start, id, is_last ? id : (ir_op_id){0});
            // A terminator without lane values is handled after the segment.
            bool stores = is_last && facts->segment != JIT_SEGMENT_WORKGROUP;
            if (segment != JIT_SEGMENT_NONE && segment != JIT_SEGMENT_WORKGROUP) {
                emit_segment(e, segment, start, id, stores ? op : NULL);
            }
            if (is_last) {
                emit_terminator(e, op, stores);
            } else if (facts->is_workgroup_level) {
                emit_control(e, id);
            } else if (op->opcode == IR_WORKGROUP_UNIFORM_LOAD) {
                jit_emit_memory(e, op);
                jit_memory_barrier(e);
            }
            start = op->next;
        }
        id = op->next;
    }
    e->depth--;
}

void jit_emit_workgroup(struct emit *e) {
    const struct function_facts *facts = e->facts;
    struct segment segment;
    e->segment = JIT_SEGMENT_WORKGROUP;
    e->lanes = jit_lanes_full();
    if (e->workgroup_bytes > 0) {
        LLVMBuildMemSet(
            e->builder, e->scratch, LLVMConstNull(e->i8), jit_i64(e, e->workgroup_bytes), 64);
    }
    if (facts->has_barrier && facts->has_return_in_segment) {
        LLVMValueRef first_alive = jit_alloca(e, e->i32, "first_alive");
        LLVMBuildStore(e->builder, jit_i32(e, 0), first_alive);
        if (!jit_home_create_mask(e, &e->alive)) {
            return;
        }
        jit_begin_segment(e, jit_extra_segment(e), NULL, &segment);
        struct lanes lanes = jit_existing_lanes(e);
        jit_store_alive(e, &lanes);
        jit_end_segment(e, &segment);
        jit_close_segment(e, &segment);
        e->first_alive = first_alive;
    }
    if (facts->has_barrier && e->has_private) {
        jit_begin_segment(e, jit_extra_segment(e), NULL, &segment);
        e->lanes = jit_lanes_full();
        jit_private_initialise(e);
        jit_end_segment(e, &segment);
        jit_close_segment(e, &segment);
    }
    emit_region(e, e->function->body);
}
