// SPDX-License-Identifier: MIT
//
// The shape analysis: how each component of each value varies from lane to lane, which control
// operations diverge, and what each operation contains. Optimistic: shapes only rise, the function is
// walked until nothing changes; after a fixed number of walks whatever still changes is made varying,
// so that the work stays near-linear. The plan and the emission rely on it.
#include "shader/jit/shape_priv.h"

#define WIDEN_AFTER 12u

struct shape *jit_shape_of(const struct function_facts *facts, ir_value value, uint32_t component) {
    return &facts->shapes[facts->values[value.index].shapes + component];
}

uint32_t jit_component_count(const struct ir_module *module, type_id type) {
    const struct type *info = type_get(&module->types, type);
    switch (info->kind) {
    case TYPE_BOOL:
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_F32:
    case TYPE_F16:
        return 1;
    case TYPE_VECTOR:
        return info->count;
    default:
        return 0;
    }
}

bool jit_constant_u32(const struct emit *emit, const struct ir_function *function, ir_value value,
    uint32_t *out_number) {
    const struct ir_value_info *info = ir_value_get(function, value);
    if (info->kind != IR_VALUE_CONSTANT) {
        return false;
    }
    const struct ir_constant *constant = &emit->module->constants.items[info->definition];
    if (jit_component_count(emit->module, constant->type) != 1) {
        return false;
    }
    *out_number = 0;
    if (constant->bytes != NULL) {
        memcpy(out_number, constant->bytes, sizeof(*out_number));
    }
    return true;
}

void jit_walk_pointer(const struct ir_function *function, ir_value pointer, ir_value *out_root) {
    for (;;) {
        const struct ir_value_info *info = ir_value_get(function, pointer);
        if (info->kind != IR_VALUE_RESULT) {
            break;
        }
        const struct ir_op *op = ir_op_get(function, (ir_op_id){info->definition});
        if (op->opcode != IR_ACCESS) {
            break;
        }
        pointer = op->operands[0];
    }
    *out_root = pointer;
}

bool jit_space_is_writable_shared(const struct ir_module *module, type_id pointer_type) {
    const struct type *type = type_get(&module->types, pointer_type);
    return type->space == SPACE_WORKGROUP ||
        (type->space == SPACE_STORAGE && type->access != ACCESS_READ);
}

bool jit_is_handle(const struct ir_module *module, type_id type) {
    enum type_kind kind = type_kind_of(&module->types, type);
    return kind >= TYPE_SAMPLER && kind <= TYPE_TEXTURE_EXTERNAL;
}

bool jit_is_writable_texture(const struct ir_module *module, type_id type) {
    const struct type *info = type_get(&module->types, type);
    return info->kind == TYPE_TEXTURE_STORAGE && info->access != ACCESS_READ;
}

bool jit_is_symbolic(
    const struct ir_module *module, const struct ir_function *function, const struct ir_op *op) {
    return op->opcode == IR_VARIABLE || op->opcode == IR_ACCESS ||
        (op->opcode == IR_LOAD &&
            jit_is_handle(module, ir_value_type(function, ir_op_result(op, 0))));
}

struct shape shape_join(struct shape a, struct shape b) {
    if (a.kind == SHAPE_NONE) {
        return b;
    }
    if (b.kind == SHAPE_NONE) {
        return a;
    }
    if (a.kind <= SHAPE_ITERATION && b.kind <= SHAPE_ITERATION) {
        return a.kind > b.kind ? a : b;
    }
    if (a.kind == SHAPE_VARYING || b.kind == SHAPE_VARYING) {
        return a.kind == b.kind && a.stride == b.stride ? a : shape_varying;
    }
    // At least one is linear; a uniform value is linear with stride 0.
    int32_t stride_a = a.kind == SHAPE_LINEAR ? a.stride : 0;
    int32_t stride_b = b.kind == SHAPE_LINEAR ? b.stride : 0;
    return stride_a == stride_b ? (struct shape){SHAPE_LINEAR, stride_a} : shape_varying;
}

void shape_raise(struct analyser *a, ir_value value, uint32_t component, struct shape shape) {
    struct shape *old = jit_shape_of(a->facts, value, component);
    struct shape joined = shape_join(*old, shape);
    if (joined.kind == old->kind && joined.stride == old->stride) {
        return;
    }
    *old = a->is_widening ? shape_varying : joined;
    a->has_changed = true;
}

void shape_raise_all(struct analyser *a, ir_value value, struct shape shape) {
    for (uint32_t i = 0; i < a->facts->values[value.index].component_count; i++) {
        shape_raise(a, value, i, shape);
    }
}

