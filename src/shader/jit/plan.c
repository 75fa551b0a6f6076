// SPDX-License-Identifier: MIT
//
// The plan: which operations run once a workgroup, which in which segment, what each operation
// contains, and which values must survive from one segment to the next. Levels are found before the
// shape analysis, the rest after it. A pure analysis; the emission follows it.
#include "shader/jit/jit_priv.h"

#define REMATERIALISE_LIMIT 8u

struct planner {
    struct emit *emit;
    const struct ir_function *function;
    struct function_facts *facts;
    VECTOR(ir_op_id) frames; // heap
    uint32_t segment;        // current one, JIT_SEGMENT_NONE between segments
    bool has_changed;
    bool has_failed;
};

static uint32_t add_cost(uint32_t a, uint32_t b) {
    return a + b < a ? UINT32_MAX : a + b;
}

static void note_contents(
    struct op_facts *outer, const struct op_facts *inner, const struct ir_op *op) {
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    outer->cost = add_cost(outer->cost, add_cost(inner->cost, 1));
    outer->has_barrier |= inner->has_barrier || (flags & IR_FLAG_BARRIER) != 0;
    outer->has_loop |= inner->has_loop || op->opcode == IR_LOOP;
    outer->has_call |= inner->has_call || op->opcode == IR_CALL;
    outer->has_effect |= inner->has_effect || (flags & (IR_FLAG_WRITES | IR_FLAG_BARRIER)) != 0;
}

static ptrdiff_t find_frame(const struct planner *p, enum ir_opcode opcode) {
    ptrdiff_t i = (ptrdiff_t)p->frames.count - 1;
    while (i >= 0 && ir_op_get(p->function, p->frames.items[i])->opcode != opcode) {
        i--;
    }
    return i;
}

static void note_region(struct planner *p, ir_region_id region, struct op_facts *outer) {
    ir_op_id id = ir_region_get(p->function, region)->first;
    while (id.index != 0 && !p->has_failed) {
        const struct ir_op *op = ir_op_get(p->function, id);
        struct op_facts *facts = &p->facts->ops[id.index];
        if (op->region_count > 0) {
            if (!vector_push(&p->frames, MEMORY_JIT, id)) {
                p->has_failed = true;
                return;
            }
            for (uint32_t i = 0; i < op->region_count; i++) {
                note_region(p, op->regions[i], facts);
            }
            p->frames.count--;
        } else if (op->opcode == IR_CONTINUE || op->opcode == IR_EXIT_LOOP ||
            op->opcode == IR_BREAK_IF) {
            ptrdiff_t loop = find_frame(p, IR_LOOP);
            uint32_t *count = op->opcode == IR_CONTINUE ? p->facts->continue_count
                                                        : p->facts->exit_count;
            if (loop >= 0) {
                count[p->frames.items[loop].index]++;
            }
        }
        note_contents(outer, facts, op);
        id = op->next;
    }
}

// A terminator that leaves a construct of the workgroup level draws the constructs that it crosses
// to that level.
static void raise_levels(struct planner *p, ir_region_id region) {
    ir_op_id id = ir_region_get(p->function, region)->first;
    while (id.index != 0) {
        const struct ir_op *op = ir_op_get(p->function, id);
        if (op->region_count > 0) {
            // Depth is at most the IR's nesting limit, which note_region's frames were sized for.
            p->frames.items[p->frames.count++] = id;
            for (uint32_t i = 0; i < op->region_count; i++) {
                raise_levels(p, op->regions[i]);
            }
            p->frames.count--;
        } else if (op->opcode == IR_EXIT_LOOP || op->opcode == IR_CONTINUE ||
            op->opcode == IR_EXIT_SWITCH) {
            ptrdiff_t target = find_frame(p, op->opcode == IR_EXIT_SWITCH ? IR_SWITCH : IR_LOOP);
            if (target >= 0 && p->facts->ops[p->frames.items[target].index].is_workgroup_level) {
                for (size_t i = (size_t)target + 1; i < p->frames.count; i++) {
                    struct op_facts *facts = &p->facts->ops[p->frames.items[i].index];
                    p->has_changed |= !facts->is_workgroup_level;
                    facts->is_workgroup_level = true;
                }
            }
        }
        id = op->next;
    }
}

