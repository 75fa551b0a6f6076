// SPDX-License-Identifier: MIT
//
// BC6H: fourteen modes of blocks of 4 x 4 texels of three half floats, exact.
#include "backend/cpu/texel_block_priv.h"

// The fields of a block: an end point's component, from its lowest or highest bit on.
enum field { R0, R1, R2, R3, G0, G1, G2, G3, B0, B1, B2, B3, FIELD_COUNT };

struct piece {
    uint8_t field;
    uint8_t first;    // bit of the field
    uint8_t count;    // 0: no more pieces
    bool is_reversed; // the field's highest bit comes first
};

struct mode {
    uint8_t id; // of the lowest 5 bits, or 2 where they are 0 or 1
    bool has_partition;
    bool is_delta; // the other end points are differences from the first
    uint8_t point_bits;
    uint8_t delta_bits[3];
    struct piece pieces[25];
};

// clang-format off
#define P(field, first, count) {field, first, count, false}
#define REVERSED(field, first, count) {field, first, count, true}
static const struct mode modes[14] = {
    {0, true, true, 10, {5, 5, 5}, {P(G2,4,1), P(B2,4,1), P(B3,4,1), P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,5), P(G3,4,1),
        P(G2,0,4), P(G1,0,5), P(B3,0,1), P(G3,0,4), P(B1,0,5), P(B3,1,1), P(B2,0,4), P(R2,0,5), P(B3,2,1), P(R3,0,5), P(B3,3,1)}},
    {1, true, true, 7, {6, 6, 6}, {P(G2,5,1), P(G3,4,1), P(G3,5,1), P(R0,0,7), P(B3,0,1), P(B3,1,1), P(B2,4,1), P(G0,0,7),
        P(B2,5,1), P(B3,2,1), P(G2,4,1), P(B0,0,7), P(B3,3,1), P(B3,5,1), P(B3,4,1), P(R1,0,6), P(G2,0,4), P(G1,0,6), P(G3,0,4),
        P(B1,0,6), P(B2,0,4), P(R2,0,6), P(R3,0,6)}},
    {2, true, true, 11, {5, 4, 4}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,5), P(R0,10,1), P(G2,0,4), P(G1,0,4), P(G0,10,1),
        P(B3,0,1), P(G3,0,4), P(B1,0,4), P(B0,10,1), P(B3,1,1), P(B2,0,4), P(R2,0,5), P(B3,2,1), P(R3,0,5), P(B3,3,1)}},
    {6, true, true, 11, {4, 5, 4}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,4), P(R0,10,1), P(G3,4,1), P(G2,0,4), P(G1,0,5),
        P(G0,10,1), P(G3,0,4), P(B1,0,4), P(B0,10,1), P(B3,1,1), P(B2,0,4), P(R2,0,4), P(B3,0,1), P(B3,2,1), P(R3,0,4), P(G2,4,1),
        P(B3,3,1)}},
    {10, true, true, 11, {4, 4, 5}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,4), P(R0,10,1), P(B2,4,1), P(G2,0,4), P(G1,0,4),
        P(G0,10,1), P(B3,0,1), P(G3,0,4), P(B1,0,5), P(B0,10,1), P(B2,0,4), P(R2,0,4), P(B3,1,1), P(B3,2,1), P(R3,0,4), P(B3,4,1),
        P(B3,3,1)}},
    {14, true, true, 9, {5, 5, 5}, {P(R0,0,9), P(B2,4,1), P(G0,0,9), P(G2,4,1), P(B0,0,9), P(B3,4,1), P(R1,0,5), P(G3,4,1),
        P(G2,0,4), P(G1,0,5), P(B3,0,1), P(G3,0,4), P(B1,0,5), P(B3,1,1), P(B2,0,4), P(R2,0,5), P(B3,2,1), P(R3,0,5), P(B3,3,1)}},
    {18, true, true, 8, {6, 5, 5}, {P(R0,0,8), P(G3,4,1), P(B2,4,1), P(G0,0,8), P(B3,2,1), P(G2,4,1), P(B0,0,8), P(B3,3,1),
        P(B3,4,1), P(R1,0,6), P(G2,0,4), P(G1,0,5), P(B3,0,1), P(G3,0,4), P(B1,0,5), P(B3,1,1), P(B2,0,4), P(R2,0,6), P(R3,0,6)}},
    {22, true, true, 8, {5, 6, 5}, {P(R0,0,8), P(B3,0,1), P(B2,4,1), P(G0,0,8), P(G2,5,1), P(G2,4,1), P(B0,0,8), P(G3,5,1),
        P(B3,4,1), P(R1,0,5), P(G3,4,1), P(G2,0,4), P(G1,0,6), P(G3,0,4), P(B1,0,5), P(B3,1,1), P(B2,0,4), P(R2,0,5), P(B3,2,1),
        P(R3,0,5), P(B3,3,1)}},
    {26, true, true, 8, {5, 5, 6}, {P(R0,0,8), P(B3,1,1), P(B2,4,1), P(G0,0,8), P(B2,5,1), P(G2,4,1), P(B0,0,8), P(B3,5,1),
        P(B3,4,1), P(R1,0,5), P(G3,4,1), P(G2,0,4), P(G1,0,5), P(B3,0,1), P(G3,0,4), P(B1,0,6), P(B2,0,4), P(R2,0,5), P(B3,2,1),
        P(R3,0,5), P(B3,3,1)}},
    {30, true, false, 6, {6, 6, 6}, {P(R0,0,6), P(G3,4,1), P(B3,0,1), P(B3,1,1), P(B2,4,1), P(G0,0,6), P(G2,5,1), P(B2,5,1),
        P(B3,2,1), P(G2,4,1), P(B0,0,6), P(G3,5,1), P(B3,3,1), P(B3,5,1), P(B3,4,1), P(R1,0,6), P(G2,0,4), P(G1,0,6), P(G3,0,4),
        P(B1,0,6), P(B2,0,4), P(R2,0,6), P(R3,0,6)}},
    {3, false, false, 10, {10, 10, 10}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,10), P(G1,0,10), P(B1,0,10)}},
    {7, false, true, 11, {9, 9, 9}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,9), P(R0,10,1), P(G1,0,9), P(G0,10,1), P(B1,0,9),
        P(B0,10,1)}},
    {11, false, true, 12, {8, 8, 8}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,8), REVERSED(R0,10,2), P(G1,0,8),
        REVERSED(G0,10,2), P(B1,0,8), REVERSED(B0,10,2)}},
    {15, false, true, 16, {4, 4, 4}, {P(R0,0,10), P(G0,0,10), P(B0,0,10), P(R1,0,4), REVERSED(R0,10,6), P(G1,0,4),
        REVERSED(G0,10,6), P(B1,0,4), REVERSED(B0,10,6)}},
};
// clang-format on

