// SPDX-License-Identifier: MIT
//
// ETC2 and EAC: blocks of 4 x 4 texels, exact in 8-bit codes or 11 bits. A block is a big-endian
// number of 64 bits; its texels' numbers go down columns.
#include "backend/cpu/texel_block_priv.h"

static uint64_t get_block(const uint8_t *bytes) {
    uint64_t block = 0;
    for (uint32_t i = 0; i < 8; i++) {
        block = block << 8 | bytes[i];
    }
    return block;
}

static int32_t get_bits(uint64_t block, uint32_t lowest, uint32_t count) {
    return (int32_t)(block >> lowest & ((1u << count) - 1));
}

static int32_t extend(int32_t value, uint32_t bits) {
    return (int32_t)texel_extend((uint32_t)value, bits);
}

static uint8_t clamp(int32_t value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static int32_t widen(int32_t value, uint32_t bits) {
    return value << (8 - bits) | value >> (2 * bits - 8);
}

// The number of texel (x, y), 0 to 3.
static uint32_t get_number(uint64_t block, uint32_t x, uint32_t y) {
    uint32_t at = 4 * x + y;
    return (uint32_t)(block >> (16 + at) & 1) << 1 | (uint32_t)(block >> at & 1);
}

static void set(uint8_t codes[4], const int32_t color[3], int32_t change, uint8_t alpha) {
    for (uint32_t c = 0; c < 3; c++) {
        codes[c] = clamp(color[c] + change);
    }
    codes[3] = alpha;
}

static void set_hole(uint8_t codes[4]) {
    memset(codes, 0, 4);
}

// ---------------------------------------------------------------- two halves

static void decode_halves(
    uint64_t block, const int32_t colors[2][3], bool has_holes, uint8_t out_codes[16][4]) {
    static const uint8_t changes[8][2] = {
        {2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    bool is_flipped = get_bits(block, 32, 1) != 0;
    const uint8_t *tables[2] = {changes[get_bits(block, 37, 3)], changes[get_bits(block, 34, 3)]};
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t x = i % 4;
        uint32_t y = i / 4;
        uint32_t half = is_flipped ? y / 2 : x / 2;
        uint32_t number = get_number(block, x, y);
        int32_t change = tables[half][number & 1];
        if (has_holes && (number & 1) == 0) {
            change = 0;
            if (number == 2) {
                set_hole(out_codes[i]);
                continue;
            }
        }
        set(out_codes[i], colors[half], (number & 2) != 0 ? -change : change, 255);
    }
}

// ---------------------------------------------------------------- four paints

static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

static void decode_paints(uint64_t block, const int32_t colors[2][3], const uint8_t color_of[4],
    const int32_t changes[4], bool has_holes, uint8_t out_codes[16][4]) {
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t number = get_number(block, i % 4, i / 4);
        if (has_holes && number == 2) {
            set_hole(out_codes[i]);
        } else {
            set(out_codes[i], colors[color_of[number]], changes[number], 255);
        }
    }
}

static void decode_t(uint64_t block, bool has_holes, uint8_t out_codes[16][4]) {
    const int32_t colors[2][3] = {
        {widen(get_bits(block, 59, 2) << 2 | get_bits(block, 56, 2), 4),
            widen(get_bits(block, 52, 4), 4), widen(get_bits(block, 48, 4), 4)},
        {widen(get_bits(block, 44, 4), 4), widen(get_bits(block, 40, 4), 4),
            widen(get_bits(block, 36, 4), 4)}};
    int32_t distance = distances[get_bits(block, 34, 2) << 1 | get_bits(block, 32, 1)];
    static const uint8_t color_of[4] = {0, 1, 1, 1};
    const int32_t changes[4] = {0, distance, 0, -distance};
    decode_paints(block, colors, color_of, changes, has_holes, out_codes);
}

static void decode_h(uint64_t block, bool has_holes, uint8_t out_codes[16][4]) {
    const int32_t codes[2][3] = {
        {get_bits(block, 59, 4), get_bits(block, 56, 3) << 1 | get_bits(block, 52, 1),
            get_bits(block, 51, 1) << 3 | get_bits(block, 47, 3)},
        {get_bits(block, 43, 4), get_bits(block, 39, 4), get_bits(block, 35, 4)}};
    int32_t colors[2][3];
    int32_t orders[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            colors[i][c] = widen(codes[i][c], 4);
            orders[i] = orders[i] << 4 | codes[i][c];
        }
    }
    int32_t which = get_bits(block, 34, 1) << 2 | get_bits(block, 32, 1) << 1;
    int32_t distance = distances[which | (orders[0] >= orders[1])];
    static const uint8_t color_of[4] = {0, 0, 1, 1};
    const int32_t changes[4] = {distance, -distance, distance, -distance};
    decode_paints(block, (const int32_t(*)[3])colors, color_of, changes, has_holes, out_codes);
}

