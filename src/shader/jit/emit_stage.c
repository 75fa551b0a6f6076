// SPDX-License-Identifier: MIT
//
// Vertex and fragment kernels: batches of invocations (jit.h, struct jit_batch) in place of
// workgroups. Inputs and outputs are rows of words, so that each component of each part is one wide
// access. Of fragments the kernel keeps who is alive: helper invocations and those that were
// discarded run on, and nothing that they write is seen.
#include "shader/jit/jit_priv.h"

#define ROW_BYTES (4u * JIT_BATCH_LANES)

// ---------------------------------------------------------------- what the kernel needs

static bool writes_shared(
    const struct emit *e, const struct ir_function *function, const struct ir_op *op) {
    switch (ir_op_get_info(op->opcode)->family) {
    case IR_FAMILY_ATOMIC_STORE:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
    case IR_FAMILY_TEXTURE_STORE:
        return true;
    case IR_FAMILY_STORE:
    case IR_FAMILY_COPY_MEMORY: {
        type_id pointer = ir_value_type(function, op->operands[0]);
        return type_get(&e->module->types, pointer)->space == SPACE_STORAGE;
    }
    case IR_FAMILY_CALL:
        return e->stage.function_writes[op->data.index] != 0;
    default:
        return false;
    }
}

static void note_function(struct emit *e, uint32_t number) {
    const struct ir_function *function = &e->module->functions.items[number];
    struct stage *stage = &e->stage;
    for (size_t i = 1; i < function->ops.count; i++) {
        const struct ir_op *op = &function->ops.items[i];
        if (op->parent.index == 0) {
            continue;
        }
        bool discards = op->opcode == IR_DISCARD ||
            (op->opcode == IR_CALL && stage->function_discards[op->data.index] != 0);
        if ((ir_op_get_info(op->opcode)->flags & IR_FLAG_BARRIER) != 0) {
            jit_fail(e, "a barrier stands in a shader that is no compute shader");
        }
        enum ir_family family = ir_op_get_info(op->opcode)->family;
        if (family == IR_FAMILY_SUBGROUP_REDUCE || family == IR_FAMILY_SUBGROUP_VOTE ||
            family == IR_FAMILY_SUBGROUP_ELECT || family == IR_FAMILY_SUBGROUP_SHUFFLE) {
            stage->has_subgroups = true;
            stage->has_shared_live |= number != e->entry->function;
        }
        stage->function_discards[number] |= discards;
        stage->function_writes[number] |= writes_shared(e, function, op);
    }
    stage->may_discard |= stage->function_discards[number] != 0;
    stage->may_write |= stage->function_writes[number] != 0;
    stage->has_shared_live |= number != e->entry->function &&
        (stage->function_discards[number] | stage->function_writes[number]) != 0;
}

static uint32_t *lay_out_rows(
    struct emit *e, const struct ir_interface *values, uint32_t count, uint32_t *out_rows) {
    uint32_t *first = ARENA_ARRAY(e->arena, uint32_t, (size_t)count + 1);
    *out_rows = 0;
    for (uint32_t i = 0; first != NULL && i < count; i++) {
        const struct type *type = type_get(&e->module->types, values[i].type);
        bool is_array = type->kind == TYPE_ARRAY;
        first[i] = *out_rows;
        *out_rows += is_array ? type->count * jit_component_count(e->module, type->element)
                              : jit_component_count(e->module, values[i].type);
    }
    return first;
}

bool jit_find_stage(struct emit *e) {
    struct stage *stage = &e->stage;
    if (e->entry->stage == STAGE_COMPUTE) {
        return true;
    }
    size_t count = e->module->functions.count;
    stage->has_batches = true;
    stage->is_fragment = e->entry->stage == STAGE_FRAGMENT;
    stage->function_discards = ARENA_ARRAY(e->arena, uint8_t, count + 1);
    stage->function_writes = ARENA_ARRAY(e->arena, uint8_t, count + 1);
    stage->input_rows = lay_out_rows(
        e, e->entry->inputs, e->entry->input_count, &stage->input_words);
    stage->output_rows = lay_out_rows(
        e, e->entry->outputs, e->entry->output_count, &stage->output_words);
    if (stage->function_discards == NULL || stage->function_writes == NULL ||
        stage->input_rows == NULL || stage->output_rows == NULL) {
        return jit_fail(e, "out of memory");
    }
    for (uint32_t i = 0; i < count; i++) { // callees come before callers
        if (e->function_is_used[i]) {
            note_function(e, i);
        }
    }
    stage->has_live = stage->is_fragment &&
        (stage->may_discard || stage->may_write || stage->has_subgroups);
    stage->has_shared_live = stage->has_shared_live && stage->has_live;
    if (stage->has_shared_live) {
        stage->live_offset = jit_scratch_reserve(e, (uint64_t)JIT_BATCH_LANES * 4, 64);
    }
    return !e->has_failed;
}

