// SPDX-License-Identifier: MIT
//
// exp, exp2, log, log2, pow for f32 from additions, multiplications and bit operations, without
// branches and without FMA, so that every target computes the same bits (the contract pass may
// fuse). The largest errors, from tests/unit/shader/pass/test_polyfill_math.c, stand in the table
// of that test; WGSL §"Floating Point Accuracy" asks for 3 + 2|x| ULP (exp, exp2) and 3 ULP (log,
// log2).
#include <math.h>

#include "shader/pass/polyfill_priv.h"

// Adding 1.5 * 2^23 rounds to an integer, which then stands in the low bits.
#define ROUND_MAGIC 12582912.0
#define ROUND_MAGIC_BITS 0x4b400000u

// value * 2^n for n in [-252, 254], in two steps: each factor is a normal number.
static ir_value scale_by_power(struct ir_builder *b, ir_value value, ir_value n) {
    ir_value half = shift(b, IR_SHR_S, n, 1);
    ir_value rest = binary(b, IR_SUB_I, n, half);
    ir_value first = shift(b, IR_SHL, binaryn(b, IR_ADD_I, half, 127), 23);
    ir_value second = shift(b, IR_SHL, binaryn(b, IR_ADD_I, rest, 127), 23);
    return mul(b, mul(b, value, as_kind(b, first, TYPE_F32)), as_kind(b, second, TYPE_F32));
}

// The nearest integer of x, |x| < 2^22, as a float and as an i32.
static ir_value round_to(struct ir_builder *b, ir_value x, ir_value *out_integer) {
    ir_value shifted = addn(b, x, ROUND_MAGIC);
    *out_integer = binaryn(b, IR_SUB_I, as_kind(b, shifted, TYPE_I32), ROUND_MAGIC_BITS);
    return addn(b, shifted, -ROUND_MAGIC);
}

static ir_value limit(struct ir_builder *b, ir_value x, double low, double high) {
    // NaN passes: max and min give their first operand where a comparison fails.
    return binaryn(b, IR_MIN_F, binaryn(b, IR_MAX_F, x, low), high);
}

static ir_value exp2_value(struct ir_builder *b, ir_value given) {
    // (2^f - 1) / f on [-0.5, 0.5]
    static const double q[] = {0.6931471824645996, 0.24022650718688965, 0.055503569543361664,
        0.009618083015084267, 0.0013390863314270973, 0.00015453163359779865};
    ir_value x = limit(b, given, -160, 130);
    ir_value n;
    ir_value f = sub(b, x, round_to(b, x, &n));
    ir_value power = addn(b, mul(b, POLYNOMIAL(b, f, q), f), 1);
    return scale_by_power(b, power, n);
}

static ir_value exp_value(struct ir_builder *b, ir_value given) {
    // (e^r - 1 - r) / r^2 on [-ln(2)/2, ln(2)/2]; ln(2) in two parts, the first of 9 bits
    static const double q[] = {
        0.5, 0.16666576266288757, 0.04166655242443085, 0.008363333530724049, 0.001392637612298131};
    ir_value x = limit(b, given, -110, 90);
    ir_value n;
    ir_value whole = round_to(b, muln(b, x, 1.4426950216293335), &n);
    ir_value r = sub(b, x, muln(b, whole, 0.693359375));
    r = sub(b, r, muln(b, whole, -0.00021219444170128554));
    ir_value square = mul(b, r, r);
    ir_value power = addn(b, add(b, mul(b, POLYNOMIAL(b, r, q), square), r), 1);
    return scale_by_power(b, power, n);
}

// x = (1 + f) * 2^e with 1 + f in [sqrt(1/2), sqrt(2)), for positive finite x; e as a float.
static ir_value split_power(struct ir_builder *b, ir_value x, ir_value *out_exponent) {
    ir_value is_small = binaryn(b, IR_LT_F, x, 0x1p-126);
    ir_value normal = choose(b, is_small, muln(b, x, 0x1p23), x);
    ir_value bits = binaryn(b, IR_SUB_I, as_kind(b, normal, TYPE_I32), 0x3f3504f3);
    ir_value exponent = shift(b, IR_SHR_S, bits, 23);
    ir_value fraction = binaryn(b, IR_ADD_I, binaryn(b, IR_AND, bits, 0x7fffff), 0x3f3504f3);
    ir_value e = convert(b, IR_S_TO_F, exponent, TYPE_F32);
    *out_exponent = sub(b, e, choosen(b, is_small, 23, number_like(b, e, 0)));
    return addn(b, as_kind(b, fraction, TYPE_F32), -1);
}

// log(1 + f) = f + rest
static ir_value log_rest(struct ir_builder *b, ir_value f) {
    // (log(1 + f) - f + f^2 / 2) / f^3
    static const double p[] = {0.3333333134651184, -0.2499999701976776, 0.20000715553760529,
        -0.1666780263185501, 0.14249058067798615, -0.12425687164068222, 0.11685419827699661,
        -0.11479733884334564, 0.06971611827611923};
    ir_value square = mul(b, f, f);
    ir_value high = mul(b, mul(b, POLYNOMIAL(b, f, p), f), square);
    return add(b, high, muln(b, square, -0.5));
}

// Zero, negative, infinite, NaN.
static ir_value log_special(struct ir_builder *b, ir_value x, ir_value result) {
    result = choose(b, binaryn(b, IR_EQ_F, x, (double)INFINITY), x, result);
    result = choosen(b, binaryn(b, IR_EQ_F, x, 0), -(double)INFINITY, result);
    return choose(b, binaryn(b, IR_GE_F, x, 0), result, number_like(b, x, (double)NAN));
}

static ir_value log_value(struct ir_builder *b, ir_value x) {
    ir_value e;
    ir_value f = split_power(b, x, &e);
    ir_value low = add(b, log_rest(b, f), muln(b, e, -0.00021219444170128554));
    return log_special(b, x, add(b, add(b, low, f), muln(b, e, 0.693359375)));
}

static ir_value log2_value(struct ir_builder *b, ir_value x) {
    // log2(e) = 1 + 0.4426950408889634: multiplying by the small part keeps f exact.
    ir_value e;
    ir_value f = split_power(b, x, &e);
    ir_value rest = log_rest(b, f);
    ir_value sum = add(b, muln(b, rest, 0.4426950408889634), muln(b, f, 0.4426950408889634));
    return log_special(b, x, add(b, add(b, add(b, sum, rest), f), e));
}

static ir_value pow_value(struct ir_builder *b, const ir_value *x) {
    float exponent[4] = {0};
    bool is_constant = false;
    const float *bytes = pass_constant_bytes(b->module, pass_function(b), x[1], &is_constant);
    uint32_t count = type_component_count(&b->module->types, type_of(b, x[1]));
    bool is_square = is_constant && bytes != NULL;
    for (uint32_t i = 0; i < count && is_square; i++) {
        exponent[i] = bytes[i];
        is_square = exponent[i] == 2.0f;
    }
    if (is_square) {
        return mul(b, x[0], x[0]);
    }
    ir_value power = exp2_value(b, mul(b, x[1], log2_value(b, x[0])));
    return choosen(b, binaryn(b, IR_EQ_F, x[1], 0), 1, power);
}

ir_value polyfill_exponential(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    switch (opcode) {
    case IR_EXP:
        return exp_value(b, x[0]);
    case IR_EXP2:
        return exp2_value(b, x[0]);
    case IR_LOG:
        return log_value(b, x[0]);
    case IR_LOG2:
        return log2_value(b, x[0]);
    case IR_POW:
        return pow_value(b, x);
    default:
        return (ir_value){0};
    }
}
