// SPDX-License-Identifier: MIT
//
// The shape analysis: how each component of each value varies from lane to lane, which control
// operations diverge, and what each operation contains. Optimistic: shapes only rise, the function is
// walked until nothing changes; after a fixed number of walks whatever still changes is made varying,
// so that the work stays near-linear. The plan and the emission rely on it.
#include "shader/jit/jit_priv.h"

#define WIDEN_AFTER 12u

struct walk_frame {
    ir_op_id op;
};

struct analyser {
    struct emit *emit;
    const struct ir_module *module;
    const struct ir_function *function;
    struct function_facts *facts;
    VECTOR(struct walk_frame) frames; // heap
    bool has_changed;
    bool is_widening;
    bool has_failed;
};

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

static const struct shape varying = {SHAPE_VARYING, 0};

static struct shape join(struct shape a, struct shape b) {
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
        return a.kind == b.kind && a.stride == b.stride ? a : varying;
    }
    // At least one is linear; a uniform value is linear with stride 0.
    int32_t stride_a = a.kind == SHAPE_LINEAR ? a.stride : 0;
    int32_t stride_b = b.kind == SHAPE_LINEAR ? b.stride : 0;
    return stride_a == stride_b ? (struct shape){SHAPE_LINEAR, stride_a} : varying;
}

static void raise(struct analyser *a, ir_value value, uint32_t component, struct shape shape) {
    struct shape *old = jit_shape_of(a->facts, value, component);
    struct shape joined = join(*old, shape);
    if (joined.kind == old->kind && joined.stride == old->stride) {
        return;
    }
    *old = a->is_widening ? varying : joined;
    a->has_changed = true;
}

static void raise_all(struct analyser *a, ir_value value, struct shape shape) {
    for (uint32_t i = 0; i < a->facts->values[value.index].component_count; i++) {
        raise(a, value, i, shape);
    }
}

static struct shape get(struct analyser *a, ir_value value, uint32_t component) {
    uint32_t count = a->facts->values[value.index].component_count;
    if (ir_value_get(a->function, value)->kind == IR_VALUE_CONSTANT) {
        return (struct shape){SHAPE_WORKGROUP, 0};
    }
    if (count == 0) {
        return varying;
    }
    return *jit_shape_of(a->facts, value, component < count ? component : count - 1);
}

static bool is_integer(struct analyser *a, ir_value value) {
    type_id element = type_element_of(&a->module->types, ir_value_type(a->function, value));
    enum type_kind kind = type_kind_of(&a->module->types, element);
    return kind == TYPE_I32 || kind == TYPE_U32;
}

// Any operation without a rule of its own, one component.
static struct shape general(struct analyser *a, const struct ir_op *op, uint32_t component) {
    uint8_t kind = SHAPE_WORKGROUP;
    bool all_integer = is_integer(a, ir_op_result(op, 0));
    for (uint32_t i = 0; i < op->operand_count; i++) {
        struct shape shape = get(a, op->operands[i], component);
        if (shape.kind == SHAPE_NONE) {
            return (struct shape){SHAPE_NONE, 0};
        }
        if (shape.kind == SHAPE_LINEAR && shape.stride != 0) {
            shape = varying;
        }
        all_integer = all_integer && is_integer(a, op->operands[i]);
        kind = shape.kind > kind ? shape.kind : kind;
    }
    if (kind == SHAPE_LINEAR && !all_integer) {
        kind = SHAPE_VARYING;
    }
    return (struct shape){kind, 0};
}

// The stride that a value most often has: 0 or 1; -1: none known.
static int likely_stride(struct shape shape) {
    switch (shape.kind) {
    case SHAPE_LINEAR:
        return shape.stride == 0 || shape.stride == 1 ? shape.stride : -1;
    case SHAPE_VARYING:
        return shape.stride - 1;
    default:
        return 0;
    }
}

