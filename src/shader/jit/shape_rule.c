// SPDX-License-Identifier: MIT
//
// How the shape of an operation's results follows from its operands, family by family.
#include "shader/jit/shape_priv.h"

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
        struct shape shape = shape_get(a, op->operands[i], component);
        if (shape.kind == SHAPE_NONE) {
            return (struct shape){SHAPE_NONE, 0};
        }
        if (shape.kind == SHAPE_LINEAR && shape.stride != 0) {
            shape = shape_varying;
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
        strides[i] = is_condition ? 0 : likely_stride(shape_get(a, op->operands[i], component));
        if (strides[i] < 0) {
            return shape_varying;
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
    return likely == 0 || likely == 1 ? (struct shape){SHAPE_VARYING, likely + 1} : shape_varying;
}

static bool stride_fits(int64_t stride) {
    return stride >= -(1 << 24) && stride <= (1 << 24);
}

// Linear arithmetic: a sum, a difference, a product with a constant.
static struct shape linear(struct analyser *a, const struct ir_op *op, uint32_t component) {
    struct shape left = shape_get(a, op->operands[0], component);
    struct shape right = op->operand_count > 1 ? shape_get(a, op->operands[1], component)
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
        return shape_varying;
    }
    return (struct shape){SHAPE_LINEAR, (int32_t)stride};
}

