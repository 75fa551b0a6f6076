// SPDX-License-Identifier: MIT
//
// Geometric functions of vectors by their defining expressions; sums go left to right. See
// polyfill_priv.h.
#include "shader/pass/polyfill_priv.h"

static uint32_t component_count(const struct ir_builder *b, ir_value x) {
    return b->module->has_failed ? 0 : type_component_count(&b->module->types, type_of(b, x));
}

static ir_value dot(
    struct ir_builder *b, ir_value x, ir_value y, enum ir_opcode multiply, enum ir_opcode plus) {
    uint32_t count = component_count(b, x);
    ir_value products = binary(b, multiply, x, y);
    ir_value sum = ir_builder_extract(b, products, 0);
    for (uint32_t i = 1; i < count; i++) {
        sum = binary(b, plus, sum, ir_builder_extract(b, products, i));
    }
    return sum;
}

static ir_value dot_float(struct ir_builder *b, ir_value x, ir_value y) {
    return dot(b, x, y, IR_MUL_F, IR_ADD_F);
}

static ir_value length_of(struct ir_builder *b, ir_value x) {
    return component_count(b, x) < 2 ? absolute(b, x) : square_root(b, dot_float(b, x, x));
}

static ir_value spread(struct ir_builder *b, ir_value like, ir_value scalar) {
    return b->module->has_failed ? scalar : ir_builder_splat(b, type_of(b, like), scalar);
}

static ir_value cross(struct ir_builder *b, const ir_value *x) {
    static const uint8_t yzx[3] = {1, 2, 0};
    static const uint8_t zxy[3] = {2, 0, 1};
    ir_value left = mul(
        b, ir_builder_swizzle(b, x[0], yzx, 3), ir_builder_swizzle(b, x[1], zxy, 3));
    ir_value right = mul(
        b, ir_builder_swizzle(b, x[0], zxy, 3), ir_builder_swizzle(b, x[1], yzx, 3));
    return sub(b, left, right);
}

// e1 - 2 * dot(e2, e1) * e2
static ir_value reflect(struct ir_builder *b, const ir_value *x) {
    ir_value twice = muln(b, dot_float(b, x[1], x[0]), 2);
    return sub(b, x[0], mul(b, spread(b, x[1], twice), x[1]));
}

// k = 1 - e3^2 * (1 - dot(e2, e1)^2); 0 when k < 0, else e3 * e1 - (e3 * dot(e2, e1) + sqrt(k)) *
// e2
static ir_value refract(struct ir_builder *b, const ir_value *x) {
    ir_value d = dot_float(b, x[1], x[0]);
    ir_value one = number_like(b, d, 1);
    ir_value k = sub(b, one, mul(b, mul(b, x[2], x[2]), sub(b, one, mul(b, d, d))));
    ir_value factor = add(b, mul(b, x[2], d), square_root(b, k));
    ir_value bent = sub(
        b, mul(b, spread(b, x[0], x[2]), x[0]), mul(b, spread(b, x[1], factor), x[1]));
    return choosen(b, binaryn(b, IR_LT_F, k, 0), 0, bent);
}

ir_value polyfill_vector(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    switch (opcode) {
    case IR_DOT_F:
        return dot_float(b, x[0], x[1]);
    case IR_DOT_I:
        return dot(b, x[0], x[1], IR_MUL_I, IR_ADD_I);
    case IR_CROSS:
        return cross(b, x);
    case IR_LENGTH:
        return length_of(b, x[0]);
    case IR_DISTANCE:
        return length_of(b, sub(b, x[0], x[1]));
    case IR_NORMALIZE: {
        // One division for all components: at most two roundings, within a division's 2.5 ULP.
        ir_value length = length_of(b, x[0]);
        return mul(b, x[0], spread(b, x[0], divide(b, number_like(b, length, 1), length)));
    }
    case IR_FACE_FORWARD: {
        ir_value is_facing = binaryn(b, IR_LT_F, dot_float(b, x[1], x[2]), 0);
        return choose(b, is_facing, x[0], negate(b, x[0]));
    }
    case IR_REFLECT:
        return reflect(b, x);
    case IR_REFRACT:
        return refract(b, x);
    default:
        return (ir_value){0};
    }
}