bool jit_plan_levels(struct emit *emit, uint32_t function, struct function_facts *facts) {
    struct planner p = {
        .emit = emit, .function = &emit->module->functions.items[function], .facts = facts};
    struct op_facts whole = {0};
    note_region(&p, p.function->body, &whole);
    facts->has_barrier = whole.has_barrier;
    for (uint32_t i = 1; i < p.function->ops.count; i++) {
        const struct ir_op *op = &p.function->ops.items[i];
        facts->ops[i].is_workgroup_level = op->region_count > 0 && facts->ops[i].has_barrier;
    }
    if (facts->has_barrier) {
        do {
            p.has_changed = false;
            raise_levels(&p, p.function->body);
        } while (p.has_changed);
    }
    for (uint32_t i = 1; facts->has_barrier && i < p.function->ops.count; i++) {
        const struct ir_op *op = &p.function->ops.items[i];
        if (op->opcode == IR_RETURN && op->parent.index != 0) {
            ir_op_id owner = ir_region_get(p.function, op->parent)->owner;
            facts->has_return_in_segment |= owner.index != 0 &&
                !facts->ops[owner.index].is_workgroup_level;
        }
    }
    vector_finish(&p.frames);
    return !p.has_failed || jit_fail(emit, "out of memory");
}

static bool is_everywhere(const struct planner *p, ir_value value) {
    const struct ir_value_info *info = ir_value_get(p->function, value);
    return info->kind == IR_VALUE_CONSTANT || info->kind == IR_VALUE_FUNCTION_PARAMETER ||
        p->facts->values[value.index].segment == JIT_SEGMENT_WORKGROUP;
}

static bool is_workgroup_shaped(const struct planner *p, ir_value value) {
    if (ir_value_get(p->function, value)->kind == IR_VALUE_CONSTANT) {
        return true;
    }
    for (uint32_t i = 0; i < p->facts->values[value.index].component_count; i++) {
        if (jit_shape_of(p->facts, value, i)->kind != SHAPE_WORKGROUP) {
            return false;
        }
    }
    return true;
}

static bool is_pointer(const struct planner *p, ir_value value) {
    return p->facts->values[value.index].component_count == 0;
}

static bool is_symbolic(const struct planner *p, const struct ir_op *op) {
    return jit_is_symbolic(p->emit->module, p->function, op);
}

// Texels that nobody writes meanwhile, at a place that no other invocation has a say in.
static bool reads_constant_texels(const struct planner *p, const struct ir_op *op) {
    const struct ir_op_info *info = ir_op_get_info(op->opcode);
    return (info->family == IR_FAMILY_TEXTURE_LOAD || info->family == IR_FAMILY_TEXTURE_SAMPLE) &&
        (info->flags & IR_FLAG_QUAD) == 0 &&
        !jit_is_writable_texture(p->emit->module, ir_value_type(p->function, op->operands[0]));
}

static bool can_hoist(const struct planner *p, const struct ir_op *op) {
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    if (op->region_count > 0 || op->result_count != 1 || is_symbolic(p, op)) {
        return false;
    }
    if (op->opcode == IR_LOAD) {
        type_id type = ir_value_type(p->function, op->operands[0]);
        if (jit_space_is_writable_shared(p->emit->module, type)) {
            return false;
        }
    } else if ((flags & IR_FLAG_PURE) == 0 && !reads_constant_texels(p, op)) {
        return false;
    }
    if (!is_workgroup_shaped(p, ir_op_result(op, 0))) {
        return false;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        ir_value value = op->operands[i];
        // The indices of a pointer: walk its path.
        while (is_pointer(p, value)) {
            const struct ir_value_info *info = ir_value_get(p->function, value);
            if (info->kind != IR_VALUE_RESULT) {
                return false;
            }
            const struct ir_op *source = ir_op_get(p->function, (ir_op_id){info->definition});
            if (source->opcode != IR_ACCESS) {
                break;
            }
            for (uint32_t k = 1; k < source->operand_count; k++) {
                if (!is_everywhere(p, source->operands[k])) {
                    return false;
                }
            }
            value = source->operands[0];
        }
        if (!is_pointer(p, value) && !is_everywhere(p, value)) {
            return false;
        }
    }
    return true;
}

