// SPDX-License-Identifier: MIT
//
// ASTC, the LDR profile, blocks of 4 x 4 to 12 x 12 texels: exact in 16 bits, of which sRGB formats use
// the upper eight. What the profile does not allow is magenta, as it asks for.
#include "backend/cpu/texel_block_astc.h"

struct block {
    struct texel_bits bits;
    uint32_t width; // in texels
    uint32_t height;
    bool is_srgb;
    // Weights on a grid, one or two for each point.
    uint32_t grid_width;
    uint32_t grid_height;
    uint32_t plane_count;
    uint32_t second_component; // that the second plane is of
    uint8_t weights[64];
    uint32_t partition_count;
    uint32_t partition_seed;
    int32_t points[4][2][4]; // [partition][which][component], 0 to 255
};

static void set_error(uint32_t count, uint32_t out_texels[][4]) {
    for (uint32_t i = 0; i < count; i++) {
        out_texels[i][0] = out_texels[i][2] = out_texels[i][3] = TEXEL_ONE;
        out_texels[i][1] = 0;
    }
}

static uint32_t put_component(uint32_t value, bool is_srgb, uint32_t component) {
    if (!is_srgb) {
        return texel_from_unorm(value, 65535);
    }
    return component < 3 ? texel_srgb_linear[value >> 8] : texel_from_unorm(value >> 8, 255);
}

// ---------------------------------------------------------------- one color

// False: not allowed.
static bool decode_void_extent(
    const struct texel_bits *bits, bool is_srgb, uint32_t count, uint32_t out_texels[][4]) {
    uint32_t extents[4];
    bool has_extents = false;
    for (uint32_t i = 0; i < 4; i++) {
        extents[i] = texel_bits_get(bits, 12 + 13 * i, 13);
        has_extents |= extents[i] != 0x1fff;
    }
    bool is_hdr = texel_bits_get(bits, 9, 1) != 0;
    bool is_empty = has_extents && (extents[0] >= extents[1] || extents[2] >= extents[3]);
    if (is_hdr || is_empty || texel_bits_get(bits, 10, 2) != 3) {
        return false;
    }
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t word = put_component(texel_bits_get(bits, 64 + 16 * c, 16), is_srgb, c);
        for (uint32_t i = 0; i < count; i++) {
            out_texels[i][c] = word;
        }
    }
    return true;
}

// ---------------------------------------------------------------- weights

// The grid and the range of its weights from the mode; gives the range's number, -1: reserved.
static int32_t take_mode(struct block *block) {
    uint32_t mode = texel_bits_get(&block->bits, 0, 11);
    uint32_t a = mode >> 5 & 3;
    uint32_t b = mode >> 7 & 3;
    bool is_precise = (mode >> 9 & 1) != 0;
    block->plane_count = 1 + (mode >> 10 & 1);
    uint32_t range;
    if ((mode & 3) != 0) {
        range = (mode >> 4 & 1) | (mode & 3) << 1;
        switch (mode >> 2 & 3) {
        case 0:
            block->grid_width = b + 4;
            block->grid_height = a + 2;
            break;
        case 1:
            block->grid_width = b + 8;
            block->grid_height = a + 2;
            break;
        case 2:
            block->grid_width = a + 2;
            block->grid_height = b + 8;
            break;
        default:
            block->grid_width = (b & 2) != 0 ? (b & 1) + 2 : a + 2;
            block->grid_height = (b & 2) != 0 ? a + 2 : (b & 1) + 6;
            break;
        }
    } else {
        range = (mode >> 4 & 1) | (mode >> 2 & 3) << 1;
        switch (b) {
        case 0:
            block->grid_width = 12;
            block->grid_height = a + 2;
            break;
        case 1:
            block->grid_width = a + 2;
            block->grid_height = 12;
            break;
        case 2:
            block->grid_width = a + 6;
            block->grid_height = (mode >> 9 & 3) + 6;
            block->plane_count = 1;
            is_precise = false;
            break;
        default:
            if (a > 1) {
                return -1;
            }
            block->grid_width = a == 0 ? 6 : 10;
            block->grid_height = a == 0 ? 10 : 6;
            break;
        }
    }
    return range < 2 ? -1 : (int32_t)(range - 2 + (is_precise ? 6 : 0));
}