static bool has_masked_loop(const struct emit *e) {
    for (uint32_t f = 0; f < e->module->functions.count; f++) {
        const struct ir_function *function = &e->module->functions.items[f];
        for (size_t i = 1; e->function_is_used[f] && i < function->ops.count; i++) {
            const struct ir_op *op = &function->ops.items[i];
            // In a called function no lane is known to be active.
            if (op->parent.index != 0 && op->opcode == IR_LOOP &&
                (f != e->entry->function || e->all_facts[f].ops[i].is_masked)) {
                return true;
            }
        }
    }
    return false;
}

// ---------------------------------------------------------------- batches and their lanes

void jit_load_batch(struct emit *e, LLVMValueRef index) {
    struct stage *stage = &e->stage;
    LLVMValueRef batches = LLVMBuildLoad2(
        e->builder, e->pointer, jit_bytes_at(e, e->dispatch, 48), "batches");
    LLVMValueRef offset = LLVMBuildMul(e->builder, index, jit_i64(e, sizeof(struct jit_batch)), "");
    stage->batch = jit_pointer_at(e, batches, offset);
    stage->inputs = LLVMBuildLoad2(e->builder, e->pointer, stage->batch, "inputs");
    stage->outputs = LLVMBuildLoad2(
        e->builder, e->pointer, jit_bytes_at(e, stage->batch, 8), "outputs");
    stage->lane_count = LLVMBuildLoad2(
        e->builder, e->i32, jit_bytes_at(e, stage->batch, 24), "lane_count");
}

LLVMValueRef jit_batch_iterations(struct emit *e) {
    uint32_t lanes = e->width * e->jam;
    LLVMValueRef sum = LLVMBuildAdd(e->builder, e->stage.lane_count, jit_i32(e, lanes - 1), "");
    return LLVMBuildUDiv(e->builder, sum, jit_i32(e, lanes), "iterations");
}

// Absent lanes run along where that is harmless: then no mask is needed.
struct lanes jit_batch_lanes(struct emit *e) {
    struct lanes lanes = {.is_full = true};
    if (!e->stage.may_write && !e->stage.has_subgroups && !has_masked_loop(e)) {
        return lanes;
    }
    lanes.is_full = false;
    LLVMValueRef count = jit_splat(e, e->stage.lane_count);
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef base = LLVMBuildAdd(
            e->builder, e->first_lane, jit_i32(e, part * e->width), "");
        LLVMValueRef lane = LLVMBuildAdd(
            e->builder, jit_splat(e, base), jit_lane_numbers(e, 1), "");
        lanes.parts[part] = LLVMBuildICmp(e->builder, LLVMIntULT, lane, count, "");
    }
    return lanes;
}

// ---------------------------------------------------------------- who is alive

static LLVMValueRef live_bits(struct emit *e, LLVMValueRef *out_place, LLVMValueRef *out_shift) {
    *out_place = jit_bytes_at(e, e->stage.batch, 16);
    *out_shift = LLVMBuildZExt(e->builder, e->first_lane, e->i64, "");
    return LLVMBuildLoad2(e->builder, e->i64, *out_place, "live");
}

void jit_place_live(struct emit *e) {
    struct stage *stage = &e->stage;
    if (!stage->has_live) {
        return;
    }
    if (!stage->has_shared_live) {
        jit_lanes_home_create(e, &stage->live, "live");
        return;
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        uint64_t offset = stage->live_offset + (uint64_t)part * e->width * 4;
        stage->live.slots[part] = jit_bytes_at(e, e->scratch, offset);
    }
    stage->live.is_set = true;
}

void jit_begin_live(struct emit *e) {
    e->stage.all = e->lanes;
    if (!e->stage.has_live) {
        return;
    }
    LLVMValueRef place, shift;
    LLVMValueRef bits = live_bits(e, &place, &shift);
    bits = LLVMBuildLShr(e->builder, bits, shift, "");
    struct lanes live = {0};
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef one = LLVMBuildLShr(
            e->builder, bits, jit_i64(e, (uint64_t)part * e->width), "");
        one = e->width == 64 ? one : LLVMBuildTrunc(e->builder, one, e->bits, "");
        live.parts[part] = LLVMBuildBitCast(e->builder, one, e->vi1, "");
    }
    jit_lanes_home_store(e, &e->stage.live, &live);
}

