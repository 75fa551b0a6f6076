// SPDX-License-Identifier: MIT
//
// How many vectors to keep in flight. Several independent ones hide the latency of arithmetic in
// loops, as long as the registers suffice; without a loop memory decides and one is best. The
// estimate: components that differ between lanes and are alive at once in the innermost loops.
// Never changes results.
#include "shader/jit/jit_priv.h"

#define CODE_LIMIT 3000u // operations of the function times jam
#define MASKED_LANES 32u // more in flight leave a masked loop too far apart
// Cycles, of the processors that were measured: what a dependent operation waits, and how many
// independent ones begin in the meantime.
#define FLOAT_LATENCY 4u
#define OPERATIONS_A_CYCLE 3u

struct estimate {
    struct emit *emit;
    const struct ir_function *function;
    const struct function_facts *facts;
    uint32_t *last_use; // by value: position in the loop, 0: not used there
    uint32_t *loop_of;  // by value: the loop (op index) of the last note, for clearing by need
    uint32_t position;
    uint32_t live, peak;
    uint32_t loop;
    uint32_t deepest;
    uint32_t pressure;
    uint32_t *depth; // by value: cycles from the start of an iteration of the loop
    uint32_t work;   // operations on lanes in the loop
    uint32_t latency;
    bool is_waiting; // all measured loops leave time for four vectors while results are awaited
    bool is_masked;
    bool has_work; // arithmetic on lanes
    bool has_atomic;
};

static uint32_t lane_components(const struct estimate *s, ir_value value) {
    uint32_t count = 0;
    if (ir_value_get(s->function, value)->kind == IR_VALUE_CONSTANT) {
        return 0;
    }
    for (uint32_t i = 0; i < s->facts->values[value.index].component_count; i++) {
        count += jit_shape_of(s->facts, value, i)->kind == SHAPE_VARYING;
    }
    return count;
}

static void note_uses(struct estimate *s, ir_region_id region) {
    for (ir_op_id id = ir_region_get(s->function, region)->first; id.index != 0;
         id = ir_op_get(s->function, id)->next) {
        const struct ir_op *op = ir_op_get(s->function, id);
        s->position++;
        for (uint32_t i = 0; i < op->operand_count; i++) {
            uint32_t value = op->operands[i].index;
            if (s->loop_of[value] != s->loop) {
                // First met as an operand: alive through the whole loop.
                s->loop_of[value] = s->loop;
                s->last_use[value] = UINT32_MAX;
                s->live += lane_components(s, op->operands[i]);
            } else if (s->last_use[value] != UINT32_MAX) {
                s->last_use[value] = s->position;
            }
        }
        for (uint32_t i = 0; i < op->result_count; i++) {
            s->loop_of[ir_op_result(op, i).index] = s->loop;
            s->last_use[ir_op_result(op, i).index] = 0;
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            const struct ir_region *inner = ir_region_get(s->function, op->regions[i]);
            for (uint32_t k = 0; k < inner->parameter_count; k++) {
                s->loop_of[inner->parameters[k].index] = s->loop;
                s->last_use[inner->parameters[k].index] = 0;
            }
            note_uses(s, op->regions[i]);
        }
    }
}

static void sweep(struct estimate *s, ir_region_id region) {
    for (ir_op_id id = ir_region_get(s->function, region)->first; id.index != 0;
         id = ir_op_get(s->function, id)->next) {
        const struct ir_op *op = ir_op_get(s->function, id);
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        s->position++;
        s->is_masked |= s->facts->ops[id.index].is_varying || s->facts->ops[id.index].is_masked;
        s->has_atomic |= (flags & IR_FLAG_ATOMIC) != 0;
        for (uint32_t i = 0; i < op->result_count; i++) {
            uint32_t count = lane_components(s, ir_op_result(op, i));
            s->live += count;
            s->has_work |= count > 0 && (flags & IR_FLAG_PURE) != 0;
        }
        s->peak = s->live > s->peak ? s->live : s->peak;
        for (uint32_t i = 0; i < op->operand_count; i++) {
            uint32_t value = op->operands[i].index;
            if (s->last_use[value] == s->position) {
                s->last_use[value] = UINT32_MAX; // once
                s->live -= lane_components(s, op->operands[i]);
            }
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            sweep(s, op->regions[i]);
        }
    }
}

static bool is_float(const struct estimate *s, ir_value value) {
    const struct ir_module *module = s->emit->module;
    type_id element = type_element_of(&module->types, ir_value_type(s->function, value));
    return type_kind_of(&module->types, element) == TYPE_F32;
}