// What is varying by its rule may still be linear in most vectors: clamped, wrapped, or split into
// rows and columns.
static struct shape hinted(
    struct analyser *a, const struct ir_op *op, uint32_t component, struct shape shape) {
    uint32_t number = 0;
    int strides[3] = {0, 0, 0}, likely = -1;
    if (shape.kind != SHAPE_VARYING || op->operand_count > 3 ||
        !is_integer(a, ir_op_result(op, 0))) {
        return shape;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        bool is_condition = op->opcode == IR_SELECT && i == 2;
        strides[i] = is_condition ? 0 : likely_stride(get(a, op->operands[i], component));
        if (strides[i] < 0) {
            return varying;
        }
    }
    int greatest = strides[0] > strides[1] ? strides[0] : strides[1];
    bool is_wide = op->operand_count > 1 &&
        jit_constant_u32(a->emit, a->function, op->operands[1], &number);
    switch (op->opcode) {
    case IR_ADD_I:
        likely = strides[0] + strides[1];
        break;
    case IR_SUB_I:
        likely = strides[0] - strides[1];
        break;
    case IR_MUL_I:
    case IR_SHL:
        likely = greatest == 0 ? 0 : -1;
        break;
    case IR_MIN_S:
    case IR_MIN_U:
    case IR_MAX_S:
    case IR_MAX_U:
    case IR_SELECT:
        likely = greatest;
        break;
    case IR_CLAMP_S:
    case IR_CLAMP_U:
        likely = strides[2] > greatest ? strides[2] : greatest;
        break;
    case IR_REM_U:
    case IR_REM_S:
        likely = is_wide && number >= a->emit->width ? strides[0] : -1;
        break;
    case IR_AND:
        likely = is_wide && number >= a->emit->width && (number & (number + 1)) == 0 ? strides[0]
                                                                                     : -1;
        break;
    case IR_DIV_U:
    case IR_DIV_S:
        likely = is_wide && number >= a->emit->width ? 0 : -1;
        break;
    case IR_SHR_U:
    case IR_SHR_S:
        likely = is_wide && number < 32 && (1u << number) >= a->emit->width ? 0 : -1;
        break;
    case IR_BITCAST:
        likely = is_integer(a, op->operands[0]) ? strides[0] : -1;
        break;
    default:
        break;
    }
    return likely == 0 || likely == 1 ? (struct shape){SHAPE_VARYING, likely + 1} : varying;
}

static bool stride_fits(int64_t stride) {
    return stride >= -(1 << 24) && stride <= (1 << 24);
}

// Linear arithmetic: a sum, a difference, a product with a constant.
static struct shape linear(struct analyser *a, const struct ir_op *op, uint32_t component) {
    struct shape left = get(a, op->operands[0], component);
    struct shape right = op->operand_count > 1 ? get(a, op->operands[1], component)
                                               : (struct shape){SHAPE_WORKGROUP, 0};
    bool is_linear = left.kind == SHAPE_LINEAR || right.kind == SHAPE_LINEAR;
    if (!is_linear || left.kind == SHAPE_VARYING || right.kind == SHAPE_VARYING ||
        left.kind == SHAPE_NONE || right.kind == SHAPE_NONE) {
        return general(a, op, component);
    }
    int64_t left_stride = left.kind == SHAPE_LINEAR ? left.stride : 0;
    int64_t right_stride = right.kind == SHAPE_LINEAR ? right.stride : 0;
    int64_t stride = 0;
    uint32_t number = 0;
    switch (op->opcode) {
    case IR_ADD_I:
        stride = left_stride + right_stride;
        break;
    case IR_SUB_I:
        stride = left_stride - right_stride;
        break;
    case IR_NEG_I:
        stride = -left_stride;
        break;
    case IR_MUL_I:
        if (jit_constant_u32(a->emit, a->function, op->operands[1], &number)) {
            stride = left_stride * (int64_t)(int32_t)number;
        } else if (jit_constant_u32(a->emit, a->function, op->operands[0], &number)) {
            stride = right_stride * (int64_t)(int32_t)number;
        } else {
            return general(a, op, component);
        }
        break;
    case IR_SHL:
        if (!jit_constant_u32(a->emit, a->function, op->operands[1], &number) ||
            (number & 31u) > 20) {
            return general(a, op, component);
        }
        stride = left_stride * ((int64_t)1 << (number & 31u));
        break;
    default:
        return general(a, op, component);
    }
    if (!stride_fits(stride)) {
        return varying;
    }
    return (struct shape){SHAPE_LINEAR, (int32_t)stride};
}

static struct shape pointer_shape(struct analyser *a, ir_value pointer) {
    struct shape shape = {SHAPE_WORKGROUP, 0};
    for (;;) {
        const struct ir_value_info *info = ir_value_get(a->function, pointer);
        if (info->kind != IR_VALUE_RESULT) {
            return varying; // a function parameter
        }
        const struct ir_op *op = ir_op_get(a->function, (ir_op_id){info->definition});
        if (op->opcode != IR_ACCESS) {
            return op->opcode == IR_VARIABLE ? shape : varying;
        }
        for (uint32_t i = 1; i < op->operand_count; i++) {
            struct shape index = get(a, op->operands[i], 0);
            if (index.kind == SHAPE_NONE) {
                return index;
            }
            shape.kind = index.kind > shape.kind ? index.kind : shape.kind;
        }
        pointer = op->operands[0];
    }
}

