// SPDX-License-Identifier: MIT
//
// Control flow inside a segment or function. A condition that is the same in all lanes becomes a
// branch; one that differs becomes masks: each region runs with the lanes that want it, skipped by a
// branch when there is none and it is worth one. Lanes that leave a construct are added to the mask
// of the place where they go; what is left of a region runs with the lanes that remain.
#include "shader/jit/jit_priv.h"

#define BRANCH_COST 12u // a masked region of more operations is skipped when no lane wants it
#define SKIP_COST 24u   // as many operations after lanes have left are worth a test

struct home *jit_homes_for_values(
    struct emit *e, const ir_value *values, uint32_t count, bool in_scratch) {
    struct home *homes = ARENA_ARRAY(e->arena, struct home, count + 1);
    for (uint32_t i = 0; homes != NULL && i < count; i++) {
        if (!jit_home_create(e, &homes[i], values[i], in_scratch)) {
            return NULL;
        }
        if (!in_scratch || !e->has_slots) {
            jit_home_clear(e, &homes[i]);
        }
    }
    if (homes == NULL) {
        jit_fail(e, "out of memory");
    }
    return homes;
}

void jit_homes_to_values(
    struct emit *e, const ir_value *values, uint32_t count, struct home *homes, uint32_t segment) {
    for (uint32_t i = 0; i < count && !e->has_failed; i++) {
        struct component *components = jit_home_load(e, &homes[i]);
        jit_set(e, values[i], components);
        e->values[values[i].index].segment = segment;
    }
}