void jit_end_live(struct emit *e) {
    if (!e->stage.has_live || !e->stage.may_discard) {
        return;
    }
    uint32_t lane_count = e->width * e->jam;
    struct lanes live = jit_lanes_home_load(e, &e->stage.live);
    LLVMValueRef place, shift, old = live_bits(e, &place, &shift), bits = jit_i64(e, 0);
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef one = LLVMBuildShl(e->builder, jit_mask_bits(e, live.parts[part]),
            jit_i64(e, (uint64_t)part * e->width), "");
        bits = LLVMBuildOr(e->builder, bits, one, "");
    }
    if (lane_count < 64) {
        LLVMValueRef field = LLVMBuildShl(
            e->builder, jit_i64(e, ((uint64_t)1 << lane_count) - 1), shift, "");
        old = LLVMBuildAnd(e->builder, old, LLVMBuildNot(e->builder, field, ""), "");
        bits = LLVMBuildOr(e->builder, old, LLVMBuildShl(e->builder, bits, shift, ""), "");
    }
    LLVMBuildStore(e->builder, bits, place);
}

struct lanes jit_effect_lanes(struct emit *e) {
    if (!e->stage.has_live || !e->stage.may_write || e->lanes.is_dead) {
        return e->lanes;
    }
    struct lanes live = jit_lanes_home_load(e, &e->stage.live);
    for (uint32_t part = 0; part < e->jam && !e->lanes.is_full; part++) {
        live.parts[part] = LLVMBuildAnd(e->builder, e->lanes.parts[part], live.parts[part], "");
    }
    return live;
}

void jit_leave_without_live(struct emit *e) {
    bool is_direct;
    struct frame *frame = jit_frame_find(e, FRAME_FUNCTION, &is_direct);
    if (frame == NULL || e->is_closed) {
        return;
    }
    struct lanes live = jit_lanes_home_load(e, &e->stage.live);
    LLVMBasicBlockRef go_on = jit_block(e, "live");
    LLVMBuildCondBr(e->builder, jit_lanes_any(e, &live), go_on, frame->exit_block);
    jit_move_to(e, go_on);
}

static bool region_writes_shared(const struct emit *e, ir_region_id region) {
    for (ir_op_id id = ir_region_get(e->function, region)->first; id.index != 0;
         id = ir_op_get(e->function, id)->next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        if (writes_shared(e, e->function, op)) {
            return true;
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            if (region_writes_shared(e, op->regions[i])) {
                return true;
            }
        }
    }
    return false;
}

// A helper's atomics give 0 and do nothing: what it waits for in a loop may never come.
bool jit_needs_live_lane(const struct emit *e, ir_op_id loop) {
    const struct ir_op *op = ir_op_get(e->function, loop);
    return e->stage.has_live && e->stage.may_write &&
        (region_writes_shared(e, op->regions[0]) || region_writes_shared(e, op->regions[1]));
}

void jit_emit_discard(struct emit *e) {
    if (!e->stage.has_live) {
        jit_fail(e, "discard stands in a shader that is no fragment shader");
        return;
    }
    struct lanes live = jit_lanes_home_load(e, &e->stage.live);
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef stays = LLVMBuildNot(e->builder, jit_lanes_part(e, &e->lanes, part), "");
        live.parts[part] = LLVMBuildAnd(e->builder, live.parts[part], stays, "");
    }
    jit_lanes_home_store(e, &e->stage.live, &live);
    jit_leave_without_live(e);
}

// ---------------------------------------------------------------- rows

// Where the current iteration's lanes lie in a row.
static LLVMValueRef row_place(struct emit *e, LLVMValueRef rows, uint32_t row, uint32_t part) {
    LLVMValueRef lane = LLVMBuildZExt(e->builder, e->first_lane, e->i64, "");
    LLVMValueRef first = LLVMBuildGEP2(e->builder, e->i32, rows, &lane, 1, "");
    return jit_bytes_at(e, first, (uint64_t)row * ROW_BYTES + (uint64_t)part * e->width * 4);
}

struct component *jit_batch_input(struct emit *e, uint32_t input) {
    if (input >= e->entry->input_count || e->function_index != e->entry->function) {
        jit_fail(e, "an input is not the entry point's");
        return jit_components_new(e, 4);
    }
    type_id type = e->entry->inputs[input].type;
    uint32_t count = jit_component_count(e->module, type);
    struct component *components = jit_components_new(e, count);
    if (e->entry->inputs[input].is_builtin &&
        jit_subgroup_input(e, e->entry->inputs[input].builtin, components)) {
        return components;
    }
    for (uint32_t i = 0; i < count; i++) {
        components[i].kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef place = row_place(
                e, e->stage.inputs, e->stage.input_rows[input] + i, part);
            LLVMValueRef word = LLVMBuildLoad2(e->builder, e->vi32, place, "");
            LLVMSetAlignment(word, 4);
            jit_mark_invariant(e, word);
            word = jit_word_to_value(e, word, jit_scalar_type(e, type));
            components[i].parts[part] = jit_is_half(e, type) ? jit_half_round(e, word) : word;
        }
    }
    return components;
}

