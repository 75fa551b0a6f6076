// SPDX-License-Identifier: MIT
//
// BC7: eight modes of blocks of 4 x 4 texels, exact in 8-bit codes.
#include "backend/cpu/texel_block_priv.h"

struct mode {
    uint8_t subset_count;
    uint8_t partition_bits;
    uint8_t rotation_bits;
    uint8_t selection_bits;
    uint8_t color_bits;
    uint8_t alpha_bits;
    uint8_t own_parity_bits;    // of each end point
    uint8_t shared_parity_bits; // of each subset
    uint8_t number_bits;
    uint8_t second_number_bits;
};

static const struct mode modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

// End points as 8-bit codes: [subset * 2 + which][component].
static void take_end_points(
    const struct mode *mode, struct texel_bits *bits, uint32_t out_points[6][4]) {
    uint32_t count = 2u * mode->subset_count;
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t size = c < 3 ? mode->color_bits : mode->alpha_bits;
        for (uint32_t i = 0; i < count; i++) {
            out_points[i][c] = size != 0 ? texel_bits_take(bits, size) : 255;
        }
    }
    uint32_t parity_count = mode->own_parity_bits != 0 ? count
        : mode->shared_parity_bits != 0                ? count / 2
                                                       : 0;
    uint32_t parities = texel_bits_take(bits, parity_count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t size = c < 3 ? mode->color_bits : mode->alpha_bits;
            if (size == 0) {
                continue;
            }
            uint32_t code = out_points[i][c];
            if (parity_count != 0) {
                uint32_t which = mode->own_parity_bits != 0 ? i : i / 2;
                code = code << 1 | (parities >> which & 1);
                size++;
            }
            code <<= 8 - size;
            out_points[i][c] = code | code >> size;
        }
    }
}

// The numbers of all texels; those of anchors have a bit less.
static void take_numbers(struct texel_bits *bits, uint32_t size, uint32_t subset_count,
    uint32_t partition, uint8_t out_numbers[16]) {
    for (uint32_t i = 0; i < 16; i++) {
        bool is_anchor = false;
        for (uint32_t subset = 0; subset < subset_count; subset++) {
            is_anchor |= texel_block_anchor(subset_count, partition, subset) == i;
        }
        out_numbers[i] = (uint8_t)texel_bits_take(bits, size - is_anchor);
    }
}

static uint32_t mix_codes(uint32_t first, uint32_t second, uint32_t weight) {
    return ((64 - weight) * first + weight * second + 32) >> 6;
}

static void decode_codes(const uint8_t *block, uint8_t out_codes[16][4]) {
    memset(out_codes, 0, 64);
    uint32_t number = 0;
    while (number < 8 && (block[0] >> number & 1) == 0) {
        number++;
    }
    if (number == 8) {
        return; // no mode
    }
    const struct mode *mode = &modes[number];
    struct texel_bits bits = texel_bits_of(block);
    bits.at = number + 1;
    uint32_t partition = texel_bits_take(&bits, mode->partition_bits);
    uint32_t rotation = texel_bits_take(&bits, mode->rotation_bits);
    uint32_t selection = texel_bits_take(&bits, mode->selection_bits);
    uint32_t points[6][4];
    take_end_points(mode, &bits, points);
    uint8_t numbers[2][16];
    uint32_t sizes[2] = {mode->number_bits, mode->second_number_bits};
    take_numbers(&bits, sizes[0], mode->subset_count, partition, numbers[0]);
    bool has_second = sizes[1] != 0;
    if (has_second) {
        take_numbers(&bits, sizes[1], 1, 0, numbers[1]);
    }
    uint32_t color_set = has_second ? selection : 0;
    uint32_t alpha_set = has_second ? 1 - selection : 0;
    const uint8_t *color_weights = texel_block_weights(sizes[color_set]);
    const uint8_t *alpha_weights = texel_block_weights(sizes[alpha_set]);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t subset = texel_block_subset(mode->subset_count, partition, i);
        const uint32_t *first = points[2 * subset];
        const uint32_t *second = points[2 * subset + 1];
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t weight = c < 3 ? color_weights[numbers[color_set][i]]
                                    : alpha_weights[numbers[alpha_set][i]];
            out_codes[i][c] = (uint8_t)mix_codes(first[c], second[c], weight);
        }
        if (rotation != 0) {
            uint8_t alpha = out_codes[i][3];
            out_codes[i][3] = out_codes[i][rotation - 1];
            out_codes[i][rotation - 1] = alpha;
        }
    }
}

static void decode_bc7(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_codes(block, codes);
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            out_texels[i][c] = texel_from_unorm(codes[i][c], 255);
        }
    }
}

static void decode_bc7_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_codes(block, codes);
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            out_texels[i][c] = texel_srgb_linear[codes[i][c]];
        }
        out_texels[i][3] = texel_from_unorm(codes[i][3], 255);
    }
}

TEXEL_BLOCK_CODEC(bc7, 4)
TEXEL_BLOCK_CODEC(bc7_srgb, 4)
