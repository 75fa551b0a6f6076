// SPDX-License-Identifier: MIT
//
// What the files of texel codecs share: conversions of one component, written without branches so
// that compilers vectorise the loops around them, and the loops. Words in memory are little-endian,
// as on all systems that alba runs on. Pure functions and constants, any thread.
#pragma once

#include <string.h>

#include "backend/cpu/texel.h"
#include "backend/cpu/wide.h"

#define TEXEL_ONE 0x3f800000u // the bits of 1.0

// ---------------------------------------------------------------- bits

static inline float texel_float(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static inline uint32_t texel_word(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static inline uint32_t texel_load16(const uint8_t *bytes) {
    uint16_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

static inline uint32_t texel_load32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

static inline void texel_store16(uint8_t *bytes, uint32_t word) {
    uint16_t half = (uint16_t)word;
    memcpy(bytes, &half, sizeof(half));
}

static inline void texel_store32(uint8_t *bytes, uint32_t word) {
    memcpy(bytes, &word, sizeof(word));
}

static inline uint32_t texel_extend(uint32_t word, uint32_t bits) {
    return (uint32_t)((int32_t)(word << (32 - bits)) >> (32 - bits));
}

// ---------------------------------------------------------------- normalised numbers

static inline uint32_t texel_from_unorm(uint32_t code, uint32_t most) {
    return texel_word((float)(int32_t)code / (float)most);
}

static inline uint32_t texel_from_snorm(uint32_t code, uint32_t bits) {
    float value = (float)(int32_t)texel_extend(code, bits) / (float)((1u << (bits - 1)) - 1);
    return texel_word(value > -1.0f ? value : -1.0f);
}

// The products are exact in doubles, so that rounding happens once.
static inline uint32_t texel_to_unorm(uint32_t word, uint32_t most) {
    float value = texel_float(word);
    value = value > 0.0f ? value : 0.0f; // NaN too
    value = value < 1.0f ? value : 1.0f;
    return (uint32_t)(int32_t)((double)value * (double)most + 0.5);
}

// The nearest, ties to even; the upper bits are the sign's.
static inline uint32_t texel_to_snorm(uint32_t word, uint32_t most) {
    float value = texel_float(word);
    value = value == value ? value : 0.0f;
    value = value > -1.0f ? value : -1.0f;
    value = value < 1.0f ? value : 1.0f;
    double scaled = (double)value * (double)most + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &scaled, sizeof(bits));
    return (uint32_t)bits;
}

// ---------------------------------------------------------------- integers

static inline uint32_t texel_to_uint(uint32_t word, uint32_t most) {
    return word < most ? word : most;
}

static inline uint32_t texel_to_sint(uint32_t word, uint32_t bits) {
    int32_t most = (int32_t)((1u << (bits - 1)) - 1);
    int32_t value = (int32_t)word;
    value = value < most ? value : most;
    return (uint32_t)(value > -most - 1 ? value : -most - 1);
}

// ---------------------------------------------------------------- small floats

// 5 bits of exponent above fraction_bits of fraction, without a sign.
static inline uint32_t texel_from_small_float(uint32_t code, uint32_t fraction_bits) {
    uint32_t shifted = code << (23 - fraction_bits);
    // The bias grows from 15 to 127; numbers without an implied one are exact too.
    uint32_t word = texel_word(texel_float(shifted) * 0x1p112f);
    uint32_t is_special = (uint32_t)((int32_t)(0x0f7fffffu - shifted) >> 31);
    return word | (is_special & 0x7f800000u);
}

// Rounds to nearest even. What is too large becomes `most`, NaN a NaN, infinity stays. magnitude: the
// bits of an f32 without its sign.
static inline uint32_t texel_to_small_float(
    uint32_t magnitude, uint32_t fraction_bits, uint32_t most) {
    uint32_t infinity = 31u << fraction_bits;
    uint32_t shift = 23 - fraction_bits;
    uint32_t normal = (magnitude - 0x38000000u + (1u << (shift - 1)) - 1 +
                          (magnitude >> shift & 1)) >>
        shift;
    normal = normal < infinity ? normal : most;
    normal = magnitude < 0x47800000u ? normal : most;
    // A number whose last place is the format's least number rounds the sum.
    float least = texel_float((136u - fraction_bits) << 23);
    uint32_t subnormal = texel_word(texel_float(magnitude) + least) - texel_word(least);
    uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
    uint32_t special = magnitude == 0x7f800000u ? infinity : infinity | 1u << (fraction_bits - 1);
    return magnitude < 0x7f800000u ? finite : special;
}

static inline uint32_t texel_from_half(uint32_t code) {
    return texel_from_small_float(code & 0x7fffu, 10) | (code & 0x8000u) << 16;
}

static inline uint32_t texel_to_half(uint32_t word) {
    return texel_to_small_float(word & 0x7fffffffu, 10, 0x7c00u) | (word >> 16 & 0x8000u);
}

// ---------------------------------------------------------------- sRGB

#define TEXEL_SRGB_PARTS 1664u
#define TEXEL_SRGB_FIRST 0x39000000u // the bits of 2^-13

extern const uint32_t texel_srgb_linear[256];
extern const uint32_t texel_srgb_thresholds[257];
extern const uint8_t texel_srgb_starts[TEXEL_SRGB_PARTS];

static inline uint32_t texel_to_srgb(uint32_t word) {
    if (!(texel_float(word) >= 0x1p-13f)) {
        return 0; // NaN too
    }
    if (word >= TEXEL_ONE) {
        return 255;
    }
    uint32_t start = texel_srgb_starts[(word - TEXEL_SRGB_FIRST) >> 16];
    return start + (word >= texel_srgb_thresholds[start + 1]);
}

// ---------------------------------------------------------------- codecs

// The loops over a texel's function: read_LAYOUT(bytes, words) and write_LAYOUT(bytes, words). The
// distance of packed texels is a constant of its own loop, which is the one that is vectorised.
#define TEXEL_DECODE_LOOP(layout, distance) \
    for (uint32_t i = 0; i < count; i++) { \
        uint32_t words[4]; \
        read_##layout(texels + (size_t)i * (distance), words); \
        red[i] = words[0]; \
        green[i] = words[1]; \
        blue[i] = words[2]; \
        alpha[i] = words[3]; \
    }
#define TEXEL_DECODER(layout, texel_bytes) \
    CPU_WIDE void decode_##layout(const uint8_t *texels, size_t stride_bytes, uint32_t count, \
        uint32_t *out, uint32_t row_words) { \
        uint32_t *restrict red = out; \
        uint32_t *restrict green = red + row_words; \
        uint32_t *restrict blue = green + row_words; \
        uint32_t *restrict alpha = blue + row_words; \
        if (stride_bytes == (texel_bytes)) { \
            TEXEL_DECODE_LOOP(layout, texel_bytes) \
        } else { \
            TEXEL_DECODE_LOOP(layout, stride_bytes) \
        } \
    }

#define TEXEL_ENCODE_LOOP(layout, distance) \
    for (uint32_t i = 0; i < count; i++) { \
        const uint32_t texel[4] = {words[i], words[row_words + (size_t)i], \
            words[2 * (size_t)row_words + i], words[3 * (size_t)row_words + i]}; \
        write_##layout(texels + (size_t)i * (distance), texel); \
    }
#define TEXEL_ENCODER(layout, texel_bytes) \
    CPU_WIDE void encode_##layout(uint8_t *restrict texels, size_t stride_bytes, uint32_t count, \
        const uint32_t *restrict words, uint32_t row_words) { \
        if (stride_bytes == (texel_bytes)) { \
            TEXEL_ENCODE_LOOP(layout, texel_bytes) \
        } else { \
            TEXEL_ENCODE_LOOP(layout, stride_bytes) \
        } \
    }