// The weight of a texel on a plane, from those of the grid's points around it.
static uint32_t get_weight(const struct block *block, uint32_t x, uint32_t y, uint32_t plane) {
    uint32_t step_x = (1024 + block->width / 2) / (block->width - 1);
    uint32_t step_y = (1024 + block->height / 2) / (block->height - 1);
    uint32_t at_x = (step_x * x * (block->grid_width - 1) + 32) >> 6;
    uint32_t at_y = (step_y * y * (block->grid_height - 1) + 32) >> 6;
    uint32_t part_x = at_x & 15;
    uint32_t part_y = at_y & 15;
    uint32_t both = (part_x * part_y + 8) >> 4;
    const uint32_t parts[4] = {16 - part_x - part_y + both, part_x - both, part_y - both, both};
    uint32_t first = (at_y >> 4) * block->grid_width + (at_x >> 4);
    const uint32_t points[4] = {
        first, first + 1, first + block->grid_width, first + block->grid_width + 1};
    uint32_t sum = 8;
    for (uint32_t i = 0; i < 4; i++) {
        if (parts[i] != 0) {
            sum += parts[i] * block->weights[points[i] * block->plane_count + plane];
        }
    }
    return sum >> 4;
}

// ---------------------------------------------------------------- partitions

static uint32_t hash(uint32_t value) {
    value ^= value >> 15;
    value -= value << 17;
    value += value << 7;
    value += value << 4;
    value ^= value >> 5;
    value += value << 16;
    value ^= value >> 7;
    value ^= value >> 3;
    value ^= value << 6;
    value ^= value >> 17;
    return value;
}

