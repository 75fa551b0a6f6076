// SPDX-License-Identifier: MIT
//
// Segments: loops over the workgroup's iterations. Between them the worker keeps, where invocations
// may return before a later barrier, which ones are still there.
#include "shader/jit/jit_priv.h"

LLVMValueRef jit_first_active_lane(struct emit *e) {
    if (e->first_alive == NULL) {
        return jit_i32(e, 0);
    }
    return LLVMBuildLoad2(e->builder, e->i32, e->first_alive, "first_active");
}

struct lanes jit_existing_lanes(struct emit *e) {
    struct lanes lanes = {.is_full = true};
    if (e->stage.has_batches) {
        return jit_batch_lanes(e);
    }
    if (e->lane_count % (e->width * e->jam) == 0) {
        return lanes;
    }
    lanes.is_full = false;
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef base = LLVMBuildAdd(
            e->builder, e->first_lane, jit_i32(e, part * e->width), "");
        LLVMValueRef lane = LLVMBuildAdd(
            e->builder, jit_splat(e, base), jit_lane_numbers(e, 1), "");
        lanes.parts[part] = LLVMBuildICmp(
            e->builder, LLVMIntULT, lane, jit_splat(e, jit_i32(e, e->lane_count)), "");
    }
    return lanes;
}

struct lanes jit_load_alive(struct emit *e) {
    struct component *mask = jit_home_load(e, &e->alive);
    struct lanes lanes = {0};
    for (uint32_t part = 0; part < e->jam; part++) {
        lanes.parts[part] = mask->parts[part];
    }
    return lanes;
}

void jit_store_alive(struct emit *e, const struct lanes *lanes) {
    struct component mask = {.kind = SHAPE_VARYING};
    for (uint32_t part = 0; part < e->jam; part++) {
        mask.parts[part] = jit_lanes_part(e, lanes, part);
    }
    jit_home_store(e, &e->alive, &mask, NULL);
}

// The first lane that is still there, over all iterations so far.
void jit_note_first_alive(struct emit *e, const struct lanes *lanes) {
    for (uint32_t part = e->jam; part-- > 0;) {
        LLVMValueRef bits = jit_mask_bits(e, jit_lanes_part(e, lanes, part));
        LLVMValueRef arguments[] = {bits, LLVMConstNull(e->i1)};
        LLVMValueRef zeros = jit_intrinsic(e, "llvm.cttz", e->i64, arguments, 2);
        LLVMValueRef lane = LLVMBuildTrunc(e->builder, zeros, e->i32, "");
        LLVMValueRef base = LLVMBuildAdd(
            e->builder, e->first_lane, jit_i32(e, part * e->width), "");
        lane = LLVMBuildAdd(e->builder, base, lane, "");
        LLVMValueRef old = LLVMBuildLoad2(e->builder, e->i32, e->first_alive, "");
        LLVMValueRef any = LLVMBuildICmp(e->builder, LLVMIntNE, bits, LLVMConstNull(e->i64), "");
        LLVMValueRef is_earlier = LLVMBuildICmp(e->builder, LLVMIntULT, lane, old, "");
        LLVMValueRef is_new = LLVMBuildAnd(e->builder, any, is_earlier, "");
        LLVMBuildStore(e->builder, jit_select(e, is_new, lane, old), e->first_alive);
    }
}

void jit_begin_segment(struct emit *e, uint32_t id, LLVMValueRef limit, struct segment *s) {
    memset(s, 0, sizeof(*s));
    s->header = jit_block(e, "segment");
    s->body = jit_block(e, "lanes");
    s->end = jit_block(e, "lanes_end");
    bool is_loop = e->has_slots;
    if (is_loop) {
        s->counter = jit_alloca(e, e->i32, "iteration");
        LLVMBuildStore(e->builder, jit_i32(e, 0), s->counter);
        s->done = jit_block(e, "segment_end");
    }
    if (limit != NULL && is_loop) {
        LLVMValueRef none = LLVMBuildIsNull(e->builder, limit, "");
        LLVMBuildCondBr(e->builder, none, s->done, s->header);
    } else {
        LLVMBuildBr(e->builder, s->header);
    }
    s->limit = limit != NULL ? limit : jit_i32(e, e->iteration_count);
    jit_move_to(e, s->header);
    e->segment = id;
    if (is_loop) {
        e->iteration = LLVMBuildLoad2(e->builder, e->i32, s->counter, "iteration");
        e->first_lane = LLVMBuildMul(
            e->builder, e->iteration, jit_i32(e, e->width * e->jam), "first_lane");
    } else {
        e->iteration = NULL;
        e->first_lane = jit_i32(e, 0);
    }
    e->preamble = s->header;
    jit_move_to(e, s->body);
    s->frame = (struct frame){.kind = FRAME_FUNCTION, .parent = e->frame, .exit_block = s->end};
    e->frame = &s->frame;
}

void jit_end_segment(struct emit *e, struct segment *s) {
    if (!e->is_closed) {
        LLVMBuildBr(e->builder, s->end);
    }
    LLVMPositionBuilderAtEnd(e->builder, s->header);
    LLVMBuildBr(e->builder, s->body);
    jit_move_to(e, s->end);
    e->frame = s->frame.parent;
    e->lanes = jit_lanes_full();
}

void jit_close_segment(struct emit *e, struct segment *s) {
    if (e->has_slots) {
        LLVMValueRef next = LLVMBuildAdd(e->builder, e->iteration, jit_i32(e, 1), "");
        LLVMBuildStore(e->builder, next, s->counter);
        LLVMValueRef more = LLVMBuildICmp(e->builder, LLVMIntULT, next, s->limit, "");
        LLVMBuildCondBr(e->builder, more, s->header, s->done);
        jit_move_to(e, s->done);
    }
    e->segment = JIT_SEGMENT_WORKGROUP;
    e->lanes = jit_lanes_full();
}

uint32_t jit_extra_segment(struct emit *e) {
    return !e->has_slots ? 1 : ++e->facts->segment_count;
}