// ---------------------------------------------------------------- a plane

static void decode_planar(uint64_t block, uint8_t out_codes[16][4]) {
    const int32_t origin[3] = {widen(get_bits(block, 57, 6), 6),
        widen(get_bits(block, 56, 1) << 6 | get_bits(block, 49, 6), 7),
        widen(
            get_bits(block, 48, 1) << 5 | get_bits(block, 43, 2) << 3 | get_bits(block, 39, 3), 6)};
    const int32_t right[3] = {widen(get_bits(block, 34, 5) << 1 | get_bits(block, 32, 1), 6),
        widen(get_bits(block, 25, 7), 7), widen(get_bits(block, 19, 6), 6)};
    const int32_t below[3] = {widen(get_bits(block, 13, 6), 6), widen(get_bits(block, 6, 7), 7),
        widen(get_bits(block, 0, 6), 6)};
    for (int32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            int32_t sum = i % 4 * (right[c] - origin[c]) + i / 4 * (below[c] - origin[c]) +
                4 * origin[c] + 2;
            out_codes[i][c] = clamp(sum >> 2);
        }
        out_codes[i][3] = 255;
    }
}

// ---------------------------------------------------------------- color

// has_punch_through: the bit that chooses between individual and differential end points says
// whether the block is opaque instead.
static void decode_colors(const uint8_t *bytes, bool has_punch_through, uint8_t out_codes[16][4]) {
    uint64_t block = get_block(bytes);
    bool flag = get_bits(block, 33, 1) != 0;
    int32_t colors[2][3];
    if (!flag && !has_punch_through) {
        for (uint32_t c = 0; c < 3; c++) {
            colors[0][c] = widen(get_bits(block, 60 - 8 * c, 4), 4);
            colors[1][c] = widen(get_bits(block, 56 - 8 * c, 4), 4);
        }
        decode_halves(block, (const int32_t(*)[3])colors, false, out_codes);
        return;
    }
    bool has_holes = has_punch_through && !flag;
    for (uint32_t c = 0; c < 3; c++) {
        int32_t base = get_bits(block, 59 - 8 * c, 5);
        int32_t other = base + extend(get_bits(block, 56 - 8 * c, 3), 3);
        if (other < 0 || other > 31) {
            // Out of range: another mode, by the component.
            if (c == 0) {
                decode_t(block, has_holes, out_codes);
            } else if (c == 1) {
                decode_h(block, has_holes, out_codes);
            } else {
                decode_planar(block, out_codes);
            }
            return;
        }
        colors[0][c] = widen(base, 5);
        colors[1][c] = widen(other, 5);
    }
    decode_halves(block, (const int32_t(*)[3])colors, has_holes, out_codes);
}

// ---------------------------------------------------------------- one component