static uint32_t new_segment(struct planner *p) {
    if (!p->emit->has_slots) {
        p->facts->segment_count = 1;
        return 1;
    }
    return ++p->facts->segment_count;
}

static void define_results(struct planner *p, const struct ir_op *op, uint32_t segment) {
    for (uint32_t i = 0; i < op->result_count; i++) {
        p->facts->values[ir_op_result(op, i).index].segment = segment;
    }
}

static void assign_inside(struct planner *p, ir_region_id region, uint32_t segment) {
    const struct ir_region *info = ir_region_get(p->function, region);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        p->facts->values[info->parameters[i].index].segment = segment;
    }
    for (ir_op_id id = info->first; id.index != 0; id = ir_op_get(p->function, id)->next) {
        const struct ir_op *op = ir_op_get(p->function, id);
        p->facts->ops[id.index].segment = segment;
        define_results(p, op, segment);
        for (uint32_t i = 0; i < op->region_count; i++) {
            assign_inside(p, op->regions[i], segment);
        }
    }
}

static void note_rematerialisation(struct planner *p, const struct ir_op *op) {
    if (op->result_count != 1 || op->region_count > 0) {
        return;
    }
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    if ((flags & IR_FLAG_PURE) == 0 || is_symbolic(p, op) || op->opcode == IR_ARRAY_LENGTH) {
        return;
    }
    uint32_t cost = 1;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (is_pointer(p, op->operands[i])) {
            return;
        }
        if (is_everywhere(p, op->operands[i])) {
            continue;
        }
        uint32_t inner = p->facts->values[op->operands[i].index].rematerialise_cost;
        if (inner == 0) {
            return;
        }
        cost += inner;
    }
    if (cost <= REMATERIALISE_LIMIT) {
        p->facts->values[ir_op_result(op, 0).index].rematerialise_cost = (uint8_t)cost;
    }
}

static void assign_workgroup(struct planner *p, ir_region_id region) {
    const struct ir_region *info = ir_region_get(p->function, region);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        p->facts->values[info->parameters[i].index].segment = JIT_SEGMENT_WORKGROUP;
    }
    p->segment = JIT_SEGMENT_NONE;
    for (ir_op_id id = info->first; id.index != 0; id = ir_op_get(p->function, id)->next) {
        const struct ir_op *op = ir_op_get(p->function, id);
        struct op_facts *facts = &p->facts->ops[id.index];
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        if ((flags & IR_FLAG_BARRIER) != 0 || facts->is_workgroup_level) {
            facts->segment = JIT_SEGMENT_WORKGROUP;
            define_results(p, op, JIT_SEGMENT_WORKGROUP);
            for (uint32_t i = 0; i < op->region_count; i++) {
                assign_workgroup(p, op->regions[i]);
            }
            p->segment = JIT_SEGMENT_NONE;
            continue;
        }
        if (can_hoist(p, op)) {
            facts->is_hoisted = true;
            facts->segment = JIT_SEGMENT_WORKGROUP;
            define_results(p, op, JIT_SEGMENT_WORKGROUP);
            continue;
        }
        if ((flags & IR_FLAG_TERMINATOR) != 0 && p->segment == JIT_SEGMENT_NONE) {
            bool is_uniform = true;
            for (uint32_t i = 0; i < op->operand_count; i++) {
                is_uniform = is_uniform && is_everywhere(p, op->operands[i]);
            }
            if (is_uniform) {
                facts->segment = JIT_SEGMENT_WORKGROUP;
                continue;
            }
        }
        if (p->segment == JIT_SEGMENT_NONE && !is_symbolic(p, op)) {
            p->segment = new_segment(p);
        }
        facts->segment = p->segment;
        define_results(p, op, p->segment);
        note_rematerialisation(p, op);
        for (uint32_t i = 0; i < op->region_count; i++) {
            assign_inside(p, op->regions[i], p->segment);
        }
    }
}