// Adds a region's operations to the length of the longest chain and to the number of all. False
// where it does more than arithmetic and tests.
static bool measure_chain(struct estimate *s, ir_region_id region) {
    for (ir_op_id id = ir_region_get(s->function, region)->first; id.index != 0;
         id = ir_op_get(s->function, id)->next) {
        const struct ir_op *op = ir_op_get(s->function, id);
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        bool is_test = op->opcode == IR_IF && op->result_count == 0;
        if (!is_test && (flags & (IR_FLAG_PURE | IR_FLAG_TERMINATOR)) == 0) {
            return false;
        }
        uint32_t start = 0;
        for (uint32_t i = 0; i < op->operand_count; i++) {
            uint32_t depth = s->loop_of[op->operands[i].index] == s->loop
                ? s->depth[op->operands[i].index]
                : 0;
            start = depth > start ? depth : start;
        }
        for (uint32_t i = 0; i < op->result_count; i++) {
            ir_value result = ir_op_result(op, i);
            uint32_t count = lane_components(s, result);
            s->work += count;
            uint32_t cycles = count == 0 ? 0 : is_float(s, result) ? FLOAT_LATENCY : 1;
            s->depth[result.index] = start + cycles;
        }
        s->latency = start > s->latency ? start : s->latency;
        for (uint32_t i = 0; i < op->region_count; i++) {
            if (!measure_chain(s, op->regions[i])) {
                return false;
            }
        }
    }
    return true;
}

static void measure_loop(struct estimate *s, ir_op_id id) {
    const struct ir_op *op = ir_op_get(s->function, id);
    s->loop = id.index;
    s->position = 0;
    s->live = 0;
    s->peak = 0;
    for (uint32_t r = 0; r < op->region_count; r++) {
        const struct ir_region *region = ir_region_get(s->function, op->regions[r]);
        for (uint32_t i = 0; r == 0 && i < region->parameter_count; i++) {
            s->loop_of[region->parameters[i].index] = s->loop;
            s->last_use[region->parameters[i].index] = UINT32_MAX;
            s->live += lane_components(s, region->parameters[i]);
        }
        note_uses(s, op->regions[r]);
    }
    s->position = 0;
    for (uint32_t r = 0; r < op->region_count; r++) {
        sweep(s, op->regions[r]);
    }
    s->pressure = s->peak > s->pressure ? s->peak : s->pressure;
    s->work = 0;
    s->latency = 0;
    s->is_waiting = s->is_waiting && measure_chain(s, op->regions[0]) &&
        measure_chain(s, op->regions[1]) && s->latency * OPERATIONS_A_CYCLE >= 4 * s->work;
}

static uint32_t loop_depth(const struct estimate *s, ir_region_id region) {
    uint32_t depth = 0;
    for (ir_op_id id = ir_region_get(s->function, region)->first; id.index != 0;
         id = ir_op_get(s->function, id)->next) {
        const struct ir_op *op = ir_op_get(s->function, id);
        for (uint32_t i = 0; i < op->region_count; i++) {
            uint32_t inner = loop_depth(s, op->regions[i]) + (op->opcode == IR_LOOP);
            depth = inner > depth ? inner : depth;
        }
    }
    return depth;
}

// Innermost loops of the deepest nests, without barriers: their iterations run one after the other.
static void visit(struct estimate *s, ir_region_id region, uint32_t depth) {
    for (ir_op_id id = ir_region_get(s->function, region)->first; id.index != 0;
         id = ir_op_get(s->function, id)->next) {
        const struct ir_op *op = ir_op_get(s->function, id);
        uint32_t inner = depth + (op->opcode == IR_LOOP);
        if (op->opcode == IR_LOOP && inner == s->deepest &&
            !s->facts->ops[id.index].is_workgroup_level) {
            measure_loop(s, id);
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            visit(s, op->regions[i], inner);
        }
    }
}

bool jit_choose_jam(
    struct emit *emit, uint32_t function, const struct function_facts *facts, uint32_t *out_jam) {
    struct estimate s = {.emit = emit,
        .function = &emit->module->functions.items[function],
        .facts = facts,
        .is_waiting = true};
    size_t count = s.function->values.count + 1;
    s.last_use = ARENA_ARRAY(emit->arena, uint32_t, count);
    s.loop_of = ARENA_ARRAY(emit->arena, uint32_t, count);
    s.depth = ARENA_ARRAY(emit->arena, uint32_t, count);
    if (s.last_use == NULL || s.loop_of == NULL || s.depth == NULL) {
        return jit_fail(emit, "out of memory");
    }
    *out_jam = 1;
    s.deepest = loop_depth(&s, s.function->body);
    visit(&s, s.function->body, 0);
    if (s.pressure == 0 || !s.has_work) {
        return true;
    }
    bool has_many = emit->level == JIT_LEVEL_AVX512 || emit->level == JIT_LEVEL_NEON;
    uint32_t registers = has_many ? 32 : 16;
    // Operands that come straight from memory and short-lived values count too: half as much again.
    uint32_t room = registers + registers / 2;
    // The masks of many vectors empty late; atomics are lane by lane and only grow the code.
    uint32_t most = s.is_masked ? 2 : s.has_atomic ? 4 : JIT_JAM_LIMIT;
    if (s.is_masked && s.is_waiting && emit->width * 4 <= MASKED_LANES &&
        4 * s.pressure <= registers * 2) {
        // Counters and what does not change in the loop may be in memory.
        most = 4;
        room = registers * 2;
    }
    uint32_t jam = 1;
    while (jam * 2 <= most && jam * 2 * s.pressure <= room &&
        emit->width * jam * 2 <= emit->lane_count &&
        s.function->ops.count * (jam * 2) <= CODE_LIMIT) {
        jam *= 2;
    }
    *out_jam = jam;
    return true;
}
