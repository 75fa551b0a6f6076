// SPDX-License-Identifier: MIT
//
// sin, cos, tan and their inverses for f32, without branches and without FMA. The argument is
// reduced by pi/2 in five parts whose products with integers up to 2^20 are exact, so |x| up to 1.6
// million keeps an absolute error below 2^-22; beyond 2^21 the result is some number in [-1, 1].
// Errors: see the table in tests/unit/shader/pass/test_polyfill_math.c; WGSL asks for 2^-11 in
// [-pi, pi] (sin, cos), 4096 ULP (atan, atan2), 6.8e-5 (asin, acos).
#include "shader/pass/polyfill_priv.h"

#define ROUND_MAGIC 12582912.0
#define HALF_PI 1.5707963267948966

struct reduced {
    ir_value r;        // the angle in about [-pi/4, pi/4]
    ir_value quadrant; // u32, its two low bits count
};

static struct reduced reduce(struct ir_builder *b, ir_value x) {
    // pi/2 = 1.5 + 0.0703125 + 2^-11 - 9 * 2^-21 - 1.629e-7
    static const double parts[] = {
        1.5, 0.0703125, 0.00048828125, -4.291534423828125e-06, -1.6292068494294654e-07};
    ir_value shifted = addn(b, muln(b, x, 0.6366197466850281), ROUND_MAGIC);
    ir_value n = addn(b, shifted, -ROUND_MAGIC);
    ir_value r = x;
    for (uint32_t i = 0; i < 5; i++) {
        r = sub(b, r, muln(b, n, parts[i]));
    }
    // Far outside the range r is meaningless, but bounded; NaN stays NaN.
    r = binaryn(b, IR_MIN_F, binaryn(b, IR_MAX_F, r, -1), 1);
    return (struct reduced){r, as_kind(b, shifted, TYPE_U32)};
}

static ir_value sin_polynomial(struct ir_builder *b, ir_value r, ir_value square) {
    static const double p[] = {-0.166666641831398, 0.00833270326256752, -0.0001957844360731542};
    return add(b, mul(b, mul(b, POLYNOMIAL(b, square, p), square), r), r);
}

static ir_value cos_polynomial(struct ir_builder *b, ir_value square) {
    static const double p[] = {0.0416666641831398, -0.0013888258254155517, 2.4538474463042803e-05};
    // 1 - square / 2 first: both sums can be fused.
    ir_value low = addn(b, muln(b, square, -0.5), 1);
    return add(b, mul(b, mul(b, square, square), POLYNOMIAL(b, square, p)), low);
}

// sin(x + offset * pi/2)
static ir_value sine(struct ir_builder *b, ir_value x, uint32_t offset) {
    struct reduced reduced = reduce(b, x);
    ir_value square = mul(b, reduced.r, reduced.r);
    ir_value quadrant = offset == 0 ? reduced.quadrant
                                    : binaryn(b, IR_ADD_I, reduced.quadrant, offset);
    ir_value is_cosine = binaryn(b, IR_NE_I, bits_and(b, quadrant, 1), 0);
    ir_value value = choose(
        b, is_cosine, cos_polynomial(b, square), sin_polynomial(b, reduced.r, square));
    ir_value sign = shift(b, IR_SHL, bits_and(b, quadrant, 2), 30);
    return as_kind(b, binary(b, IR_XOR, as_kind(b, value, TYPE_U32), sign), TYPE_F32);
}

static ir_value tangent(struct ir_builder *b, ir_value x) {
    struct reduced reduced = reduce(b, x);
    ir_value square = mul(b, reduced.r, reduced.r);
    ir_value s = sin_polynomial(b, reduced.r, square);
    ir_value c = cos_polynomial(b, square);
    ir_value is_swapped = binaryn(b, IR_NE_I, bits_and(b, reduced.quadrant, 1), 0);
    ir_value top = choose(b, is_swapped, negate(b, c), s);
    return divide(b, top, choose(b, is_swapped, s, c));
}

// atan(z) for z in [0, 1]
static ir_value atan_polynomial(struct ir_builder *b, ir_value z) {
    static const double p[] = {-0.3333333134651184, 0.19999739527702332, -0.1427856832742691,
        0.11033764481544495, -0.08656880259513855, 0.0625016912817955, -0.035871539264917374,
        0.01350777130573988, -0.0023869972210377455};
    ir_value square = mul(b, z, z);
    return add(b, mul(b, mul(b, POLYNOMIAL(b, square, p), square), z), z);
}