#define TEXEL_CODEC(layout, kind, component_count) \
    const struct cpu_texel_codec cpu_texel_##layout = { \
        kind, component_count, decode_##layout, encode_##layout, NULL};

// Components of one size, one after the other. from, to: a component's word from its code and back.
#define TEXEL_ARRAYS_8(name, kind, one, from, to) \
    static inline void read_##name##8x1(const uint8_t *bytes, uint32_t words[4]) { \
        words[0] = from(bytes[0]); \
        words[1] = words[2] = 0; \
        words[3] = one; \
    } \
    static inline void read_##name##8x2(const uint8_t *bytes, uint32_t words[4]) { \
        uint32_t codes = texel_load16(bytes); \
        words[0] = from(codes & 0xffu); \
        words[1] = from(codes >> 8); \
        words[2] = 0; \
        words[3] = one; \
    } \
    static inline void read_##name##8x4(const uint8_t *bytes, uint32_t words[4]) { \
        uint32_t codes = texel_load32(bytes); \
        words[0] = from(codes & 0xffu); \
        words[1] = from(codes >> 8 & 0xffu); \
        words[2] = from(codes >> 16 & 0xffu); \
        words[3] = from(codes >> 24); \
    } \
    static inline void write_##name##8x1(uint8_t * bytes, const uint32_t words[4]) { \
        bytes[0] = (uint8_t)to(words[0]); \
    } \
    static inline void write_##name##8x2(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store16(bytes, (to(words[0]) & 0xffu) | to(words[1]) << 8); \
    } \
    static inline void write_##name##8x4(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store32(bytes, \
            (to(words[0]) & 0xffu) | (to(words[1]) & 0xffu) << 8 | (to(words[2]) & 0xffu) << 16 | \
                to(words[3]) << 24); \
    } \
    TEXEL_CODECS(name##8, kind, 1)

#define TEXEL_ARRAYS_16(name, kind, one, from, to) \
    static inline void read_##name##16x1(const uint8_t *bytes, uint32_t words[4]) { \
        words[0] = from(texel_load16(bytes)); \
        words[1] = words[2] = 0; \
        words[3] = one; \
    } \
    static inline void read_##name##16x2(const uint8_t *bytes, uint32_t words[4]) { \
        uint32_t codes = texel_load32(bytes); \
        words[0] = from(codes & 0xffffu); \
        words[1] = from(codes >> 16); \
        words[2] = 0; \
        words[3] = one; \
    } \
    static inline void read_##name##16x4(const uint8_t *bytes, uint32_t words[4]) { \
        read_##name##16x2(bytes, words); \
        uint32_t codes = texel_load32(bytes + 4); \
        words[2] = from(codes & 0xffffu); \
        words[3] = from(codes >> 16); \
    } \
    static inline void write_##name##16x1(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store16(bytes, to(words[0])); \
    } \
    static inline void write_##name##16x2(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store32(bytes, (to(words[0]) & 0xffffu) | to(words[1]) << 16); \
    } \
    static inline void write_##name##16x4(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store32(bytes, (to(words[0]) & 0xffffu) | to(words[1]) << 16); \
        texel_store32(bytes + 4, (to(words[2]) & 0xffffu) | to(words[3]) << 16); \
    } \
    TEXEL_CODECS(name##16, kind, 2)

#define TEXEL_CODECS(name, kind, component_bytes) \
    TEXEL_DECODER(name##x1, component_bytes) \
    TEXEL_ENCODER(name##x1, component_bytes) \
    TEXEL_CODEC(name##x1, kind, 1) \
    TEXEL_DECODER(name##x2, 2 * component_bytes) \
    TEXEL_ENCODER(name##x2, 2 * component_bytes) \
    TEXEL_CODEC(name##x2, kind, 2) \
    TEXEL_DECODER(name##x4, 4 * component_bytes) \
    TEXEL_ENCODER(name##x4, 4 * component_bytes) \
    TEXEL_CODEC(name##x4, kind, 4)

// The codecs, each in the file of its family.
#define TEXEL_FAMILY(name) \
    extern const struct cpu_texel_codec cpu_texel_##name##x1, cpu_texel_##name##x2, \
        cpu_texel_##name##x4;
TEXEL_FAMILY(unorm8)
TEXEL_FAMILY(snorm8)
TEXEL_FAMILY(uint8)
TEXEL_FAMILY(sint8)
TEXEL_FAMILY(unorm16)
TEXEL_FAMILY(snorm16)
TEXEL_FAMILY(uint16)
TEXEL_FAMILY(sint16)
TEXEL_FAMILY(float16)
TEXEL_FAMILY(uint32)
TEXEL_FAMILY(sint32)
TEXEL_FAMILY(float32)
#undef TEXEL_FAMILY
extern const struct cpu_texel_codec cpu_texel_bgra8, cpu_texel_srgb8, cpu_texel_bgra8_srgb;
extern const struct cpu_texel_codec cpu_texel_uint10_2, cpu_texel_unorm10_2, cpu_texel_ufloat11_10,
    cpu_texel_ufloat9_5;
