// SPDX-License-Identifier: MIT
//
// The hyperbolic functions and their inverses for f32: a polynomial near zero, where the defining
// expressions cancel, and those expressions elsewhere. See polyfill_priv.h.
#include "shader/pass/polyfill_priv.h"

static ir_value exponential(struct ir_builder *b, ir_value x) {
    return polyfill_exponential(b, IR_EXP, &x);
}
static ir_value logarithm(struct ir_builder *b, ir_value x) {
    return polyfill_exponential(b, IR_LOG, &x);
}

// value with x's sign, for value >= 0
static ir_value copy_sign(struct ir_builder *b, ir_value value, ir_value x) {
    ir_value bit = bits_and(b, as_kind(b, x, TYPE_U32), 0x80000000u);
    return as_kind(b, bits_or(b, as_kind(b, value, TYPE_U32), bit), TYPE_F32);
}

// x + x^3 * p(x^2)
static ir_value odd_polynomial(struct ir_builder *b, ir_value x, const double *p, uint32_t count) {
    ir_value square = mul(b, x, x);
    return add(b, mul(b, mul(b, polynomial(b, square, p, count), square), x), x);
}

// e^|x| / 2, by the square of e^(|x| / 2), which does not overflow before it does.
static ir_value half_exponential(struct ir_builder *b, ir_value magnitude) {
    ir_value root = exponential(b, muln(b, magnitude, 0.5));
    return mul(b, muln(b, root, 0.5), root);
}

static ir_value hyperbolic_sine(struct ir_builder *b, ir_value x) {
    static const double p[] = {
        0.1666666716337204, 0.008333339355885983, 0.00019838102161884308, 2.806280235745362e-06};
    ir_value magnitude = absolute(b, x);
    ir_value half = half_exponential(b, magnitude);
    ir_value large = sub(b, half, divide(b, number_like(b, x, 0.25), half));
    ir_value small = odd_polynomial(b, magnitude, p, 4);
    return copy_sign(b, choose(b, binaryn(b, IR_LT_F, magnitude, 1), small, large), x);
}

static ir_value hyperbolic_cosine(struct ir_builder *b, ir_value x) {
    ir_value half = half_exponential(b, absolute(b, x));
    return add(b, half, divide(b, number_like(b, x, 0.25), half));
}

static ir_value hyperbolic_tangent(struct ir_builder *b, ir_value x) {
    static const double p[] = {-0.333333283662796, 0.1333276927471161, -0.05385090783238411,
        0.020997179672122, -0.006096714176237583};
    ir_value magnitude = absolute(b, x);
    ir_value power = addn(b, exponential(b, muln(b, magnitude, 2)), 1);
    ir_value large = sub(b, number_like(b, x, 1), divide(b, number_like(b, x, 2), power));
    ir_value small = odd_polynomial(b, magnitude, p, 5);
    return copy_sign(b, choose(b, binaryn(b, IR_LT_F, magnitude, 0.625), small, large), x);
}

static ir_value inverse_sine(struct ir_builder *b, ir_value x) {
    static const double p[] = {-0.166666641831398, 0.07499582320451736, -0.044506512582302094,
        0.028783606365323067, -0.014288508333265781};
    ir_value magnitude = absolute(b, x);
    ir_value root = square_root(b, addn(b, mul(b, magnitude, magnitude), 1));
    // Beyond 2^12 the root is |x| itself; its square may overflow.
    ir_value is_large = binaryn(b, IR_GT_F, magnitude, 4096);
    ir_value argument = choose(b, is_large, magnitude, add(b, magnitude, root));
    ir_value more = choosen(b, is_large, 0.6931471805599453, number_like(b, x, 0));
    ir_value large = add(b, logarithm(b, argument), more);
    ir_value small = odd_polynomial(b, magnitude, p, 5);
    return copy_sign(b, choose(b, binaryn(b, IR_LT_F, magnitude, 0.5), small, large), x);
}

static ir_value inverse_cosine(struct ir_builder *b, ir_value x) {
    // acosh(1 + z) / sqrt(z) for z in [0, 0.5]
    static const double p[] = {1.4142135381698608, -0.1178508847951889, 0.026510780677199364,
        -0.007841517217457294, 0.0024801944382488728, -0.0005778129561804235};
    ir_value z = addn(b, x, -1);
    ir_value small = mul(b, square_root(b, z), polynomial(b, z, p, 6));
    ir_value root = square_root(b, addn(b, mul(b, x, x), -1));
    ir_value is_large = binaryn(b, IR_GT_F, x, 4096);
    ir_value argument = choose(b, is_large, x, add(b, x, root));
    ir_value more = choosen(b, is_large, 0.6931471805599453, number_like(b, x, 0));
    ir_value large = add(b, logarithm(b, argument), more);
    return choose(b, binaryn(b, IR_LT_F, x, 1.5), small, large);
}

static ir_value inverse_tangent(struct ir_builder *b, ir_value x) {
    static const double p[] = {0.3333333134651184, 0.2000047266483307, 0.14263980090618134,
        0.11469875276088715, 0.06493489444255829, 0.15751780569553375};
    ir_value magnitude = absolute(b, x);
    ir_value one = number_like(b, x, 1);
    ir_value quotient = divide(b, add(b, one, magnitude), sub(b, one, magnitude));
    ir_value large = muln(b, logarithm(b, quotient), 0.5);
    ir_value small = odd_polynomial(b, magnitude, p, 6);
    return copy_sign(b, choose(b, binaryn(b, IR_LT_F, magnitude, 0.5), small, large), x);
}

ir_value polyfill_hyperbolic(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    switch (opcode) {
    case IR_SINH:
        return hyperbolic_sine(b, x[0]);
    case IR_COSH:
        return hyperbolic_cosine(b, x[0]);
    case IR_TANH:
        return hyperbolic_tangent(b, x[0]);
    case IR_ASINH:
        return inverse_sine(b, x[0]);
    case IR_ACOSH:
        return inverse_cosine(b, x[0]);
    case IR_ATANH:
        return inverse_tangent(b, x[0]);
    default:
        return (ir_value){0};
    }
}
