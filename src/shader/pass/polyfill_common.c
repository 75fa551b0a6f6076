// SPDX-License-Identifier: MIT
//
// The common float functions of WGSL by their defining expressions, and those that work on the bits
// of a float: ldexp, frexp, quantizeToF16. See polyfill_priv.h.
#include "shader/pass/polyfill_priv.h"

static ir_value clamp(struct ir_builder *b, ir_value x, ir_value low, ir_value high) {
    return binary(b, IR_MIN_F, binary(b, IR_MAX_F, x, low), high);
}

static ir_value clamp01(struct ir_builder *b, ir_value x) {
    return clamp(b, x, number_like(b, x, 0), number_like(b, x, 1));
}

static ir_value smoothstep(struct ir_builder *b, const ir_value *x) {
    ir_value t = clamp01(b, divide(b, sub(b, x[2], x[0]), sub(b, x[1], x[0])));
    ir_value rest = sub(b, number_like(b, t, 3), muln(b, t, 2));
    return mul(b, mul(b, t, t), rest);
}

static ir_value mix(struct ir_builder *b, const ir_value *x) {
    ir_value rest = sub(b, number_like(b, x[2], 1), x[2]);
    return add(b, mul(b, x[0], rest), mul(b, x[1], x[2]));
}

// One of two steps that bring an exponent beyond the range of a normal scale factor into it. Down
// by 102 rather than 126, so that 24 bits are left for the last step, which rounds once.
static ir_value scale_step(struct ir_builder *b, ir_value x, ir_value *exponent) {
    ir_value is_high = binaryn(b, IR_GT_S, *exponent, 127);
    ir_value is_low = binaryn(b, IR_LT_S, *exponent, -126);
    ir_value factor = choosen(
        b, is_high, 0x1p127, choosen(b, is_low, 0x1p-102, number_like(b, x, 1)));
    ir_value less = choosen(
        b, is_high, 127, choosen(b, is_low, -102, number_like(b, *exponent, 0)));
    *exponent = binary(b, IR_SUB_I, *exponent, less);
    return mul(b, x, factor);
}

static ir_value ldexp_value(struct ir_builder *b, const ir_value *x) {
    ir_value exponent = binaryn(b, IR_MAX_S, binaryn(b, IR_MIN_S, x[1], 1000), -1000);
    ir_value value = scale_step(b, x[0], &exponent);
    value = scale_step(b, value, &exponent);
    exponent = binaryn(b, IR_MAX_S, binaryn(b, IR_MIN_S, exponent, 127), -126);
    ir_value bits = shift(b, IR_SHL, binaryn(b, IR_ADD_I, exponent, 127), 23);
    return mul(b, value, as_kind(b, bits, TYPE_F32));
}

// The bits of x scaled to a normal number, and the scale's exponent; out_plain: zero, infinity,
// NaN.
static ir_value normal_bits(
    struct ir_builder *b, ir_value x, ir_value *out_exponent, ir_value *out_is_plain) {
    ir_value magnitude = absolute(b, x);
    ir_value is_small = binaryn(b, IR_LT_F, magnitude, 0x1p-126);
    ir_value scaled = choose(b, is_small, muln(b, x, 0x1p24), x);
    ir_value bits = as_kind(b, scaled, TYPE_U32);
    ir_value raw = as_kind(b, bits_and(b, shift(b, IR_SHR_U, bits, 23), 255), TYPE_I32);
    ir_value bias = choosen(b, is_small, 126 + 24, number_like(b, raw, 126));
    *out_exponent = binary(b, IR_SUB_I, raw, bias);
    ir_value magnitude_bits = as_kind(b, magnitude, TYPE_U32);
    *out_is_plain = bits_or(b, binaryn(b, IR_GE_U, magnitude_bits, 0x7f800000u),
        binaryn(b, IR_EQ_I, magnitude_bits, 0));
    return bits;
}

