// SPDX-License-Identifier: MIT
//
// The built-in values of compute invocations. Lanes of a workgroup are numbered by
// local_invocation_index; a part holds consecutive ones.
#include "shader/jit/jit_priv.h"

static LLVMValueRef part_base(struct emit *e, uint32_t part) {
    return LLVMBuildAdd(e->builder, e->first_lane, jit_i32(e, part * e->width), "");
}

static LLVMValueRef divide(struct emit *e, LLVMValueRef a, uint32_t b) {
    if (b == 1) {
        return a;
    }
    return LLVMBuildUDiv(e->builder, a, LLVMConstInt(LLVMTypeOf(a), b, false), "");
}

static LLVMValueRef divide_lanes(struct emit *e, LLVMValueRef a, uint32_t b) {
    return b == 1 ? a : LLVMBuildUDiv(e->builder, a, jit_splat(e, jit_i32(e, b)), "");
}

static LLVMValueRef modulo(struct emit *e, LLVMValueRef a, uint32_t b) {
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMVectorTypeKind;
    LLVMValueRef divisor = jit_i32(e, b);
    return LLVMBuildURem(e->builder, a, is_vector ? jit_splat(e, divisor) : divisor, "");
}

// Component 0, 1 or 2 of local_invocation_id, as the shape analysis describes it.
static void local_id(struct emit *e, uint32_t axis, struct component *out) {
    uint32_t x = e->size[0], y = e->size[1], z = e->size[2];
    uint32_t below = axis == 0 ? 1 : axis == 1 ? x : x * y;
    uint32_t run = axis == 0 ? x : below; // invocations that share a row of this axis
    bool is_last = axis == 2 || (axis == 1 && z == 1) || (axis == 0 && y == 1 && z == 1);
    uint32_t lanes = e->width * e->jam;
    if (e->size[axis] == 1 && axis > 0) {
        *out = jit_uniform(jit_i32(e, 0));
        return;
    }
    if (axis == 0 && (is_last || x % e->width == 0)) {
        out->kind = SHAPE_LINEAR;
        out->stride = 1;
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef base = part_base(e, part);
            out->parts[part] = is_last ? base : modulo(e, base, x);
        }
        return;
    }
    if (axis > 0 && run % e->width == 0) {
        bool is_uniform = run % lanes == 0;
        out->kind = is_uniform ? SHAPE_ITERATION : SHAPE_LINEAR;
        out->stride = 0;
        for (uint32_t part = 0; part < (is_uniform ? 1 : e->jam); part++) {
            LLVMValueRef row = divide(e, part_base(e, part), below);
            out->parts[part] = is_last ? row : modulo(e, row, e->size[axis]);
        }
        return;
    }
    out->kind = SHAPE_VARYING;
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef lane = jit_splat(e, part_base(e, part));
        lane = LLVMBuildAdd(e->builder, lane, jit_lane_numbers(e, 1), "");
        LLVMValueRef row = divide_lanes(e, lane, below);
        out->parts[part] = is_last ? row : modulo(e, row, e->size[axis]);
    }
}

// base + component, component in its own form.
static struct component add(struct emit *e, const struct component *component, LLVMValueRef base) {
    struct component sum = *component;
    bool is_vector = component->kind == SHAPE_VARYING;
    LLVMValueRef added = is_vector ? jit_splat(e, base) : base;
    for (uint32_t part = 0; part < (jit_is_uniform(component) ? 1 : e->jam); part++) {
        sum.parts[part] = LLVMBuildAdd(e->builder, component->parts[part], added, "");
    }
    return sum;
}

static struct component scale(
    struct emit *e, const struct component *component, LLVMValueRef factor) {
    struct component product = *component;
    bool is_vector = component->kind == SHAPE_VARYING;
    if (component->kind == SHAPE_LINEAR && component->stride != 0) {
        jit_fail(e, "a linear value was scaled by an unknown");
    }
    LLVMValueRef by = is_vector ? jit_splat(e, factor) : factor;
    for (uint32_t part = 0; part < (jit_is_uniform(component) ? 1 : e->jam); part++) {
        product.parts[part] = LLVMBuildMul(e->builder, component->parts[part], by, "");
    }
    return product;
}

