// SPDX-License-Identifier: MIT
//
// BC1 to BC5: blocks of 4 x 4 texels from two end points and numbers between them. Interpolation is
// exact for linear formats; sRGB rounds it to codes, which the table takes to linear values.
#include "backend/cpu/texel_block_priv.h"

// ---------------------------------------------------------------- color

// The four colors of a block, as numbers of 1 / (31 * 63 * 6), which all of them are: red and blue are
// of 1/31, green of 1/63, the steps between of 1/2 and 1/3.
#define COLOR_UNITS (31u * 63u * 6u)

static void get_end_point(uint32_t code, uint32_t out[3]) {
    out[0] = (code >> 11) * (63 * 6);
    out[1] = (code >> 5 & 63) * (31 * 6);
    out[2] = (code & 31) * (63 * 6);
}

// is_opaque: of BC2 and BC3, whose blocks have four colors always. Gives whether the fourth is
// transparent.
static bool get_palette(const uint8_t *block, bool is_opaque, uint32_t palette[4][3]) {
    uint32_t first = texel_load16(block);
    uint32_t second = texel_load16(block + 2);
    get_end_point(first, palette[0]);
    get_end_point(second, palette[1]);
    bool has_four = is_opaque || first > second;
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t a = palette[0][c];
        uint32_t b = palette[1][c];
        palette[2][c] = has_four ? (2 * a + b) / 3 : (a + b) / 2;
        palette[3][c] = has_four ? (a + 2 * b) / 3 : 0;
    }
    return !has_four;
}

static void decode_colors(
    const uint8_t *block, bool is_opaque, bool is_srgb, uint32_t out_texels[][4]) {
    uint32_t palette[4][3];
    bool has_hole = get_palette(block, is_opaque, palette);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t value = palette[i][c];
            palette[i][c] = is_srgb
                ? texel_srgb_linear[(value * 255 + COLOR_UNITS / 2) / COLOR_UNITS]
                : texel_word((float)(int32_t)value / (float)COLOR_UNITS);
        }
    }
    uint32_t numbers = texel_load32(block + 4);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t number = numbers >> 2 * i & 3;
        memcpy(out_texels[i], palette[number], sizeof(palette[0]));
        out_texels[i][3] = has_hole && number == 3 ? 0 : TEXEL_ONE;
    }
}

// ---------------------------------------------------------------- one component

// Of BC3's alpha, BC4 and BC5: eight values, as words.
static void decode_component(
    const uint8_t *block, bool is_signed, uint32_t component, uint32_t out_texels[][4]) {
    int32_t first = is_signed ? (int8_t)block[0] : block[0];
    int32_t second = is_signed ? (int8_t)block[1] : block[1];
    bool has_eight = first > second;
    int32_t least = is_signed ? -127 : 0;
    int32_t most = is_signed ? 127 : 255;
    first = first > least ? first : least;
    second = second > least ? second : least;
    uint32_t palette[8];
    int32_t steps = has_eight ? 7 : 5;
    for (int32_t i = 0; i <= steps; i++) {
        // 0 and 1 are the end points, the others lie between in order.
        int32_t value = (steps - i) * first + i * second;
        uint32_t number = i == 0 ? 0 : i == steps ? 1 : (uint32_t)i + 1;
        palette[number] = texel_word((float)value / (float)(steps * most));
    }
    if (!has_eight) {
        palette[6] = texel_word(is_signed ? -1.0f : 0.0f);
        palette[7] = TEXEL_ONE;
    }
    uint64_t numbers = texel_load16(block + 2) | (uint64_t)texel_load32(block + 4) << 16;
    for (uint32_t i = 0; i < 16; i++) {
        out_texels[i][component] = palette[numbers >> 3 * i & 7];
    }
}

// ---------------------------------------------------------------- formats

static void decode_bc1(const uint8_t *block, uint32_t out_texels[][4]) {
    decode_colors(block, false, false, out_texels);
}

static void decode_bc1_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    decode_colors(block, false, true, out_texels);
}

static void decode_bc2_alpha(const uint8_t *block, uint32_t out_texels[][4]) {
    for (uint32_t i = 0; i < 16; i++) {
        out_texels[i][3] = texel_from_unorm(block[i / 2] >> 4 * (i & 1) & 15, 15);
    }
}

static void decode_bc2(const uint8_t *block, uint32_t out_texels[][4]) {
    decode_colors(block + 8, true, false, out_texels);
    decode_bc2_alpha(block, out_texels);
}

static void decode_bc2_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    decode_colors(block + 8, true, true, out_texels);
    decode_bc2_alpha(block, out_texels);
}

static void decode_bc3(const uint8_t *block, uint32_t out_texels[][4]) {
    decode_colors(block + 8, true, false, out_texels);
    decode_component(block, false, 3, out_texels);
}

static void decode_bc3_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    decode_colors(block + 8, true, true, out_texels);
    decode_component(block, false, 3, out_texels);
}

static void decode_bc4_unorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, false, 0, out_texels);
}

static void decode_bc4_snorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, true, 0, out_texels);
}

static void decode_bc5_unorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, false, 0, out_texels);
    decode_component(block + 8, false, 1, out_texels);
}

static void decode_bc5_snorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, true, 0, out_texels);
    decode_component(block + 8, true, 1, out_texels);
}

TEXEL_BLOCK_CODEC(bc1, 4)
TEXEL_BLOCK_CODEC(bc1_srgb, 4)
TEXEL_BLOCK_CODEC(bc2, 4)
TEXEL_BLOCK_CODEC(bc2_srgb, 4)
TEXEL_BLOCK_CODEC(bc3, 4)
TEXEL_BLOCK_CODEC(bc3_srgb, 4)
TEXEL_BLOCK_CODEC(bc4_unorm, 1)
TEXEL_BLOCK_CODEC(bc4_snorm, 1)
TEXEL_BLOCK_CODEC(bc5_unorm, 2)
TEXEL_BLOCK_CODEC(bc5_snorm, 2)