static ir_value frexp_fract(struct ir_builder *b, ir_value x) {
    ir_value exponent;
    ir_value is_plain;
    ir_value bits = normal_bits(b, x, &exponent, &is_plain);
    ir_value fract = bits_and(b, bits, 0x807fffffu);
    fract = bits_or(b, fract, number_like(b, fract, 0x3f000000u));
    return choose(b, is_plain, x, as_kind(b, fract, TYPE_F32));
}

static ir_value frexp_exp(struct ir_builder *b, ir_value x) {
    ir_value exponent;
    ir_value is_plain;
    normal_bits(b, x, &exponent, &is_plain);
    return choosen(b, is_plain, 0, exponent);
}

// Rounds to the nearest f16 value, ties to even, by the same two cases as the conversion does.
static ir_value quantize(struct ir_builder *b, ir_value x) {
    ir_value bits = as_kind(b, x, TYPE_U32);
    ir_value sign = bits_and(b, bits, 0x80000000u);
    ir_value magnitude = bits_and(b, bits, 0x7fffffffu);
    // Normal: keep 10 bits of the fraction.
    ir_value odd = bits_and(b, shift(b, IR_SHR_U, magnitude, 13), 1);
    ir_value rounded = bits_and(
        b, binary(b, IR_ADD_I, binaryn(b, IR_ADD_I, magnitude, 0xfff), odd), 0xffffe000u);
    // Below 2^-14: a multiple of 2^-24; adding 0.5 puts that at the last place.
    ir_value half = addn(b, as_kind(b, magnitude, TYPE_F32), 0.5);
    ir_value small = as_kind(b, addn(b, half, -0.5), TYPE_U32);
    ir_value result = choose(b, binaryn(b, IR_LT_U, magnitude, 0x38800000u), small, rounded);
    result = choosen(b, binaryn(b, IR_GE_U, magnitude, 0x477ff000u), 0x7f800000u, result);
    result = choosen(b, binaryn(b, IR_GT_U, magnitude, 0x7f800000u), 0x7fc00000u, result);
    return as_kind(b, bits_or(b, result, sign), TYPE_F32);
}

ir_value polyfill_common(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    switch (opcode) {
    case IR_REM_F:
        return sub(b, x[0], mul(b, x[1], ir_builder_unary(b, IR_TRUNC, divide(b, x[0], x[1]))));
    case IR_CLAMP_F:
        return clamp(b, x[0], x[1], x[2]);
    case IR_SIGN_F: {
        ir_value negative = choosen(b, binaryn(b, IR_LT_F, x[0], 0), -1, number_like(b, x[0], 0));
        return choosen(b, binaryn(b, IR_GT_F, x[0], 0), 1, negative);
    }
    case IR_FRACT:
        return sub(b, x[0], ir_builder_unary(b, IR_FLOOR, x[0]));
    case IR_INVERSE_SQRT:
        return divide(b, number_like(b, x[0], 1), square_root(b, x[0]));
    case IR_STEP:
        return choosen(b, binary(b, IR_LE_F, x[0], x[1]), 1, number_like(b, x[0], 0));
    case IR_SMOOTHSTEP:
        return smoothstep(b, x);
    case IR_MIX:
        return mix(b, x);
    case IR_DEGREES:
        return muln(b, x[0], 57.295779513082322865);
    case IR_RADIANS:
        return muln(b, x[0], 0.017453292519943295769);
    case IR_SATURATE:
        return clamp01(b, x[0]);
    case IR_LDEXP:
        return ldexp_value(b, x);
    case IR_QUANTIZE_F16:
        return quantize(b, x[0]);
    case IR_FREXP_FRACT:
        return frexp_fract(b, x[0]);
    case IR_FREXP_EXP:
        return frexp_exp(b, x[0]);
    case IR_MODF_FRACT:
        return sub(b, x[0], ir_builder_unary(b, IR_TRUNC, x[0]));
    default:
        return (ir_value){0};
    }
}