static const struct mode *find_mode(const uint8_t *block) {
    uint32_t id = block[0] & 3u;
    id = id < 2 ? id : block[0] & 31u;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (modes[i].id == id) {
            return &modes[i];
        }
    }
    return NULL; // reserved
}

static void take_fields(
    const struct mode *mode, struct texel_bits *bits, uint32_t out_fields[FIELD_COUNT]) {
    memset(out_fields, 0, FIELD_COUNT * sizeof(out_fields[0]));
    for (const struct piece *piece = mode->pieces; piece->count != 0; piece++) {
        uint32_t value = texel_bits_take(bits, piece->count);
        uint32_t straight = 0;
        for (uint32_t i = 0; piece->is_reversed && i < piece->count; i++) {
            straight = straight << 1 | (value >> i & 1);
        }
        out_fields[piece->field] |= (piece->is_reversed ? straight : value) << piece->first;
    }
}

// From the bits of an end point to 16 bits, or 15 and a sign.
static int32_t widen(uint32_t code, uint32_t bits, bool is_signed) {
    if (!is_signed) {
        return bits >= 15              ? (int32_t)code
            : code == 0                ? 0
            : code == (1u << bits) - 1 ? 0xffff
                                       : (int32_t)(((code << 16) + 0x8000u) >> bits);
    }
    int32_t value = (int32_t)texel_extend(code, bits);
    if (bits >= 16) {
        return value;
    }
    int32_t magnitude = value < 0 ? -value : value;
    int32_t wide = magnitude == 0            ? 0
        : magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff
                                             : ((magnitude << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -wide : wide;
}

// To the bits of a half float: all are finite.
static uint32_t narrow(int32_t value, bool is_signed) {
    if (!is_signed) {
        return (uint32_t)(value * 31) >> 6;
    }
    return value < 0 ? 0x8000u | (uint32_t)(-value * 31) >> 5 : (uint32_t)(value * 31) >> 5;
}

static void decode(const uint8_t *block, bool is_signed, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    const struct mode *mode = find_mode(block);
    if (mode == NULL) {
        return;
    }
    struct texel_bits bits = texel_bits_of(block);
    bits.at = mode->id < 2 ? 2 : 5;
    uint32_t fields[FIELD_COUNT];
    take_fields(mode, &bits, fields);
    uint32_t partition = texel_bits_take(&bits, mode->has_partition ? 5 : 0);
    uint32_t subset_count = mode->has_partition ? 2 : 1;
    int32_t points[4][3];
    uint32_t mask = (1u << mode->point_bits) - 1;
    for (uint32_t c = 0; c < 3; c++) {
        for (uint32_t i = 0; i < 2 * subset_count; i++) {
            uint32_t code = fields[4 * c + i];
            if (i > 0 && mode->is_delta) {
                code = fields[4 * c] + texel_extend(code, mode->delta_bits[c]);
            }
            points[i][c] = widen(code & mask, mode->point_bits, is_signed);
        }
    }
    uint32_t size = mode->has_partition ? 3 : 4;
    const uint8_t *weights = texel_block_weights(size);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t subset = texel_block_subset(subset_count, partition, i);
        bool is_anchor = i == 0 || (subset_count == 2 && texel_block_anchor(2, partition, 1) == i);
        int32_t weight = weights[texel_bits_take(&bits, size - is_anchor)];
        for (uint32_t c = 0; c < 3; c++) {
            int32_t value = (points[2 * subset][c] * (64 - weight) +
                                points[2 * subset + 1][c] * weight + 32) >>
                6;
            out_texels[i][c] = texel_from_half(narrow(value, is_signed));
        }
    }
}

static void decode_bc6h_ufloat(const uint8_t *block, uint32_t out_texels[][4]) {
    decode(block, false, out_texels);
}

static void decode_bc6h_float(const uint8_t *block, uint32_t out_texels[][4]) {
    decode(block, true, out_texels);
}

TEXEL_BLOCK_CODEC(bc6h_ufloat, 3)
TEXEL_BLOCK_CODEC(bc6h_float, 3)