static bool is_every_lane(const struct emit *e) {
    const struct lanes *all = &e->stage.all;
    return e->lanes.is_full || (!all->is_full && e->lanes.parts[0] == all->parts[0]);
}

static void store_row(struct emit *e, uint32_t row, const struct component *component) {
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef place = row_place(e, e->stage.outputs, row, part);
        LLVMValueRef word = jit_value_to_word(e, jit_part(e, component, part));
        if (!is_every_lane(e)) {
            LLVMValueRef old = LLVMBuildLoad2(e->builder, e->vi32, place, "");
            LLVMSetAlignment(old, 4);
            word = jit_select(e, jit_lanes_part(e, &e->lanes, part), word, old);
        }
        LLVMSetAlignment(LLVMBuildStore(e->builder, word, place), 4);
    }
}

void jit_emit_store_output(struct emit *e, const struct ir_op *op) {
    if (op->data.index >= e->entry->output_count || !e->stage.has_batches) {
        jit_fail(e, "an output is not the entry point's");
        return;
    }
    uint32_t row = e->stage.output_rows[op->data.index];
    for (uint32_t i = 0; i < op->operand_count && !e->has_failed; i++) {
        const struct component *components = jit_components(e, op->operands[i]);
        type_id type = ir_value_type(e->function, op->operands[i]);
        for (uint32_t c = 0; c < jit_component_count(e->module, type); c++) {
            store_row(e, row++, &components[c]);
        }
    }
}

// ---------------------------------------------------------------- quads

static LLVMValueRef shuffle_quads(struct emit *e, LLVMValueRef value, const uint8_t *lanes) {
    LLVMValueRef numbers[JIT_WIDTH_LIMIT];
    for (uint32_t i = 0; i < e->width; i++) {
        numbers[i] = jit_i32(e, (i & ~3u) + lanes[i & 3u]);
    }
    return LLVMBuildShuffleVector(e->builder, value, LLVMGetPoison(LLVMTypeOf(value)),
        LLVMConstVector(numbers, e->width), "");
}

// Lanes of a quad: upper left, upper right, lower left, lower right. The plain forms are the fine
// ones.
static LLVMValueRef derivative(struct emit *e, LLVMValueRef value, bool is_y, bool is_coarse) {
    static const uint8_t ends[2][2][2][4] = {
        {{{0, 0, 2, 2}, {1, 1, 3, 3}}, {{0, 0, 0, 0}, {1, 1, 1, 1}}},
        {{{0, 1, 0, 1}, {2, 3, 2, 3}}, {{0, 0, 0, 0}, {2, 2, 2, 2}}},
    };
    LLVMValueRef from = shuffle_quads(e, value, ends[is_y][is_coarse][0]);
    LLVMValueRef to = shuffle_quads(e, value, ends[is_y][is_coarse][1]);
    return LLVMBuildFSub(e->builder, to, from, "");
}

static LLVMValueRef width_of(struct emit *e, LLVMValueRef value, bool is_coarse) {
    LLVMValueRef x = derivative(e, value, false, is_coarse);
    LLVMValueRef y = derivative(e, value, true, is_coarse);
    x = jit_intrinsic(e, "llvm.fabs", LLVMTypeOf(x), &x, 1);
    y = jit_intrinsic(e, "llvm.fabs", LLVMTypeOf(y), &y, 1);
    return LLVMBuildFAdd(e->builder, x, y, "");
}

void jit_emit_derivative(struct emit *e, const struct ir_op *op) {
    ir_value result = ir_op_result(op, 0);
    uint32_t count = jit_component_count(e->module, ir_value_type(e->function, result));
    const struct component *operands = jit_components(e, op->operands[0]);
    struct component *components = jit_components_new(e, count);
    bool is_coarse = op->opcode == IR_DPDX_COARSE || op->opcode == IR_DPDY_COARSE ||
        op->opcode == IR_FWIDTH_COARSE;
    bool is_x = op->opcode == IR_DPDX || op->opcode == IR_DPDX_COARSE || op->opcode == IR_DPDX_FINE;
    bool is_y = op->opcode == IR_DPDY || op->opcode == IR_DPDY_COARSE || op->opcode == IR_DPDY_FINE;
    if (!e->stage.is_fragment || e->width % 4 != 0) {
        jit_fail(e, "a derivative stands in a shader that is no fragment shader");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        components[i].kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef value = jit_part(e, &operands[i], part);
            components[i].parts[part] = is_x || is_y ? derivative(e, value, is_y, is_coarse)
                                                     : width_of(e, value, is_coarse);
        }
    }
    jit_set(e, result, components);
}
