// SPDX-License-Identifier: MIT
//
// ASTC blocks: decoding, and the sequences of bounded integers that weights and end points are written
// in. Pure functions, any thread.
#pragma once

#include "backend/cpu/texel_block_priv.h"

// A block of width * height texels, rows first.
void texel_astc_decode(
    const uint8_t *bytes, uint32_t width, uint32_t height, bool is_srgb, uint32_t out_texels[][4]);

// texel_block_astc_integer.c. range: number of a weight range, from 2 values to 32.
uint32_t texel_astc_weight_bits(uint32_t range, uint32_t count);
// Weights from 0 to 64, written backwards from the block's end.
void texel_astc_take_weights(
    const struct texel_bits *bits, uint32_t range, uint32_t count, uint8_t *out_weights);
// Values from 0 to 255, of the largest range that fits between the bits. False: none does.
bool texel_astc_take_colors(const struct texel_bits *bits, uint32_t first, uint32_t end,
    uint32_t count, uint8_t *out_values);

#define TEXEL_ASTC_CODECS(width, height) \
    extern const struct cpu_texel_codec cpu_texel_astc_##width##x##height, \
        cpu_texel_astc_##width##x##height##_srgb;
TEXEL_ASTC_CODECS(4, 4)
TEXEL_ASTC_CODECS(5, 4)
TEXEL_ASTC_CODECS(5, 5)
TEXEL_ASTC_CODECS(6, 5)
TEXEL_ASTC_CODECS(6, 6)
TEXEL_ASTC_CODECS(8, 5)
TEXEL_ASTC_CODECS(8, 6)
TEXEL_ASTC_CODECS(8, 8)
TEXEL_ASTC_CODECS(10, 5)
TEXEL_ASTC_CODECS(10, 6)
TEXEL_ASTC_CODECS(10, 8)
TEXEL_ASTC_CODECS(10, 10)
TEXEL_ASTC_CODECS(12, 10)
TEXEL_ASTC_CODECS(12, 12)
#undef TEXEL_ASTC_CODECS
