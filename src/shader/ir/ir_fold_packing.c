// SPDX-License-Identifier: MIT
//
// Folding of packing operations (WGSL §"Data Packing Built-in Functions", §"Data Unpacking Built-in
// Functions") and packed dot products. Float steps are in f32, one rounding each. Pure.
#include "shader/ir/ir_fold_priv.h"

#include <string.h>

#include "shader/ir/fold_math.h"

static float read_f32(const unsigned char *bytes, uint32_t index) {
    float number = 0;
    memcpy(&number, bytes + index * sizeof(number), sizeof(number));
    return number;
}

static uint32_t read_u32(const unsigned char *bytes, uint32_t index) {
    uint32_t word = 0;
    memcpy(&word, bytes + index * sizeof(word), sizeof(word));
    return word;
}

static void write_u32(unsigned char *bytes, uint32_t index, uint32_t word) {
    memcpy(bytes + index * sizeof(word), &word, sizeof(word));
}

static void write_f32(unsigned char *bytes, uint32_t index, float number) {
    memcpy(bytes + index * sizeof(number), &number, sizeof(number));
}

// floor(0.5 + scale * min(max(low, x), 1)) in the low bits of each field; NaN packs as `low`, as in
// the polyfill.
static uint32_t pack_normalised(
    const unsigned char *vector, uint32_t count, float low, float scale) {
    uint32_t bits = 32 / count, result = 0;
    uint32_t mask = UINT32_MAX >> (32 - bits);
    for (uint32_t i = 0; i < count; i++) {
        float number = read_f32(vector, i);
        float raised = low < number ? number : low;
        float clamped = 1.0f < raised ? 1.0f : raised;
        float scaled = scale * clamped;
        float whole = floorf(0.5f + scaled);
        uint32_t field = (uint32_t)fold_f_to_s(whole);
        result |= (field & mask) << (i * bits);
    }
    return result;
}

static uint32_t pack_half(const unsigned char *vector) {
    return fold_float_to_half(read_f32(vector, 0)) |
        (uint32_t)fold_float_to_half(read_f32(vector, 1)) << 16;
}

static uint32_t pack_bytes(const unsigned char *vector, enum ir_opcode opcode) {
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t word = read_u32(vector, i);
        if (opcode == IR_PACK_4X_I8_CLAMP) {
            word = (uint32_t)fold_clamp_s((int32_t)word, -128, 127);
        } else if (opcode == IR_PACK_4X_U8_CLAMP) {
            word = fold_clamp_u(word, 0, 255);
        }
        result |= (word & 0xffu) << (i * 8);
    }
    return result;
}

static int32_t signed_field(uint32_t word, uint32_t index, uint32_t bits) {
    return fold_extract_bits_s((int32_t)word, index * bits, bits);
}

static uint32_t unsigned_field(uint32_t word, uint32_t index, uint32_t bits) {
    return fold_extract_bits_u(word, index * bits, bits);
}

static void unpack_normalised(
    const struct ir_fold *fold, uint32_t count, bool is_signed, float scale) {
    uint32_t word = read_u32(fold->operands[0], 0), bits = 32 / count;
    for (uint32_t i = 0; i < count; i++) {
        if (is_signed) {
            float number = (float)signed_field(word, i, bits) / scale;
            write_f32(fold->out, i, number < -1.0f ? -1.0f : number);
        } else {
            write_f32(fold->out, i, (float)unsigned_field(word, i, bits) / scale);
        }
    }
}

static void unpack_half(const struct ir_fold *fold) {
    uint32_t word = read_u32(fold->operands[0], 0);
    write_f32(fold->out, 0, fold_half_to_float((uint16_t)(word & 0xffffu)));
    write_f32(fold->out, 1, fold_half_to_float((uint16_t)(word >> 16)));
}

static void unpack_bytes(const struct ir_fold *fold, bool is_signed) {
    uint32_t word = read_u32(fold->operands[0], 0);
    for (uint32_t i = 0; i < 4; i++) {
        write_u32(fold->out, i,
            is_signed ? (uint32_t)signed_field(word, i, 8) : unsigned_field(word, i, 8));
    }
}

static uint32_t dot_bytes(const struct ir_fold *fold, bool is_signed) {
    uint32_t a = read_u32(fold->operands[0], 0), b = read_u32(fold->operands[1], 0), sum = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sum += is_signed ? (uint32_t)(signed_field(a, i, 8) * signed_field(b, i, 8))
                         : unsigned_field(a, i, 8) * unsigned_field(b, i, 8);
    }
    return sum;
}

bool ir_fold_packing(const struct ir_fold *fold) {
    const unsigned char *vector = fold->operands[0];
    switch (fold->op->opcode) {
    case IR_PACK_4X8_SNORM:
        write_u32(fold->out, 0, pack_normalised(vector, 4, -1.0f, 127.0f));
        return true;
    case IR_PACK_4X8_UNORM:
        write_u32(fold->out, 0, pack_normalised(vector, 4, 0.0f, 255.0f));
        return true;
    case IR_PACK_2X16_SNORM:
        write_u32(fold->out, 0, pack_normalised(vector, 2, -1.0f, 32767.0f));
        return true;
    case IR_PACK_2X16_UNORM:
        write_u32(fold->out, 0, pack_normalised(vector, 2, 0.0f, 65535.0f));
        return true;
    case IR_PACK_2X16_FLOAT:
        write_u32(fold->out, 0, pack_half(vector));
        return true;
    case IR_PACK_4X_I8:
    case IR_PACK_4X_U8:
    case IR_PACK_4X_I8_CLAMP:
    case IR_PACK_4X_U8_CLAMP:
        write_u32(fold->out, 0, pack_bytes(vector, fold->op->opcode));
        return true;
    case IR_UNPACK_4X8_SNORM:
        unpack_normalised(fold, 4, true, 127.0f);
        return true;
    case IR_UNPACK_4X8_UNORM:
        unpack_normalised(fold, 4, false, 255.0f);
        return true;
    case IR_UNPACK_2X16_SNORM:
        unpack_normalised(fold, 2, true, 32767.0f);
        return true;
    case IR_UNPACK_2X16_UNORM:
        unpack_normalised(fold, 2, false, 65535.0f);
        return true;
    case IR_UNPACK_2X16_FLOAT:
        unpack_half(fold);
        return true;
    case IR_UNPACK_4X_I8:
    case IR_UNPACK_4X_U8:
        unpack_bytes(fold, fold->op->opcode == IR_UNPACK_4X_I8);
        return true;
    case IR_DOT_4_I8_PACKED:
    case IR_DOT_4_U8_PACKED:
        write_u32(fold->out, 0, dot_bytes(fold, fold->op->opcode == IR_DOT_4_I8_PACKED));
        return true;
    default:
        return false;
    }
}