static struct shape load_shape(struct analyser *a, const struct ir_op *op) {
    type_id type = ir_value_type(a->function, op->operands[0]);
    enum address_space space = type_get(&a->module->types, type)->space;
    if (op->opcode == IR_WORKGROUP_UNIFORM_LOAD) {
        return (struct shape){SHAPE_WORKGROUP, 0};
    }
    bool is_table = space == SPACE_PRIVATE &&
        type_get(&a->module->types, type)->access == ACCESS_READ;
    if (space == SPACE_FUNCTION || (space == SPACE_PRIVATE && !is_table)) {
        return varying;
    }
    struct shape shape = pointer_shape(a, op->operands[0]);
    if (shape.kind == SHAPE_LINEAR) {
        return varying;
    }
    if (shape.kind == SHAPE_WORKGROUP && jit_space_is_writable_shared(a->module, type)) {
        shape.kind = SHAPE_ITERATION;
    }
    return shape;
}

static void raise_local_id(struct analyser *a, ir_value value) {
    const struct emit *e = a->emit;
    uint32_t x = e->size[0], y = e->size[1], z = e->size[2];
    uint32_t lanes = e->width * e->jam;
    static const struct shape uniform = {SHAPE_WORKGROUP, 0}, iteration = {SHAPE_ITERATION, 0};
    static const struct shape step = {SHAPE_LINEAR, 1}, part = {SHAPE_LINEAR, 0};
    bool is_row = y == 1 && z == 1;
    raise(a, value, 0, is_row || x % e->width == 0 ? step : varying);
    raise(a, value, 1,
        y == 1                  ? uniform
            : x % lanes == 0    ? iteration
            : x % e->width == 0 ? part
                                : varying);
    raise(a, value, 2,
        z == 1                        ? uniform
            : (x * y) % lanes == 0    ? iteration
            : (x * y) % e->width == 0 ? part
                                      : varying);
}

static void raise_input(struct analyser *a, const struct ir_op *op) {
    ir_value value = ir_op_result(op, 0);
    static const struct shape uniform = {SHAPE_WORKGROUP, 0}, step = {SHAPE_LINEAR, 1};
    if (op->data.index >= a->emit->entry->input_count) {
        raise_all(a, value, varying);
        return;
    }
    switch (a->emit->entry->inputs[op->data.index].builtin) {
    case BUILTIN_VALUE_LOCAL_INVOCATION_ID:
    case BUILTIN_VALUE_GLOBAL_INVOCATION_ID:
        raise_local_id(a, value);
        break;
    case BUILTIN_VALUE_LOCAL_INVOCATION_INDEX:
        raise(a, value, 0, step);
        break;
    case BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX:
        raise(a, value, 0,
            (a->emit->size[1] == 1 && a->emit->size[2] == 1) ||
                    a->emit->size[0] % a->emit->width == 0
                ? step
                : varying);
        break;
    case BUILTIN_VALUE_WORKGROUP_ID:
    case BUILTIN_VALUE_WORKGROUP_INDEX:
    case BUILTIN_VALUE_NUM_WORKGROUPS:
        raise_all(a, value, uniform);
        break;
    default:
        raise_all(a, value, varying);
        break;
    }
}

// Composites move components about.
static void raise_composite(struct analyser *a, const struct ir_op *op) {
    ir_value value = ir_op_result(op, 0);
    uint32_t count = a->facts->values[value.index].component_count;
    for (uint32_t i = 0; i < count; i++) {
        struct shape shape = varying;
        switch (op->opcode) {
        case IR_CONSTRUCT:
            shape = i < op->operand_count ? get(a, op->operands[i], 0) : varying;
            break;
        case IR_SPLAT:
            shape = get(a, op->operands[0], 0);
            break;
        case IR_EXTRACT:
            shape = get(a, op->operands[0], op->data.index);
            break;
        case IR_SWIZZLE:
            shape = get(a, op->operands[0], op->data.swizzle[i]);
            break;
        case IR_INSERT:
            shape = i == op->data.index ? get(a, op->operands[1], 0) : get(a, op->operands[0], i);
            break;
        case IR_EXTRACT_DYNAMIC:
        case IR_INSERT_DYNAMIC: {
            struct shape worst = {SHAPE_WORKGROUP, 0};
            for (uint32_t o = 0; o < op->operand_count; o++) {
                uint32_t parts = a->facts->values[op->operands[o].index].component_count;
                for (uint32_t c = 0; c < (parts > 0 ? parts : 1); c++) {
                    struct shape s = get(a, op->operands[o], c);
                    worst.kind = s.kind > worst.kind ? s.kind : worst.kind;
                    worst.kind = s.kind == SHAPE_NONE ? worst.kind : worst.kind;
                }
            }
            shape = worst.kind >= SHAPE_LINEAR ? varying : worst;
            break;
        }
        case IR_ALL:
        case IR_ANY: {
            struct shape worst = {SHAPE_WORKGROUP, 0};
            for (uint32_t c = 0; c < a->facts->values[op->operands[0].index].component_count; c++) {
                struct shape s = get(a, op->operands[0], c);
                worst.kind = s.kind > worst.kind ? s.kind : worst.kind;
            }
            shape = worst.kind >= SHAPE_LINEAR ? varying : worst;
            break;
        }
        default:
            break;
        }
        raise(a, value, i, shape);
    }
}