void jit_values_to_homes(struct emit *e, const ir_value *values, uint32_t count, struct home *homes,
    const struct lanes *lanes) {
    if (count == 0 || e->has_failed) {
        return;
    }
    // All values first: a home may be the source of another.
    struct component **components = ARENA_ARRAY(e->arena, struct component *, count);
    if (components == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        components[i] = jit_components(e, values[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        jit_home_store(e, &homes[i], components[i], lanes);
    }
}

static void result_values(const struct ir_op *op, ir_value *out_values) {
    for (uint32_t i = 0; i < op->result_count; i++) {
        out_values[i] = ir_op_result(op, i);
    }
}

static struct home *result_homes(struct emit *e, const struct ir_op *op, ir_value **out_values) {
    *out_values = ARENA_ARRAY(e->arena, ir_value, op->result_count + 1);
    if (*out_values == NULL) {
        jit_fail(e, "out of memory");
        return NULL;
    }
    result_values(op, *out_values);
    return jit_homes_for_values(e, *out_values, op->result_count, false);
}

struct frame *jit_frame_find(struct emit *e, enum frame_kind kind, bool *out_is_direct) {
    *out_is_direct = true;
    struct frame *frame = e->frame;
    while (frame != NULL && frame->kind != kind) {
        *out_is_direct = *out_is_direct && !frame->is_varying && !frame->is_masked;
        frame = frame->parent;
    }
    if (frame == NULL) {
        jit_fail(e, "a terminator has no target");
    }
    return frame;
}

void jit_end_skip(struct emit *e, LLVMBasicBlockRef skip) {
    if (skip == NULL) {
        return;
    }
    if (!e->is_closed) {
        LLVMBuildBr(e->builder, skip);
    }
    jit_move_to(e, skip);
    e->lanes = (struct lanes){.is_dead = true};
}

static bool needs_exit_lanes(const struct op_facts *facts) {
    return facts->has_leaks && (facts->is_varying || facts->is_masked || facts->has_lane_leaks);
}

// Whether what follows in the region is much, or must not run without a lane.
static bool is_rest_heavy(struct emit *e, ir_op_id id, ir_op_id end) {
    uint32_t cost = 0;
    while (id.index != 0 && id.index != end.index && cost < SKIP_COST) {
        const struct op_facts *facts = &e->facts->ops[id.index];
        const struct ir_op *op = ir_op_get(e->function, id);
        if (facts->has_loop || facts->has_call || op->opcode == IR_LOOP || op->opcode == IR_CALL) {
            return true;
        }
        cost += facts->cost < SKIP_COST ? facts->cost + 1 : SKIP_COST;
        id = op->next;
    }
    return cost >= SKIP_COST;
}

static void skip_rest_without_lanes(struct emit *e, LLVMBasicBlockRef *skip) {
    LLVMBasicBlockRef rest = jit_block(e, "rest");
    LLVMBasicBlockRef target;
    struct frame *frame = e->frame;
    if (frame->kind == FRAME_LOOP && !frame->has_continued && frame->is_masked) {
        // No lane is to continue: the loop is over. Values for the continuing region, defined
        // further below, need not exist on this way.
        target = frame->exit_block;
    } else {
        if (*skip == NULL) {
            *skip = jit_block(e, "skip");
        }
        target = *skip;
    }
    LLVMBuildCondBr(e->builder, jit_lanes_any(e, &e->lanes), rest, target);
    jit_move_to(e, rest);
}

void jit_emit_ops(struct emit *e, ir_op_id first, ir_op_id end, LLVMBasicBlockRef *skip) {
    ir_op_id id = first;
    while (id.index != 0 && id.index != end.index && !e->has_failed) {
        if (e->is_closed || e->lanes.is_dead) {
            return;
        }
        const struct ir_op *op = ir_op_get(e->function, id);
        const struct op_facts *facts = &e->facts->ops[id.index];
        jit_emit_op(e, id);
        ir_op_id next = op->next;
        if (needs_exit_lanes(facts) && !e->is_closed && !e->lanes.is_dead &&
            is_rest_heavy(e, next, end)) {
            skip_rest_without_lanes(e, skip);
        }
        id = next;
    }
}

void jit_emit_region(struct emit *e, ir_region_id region) {
    LLVMBasicBlockRef skip = NULL;
    if (e->depth > IR_NESTING_LIMIT + 8) {
        jit_fail(e, "control flow is nested too deeply");
        return;
    }
    e->depth++;
    jit_emit_ops(e, ir_region_get(e->function, region)->first, (ir_op_id){0}, &skip);
    e->depth--;
    jit_end_skip(e, skip);
}

static bool region_needs_branch(struct emit *e, ir_region_id region) {
    uint32_t cost = 0;
    ir_op_id id = ir_region_get(e->function, region)->first;
    while (id.index != 0) {
        const struct op_facts *facts = &e->facts->ops[id.index];
        const struct ir_op *op = ir_op_get(e->function, id);
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        if (facts->has_loop || facts->has_call || facts->has_effect || op->opcode == IR_LOOP ||
            op->opcode == IR_CALL || (flags & IR_FLAG_WRITES) != 0) {
            return true;
        }
        cost += facts->cost < BRANCH_COST ? facts->cost + 1 : BRANCH_COST;
        cost += (flags & IR_FLAG_READS) != 0 ? 3 : 0;
        if (cost > BRANCH_COST) {
            return true;
        }
        id = op->next;
    }
    return false;
}

static void finish_if(struct emit *e, struct frame *frame, const struct lanes *entry,
    const struct ir_op *op, ir_value *results) {
    e->frame = frame->parent;
    if (!frame->has_arrivals) {
        e->lanes = (struct lanes){.is_dead = true};
        return;
    }
    e->lanes = frame->exit_lanes.is_set ? jit_lanes_home_load(e, &frame->exit_lanes) : *entry;
    jit_homes_to_values(e, results, op->result_count, frame->results, e->segment);
}

static void emit_if_uniform(
    struct emit *e, const struct ir_op *op, LLVMValueRef condition, const struct lanes *entry) {
    LLVMBasicBlockRef blocks[2] = {jit_block(e, "then"), jit_block(e, "else")};
    LLVMBasicBlockRef merge = jit_block(e, "endif");
    LLVMBuildCondBr(e->builder, condition, blocks[0], blocks[1]);
    for (int i = 0; i < 2 && !e->has_failed; i++) {
        jit_move_to(e, blocks[i]);
        e->lanes = *entry;
        jit_emit_region(e, op->regions[i]);
        jit_memory_barrier(e);
        if (!e->is_closed) {
            LLVMBuildBr(e->builder, merge);
        }
    }
    jit_move_to(e, merge);
}

static void emit_if_varying(struct emit *e, const struct ir_op *op,
    const struct component *condition, const struct lanes *entry) {
    struct lanes wanted[2];
    wanted[0] = jit_lanes_and(e, entry, condition, false);
    wanted[1] = jit_lanes_and(e, entry, condition, true);
    for (int i = 0; i < 2 && !e->has_failed; i++) {
        LLVMBasicBlockRef next = NULL;
        e->lanes = wanted[i];
        if (region_needs_branch(e, op->regions[i])) {
            LLVMBasicBlockRef body = jit_block(e, i == 0 ? "then" : "else");
            next = jit_block(e, "next");
            LLVMBuildCondBr(e->builder, jit_lanes_any(e, &e->lanes), body, next);
            jit_move_to(e, body);
        }
        jit_emit_region(e, op->regions[i]);
        jit_memory_barrier(e);
        if (next != NULL) {
            if (!e->is_closed) {
                LLVMBuildBr(e->builder, next);
            }
            jit_move_to(e, next);
        }
    }
}

void jit_emit_if(struct emit *e, ir_op_id id) {
    const struct ir_op *op = ir_op_get(e->function, id);
    const struct op_facts *facts = &e->facts->ops[id.index];
    struct component *condition = jit_components(e, op->operands[0]);
    struct lanes entry = e->lanes;
    ir_value *results = NULL;
    struct frame frame = {
        .kind = FRAME_IF,
        .op = id,
        .parent = e->frame,
        .is_varying = facts->is_varying,
        .is_masked = facts->is_masked,
        .entry_lanes = e->lanes,
    };
    frame.results = result_homes(e, op, &results);
    if (e->has_failed) {
        return;
    }
    if (needs_exit_lanes(facts)) {
        jit_lanes_home_create(e, &frame.exit_lanes, "arrived");
        jit_lanes_home_clear(e, &frame.exit_lanes);
    }
    e->frame = &frame;
    if (!facts->is_varying && jit_is_uniform(condition)) {
        emit_if_uniform(e, op, condition->parts[0], &entry);
    } else if (facts->is_varying) {
        emit_if_varying(e, op, condition, &entry);
    } else {
        jit_fail(e, "a condition is less uniform than its analysis says");
    }
    finish_if(e, &frame, &entry, op, results);
}

static void emit_input(struct emit *e, const struct ir_op *op) {
    jit_set(e, ir_op_result(op, 0), jit_input(e, op->data.index));
}

static void emit_control(struct emit *e, ir_op_id id, enum ir_opcode opcode) {
    jit_memory_barrier(e);
    if (opcode == IR_IF) {
        jit_emit_if(e, id);
    } else if (opcode == IR_LOOP) {
        jit_emit_loop(e, id);
    } else {
        jit_emit_switch(e, id);
    }
    jit_memory_forget(e);
}

void jit_emit_op(struct emit *e, ir_op_id id) {
    const struct ir_op *op = ir_op_get(e->function, id);
    const struct ir_op_info *info = ir_op_get_info(op->opcode);
    if (e->facts->ops[id.index].is_hoisted && e->segment != JIT_SEGMENT_WORKGROUP) {
        return;
    }
    if ((info->flags & IR_FLAG_POLYFILL) != 0) {
        jit_fail(e, "the operation %s must be expanded before code generation", info->text);
        return;
    }
    switch (info->family) {
    case IR_FAMILY_CONSTRUCT:
    case IR_FAMILY_SPLAT:
    case IR_FAMILY_EXTRACT:
    case IR_FAMILY_EXTRACT_DYNAMIC:
    case IR_FAMILY_INSERT:
    case IR_FAMILY_INSERT_DYNAMIC:
    case IR_FAMILY_SWIZZLE:
    case IR_FAMILY_REDUCE_BOOL:
        jit_emit_composite(e, op);
        break;
    case IR_FAMILY_VAR:
    case IR_FAMILY_VARIABLE:
    case IR_FAMILY_ACCESS:
        break; // pointers are computed where memory is accessed
    case IR_FAMILY_LOAD:
    case IR_FAMILY_STORE:
    case IR_FAMILY_COPY_MEMORY:
    case IR_FAMILY_ARRAY_LENGTH:
        jit_emit_memory(e, op);
        break;
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_STORE:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
        jit_memory_barrier(e);
        jit_emit_atomic(e, op);
        break;
    case IR_FAMILY_LOAD_INPUT:
        emit_input(e, op);
        break;
    case IR_FAMILY_TEXTURE_QUERY:
    case IR_FAMILY_TEXTURE_LOAD:
    case IR_FAMILY_TEXTURE_STORE:
    case IR_FAMILY_TEXTURE_SAMPLE:
        jit_emit_texture(e, op); // texels are no memory of buffers: cached rows stay
        break;
    case IR_FAMILY_CALL:
        jit_memory_barrier(e);
        jit_emit_call(e, op);
        break;
    case IR_FAMILY_CONTROL:
        emit_control(e, id, op->opcode);
        break;
    case IR_FAMILY_TERMINATOR:
        jit_memory_barrier(e);
        jit_emit_terminator(e, id);
        break;
    case IR_FAMILY_BARRIER:
        jit_fail(e, "a barrier stands in a function that is not the entry point");
        break;
    case IR_FAMILY_STORE_OUTPUT:
        jit_emit_store_output(e, op);
        break;
    case IR_FAMILY_DISCARD:
        jit_memory_barrier(e);
        jit_emit_discard(e);
        break;
    case IR_FAMILY_DERIVATIVE:
        jit_emit_derivative(e, op);
        break;
    case IR_FAMILY_SUBGROUP_REDUCE:
    case IR_FAMILY_SUBGROUP_VOTE:
    case IR_FAMILY_SUBGROUP_ELECT:
    case IR_FAMILY_SUBGROUP_SHUFFLE:
        jit_emit_subgroup(e, op);
        break;
    case IR_FAMILY_OVERRIDE:
    case IR_FAMILY_BUFFER_VIEW:
    case IR_FAMILY_BUFFER_LIMIT:
    case IR_FAMILY_BUFFER_LENGTH:
        jit_fail(e, "not implemented yet: %s in the code generator", info->text);
        break;
    default:
        jit_emit_math(e, op);
        break;
    }
}