struct shape shape_get(struct analyser *a, ir_value value, uint32_t component) {
    uint32_t count = a->facts->values[value.index].component_count;
    if (ir_value_get(a->function, value)->kind == IR_VALUE_CONSTANT) {
        return (struct shape){SHAPE_WORKGROUP, 0};
    }
    if (count == 0) {
        return shape_varying;
    }
    return *jit_shape_of(a->facts, value, component < count ? component : count - 1);
}

static void merge_values(struct analyser *a, const ir_value *targets, const ir_value *sources,
    uint32_t count, bool make_varying, bool is_workgroup_level) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < a->facts->values[targets[i].index].component_count; c++) {
            struct shape shape = make_varying ? shape_varying : shape_get(a, sources[i], c);
            if (is_workgroup_level && shape.kind > SHAPE_WORKGROUP) {
                shape = shape_varying;
            }
            shape_raise(a, targets[i], c, shape);
        }
    }
}

static void merge_results(struct analyser *a, ir_op_id target, const ir_value *sources,
    uint32_t count, bool make_varying) {
    const struct ir_op *op = ir_op_get(a->function, target);
    for (uint32_t i = 0; i < count && i < op->result_count; i++) {
        ir_value result = ir_op_result(op, i);
        merge_values(a, &result, &sources[i], 1, make_varying,
            a->facts->ops[target.index].is_workgroup_level);
    }
}

static void mark_masked(struct analyser *a, ir_op_id op) {
    if (!a->facts->ops[op.index].is_masked && !a->facts->ops[op.index].is_workgroup_level) {
        a->facts->ops[op.index].is_masked = true;
        a->has_changed = true;
    }
}

// Crosses the frames from the innermost to the target (index, -1 for the function) and marks what
// the terminator does to them. Where something on the way differs between lanes, the terminator is
// no branch: its lanes are taken out of the masks of all that it crosses.
static void cross(struct analyser *a, ptrdiff_t target) {
    bool has_diverged = false;
    bool is_branch = true;
    for (ptrdiff_t i = (ptrdiff_t)a->frames.count - 1; i >= target && i >= 0; i--) {
        const struct op_facts *facts = &a->facts->ops[a->frames.items[i].op.index];
        is_branch = is_branch && !facts->is_varying && (i == target || !facts->is_masked);
    }
    for (ptrdiff_t i = (ptrdiff_t)a->frames.count - 1; i > target; i--) {
        ir_op_id op = a->frames.items[i].op;
        struct op_facts *facts = &a->facts->ops[op.index];
        facts->has_leaks = true;
        facts->has_lane_leaks |= !is_branch;
        if (has_diverged || (!is_branch && ir_op_get(a->function, op)->opcode == IR_LOOP)) {
            mark_masked(a, op);
        }
        has_diverged = has_diverged || facts->is_varying || facts->is_masked;
    }
    if (target >= 0 && has_diverged) {
        mark_masked(a, a->frames.items[target].op);
    }
    if (target < 0 && has_diverged) {
        a->facts->has_partial_return = true;
    }
}

static ptrdiff_t find_frame(const struct analyser *a, enum ir_opcode opcode) {
    ptrdiff_t i = (ptrdiff_t)a->frames.count - 1;
    while (i >= 0 && ir_op_get(a->function, a->frames.items[i].op)->opcode != opcode) {
        i--;
    }
    return i;
}

