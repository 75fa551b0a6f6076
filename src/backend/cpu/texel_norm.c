// SPDX-License-Identifier: MIT
//
// Codecs of normalised components of 8 and 16 bits, linear and sRGB.
#include "backend/cpu/texel_priv.h"

static inline uint32_t from_unorm8(uint32_t code) {
    return texel_from_unorm(code, 255);
}
static inline uint32_t to_unorm8(uint32_t word) {
    return texel_to_unorm(word, 255);
}
static inline uint32_t from_snorm8(uint32_t code) {
    return texel_from_snorm(code, 8);
}
static inline uint32_t to_snorm8(uint32_t word) {
    return texel_to_snorm(word, 127);
}
static inline uint32_t from_unorm16(uint32_t code) {
    return texel_from_unorm(code, 65535);
}
static inline uint32_t to_unorm16(uint32_t word) {
    return texel_to_unorm(word, 65535);
}
static inline uint32_t from_snorm16(uint32_t code) {
    return texel_from_snorm(code, 16);
}
static inline uint32_t to_snorm16(uint32_t word) {
    return texel_to_snorm(word, 32767);
}

TEXEL_ARRAYS_8(unorm, TYPE_F32, TEXEL_ONE, from_unorm8, to_unorm8)
TEXEL_ARRAYS_8(snorm, TYPE_F32, TEXEL_ONE, from_snorm8, to_snorm8)
TEXEL_ARRAYS_16(unorm, TYPE_F32, TEXEL_ONE, from_unorm16, to_unorm16)
TEXEL_ARRAYS_16(snorm, TYPE_F32, TEXEL_ONE, from_snorm16, to_snorm16)

// ---------------------------------------------------------------- blue first

static inline void read_bgra8(const uint8_t *bytes, uint32_t words[4]) {
    uint32_t codes = texel_load32(bytes);
    words[0] = from_unorm8(codes >> 16 & 0xffu);
    words[1] = from_unorm8(codes >> 8 & 0xffu);
    words[2] = from_unorm8(codes & 0xffu);
    words[3] = from_unorm8(codes >> 24);
}

static inline void write_bgra8(uint8_t *bytes, const uint32_t words[4]) {
    texel_store32(bytes,
        to_unorm8(words[2]) | to_unorm8(words[1]) << 8 | to_unorm8(words[0]) << 16 |
            to_unorm8(words[3]) << 24);
}

TEXEL_DECODER(bgra8, 4)
TEXEL_ENCODER(bgra8, 4)
TEXEL_CODEC(bgra8, TYPE_F32, 4)

// ---------------------------------------------------------------- sRGB

static inline void read_srgb8(const uint8_t *bytes, uint32_t words[4]) {
    words[0] = texel_srgb_linear[bytes[0]];
    words[1] = texel_srgb_linear[bytes[1]];
    words[2] = texel_srgb_linear[bytes[2]];
    words[3] = from_unorm8(bytes[3]);
}

static inline void write_srgb8(uint8_t *bytes, const uint32_t words[4]) {
    texel_store32(bytes,
        texel_to_srgb(words[0]) | texel_to_srgb(words[1]) << 8 | texel_to_srgb(words[2]) << 16 |
            to_unorm8(words[3]) << 24);
}

static inline void read_bgra8_srgb(const uint8_t *bytes, uint32_t words[4]) {
    words[0] = texel_srgb_linear[bytes[2]];
    words[1] = texel_srgb_linear[bytes[1]];
    words[2] = texel_srgb_linear[bytes[0]];
    words[3] = from_unorm8(bytes[3]);
}

static inline void write_bgra8_srgb(uint8_t *bytes, const uint32_t words[4]) {
    texel_store32(bytes,
        texel_to_srgb(words[2]) | texel_to_srgb(words[1]) << 8 | texel_to_srgb(words[0]) << 16 |
            to_unorm8(words[3]) << 24);
}

TEXEL_DECODER(srgb8, 4)
TEXEL_ENCODER(srgb8, 4)
TEXEL_CODEC(srgb8, TYPE_F32, 4)
TEXEL_DECODER(bgra8_srgb, 4)
TEXEL_ENCODER(bgra8_srgb, 4)
TEXEL_CODEC(bgra8_srgb, TYPE_F32, 4)