static struct shape pointer_shape(struct analyser *a, ir_value pointer) {
    struct shape shape = {SHAPE_WORKGROUP, 0};
    for (;;) {
        const struct ir_value_info *info = ir_value_get(a->function, pointer);
        if (info->kind != IR_VALUE_RESULT) {
            return shape_varying; // a function parameter
        }
        const struct ir_op *op = ir_op_get(a->function, (ir_op_id){info->definition});
        if (op->opcode != IR_ACCESS) {
            return op->opcode == IR_VARIABLE ? shape : shape_varying;
        }
        for (uint32_t i = 1; i < op->operand_count; i++) {
            struct shape index = shape_get(a, op->operands[i], 0);
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
        return shape_varying;
    }
    struct shape shape = pointer_shape(a, op->operands[0]);
    if (shape.kind == SHAPE_LINEAR) {
        return shape_varying;
    }
    if (shape.kind == SHAPE_WORKGROUP && jit_space_is_writable_shared(a->module, type)) {
        shape.kind = SHAPE_ITERATION;
    }
    return shape;
}

// The worst of all components of all operands after the texture, which decide the result together.
static struct shape texture_shape(struct analyser *a, const struct ir_op *op) {
    struct shape worst = {SHAPE_WORKGROUP, 0};
    if (ir_value_get(a->function, op->operands[0])->kind == IR_VALUE_FUNCTION_PARAMETER ||
        (ir_op_get_info(op->opcode)->family == IR_FAMILY_TEXTURE_LOAD &&
            jit_is_writable_texture(a->module, ir_value_type(a->function, op->operands[0])))) {
        worst.kind = SHAPE_ITERATION;
    }
    for (uint32_t i = 1; i < op->operand_count; i++) {
        for (uint32_t c = 0; c < a->facts->values[op->operands[i].index].component_count; c++) {
            struct shape shape = shape_get(a, op->operands[i], c);
            if (shape.kind == SHAPE_NONE) {
                return shape;
            }
            worst.kind = shape.kind > worst.kind ? shape.kind : worst.kind;
        }
    }
    return worst.kind >= SHAPE_LINEAR ? shape_varying : worst;
}

static void raise_local_id(struct analyser *a, ir_value value) {
    const struct emit *e = a->emit;
    uint32_t x = e->size[0], y = e->size[1], z = e->size[2];
    uint32_t lanes = e->width * e->jam;
    static const struct shape uniform = {SHAPE_WORKGROUP, 0}, iteration = {SHAPE_ITERATION, 0};
    static const struct shape step = {SHAPE_LINEAR, 1}, part = {SHAPE_LINEAR, 0};
    bool is_row = y == 1 && z == 1;
    shape_raise(a, value, 0, is_row || x % e->width == 0 ? step : shape_varying);
    shape_raise(a, value, 1,
        y == 1                  ? uniform
            : x % lanes == 0    ? iteration
            : x % e->width == 0 ? part
                                : shape_varying);
    shape_raise(a, value, 2,
        z == 1                        ? uniform
            : (x * y) % lanes == 0    ? iteration
            : (x * y) % e->width == 0 ? part
                                      : shape_varying);
}

static void raise_input(struct analyser *a, const struct ir_op *op) {
    ir_value value = ir_op_result(op, 0);
    static const struct shape uniform = {SHAPE_WORKGROUP, 0}, step = {SHAPE_LINEAR, 1};
    if (op->data.index >= a->emit->entry->input_count || a->emit->stage.has_batches) {
        shape_raise_all(a, value, shape_varying);
        return;
    }
    switch (a->emit->entry->inputs[op->data.index].builtin) {
    case BUILTIN_VALUE_LOCAL_INVOCATION_ID:
    case BUILTIN_VALUE_GLOBAL_INVOCATION_ID:
        raise_local_id(a, value);
        break;
    case BUILTIN_VALUE_LOCAL_INVOCATION_INDEX:
        shape_raise(a, value, 0, step);
        break;
    case BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX:
        shape_raise(a, value, 0,
            (a->emit->size[1] == 1 && a->emit->size[2] == 1) ||
                    a->emit->size[0] % a->emit->width == 0
                ? step
                : shape_varying);
        break;
    case BUILTIN_VALUE_WORKGROUP_ID:
    case BUILTIN_VALUE_WORKGROUP_INDEX:
    case BUILTIN_VALUE_NUM_WORKGROUPS:
        shape_raise_all(a, value, uniform);
        break;
    default:
        shape_raise_all(a, value, shape_varying);
        break;
    }
}

// Composites move components about.
static void raise_composite(struct analyser *a, const struct ir_op *op) {
    ir_value value = ir_op_result(op, 0);
    uint32_t count = a->facts->values[value.index].component_count;
    for (uint32_t i = 0; i < count; i++) {
        struct shape shape = shape_varying;
        switch (op->opcode) {
        case IR_CONSTRUCT:
            shape = i < op->operand_count ? shape_get(a, op->operands[i], 0) : shape_varying;
            break;
        case IR_SPLAT:
            shape = shape_get(a, op->operands[0], 0);
            break;
        case IR_EXTRACT:
            shape = shape_get(a, op->operands[0], op->data.index);
            break;
        case IR_SWIZZLE:
            shape = shape_get(a, op->operands[0], op->data.swizzle[i]);
            break;
        case IR_INSERT:
            shape = i == op->data.index ? shape_get(a, op->operands[1], 0)
                                        : shape_get(a, op->operands[0], i);
            break;
        case IR_EXTRACT_DYNAMIC:
        case IR_INSERT_DYNAMIC: {
            struct shape worst = {SHAPE_WORKGROUP, 0};
            for (uint32_t o = 0; o < op->operand_count; o++) {
                uint32_t parts = a->facts->values[op->operands[o].index].component_count;
                for (uint32_t c = 0; c < (parts > 0 ? parts : 1); c++) {
                    struct shape s = shape_get(a, op->operands[o], c);
                    worst.kind = s.kind > worst.kind ? s.kind : worst.kind;
                    worst.kind = s.kind == SHAPE_NONE ? worst.kind : worst.kind;
                }
            }
            shape = worst.kind >= SHAPE_LINEAR ? shape_varying : worst;
            break;
        }
        case IR_ALL:
        case IR_ANY: {
            struct shape worst = {SHAPE_WORKGROUP, 0};
            for (uint32_t c = 0; c < a->facts->values[op->operands[0].index].component_count; c++) {
                struct shape s = shape_get(a, op->operands[0], c);
                worst.kind = s.kind > worst.kind ? s.kind : worst.kind;
            }
            shape = worst.kind >= SHAPE_LINEAR ? shape_varying : worst;
            break;
        }
        default:
            break;
        }
        shape_raise(a, value, i, shape);
    }
}

static void raise_select(struct analyser *a, const struct ir_op *op) {
    ir_value value = ir_op_result(op, 0);
    for (uint32_t i = 0; i < a->facts->values[value.index].component_count; i++) {
        struct shape condition = shape_get(a, op->operands[2], i);
        if (condition.kind == SHAPE_NONE) {
            continue;
        }
        struct shape either = shape_join(
            shape_get(a, op->operands[0], i), shape_get(a, op->operands[1], i));
        if (condition.kind > SHAPE_ITERATION) {
            either = shape_varying;
        } else if (either.kind <= SHAPE_ITERATION && either.kind != SHAPE_NONE) {
            either = shape_join(either, condition);
        }
        shape_raise(a, value, i, hinted(a, op, i, either));
    }
}

// The bits of vectors whose components do not correspond.
static struct shape regrouped(struct analyser *a, const struct ir_op *op) {
    struct shape worst = {SHAPE_WORKGROUP, 0};
    for (uint32_t i = 0; i < a->facts->values[op->operands[0].index].component_count; i++) {
        struct shape shape = shape_get(a, op->operands[0], i);
        if (shape.kind == SHAPE_NONE) {
            return shape;
        }
        worst.kind = shape.kind > worst.kind ? shape.kind : worst.kind;
    }
    return worst.kind >= SHAPE_LINEAR ? shape_varying : worst;
}

void shape_apply_rule(struct analyser *a, const struct ir_op *op) {
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
        shape_raise_all(a, value, load_shape(a, op));
        return;
    case IR_FAMILY_ARRAY_LENGTH: {
        ir_value root;
        jit_walk_pointer(a->function, op->operands[0], &root);
        bool is_parameter = ir_value_get(a->function, root)->kind != IR_VALUE_RESULT;
        shape_raise_all(a, value,
            is_parameter ? (struct shape){SHAPE_ITERATION, 0} : (struct shape){SHAPE_WORKGROUP, 0});
        return;
    }
    case IR_FAMILY_TEXTURE_QUERY:
    case IR_FAMILY_TEXTURE_LOAD:
    case IR_FAMILY_TEXTURE_SAMPLE:
        shape_raise_all(a, value, texture_shape(a, op));
        return;
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
    case IR_FAMILY_CALL:
    case IR_FAMILY_DERIVATIVE:
    case IR_FAMILY_SUBGROUP_REDUCE:
    case IR_FAMILY_SUBGROUP_VOTE:
    case IR_FAMILY_SUBGROUP_ELECT:
    case IR_FAMILY_SUBGROUP_SHUFFLE:
        for (uint32_t i = 0; i < op->result_count; i++) {
            shape_raise_all(a, ir_op_result(op, i), shape_varying);
        }
        return;
    default:
        break;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct shape shape;
        if (op->opcode == IR_BITCAST &&
            count != a->facts->values[op->operands[0].index].component_count) {
            shape = regrouped(a, op);
        } else if (op->opcode == IR_BITCAST) {
            shape = shape_get(a, op->operands[0], i);
            if (shape.kind == SHAPE_LINEAR &&
                (!is_integer(a, value) || !is_integer(a, op->operands[0]))) {
                shape = shape_varying;
            }
        } else {
            shape = linear(a, op, i);
        }
        shape_raise(a, value, i, hinted(a, op, i, shape));
    }
}