static void walk_terminator(struct analyser *a, const struct ir_op *op) {
    ptrdiff_t target;
    switch (op->opcode) {
    case IR_EXIT_IF: {
        ir_op_id owner = a->frames.items[a->frames.count - 1].op;
        const struct ir_op *control = ir_op_get(a->function, owner);
        bool both = true;
        for (uint32_t i = 0; i < control->region_count; i++) {
            ir_op_id last = ir_region_get(a->function, control->regions[i])->last;
            both = both && ir_op_get(a->function, last)->opcode == IR_EXIT_IF;
        }
        merge_results(a, owner, op->operands, op->operand_count,
            both && a->facts->ops[owner.index].is_varying);
        break;
    }
    case IR_EXIT_SWITCH:
        target = find_frame(a, IR_SWITCH);
        cross(a, target);
        if (target >= 0) {
            ir_op_id id = a->frames.items[target].op;
            const struct op_facts *facts = &a->facts->ops[id.index];
            merge_results(
                a, id, op->operands, op->operand_count, facts->is_varying || facts->is_masked);
        }
        break;
    case IR_EXIT_LOOP:
        target = find_frame(a, IR_LOOP);
        cross(a, target);
        if (target >= 0) {
            ir_op_id id = a->frames.items[target].op;
            merge_results(
                a, id, op->operands, op->operand_count, a->facts->ops[id.index].is_masked);
        }
        break;
    case IR_CONTINUE:
        target = find_frame(a, IR_LOOP);
        cross(a, target);
        if (target >= 0) {
            ir_op_id id = a->frames.items[target].op;
            const struct op_facts *facts = &a->facts->ops[id.index];
            const struct ir_op *loop = ir_op_get(a->function, id);
            merge_values(a, ir_region_get(a->function, loop->regions[1])->parameters, op->operands,
                op->operand_count, facts->is_masked && a->facts->continue_count[id.index] > 1,
                facts->is_workgroup_level);
        }
        break;
    case IR_NEXT_ITERATION:
    case IR_BREAK_IF:
        target = find_frame(a, IR_LOOP);
        if (target >= 0) {
            ir_op_id id = a->frames.items[target].op;
            const struct ir_op *loop = ir_op_get(a->function, id);
            struct op_facts *facts = &a->facts->ops[id.index];
            bool breaks = op->opcode == IR_BREAK_IF;
            uint32_t first = breaks ? 1 : 0;
            uint32_t count = breaks ? op->data.break_if.body_argument_count : op->operand_count;
            if (breaks && shape_get(a, op->operands[0], 0).kind > SHAPE_ITERATION) {
                mark_masked(a, id);
            }
            merge_values(a, ir_region_get(a->function, loop->regions[0])->parameters,
                op->operands + first, count, false, facts->is_workgroup_level);
            if (breaks) {
                merge_results(a, id, op->operands + 1 + count, op->operand_count - 1 - count,
                    facts->is_masked);
            }
        }
        break;
    case IR_RETURN:
        cross(a, -1);
        break;
    default:
        break;
    }
}

static void walk_region(struct analyser *a, ir_region_id region);

static void walk_control(struct analyser *a, ir_op_id id, const struct ir_op *op) {
    struct op_facts *facts = &a->facts->ops[id.index];
    if (!vector_push(&a->frames, MEMORY_JIT, (struct walk_frame){id})) {
        a->has_failed = true;
        return;
    }
    if (op->opcode == IR_LOOP) {
        merge_values(a, ir_region_get(a->function, op->regions[0])->parameters, op->operands,
            op->operand_count, false, facts->is_workgroup_level);
    } else if (!facts->is_workgroup_level &&
        shape_get(a, op->operands[0], 0).kind > SHAPE_ITERATION && !facts->is_varying) {
        facts->is_varying = true;
        a->has_changed = true;
    }
    for (uint32_t i = 0; i < op->region_count; i++) {
        walk_region(a, op->regions[i]);
    }
    a->frames.count--;
}

static void walk_region(struct analyser *a, ir_region_id region) {
    ir_op_id id = ir_region_get(a->function, region)->first;
    while (id.index != 0 && !a->has_failed) {
        const struct ir_op *op = ir_op_get(a->function, id);
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        if ((flags & IR_FLAG_TERMINATOR) != 0) {
            walk_terminator(a, op);
        } else if (op->region_count > 0) {
            walk_control(a, id, op);
        } else if (op->result_count > 0) {
            shape_apply_rule(a, op);
        }
        id = op->next;
    }
}

static bool lay_out_shapes(struct analyser *a) {
    uint64_t total = 0;
    for (uint32_t i = 1; i < a->function->values.count; i++) {
        const struct ir_value_info *info = &a->function->values.items[i];
        uint32_t count = jit_component_count(a->module, info->type);
        a->facts->values[i].shapes = (uint32_t)total;
        a->facts->values[i].component_count = (uint8_t)count;
        total += count;
    }
    a->facts->shapes = ARENA_ARRAY(a->emit->arena, struct shape, total + 4);
    return a->facts->shapes != NULL && total < UINT32_MAX;
}

bool jit_shape_analyse(struct emit *emit, uint32_t function, struct function_facts *facts) {
    struct analyser a = {
        .emit = emit,
        .module = emit->module,
        .function = &emit->module->functions.items[function],
        .facts = facts,
    };
    if (!lay_out_shapes(&a)) {
        return jit_fail(emit, "out of memory");
    }
    for (uint32_t i = 0; i < a.function->parameter_count; i++) {
        shape_raise_all(&a, a.function->parameters[i], shape_varying);
    }
    uint32_t walks = 0;
    do {
        a.has_changed = false;
        a.is_widening = walks >= WIDEN_AFTER;
        walk_region(&a, a.function->body);
        walks++;
    } while (a.has_changed && !a.has_failed);
    vector_finish(&a.frames);
    return !a.has_failed || jit_fail(emit, "out of memory");
}