static void raise_select(struct analyser *a, const struct ir_op *op) {
    ir_value value = ir_op_result(op, 0);
    for (uint32_t i = 0; i < a->facts->values[value.index].component_count; i++) {
        struct shape condition = get(a, op->operands[2], i);
        if (condition.kind == SHAPE_NONE) {
            continue;
        }
        struct shape either = join(get(a, op->operands[0], i), get(a, op->operands[1], i));
        if (condition.kind > SHAPE_ITERATION) {
            either = varying;
        } else if (either.kind <= SHAPE_ITERATION && either.kind != SHAPE_NONE) {
            either = join(either, condition);
        }
        raise(a, value, i, hinted(a, op, i, either));
    }
}

static void raise_results(struct analyser *a, const struct ir_op *op) {
    const struct ir_op_info *info = ir_op_get_info(op->opcode);
    ir_value value = ir_op_result(op, 0);
    uint32_t count = a->facts->values[value.index].component_count;
    switch (info->family) {
    case IR_FAMILY_CONSTRUCT:
    case IR_FAMILY_SPLAT:
    case IR_FAMILY_EXTRACT:
    case IR_FAMILY_EXTRACT_DYNAMIC:
    case IR_FAMILY_INSERT:
    case IR_FAMILY_INSERT_DYNAMIC:
    case IR_FAMILY_SWIZZLE:
    case IR_FAMILY_REDUCE_BOOL:
        raise_composite(a, op);
        return;
    case IR_FAMILY_SELECT:
        raise_select(a, op);
        return;
    case IR_FAMILY_LOAD_INPUT:
        raise_input(a, op);
        return;
    case IR_FAMILY_LOAD:
        raise_all(a, value, load_shape(a, op));
        return;
    case IR_FAMILY_ARRAY_LENGTH: {
        ir_value root;
        jit_walk_pointer(a->function, op->operands[0], &root);
        bool is_parameter = ir_value_get(a->function, root)->kind != IR_VALUE_RESULT;
        raise_all(a, value,
            is_parameter ? (struct shape){SHAPE_ITERATION, 0} : (struct shape){SHAPE_WORKGROUP, 0});
        return;
    }
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
    case IR_FAMILY_CALL:
        for (uint32_t i = 0; i < op->result_count; i++) {
            raise_all(a, ir_op_result(op, i), varying);
        }
        return;
    default:
        break;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct shape shape;
        if (op->opcode == IR_BITCAST) {
            shape = get(a, op->operands[0], i);
            if (shape.kind == SHAPE_LINEAR &&
                (!is_integer(a, value) || !is_integer(a, op->operands[0]))) {
                shape = varying;
            }
        } else {
            shape = linear(a, op, i);
        }
        raise(a, value, i, hinted(a, op, i, shape));
    }
}

static void merge_values(struct analyser *a, const ir_value *targets, const ir_value *sources,
    uint32_t count, bool make_varying, bool is_workgroup_level) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < a->facts->values[targets[i].index].component_count; c++) {
            struct shape shape = make_varying ? varying : get(a, sources[i], c);
            if (is_workgroup_level && shape.kind > SHAPE_WORKGROUP) {
                shape = varying;
            }
            raise(a, targets[i], c, shape);
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
            if (breaks && get(a, op->operands[0], 0).kind > SHAPE_ITERATION) {
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
    } else if (!facts->is_workgroup_level && get(a, op->operands[0], 0).kind > SHAPE_ITERATION &&
        !facts->is_varying) {
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
            raise_results(a, op);
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
        raise_all(&a, a.function->parameters[i], varying);
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
