// SPDX-License-Identifier: MIT
//
// Codecs of integer and float components of 8, 16 and 32 bits.
#include "backend/cpu/texel_priv.h"

static inline uint32_t keep(uint32_t code) {
    return code;
}
static inline uint32_t to_uint8(uint32_t word) {
    return texel_to_uint(word, 0xff);
}
static inline uint32_t from_sint8(uint32_t code) {
    return texel_extend(code, 8);
}
static inline uint32_t to_sint8(uint32_t word) {
    return texel_to_sint(word, 8);
}
static inline uint32_t to_uint16(uint32_t word) {
    return texel_to_uint(word, 0xffff);
}
static inline uint32_t from_sint16(uint32_t code) {
    return texel_extend(code, 16);
}
static inline uint32_t to_sint16(uint32_t word) {
    return texel_to_sint(word, 16);
}

TEXEL_ARRAYS_8(uint, TYPE_U32, 1, keep, to_uint8)
TEXEL_ARRAYS_8(sint, TYPE_I32, 1, from_sint8, to_sint8)
TEXEL_ARRAYS_16(uint, TYPE_U32, 1, keep, to_uint16)
TEXEL_ARRAYS_16(sint, TYPE_I32, 1, from_sint16, to_sint16)
TEXEL_ARRAYS_16(float, TYPE_F32, TEXEL_ONE, texel_from_half, texel_to_half)

// ---------------------------------------------------------------- 32 bits: the words themselves

#define TEXEL_ARRAYS_32(name, kind, one) \
    static inline void read_##name##32x1(const uint8_t *bytes, uint32_t words[4]) { \
        words[0] = texel_load32(bytes); \
        words[1] = words[2] = 0; \
        words[3] = one; \
    } \
    static inline void read_##name##32x2(const uint8_t *bytes, uint32_t words[4]) { \
        words[0] = texel_load32(bytes); \
        words[1] = texel_load32(bytes + 4); \
        words[2] = 0; \
        words[3] = one; \
    } \
    static inline void read_##name##32x4(const uint8_t *bytes, uint32_t words[4]) { \
        memcpy(words, bytes, 16); \
    } \
    static inline void write_##name##32x1(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store32(bytes, words[0]); \
    } \
    static inline void write_##name##32x2(uint8_t * bytes, const uint32_t words[4]) { \
        texel_store32(bytes, words[0]); \
        texel_store32(bytes + 4, words[1]); \
    } \
    static inline void write_##name##32x4(uint8_t * bytes, const uint32_t words[4]) { \
        memcpy(bytes, words, 16); \
    } \
    TEXEL_CODECS(name##32, kind, 4)

TEXEL_ARRAYS_32(uint, TYPE_U32, 1)
TEXEL_ARRAYS_32(sint, TYPE_I32, 1)
TEXEL_ARRAYS_32(float, TYPE_F32, TEXEL_ONE)