static void use(struct planner *p, ir_value value, uint32_t segment) {
    if (is_everywhere(p, value)) {
        return;
    }
    if (!is_pointer(p, value)) {
        struct value_facts *facts = &p->facts->values[value.index];
        if (facts->segment != segment &&
            (facts->rematerialise_cost == 0 || segment == JIT_SEGMENT_WORKGROUP)) {
            facts->needs_slot = true;
        }
        if (facts->segment != segment && facts->rematerialise_cost != 0 &&
            segment != JIT_SEGMENT_WORKGROUP) {
            // Its operands are needed there too.
            const struct ir_op *op = ir_op_get(
                p->function, (ir_op_id){ir_value_get(p->function, value)->definition});
            for (uint32_t i = 0; i < op->operand_count; i++) {
                use(p, op->operands[i], segment);
            }
        }
        return;
    }
    const struct ir_value_info *info = ir_value_get(p->function, value);
    if (info->kind != IR_VALUE_RESULT) {
        return;
    }
    const struct ir_op *op = ir_op_get(p->function, (ir_op_id){info->definition});
    if (op->opcode == IR_ACCESS) {
        use(p, op->operands[0], segment); // at most as deep as types nest
        for (uint32_t i = 1; i < op->operand_count; i++) {
            use(p, op->operands[i], segment);
        }
    } else if (op->opcode == IR_VAR) {
        if (p->facts->ops[info->definition].segment != segment) {
            p->facts->var_is_shared[info->definition] = 1;
        }
    }
}

static void note_uses(struct planner *p) {
    for (uint32_t i = 1; i < p->function->ops.count; i++) {
        const struct ir_op *op = &p->function->ops.items[i];
        if (op->parent.index == 0 || is_symbolic(p, op)) {
            continue;
        }
        for (uint32_t k = 0; k < op->operand_count; k++) {
            // A terminator of the workgroup level reads lane values in the segment before it.
            uint32_t segment = p->facts->ops[i].segment;
            if (op->opcode == IR_BREAK_IF && k == 0 &&
                p->facts->ops[ir_region_get(p->function, op->parent)->owner.index]
                    .is_workgroup_level) {
                segment = JIT_SEGMENT_WORKGROUP;
            }
            use(p, op->operands[k], segment);
        }
    }
}

bool jit_plan(struct emit *emit, uint32_t function, struct function_facts *facts) {
    struct planner p = {
        .emit = emit, .function = &emit->module->functions.items[function], .facts = facts};
    if (facts->has_barrier || function == emit->entry->function) {
        assign_workgroup(&p, p.function->body);
    } else {
        facts->segment_count = 1;
        assign_inside(&p, p.function->body, 1);
    }
    note_uses(&p);
    return true;
}

// Memory for the facts of one function, zeroed.
bool jit_facts_create(struct emit *emit, uint32_t function, struct function_facts *facts) {
    const struct ir_function *info = &emit->module->functions.items[function];
    facts->ops = ARENA_ARRAY(emit->arena, struct op_facts, info->ops.count + 1);
    facts->values = ARENA_ARRAY(emit->arena, struct value_facts, info->values.count + 1);
    facts->var_is_shared = ARENA_ARRAY(emit->arena, uint8_t, info->ops.count + 1);
    facts->continue_count = ARENA_ARRAY(emit->arena, uint32_t, info->ops.count + 1);
    facts->exit_count = ARENA_ARRAY(emit->arena, uint32_t, info->ops.count + 1);
    return (facts->ops != NULL && facts->values != NULL && facts->var_is_shared != NULL &&
               facts->continue_count != NULL && facts->exit_count != NULL) ||
        jit_fail(emit, "out of memory");
}
