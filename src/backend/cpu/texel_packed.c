// SPDX-License-Identifier: MIT
//
// Codecs of formats whose components share a 32-bit word unequally.
#include "backend/cpu/texel_priv.h"

// ---------------------------------------------------------------- 10, 10, 10, 2

static inline void read_uint10_2(const uint8_t *bytes, uint32_t words[4]) {
    uint32_t codes = texel_load32(bytes);
    words[0] = codes & 0x3ffu;
    words[1] = codes >> 10 & 0x3ffu;
    words[2] = codes >> 20 & 0x3ffu;
    words[3] = codes >> 30;
}

static inline void write_uint10_2(uint8_t *bytes, const uint32_t words[4]) {
    texel_store32(bytes,
        texel_to_uint(words[0], 0x3ff) | texel_to_uint(words[1], 0x3ff) << 10 |
            texel_to_uint(words[2], 0x3ff) << 20 | texel_to_uint(words[3], 3) << 30);
}

static inline void read_unorm10_2(const uint8_t *bytes, uint32_t words[4]) {
    read_uint10_2(bytes, words);
    words[0] = texel_from_unorm(words[0], 0x3ff);
    words[1] = texel_from_unorm(words[1], 0x3ff);
    words[2] = texel_from_unorm(words[2], 0x3ff);
    words[3] = texel_from_unorm(words[3], 3);
}

static inline void write_unorm10_2(uint8_t *bytes, const uint32_t words[4]) {
    texel_store32(bytes,
        texel_to_unorm(words[0], 0x3ff) | texel_to_unorm(words[1], 0x3ff) << 10 |
            texel_to_unorm(words[2], 0x3ff) << 20 | texel_to_unorm(words[3], 3) << 30);
}

// ---------------------------------------------------------------- 11, 11, 10 bits of float

static inline void read_ufloat11_10(const uint8_t *bytes, uint32_t words[4]) {
    uint32_t codes = texel_load32(bytes);
    words[0] = texel_from_small_float(codes & 0x7ffu, 6);
    words[1] = texel_from_small_float(codes >> 11 & 0x7ffu, 6);
    words[2] = texel_from_small_float(codes >> 22, 5);
    words[3] = TEXEL_ONE;
}

// Numbers below zero become zero; no finite number becomes infinity.
static inline uint32_t to_ufloat(uint32_t word, uint32_t fraction_bits) {
    uint32_t magnitude = word & 0x7fffffffu;
    magnitude = word == magnitude || magnitude > 0x7f800000u ? magnitude : 0;
    return texel_to_small_float(magnitude, fraction_bits, (31u << fraction_bits) - 1);
}

static inline void write_ufloat11_10(uint8_t *bytes, const uint32_t words[4]) {
    texel_store32(bytes,
        to_ufloat(words[0], 6) | to_ufloat(words[1], 6) << 11 | to_ufloat(words[2], 5) << 22);
}

// ---------------------------------------------------------------- a shared exponent

static inline void read_ufloat9_5(const uint8_t *bytes, uint32_t words[4]) {
    uint32_t codes = texel_load32(bytes);
    // 2^(exponent - 15 - 9)
    float scale = texel_float(((codes >> 27) + 127 - 24) << 23);
    words[0] = texel_word((float)(int32_t)(codes & 0x1ffu) * scale);
    words[1] = texel_word((float)(int32_t)(codes >> 9 & 0x1ffu) * scale);
    words[2] = texel_word((float)(int32_t)(codes >> 18 & 0x1ffu) * scale);
    words[3] = TEXEL_ONE;
}

TEXEL_DECODER(uint10_2, 4)
TEXEL_ENCODER(uint10_2, 4)
TEXEL_CODEC(uint10_2, TYPE_U32, 4)
TEXEL_DECODER(unorm10_2, 4)
TEXEL_ENCODER(unorm10_2, 4)
TEXEL_CODEC(unorm10_2, TYPE_F32, 4)
TEXEL_DECODER(ufloat11_10, 4)
TEXEL_ENCODER(ufloat11_10, 4)
TEXEL_CODEC(ufloat11_10, TYPE_F32, 3)
TEXEL_DECODER(ufloat9_5, 4)
const struct cpu_texel_codec cpu_texel_ufloat9_5 = {TYPE_F32, 3, decode_ufloat9_5, NULL, NULL};
