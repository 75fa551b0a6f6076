// SPDX-License-Identifier: MIT
//
// Counters among a masked loop's results. What a counter is where a lane leaves would be blended into
// the result in each iteration; but it follows from the number of iterations that the lane began, and
// subtracting the mask of the running lanes, which is -1, counts those in one instruction. Worth it
// where masks are integers: mask registers blend for nothing. Part of the emission of loops.
#include "shader/jit/jit_priv.h"

// What all ways out of a loop give for each result: a value, or none where they differ.
struct exits {
    const struct emit *emit;
    ir_value *given;
    uint32_t result_count;
    bool has_any;
};

static void note_exit(struct exits *exits, const ir_value *operands) {
    for (uint32_t i = 0; i < exits->result_count; i++) {
        if (!exits->has_any) {
            exits->given[i] = operands[i];
        } else if (exits->given[i].index != operands[i].index) {
            exits->given[i].index = 0;
        }
    }
    exits->has_any = true;
}

// Ways out of the loop below a region, in its `if`s and `switch`es. Recursion follows nesting.
static void find_exits(struct exits *exits, ir_region_id region) {
    const struct ir_function *function = exits->emit->function;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        if (op->opcode == IR_EXIT_LOOP) {
            note_exit(exits, op->operands);
        } else if (op->opcode == IR_BREAK_IF) {
            note_exit(exits, op->operands + 1 + op->data.break_if.body_argument_count);
        }
        for (uint32_t i = 0; op->opcode != IR_LOOP && i < op->region_count; i++) {
            find_exits(exits, op->regions[i]);
        }
    }
}

// Whether a value is a parameter of the loop's body that grows by a constant in each iteration.
static bool find_counter(
    const struct emit *e, const struct ir_op *loop, ir_value value, struct counter *out_counter) {
    const struct ir_value_info *info = ir_value_get(e->function, value);
    if (info->kind != IR_VALUE_REGION_PARAMETER || info->definition != loop->regions[0].index) {
        return false;
    }
    const struct ir_region *continuing = ir_region_get(e->function, loop->regions[1]);
    const struct ir_op *last = ir_op_get(e->function, continuing->last);
    if (last->opcode != IR_NEXT_ITERATION && last->opcode != IR_BREAK_IF) {
        return false;
    }
    uint32_t first = last->opcode == IR_BREAK_IF ? 1 : 0;
    const struct ir_value_info *next = ir_value_get(
        e->function, last->operands[first + info->position]);
    if (next->kind != IR_VALUE_RESULT) {
        return false;
    }
    const struct ir_op *add = ir_op_get(e->function, (ir_op_id){next->definition});
    out_counter->initial = loop->operands[info->position];
    return add->opcode == IR_ADD_I && add->operands[0].index == value.index &&
        jit_constant_u32(e, e->function, add->operands[1], &out_counter->step);
}

void jit_count_prepare(struct emit *e, struct frame *frame) {
    const struct ir_op *loop = ir_op_get(e->function, frame->op);
    struct exits exits = {.emit = e, .result_count = loop->result_count};
    if (e->vmask == e->vi1 || loop->result_count == 0) {
        return;
    }
    exits.given = ARENA_ARRAY(e->arena, ir_value, loop->result_count);
    struct counter *counters = ARENA_ARRAY(e->arena, struct counter, loop->result_count);
    if (exits.given == NULL || counters == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    find_exits(&exits, loop->regions[0]);
    find_exits(&exits, loop->regions[1]);
    bool has_counter = false;
    for (uint32_t i = 0; i < loop->result_count; i++) {
        struct home *home = &frame->results[i];
        if (home->component_count == 1 && home->components[0].kind == SHAPE_VARYING &&
            home->components[0].type == e->i32 && exits.given[i].index != 0 &&
            find_counter(e, loop, exits.given[i], &counters[i])) {
            home->counter = &counters[i];
            has_counter = true;
        }
    }
    for (uint32_t part = 0; has_counter && part < e->jam; part++) {
        frame->iterations[part] = jit_alloca(e, e->vi32, "iterations");
        LLVMBuildStore(e->builder, LLVMConstAllOnes(e->vi32), frame->iterations[part]);
    }
}

// A volatile access keeps the count in memory.
static LLVMValueRef load_count(struct emit *e, const struct frame *frame, uint32_t part) {
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->vi32, frame->iterations[part], "");
    LLVMSetVolatile(count, jit_is_short_of_registers(e));
    return count;
}

void jit_count_iteration(struct emit *e, const struct frame *frame) {
    for (uint32_t part = 0; frame->iterations[0] != NULL && part < e->jam; part++) {
        LLVMValueRef running = LLVMBuildLoad2(
            e->builder, e->vmask, frame->loop_lanes.slots[part], "");
        LLVMValueRef next = LLVMBuildSub(e->builder, load_count(e, frame, part), running, "");
        LLVMValueRef store = LLVMBuildStore(e->builder, next, frame->iterations[part]);
        LLVMSetVolatile(store, jit_is_short_of_registers(e));
    }
}

void jit_count_finish(struct emit *e, struct frame *frame) {
    uint32_t count = ir_op_get(e->function, frame->op)->result_count;
    for (uint32_t i = 0; frame->iterations[0] != NULL && i < count; i++) {
        struct home *home = &frame->results[i];
        const struct counter *counter = home->counter;
        if (counter == NULL) {
            continue;
        }
        const struct component *initial = jit_components(e, counter->initial);
        struct component value = {.kind = SHAPE_VARYING};
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef steps = LLVMBuildMul(e->builder, load_count(e, frame, part),
                jit_splat(e, jit_i32(e, counter->step)), "");
            value.parts[part] = LLVMBuildAdd(e->builder, steps, jit_part(e, initial, part), "");
        }
        home->counter = NULL; // from here on a home like any other
        jit_home_store(e, home, &value, NULL);
    }
}