static void global_id(struct emit *e, uint32_t axis, struct component *out) {
    local_id(e, axis, out);
    LLVMValueRef origin = LLVMBuildMul(
        e->builder, e->workgroup_id[axis], jit_i32(e, e->size[axis]), "");
    *out = add(e, out, origin);
}

static struct component sum_of(
    struct emit *e, const struct component *a, const struct component *b) {
    if (jit_is_uniform(b)) {
        return add(e, a, b->parts[0]);
    }
    struct component sum = {.kind = SHAPE_VARYING};
    if (a->kind == SHAPE_LINEAR && b->kind == SHAPE_LINEAR) {
        sum.kind = SHAPE_LINEAR;
        sum.stride = a->stride + b->stride;
        for (uint32_t part = 0; part < e->jam; part++) {
            sum.parts[part] = LLVMBuildAdd(e->builder, a->parts[part], b->parts[part], "");
        }
        return sum;
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        sum.parts[part] = LLVMBuildAdd(e->builder, jit_part(e, a, part), jit_part(e, b, part), "");
    }
    return sum;
}

static void global_index(struct emit *e, struct component *out) {
    struct component x = {0}, y = {0}, z = {0};
    global_id(e, 0, &x);
    global_id(e, 1, &y);
    global_id(e, 2, &z);
    LLVMValueRef row = LLVMBuildMul(e->builder, e->num_workgroups[0], jit_i32(e, e->size[0]), "");
    LLVMValueRef rows = LLVMBuildMul(e->builder, e->num_workgroups[1], jit_i32(e, e->size[1]), "");
    y = scale(e, &y, row);
    z = scale(e, &z, LLVMBuildMul(e->builder, row, rows, ""));
    x = sum_of(e, &x, &y);
    *out = sum_of(e, &x, &z);
}

struct component *jit_input(struct emit *e, uint32_t input) {
    if (e->stage.has_batches) {
        return jit_batch_input(e, input);
    }
    struct component *components = jit_components_new(e, 3);
    if (input >= e->entry->input_count || !e->entry->inputs[input].is_builtin) {
        jit_fail(e, "an input is not a built-in value");
        return components;
    }
    enum builtin_value builtin = e->entry->inputs[input].builtin;
    if (jit_subgroup_input(e, builtin, components)) {
        return components;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        switch (builtin) {
        case BUILTIN_VALUE_LOCAL_INVOCATION_ID:
            local_id(e, axis, &components[axis]);
            break;
        case BUILTIN_VALUE_GLOBAL_INVOCATION_ID:
            global_id(e, axis, &components[axis]);
            break;
        case BUILTIN_VALUE_WORKGROUP_ID:
            components[axis] = jit_uniform(e->workgroup_id[axis]);
            break;
        case BUILTIN_VALUE_NUM_WORKGROUPS:
            components[axis] = jit_uniform(e->num_workgroups[axis]);
            break;
        case BUILTIN_VALUE_WORKGROUP_INDEX:
            components[0] = jit_uniform(e->workgroup_index);
            break;
        case BUILTIN_VALUE_LOCAL_INVOCATION_INDEX:
            components[0].kind = SHAPE_LINEAR;
            components[0].stride = 1;
            for (uint32_t part = 0; part < e->jam; part++) {
                components[0].parts[part] = part_base(e, part);
            }
            break;
        case BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX:
            if (axis == 0) {
                global_index(e, &components[0]);
            }
            break;
        default:
            jit_fail(e, "not implemented yet: the built-in value %s in the code generator",
                builtin_value_word(builtin));
            return components;
        }
    }
    return components;
}
