// SPDX-License-Identifier: MIT
//
// What the decoders of block-compressed formats share: the codecs, bits of a block of 16 bytes, and
// the partitions of BC6H and BC7. Pure functions and constants, any thread.
#pragma once

#include "backend/cpu/texel_priv.h"

#define TEXEL_BLOCK_CODEC(layout, component_count) \
    const struct cpu_texel_codec cpu_texel_##layout = { \
        TYPE_F32, component_count, NULL, NULL, decode_##layout};

extern const struct cpu_texel_codec cpu_texel_bc1, cpu_texel_bc1_srgb, cpu_texel_bc2,
    cpu_texel_bc2_srgb, cpu_texel_bc3, cpu_texel_bc3_srgb, cpu_texel_bc4_unorm, cpu_texel_bc4_snorm,
    cpu_texel_bc5_unorm, cpu_texel_bc5_snorm;
extern const struct cpu_texel_codec cpu_texel_bc6h_ufloat, cpu_texel_bc6h_float;
extern const struct cpu_texel_codec cpu_texel_bc7, cpu_texel_bc7_srgb;
extern const struct cpu_texel_codec cpu_texel_etc2_rgb, cpu_texel_etc2_rgb_srgb,
    cpu_texel_etc2_rgb_a1, cpu_texel_etc2_rgb_a1_srgb, cpu_texel_etc2_rgba,
    cpu_texel_etc2_rgba_srgb, cpu_texel_eac_r_unorm, cpu_texel_eac_r_snorm, cpu_texel_eac_rg_unorm,
    cpu_texel_eac_rg_snorm;

// What formats lack: 0, alpha 1.
static inline void texel_block_fill(uint32_t texels[][4], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        texels[i][0] = texels[i][1] = texels[i][2] = 0;
        texels[i][3] = TEXEL_ONE;
    }
}

// A block of 16 bytes as a number, of which fields are taken from the lowest bit on.
struct texel_bits {
    uint64_t low;
    uint64_t high;
    uint32_t at;
};

static inline struct texel_bits texel_bits_of(const uint8_t *block) {
    struct texel_bits bits = {0, 0, 0};
    memcpy(&bits.low, block, sizeof(bits.low));
    memcpy(&bits.high, block + 8, sizeof(bits.high));
    return bits;
}

// first + count <= 128, count <= 32.
static inline uint32_t texel_bits_get(
    const struct texel_bits *bits, uint32_t first, uint32_t count) {
    uint64_t word = first >= 64 ? bits->high >> (first - 64)
        : first == 0            ? bits->low
                                : bits->low >> first | bits->high << (64 - first);
    return (uint32_t)(word & (((uint64_t)1 << count) - 1));
}

static inline uint32_t texel_bits_take(struct texel_bits *bits, uint32_t count) {
    uint32_t value = texel_bits_get(bits, bits->at, count);
    bits->at += count;
    return value;
}

// texel_block_partition.c. Which subset a texel of a partition belongs to, and the texel of a subset
// whose number has a bit less (BC6H, BC7).
uint32_t texel_block_subset(uint32_t subset_count, uint32_t partition, uint32_t texel);
uint32_t texel_block_anchor(uint32_t subset_count, uint32_t partition, uint32_t subset);
// How much of 64 the second end point has, by the bits of a number: 2, 3 or 4.
const uint8_t *texel_block_weights(uint32_t bits);