// value with the sign bit of `sign`, for value >= 0
static ir_value copy_sign(struct ir_builder *b, ir_value value, ir_value sign) {
    ir_value bit = bits_and(b, as_kind(b, sign, TYPE_U32), 0x80000000u);
    return as_kind(b, bits_or(b, as_kind(b, value, TYPE_U32), bit), TYPE_F32);
}

static ir_value arc_tangent(struct ir_builder *b, ir_value x) {
    ir_value magnitude = absolute(b, x);
    ir_value is_large = binaryn(b, IR_GT_F, magnitude, 1);
    ir_value top = choosen(b, is_large, 1, magnitude);
    ir_value z = divide(b, top, choose(b, is_large, magnitude, number_like(b, x, 1)));
    ir_value angle = atan_polynomial(b, z);
    angle = choose(b, is_large, sub(b, number_like(b, x, HALF_PI), angle), angle);
    return copy_sign(b, angle, x);
}

static ir_value arc_tangent_2(struct ir_builder *b, ir_value y, ir_value x) {
    ir_value y_size = absolute(b, y);
    ir_value x_size = absolute(b, x);
    ir_value is_steep = binary(b, IR_GT_F, y_size, x_size);
    ir_value small = choose(b, is_steep, x_size, y_size);
    ir_value large = choose(b, is_steep, y_size, x_size);
    // 0 / 0 is 0 here, inf / inf is 1.
    ir_value is_same = binary(b, IR_EQ_F, small, large);
    ir_value is_zero = binaryn(b, IR_EQ_F, large, 0);
    ir_value z = divide(b, small, large);
    z = choosen(b, is_same, 1, z);
    z = choosen(b, is_zero, 0, z);
    ir_value angle = atan_polynomial(b, z);
    angle = choose(b, is_steep, sub(b, number_like(b, x, HALF_PI), angle), angle);
    ir_value is_left = binaryn(b, IR_LT_S, as_kind(b, x, TYPE_I32), 0);
    angle = choose(b, is_left, sub(b, number_like(b, x, 2 * HALF_PI), angle), angle);
    return copy_sign(b, angle, y);
}

// asin(x) for x in [0, 0.5]
static ir_value asin_polynomial(struct ir_builder *b, ir_value x, ir_value square) {
    static const double p[] = {0.16666673123836517, 0.07498855143785477, 0.045001380145549774,
        0.026554541662335396, 0.03808502480387688};
    return add(b, mul(b, mul(b, POLYNOMIAL(b, square, p), square), x), x);
}

// asin of |x|, or of sqrt((1 - |x|) / 2) when |x| > 0.5, from which acos and asin follow.
static ir_value arc_sine_core(struct ir_builder *b, ir_value magnitude, ir_value is_large) {
    ir_value far = muln(b, sub(b, number_like(b, magnitude, 1), magnitude), 0.5);
    ir_value square = choose(b, is_large, far, mul(b, magnitude, magnitude));
    ir_value root = choose(b, is_large, square_root(b, far), magnitude);
    return asin_polynomial(b, root, square);
}

static ir_value arc_sine(struct ir_builder *b, ir_value x) {
    ir_value magnitude = absolute(b, x);
    ir_value is_large = binaryn(b, IR_GT_F, magnitude, 0.5);
    ir_value core = arc_sine_core(b, magnitude, is_large);
    ir_value other = sub(b, number_like(b, x, HALF_PI), muln(b, core, 2));
    return copy_sign(b, choose(b, is_large, other, core), x);
}

static ir_value arc_cosine(struct ir_builder *b, ir_value x) {
    ir_value magnitude = absolute(b, x);
    ir_value is_large = binaryn(b, IR_GT_F, magnitude, 0.5);
    ir_value is_negative = binaryn(b, IR_LT_F, x, 0);
    ir_value core = arc_sine_core(b, magnitude, is_large);
    ir_value twice = muln(b, core, 2);
    ir_value far = choose(b, is_negative, sub(b, number_like(b, x, 2 * HALF_PI), twice), twice);
    ir_value near_zero = choose(b, is_negative, core, negate(b, core));
    return choose(b, is_large, far, addn(b, near_zero, HALF_PI));
}

ir_value polyfill_trigonometry(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    switch (opcode) {
    case IR_SIN:
        return sine(b, x[0], 0);
    case IR_COS:
        return sine(b, x[0], 1);
    case IR_TAN:
        return tangent(b, x[0]);
    case IR_ATAN:
        return arc_tangent(b, x[0]);
    case IR_ATAN2:
        return arc_tangent_2(b, x[0], x[1]);
    case IR_ASIN:
        return arc_sine(b, x[0]);
    case IR_ACOS:
        return arc_cosine(b, x[0]);
    default:
        return (ir_value){0};
    }
}