static uint32_t get_partition(const struct block *block, uint32_t x, uint32_t y) {
    uint32_t count = block->partition_count;
    if (count == 1) {
        return 0;
    }
    if (block->width * block->height < 31) {
        x <<= 1;
        y <<= 1;
    }
    uint32_t seed = block->partition_seed + (count - 1) * 1024;
    uint32_t random = hash(seed);
    uint32_t shifts[2] = {(seed & 2) != 0 ? 4 : 5, count == 3 ? 6 : 5};
    if ((seed & 1) == 0) {
        uint32_t first = shifts[0];
        shifts[0] = shifts[1];
        shifts[1] = first;
    }
    uint32_t best = 0;
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t factor_x = random >> 8 * i & 15;
        uint32_t factor_y = random >> (8 * i + 4) & 15;
        uint32_t value = (factor_x * factor_x >> shifts[0]) * x +
            (factor_y * factor_y >> shifts[1]) * y + (random >> (14 - 4 * i));
        value &= 63;
        if (i == 0 || value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

// ---------------------------------------------------------------- end points

static int32_t clamp(int32_t value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void set_point(int32_t point[4], int32_t red, int32_t green, int32_t blue, int32_t alpha) {
    point[0] = clamp(red);
    point[1] = clamp(green);
    point[2] = clamp(blue);
    point[3] = clamp(alpha);
}

static void set_contracted(
    int32_t point[4], int32_t red, int32_t green, int32_t blue, int32_t alpha) {
    set_point(point, (red + blue) >> 1, (green + blue) >> 1, blue, alpha);
}

// The upper bit of an offset is its base's.
static void transfer(int32_t *offset, int32_t *base) {
    *base = *base >> 1 | (*offset & 0x80);
    *offset = *offset >> 1 & 0x3f;
    *offset -= (*offset & 0x20) != 0 ? 0x40 : 0;
}

// v: (2 * (mode / 4 + 1)) values. False: of the HDR profile.
static bool get_points(uint32_t mode, int32_t v[8], int32_t out[2][4]) {
    bool has_alpha = mode >= 12;
    switch (mode) {
    case 0: // luminance
        set_point(out[0], v[0], v[0], v[0], 255);
        set_point(out[1], v[1], v[1], v[1], 255);
        return true;
    case 1: { // luminance, base and offset
        int32_t base = v[0] >> 2 | (v[1] & 0xc0);
        int32_t other = base + (v[1] & 0x3f);
        set_point(out[0], base, base, base, 255);
        set_point(out[1], other, other, other, 255);
        return true;
    }
    case 4: // luminance and alpha
        set_point(out[0], v[0], v[0], v[0], v[2]);
        set_point(out[1], v[1], v[1], v[1], v[3]);
        return true;
    case 5: // luminance and alpha, base and offset
        transfer(&v[1], &v[0]);
        transfer(&v[3], &v[2]);
        set_point(out[0], v[0], v[0], v[0], v[2]);
        set_point(out[1], v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
        return true;
    case 6: // base and scale
    case 10:
        set_point(
            out[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, mode == 10 ? v[4] : 255);
        set_point(out[1], v[0], v[1], v[2], mode == 10 ? v[5] : 255);
        return true;
    case 8: // direct
    case 12: {
        int32_t alphas[2] = {has_alpha ? v[6] : 255, has_alpha ? v[7] : 255};
        if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
            set_point(out[0], v[0], v[2], v[4], alphas[0]);
            set_point(out[1], v[1], v[3], v[5], alphas[1]);
        } else {
            set_contracted(out[0], v[1], v[3], v[5], alphas[1]);
            set_contracted(out[1], v[0], v[2], v[4], alphas[0]);
        }
        return true;
    }
    case 9: // base and offset
    case 13: {
        transfer(&v[1], &v[0]);
        transfer(&v[3], &v[2]);
        transfer(&v[5], &v[4]);
        int32_t alphas[2] = {255, 255};
        if (has_alpha) {
            transfer(&v[7], &v[6]);
            alphas[0] = v[6];
            alphas[1] = v[6] + v[7];
        }
        if (v[1] + v[3] + v[5] >= 0) {
            set_point(out[0], v[0], v[2], v[4], alphas[0]);
            set_point(out[1], v[0] + v[1], v[2] + v[3], v[4] + v[5], alphas[1]);
        } else {
            set_contracted(out[0], v[0] + v[1], v[2] + v[3], v[4] + v[5], alphas[1]);
            set_contracted(out[1], v[0], v[2], v[4], alphas[0]);
        }
        return true;
    }
    default:
        return false;
    }
}

// The modes of the end points: one for all partitions, or one of two neighbouring classes for each.
// `end` is the bit below the weights; gives the bit below what was taken there.
static uint32_t take_modes(const struct block *block, uint32_t end, uint32_t out_modes[4]) {
    uint32_t count = block->partition_count;
    if (count == 1) {
        out_modes[0] = texel_bits_get(&block->bits, 13, 4);
        return end;
    }
    uint32_t field = texel_bits_get(&block->bits, 23, 6);
    if ((field & 3) == 0) {
        for (uint32_t i = 0; i < count; i++) {
            out_modes[i] = field >> 2;
        }
        return end;
    }
    uint32_t extra_bits = 3 * count - 4;
    end -= extra_bits;
    uint32_t all = (field | texel_bits_get(&block->bits, end, extra_bits) << 6) >> 2;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t class = (field & 3) - 1 + (all >> i & 1);
        out_modes[i] = class << 2 | (all >> (count + 2 * i) & 3);
    }
    return end;
}

// False: not allowed.
static bool take_end_points(struct block *block, uint32_t end) {
    uint32_t modes[4];
    end = take_modes(block, end, modes);
    if (block->plane_count == 2) {
        end -= 2;
        block->second_component = texel_bits_get(&block->bits, end, 2);
    }
    uint32_t first = block->partition_count == 1 ? 17 : 29;
    uint32_t value_count = 0;
    for (uint32_t i = 0; i < block->partition_count; i++) {
        value_count += 2 * (modes[i] / 4 + 1);
    }
    uint8_t values[18];
    if (value_count > 18 || end < first ||
        !texel_astc_take_colors(&block->bits, first, end, value_count, values)) {
        return false;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < block->partition_count; i++) {
        int32_t v[8] = {0};
        for (uint32_t j = 0; j < 2 * (modes[i] / 4 + 1); j++) {
            v[j] = values[at++];
        }
        if (!get_points(modes[i], v, block->points[i])) {
            set_point(block->points[i][0], 255, 0, 255, 255);
            set_point(block->points[i][1], 255, 0, 255, 255);
        }
    }
    return true;
}

// ---------------------------------------------------------------- the whole

// False: not allowed.
static bool take_block(struct block *block) {
    int32_t range = take_mode(block);
    uint32_t weight_count = block->grid_width * block->grid_height * block->plane_count;
    if (range < 0 || weight_count > 64 || block->grid_width > block->width ||
        block->grid_height > block->height) {
        return false;
    }
    uint32_t weight_bits = texel_astc_weight_bits((uint32_t)range, weight_count);
    block->partition_count = 1 + texel_bits_get(&block->bits, 11, 2);
    block->partition_seed = texel_bits_get(&block->bits, 13, 10);
    if (weight_bits < 24 || weight_bits > 96 ||
        (block->plane_count == 2 && block->partition_count == 4)) {
        return false;
    }
    texel_astc_take_weights(&block->bits, (uint32_t)range, weight_count, block->weights);
    return take_end_points(block, 128 - weight_bits);
}

void texel_astc_decode(
    const uint8_t *bytes, uint32_t width, uint32_t height, bool is_srgb, uint32_t out_texels[][4]) {
    struct block block = {.bits = texel_bits_of(bytes), .width = width, .height = height};
    if (texel_bits_get(&block.bits, 0, 9) == 0x1fc) {
        if (!decode_void_extent(&block.bits, is_srgb, width * height, out_texels)) {
            set_error(width * height, out_texels);
        }
        return;
    }
    if (!take_block(&block)) {
        set_error(width * height, out_texels);
        return;
    }
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t x = i % width;
        uint32_t y = i / width;
        uint32_t partition = get_partition(&block, x, y);
        uint32_t weights[2] = {get_weight(&block, x, y, 0), 0};
        if (block.plane_count == 2) {
            weights[1] = get_weight(&block, x, y, 1);
        }
        for (uint32_t c = 0; c < 4; c++) {
            bool is_second = block.plane_count == 2 && c == block.second_component;
            uint32_t weight = weights[is_second];
            uint32_t first = (uint32_t)block.points[partition][0][c];
            uint32_t second = (uint32_t)block.points[partition][1][c];
            first = first << 8 | (is_srgb ? 0x80 : first);
            second = second << 8 | (is_srgb ? 0x80 : second);
            uint32_t value = (first * (64 - weight) + second * weight + 32) >> 6;
            out_texels[i][c] = put_component(value, is_srgb, c);
        }
    }
}

#define ASTC_FORMAT(width, height) \
    static void decode_astc_##width##x##height(const uint8_t *block, uint32_t out_texels[][4]) { \
        texel_astc_decode(block, width, height, false, out_texels); \
    } \
    static void decode_astc_##width##x##height##_srgb( \
        const uint8_t *block, uint32_t out_texels[][4]) { \
        texel_astc_decode(block, width, height, true, out_texels); \
    } \
    TEXEL_BLOCK_CODEC(astc_##width##x##height, 4) \
    TEXEL_BLOCK_CODEC(astc_##width##x##height##_srgb, 4)
ASTC_FORMAT(4, 4)
ASTC_FORMAT(5, 4)
ASTC_FORMAT(5, 5)
ASTC_FORMAT(6, 5)
ASTC_FORMAT(6, 6)
ASTC_FORMAT(8, 5)
ASTC_FORMAT(8, 6)
ASTC_FORMAT(8, 8)
ASTC_FORMAT(10, 5)
ASTC_FORMAT(10, 6)
ASTC_FORMAT(10, 8)
ASTC_FORMAT(10, 10)
ASTC_FORMAT(12, 10)
ASTC_FORMAT(12, 12)
