// SPDX-License-Identifier: MIT
//
// Data packing, WGSL §"Data Packing Built-in Functions" and the packed dot products: vectors of 2
// or 4 lanes to a u32 and back, by shifts and masks. Lane 0 has the lowest bits. See
// polyfill_priv.h.
#include "shader/pass/polyfill_priv.h"

static type_id vector_type(struct ir_builder *b, enum type_kind kind, uint32_t count) {
    return type_vector(&b->module->types, type_scalar(kind), count);
}

// 0, width, 2 * width, ...: how far each lane is shifted.
static ir_value lane_shifts(struct ir_builder *b, uint32_t count) {
    static const uint32_t of_four[4] = {0, 8, 16, 24};
    static const uint32_t of_two[2] = {0, 16};
    return ir_builder_constant_bytes(
        b, vector_type(b, TYPE_U32, count), count == 4 ? of_four : of_two);
}

// Shifts the lanes of a u32 vector, whose bits do not overlap then, into place and joins them.
static ir_value join(struct ir_builder *b, ir_value lanes, uint32_t count) {
    ir_value placed = binary(b, IR_SHL, lanes, lane_shifts(b, count));
    ir_value word = ir_builder_extract(b, placed, 0);
    for (uint32_t i = 1; i < count; i++) {
        word = bits_or(b, word, ir_builder_extract(b, placed, i));
    }
    return word;
}

static ir_value split_unsigned(struct ir_builder *b, ir_value word, uint32_t count) {
    ir_value spread = ir_builder_splat(b, vector_type(b, TYPE_U32, count), word);
    return bits_and(
        b, binary(b, IR_SHR_U, spread, lane_shifts(b, count)), count == 4 ? 0xffu : 0xffffu);
}

// Sign-extended lanes: each is shifted to the top first.
static ir_value split_signed(struct ir_builder *b, ir_value word, uint32_t count) {
    static const uint32_t of_four[4] = {24, 16, 8, 0};
    static const uint32_t of_two[2] = {16, 0};
    ir_value spread = ir_builder_splat(b, vector_type(b, TYPE_U32, count), word);
    ir_value up = ir_builder_constant_bytes(
        b, vector_type(b, TYPE_U32, count), count == 4 ? of_four : of_two);
    ir_value top = as_kind(b, binary(b, IR_SHL, spread, up), TYPE_I32);
    return shift(b, IR_SHR_S, top, count == 4 ? 24 : 16);
}

// floor(0.5 + scale * min(high, max(low, x)))
static ir_value pack_norm(struct ir_builder *b, ir_value x, uint32_t count, bool is_signed) {
    double scale = count == 4 ? (is_signed ? 127 : 255) : (is_signed ? 32767 : 65535);
    ir_value low = number_like(b, x, is_signed ? -1 : 0);
    ir_value limited = binaryn(b, IR_MIN_F, binary(b, IR_MAX_F, low, x), 1);
    ir_value rounded = ir_builder_unary(b, IR_FLOOR, addn(b, muln(b, limited, scale), 0.5));
    ir_value lanes = is_signed ? as_kind(b, convert(b, IR_F_TO_S, rounded, TYPE_I32), TYPE_U32)
                               : convert(b, IR_F_TO_U, rounded, TYPE_U32);
    return join(b, bits_and(b, lanes, count == 4 ? 0xffu : 0xffffu), count);
}

static ir_value unpack_norm(struct ir_builder *b, ir_value word, uint32_t count, bool is_signed) {
    double scale = count == 4 ? (is_signed ? 127 : 255) : (is_signed ? 32767 : 65535);
    ir_value x = is_signed ? convert(b, IR_S_TO_F, split_signed(b, word, count), TYPE_F32)
                           : convert(b, IR_U_TO_F, split_unsigned(b, word, count), TYPE_F32);
    ir_value quotient = divide(b, x, number_like(b, x, scale));
    return is_signed ? binaryn(b, IR_MAX_F, quotient, -1) : quotient;
}