static int32_t get_change(uint64_t block, uint32_t texel) {
    static const int8_t changes[16][8] = {{-3, -6, -9, -15, 2, 5, 8, 14},
        {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
        {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},
        {-3, -7, -9, -11, 2, 6, 8, 10}, {-4, -7, -8, -11, 3, 6, 7, 10},
        {-3, -5, -8, -11, 2, 4, 7, 10}, {-2, -6, -8, -10, 1, 5, 7, 9},
        {-2, -5, -8, -10, 1, 4, 7, 9}, {-2, -4, -8, -10, 1, 3, 7, 9}, {-2, -5, -7, -10, 1, 4, 6, 9},
        {-3, -4, -7, -10, 2, 3, 6, 9}, {-1, -2, -3, -10, 0, 1, 2, 9}, {-4, -6, -8, -9, 3, 5, 7, 8},
        {-3, -5, -7, -9, 2, 4, 6, 8}};
    uint32_t at = 45 - 3 * (4 * (texel % 4) + texel / 4);
    return changes[get_bits(block, 48, 4)][get_bits(block, at, 3)];
}

static void decode_alpha(const uint8_t *bytes, uint8_t out_codes[16][4]) {
    uint64_t block = get_block(bytes);
    for (uint32_t i = 0; i < 16; i++) {
        out_codes[i][3] = clamp(
            get_bits(block, 56, 8) + get_change(block, i) * get_bits(block, 52, 4));
    }
}

static void decode_component(
    const uint8_t *bytes, bool is_signed, uint32_t component, uint32_t out_texels[][4]) {
    uint64_t block = get_block(bytes);
    int32_t base = get_bits(block, 56, 8);
    int32_t factor = get_bits(block, 52, 4) * 8;
    factor = factor != 0 ? factor : 1;
    int32_t least = is_signed ? -1023 : 0;
    int32_t most = is_signed ? 1023 : 2047;
    if (is_signed) {
        base = extend(base, 8);
        base = (base > -127 ? base : -127) * 8;
    } else {
        base = base * 8 + 4;
    }
    for (uint32_t i = 0; i < 16; i++) {
        int32_t value = base + get_change(block, i) * factor;
        value = value < least ? least : value > most ? most : value;
        out_texels[i][component] = texel_word((float)value / (float)most);
    }
}

// ---------------------------------------------------------------- formats

static void put_linear(uint8_t codes[16][4], uint32_t out_texels[][4]) {
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            out_texels[i][c] = texel_from_unorm(codes[i][c], 255);
        }
    }
}

static void put_srgb(uint8_t codes[16][4], uint32_t out_texels[][4]) {
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            out_texels[i][c] = texel_srgb_linear[codes[i][c]];
        }
        out_texels[i][3] = texel_from_unorm(codes[i][3], 255);
    }
}

static void decode_etc2_rgb(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_colors(block, false, codes);
    put_linear(codes, out_texels);
}

static void decode_etc2_rgb_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_colors(block, false, codes);
    put_srgb(codes, out_texels);
}

static void decode_etc2_rgb_a1(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_colors(block, true, codes);
    put_linear(codes, out_texels);
}

static void decode_etc2_rgb_a1_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_colors(block, true, codes);
    put_srgb(codes, out_texels);
}

static void decode_etc2_rgba(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_colors(block + 8, false, codes);
    decode_alpha(block, codes);
    put_linear(codes, out_texels);
}

static void decode_etc2_rgba_srgb(const uint8_t *block, uint32_t out_texels[][4]) {
    uint8_t codes[16][4];
    decode_colors(block + 8, false, codes);
    decode_alpha(block, codes);
    put_srgb(codes, out_texels);
}

static void decode_eac_r_unorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, false, 0, out_texels);
}

static void decode_eac_r_snorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, true, 0, out_texels);
}

static void decode_eac_rg_unorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, false, 0, out_texels);
    decode_component(block + 8, false, 1, out_texels);
}

static void decode_eac_rg_snorm(const uint8_t *block, uint32_t out_texels[][4]) {
    texel_block_fill(out_texels, 16);
    decode_component(block, true, 0, out_texels);
    decode_component(block + 8, true, 1, out_texels);
}

TEXEL_BLOCK_CODEC(etc2_rgb, 3)
TEXEL_BLOCK_CODEC(etc2_rgb_srgb, 3)
TEXEL_BLOCK_CODEC(etc2_rgb_a1, 4)
TEXEL_BLOCK_CODEC(etc2_rgb_a1_srgb, 4)
TEXEL_BLOCK_CODEC(etc2_rgba, 4)
TEXEL_BLOCK_CODEC(etc2_rgba_srgb, 4)
TEXEL_BLOCK_CODEC(eac_r_unorm, 1)
TEXEL_BLOCK_CODEC(eac_r_snorm, 1)
TEXEL_BLOCK_CODEC(eac_rg_unorm, 2)
TEXEL_BLOCK_CODEC(eac_rg_snorm, 2)