// The bits of the nearest f16, in a u32.
static ir_value half_bits(struct ir_builder *b, ir_value x) {
    ir_value bits = as_kind(b, x, TYPE_U32);
    ir_value sign = bits_and(b, shift(b, IR_SHR_U, bits, 16), 0x8000u);
    ir_value magnitude = bits_and(b, bits, 0x7fffffffu);
    ir_value odd = bits_and(b, shift(b, IR_SHR_U, magnitude, 13), 1);
    ir_value biased = binaryn(b, IR_ADD_I, magnitude, 0xc8000fffu); // - (112 << 23) + 0xfff
    ir_value normal = shift(b, IR_SHR_U, binary(b, IR_ADD_I, biased, odd), 13);
    ir_value sum = as_kind(b, addn(b, as_kind(b, magnitude, TYPE_F32), 0.5), TYPE_U32);
    ir_value small = binaryn(b, IR_SUB_I, sum, 0x3f000000u);
    ir_value result = choose(b, binaryn(b, IR_LT_U, magnitude, 0x38800000u), small, normal);
    result = choosen(b, binaryn(b, IR_GE_U, magnitude, 0x477ff000u), 0x7c00u, result);
    result = choosen(b, binaryn(b, IR_GT_U, magnitude, 0x7f800000u), 0x7e00u, result);
    return bits_or(b, result, sign);
}

// The f32 of f16 bits in the low half of a u32.
static ir_value float_of_half_bits(struct ir_builder *b, ir_value half) {
    ir_value sign = shift(b, IR_SHL, bits_and(b, half, 0x8000u), 16);
    ir_value magnitude = bits_and(b, half, 0x7fffu);
    ir_value shifted = shift(b, IR_SHL, magnitude, 13);
    ir_value normal = binaryn(b, IR_ADD_I, shifted, 112u << 23);
    ir_value small = as_kind(
        b, muln(b, convert(b, IR_U_TO_F, magnitude, TYPE_F32), 0x1p-24), TYPE_U32);
    ir_value special = bits_or(b, shifted, number_like(b, shifted, 0x7f800000u));
    ir_value result = choose(b, binaryn(b, IR_LT_U, magnitude, 0x400u), small, normal);
    result = choose(b, binaryn(b, IR_GE_U, magnitude, 0x7c00u), special, result);
    return as_kind(b, bits_or(b, result, sign), TYPE_F32);
}

static ir_value pack_integers(struct ir_builder *b, ir_value x, bool is_signed, bool is_clamped) {
    if (is_clamped && is_signed) {
        x = binaryn(b, IR_MIN_S, binaryn(b, IR_MAX_S, x, -128), 127);
    } else if (is_clamped) {
        x = binaryn(b, IR_MIN_U, x, 255);
    }
    ir_value lanes = is_signed ? as_kind(b, x, TYPE_U32) : x;
    return join(b, bits_and(b, lanes, 0xff), 4);
}

static ir_value dot_packed(struct ir_builder *b, const ir_value *x, bool is_signed) {
    ir_value left = is_signed ? split_signed(b, x[0], 4) : split_unsigned(b, x[0], 4);
    ir_value right = is_signed ? split_signed(b, x[1], 4) : split_unsigned(b, x[1], 4);
    return ir_builder_binary(b, IR_DOT_I, left, right);
}

ir_value polyfill_pack(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    switch (opcode) {
    case IR_PACK_4X8_SNORM:
        return pack_norm(b, x[0], 4, true);
    case IR_PACK_4X8_UNORM:
        return pack_norm(b, x[0], 4, false);
    case IR_PACK_2X16_SNORM:
        return pack_norm(b, x[0], 2, true);
    case IR_PACK_2X16_UNORM:
        return pack_norm(b, x[0], 2, false);
    case IR_PACK_2X16_FLOAT:
        return join(b, half_bits(b, x[0]), 2);
    case IR_PACK_4X_I8:
        return pack_integers(b, x[0], true, false);
    case IR_PACK_4X_U8:
        return pack_integers(b, x[0], false, false);
    case IR_PACK_4X_I8_CLAMP:
        return pack_integers(b, x[0], true, true);
    case IR_PACK_4X_U8_CLAMP:
        return pack_integers(b, x[0], false, true);
    case IR_UNPACK_4X8_SNORM:
        return unpack_norm(b, x[0], 4, true);
    case IR_UNPACK_4X8_UNORM:
        return unpack_norm(b, x[0], 4, false);
    case IR_UNPACK_2X16_SNORM:
        return unpack_norm(b, x[0], 2, true);
    case IR_UNPACK_2X16_UNORM:
        return unpack_norm(b, x[0], 2, false);
    case IR_UNPACK_2X16_FLOAT:
        return float_of_half_bits(b, split_unsigned(b, x[0], 2));
    case IR_UNPACK_4X_I8:
        return split_signed(b, x[0], 4);
    case IR_UNPACK_4X_U8:
        return split_unsigned(b, x[0], 4);
    case IR_DOT_4_I8_PACKED:
        return dot_packed(b, x, true);
    case IR_DOT_4_U8_PACKED:
        return dot_packed(b, x, false);
    default:
        return (ir_value){0};
    }
}
