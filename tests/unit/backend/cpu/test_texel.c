// SPDX-License-Identifier: MIT
//
// The fast codecs against the one of host_texel.h, which works in doubles: every code of 8 and 16
// bits, words chosen around each place where rounding turns, special numbers, and random words.
#include "backend/cpu/texel.h"

#include "backend/host_texel.h"
#include "check.h"
#include "facts/texture_format.h"

#include <webgpu/webgpu.h>

#define LANES 64u

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t get_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 24);
}

static double to_number(enum type_kind kind, uint32_t word) {
    if (kind == TYPE_U32) {
        return word;
    }
    if (kind == TYPE_I32) {
        return (int32_t)word;
    }
    float value = 0;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static uint32_t to_word(enum type_kind kind, double number) {
    if (kind == TYPE_U32) {
        return (uint32_t)number;
    }
    if (kind == TYPE_I32) {
        return (uint32_t)(int32_t)number;
    }
    float value = (float)number;
    uint32_t word = 0;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static bool is_nan(enum type_kind kind, uint32_t word) {
    return kind == TYPE_F32 && (word & 0x7fffffffu) > 0x7f800000u;
}

// Color formats that can be rendered to, and the aspects of depth and stencil.
static bool is_known_to_host(uint32_t format) {
    const struct texture_format_info *info = texture_format_get_info(format);
    return info != NULL && !texture_format_is_compressed(info) &&
        info->aspect != TEXTURE_ASPECT_DEPTH_STENCIL && format != WGPUTextureFormat_RGB9E5Ufloat;
}

// Decodes `count` texels, `distance` apart, and says how many components differ from the host's.
static uint32_t count_decode_differences(
    uint32_t format, const uint8_t *texels, uint32_t distance, uint32_t count) {
    const struct cpu_texel_codec *codec = cpu_texel_codec_get(format);
    uint32_t words[4][LANES];
    codec->decode(texels, distance, count, words[0], LANES);
    uint32_t differences = 0;
    for (uint32_t i = 0; i < count; i++) {
        double expected[4];
        host_texel_decode(format, texels + (size_t)distance * i, expected);
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t word = to_word(codec->kind, expected[c]);
            bool are_nan = is_nan(codec->kind, word) && is_nan(codec->kind, words[c][i]);
            differences += word != words[c][i] && !are_nan;
        }
    }
    return differences;
}

// Encodes rows of words, with bytes between the texels that must stay.
static uint32_t count_encode_differences(
    uint32_t format, uint32_t words[4][LANES], uint32_t gap, uint32_t count) {
    const struct cpu_texel_codec *codec = cpu_texel_codec_get(format);
    uint32_t size = texture_format_get_info(format)->block_bytes;
    uint8_t bytes[LANES * 32];
    memset(bytes, 0xa5, sizeof(bytes));
    codec->encode(bytes, size + gap, count, words[0], LANES);
    uint32_t differences = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        uint8_t expected[32];
        memset(expected, 0xa5, sizeof(expected));
        if (i < count) {
            double numbers[4];
            for (uint32_t c = 0; c < 4; c++) {
                numbers[c] = to_number(codec->kind, words[c][i]);
            }
            host_texel_encode(format, numbers, expected);
        }
        const uint8_t *texel = bytes + (size_t)i * (size + gap);
        bool are_nan = false;
        if (codec->kind == TYPE_F32 && size == 4 * codec->component_count) {
            are_nan = true; // a NaN may be quieted by the host's way through doubles
            for (uint32_t c = 0; c < codec->component_count; c++) {
                uint32_t left = 0;
                uint32_t right = 0;
                memcpy(&left, texel + 4 * (size_t)c, 4);
                memcpy(&right, expected + 4 * (size_t)c, 4);
                are_nan = are_nan &&
                    (left == right || (is_nan(TYPE_F32, left) && is_nan(TYPE_F32, right)));
            }
        }
        differences += !are_nan && memcmp(texel, expected, size + gap) != 0;
    }
    return differences;
}

TEST(all_codes_decode_alike) {
    uint8_t texels[LANES * 32];
    for (uint32_t format = 1; format <= WGPUTextureFormat_Depth32FloatStencil8; format++) {
        if (!is_known_to_host(format)) {
            continue;
        }
        uint32_t size = texture_format_get_info(format)->block_bytes;
        uint32_t differences = 0;
        for (uint32_t first = 0; first < 65536; first += LANES) {
            uint32_t distance = (first / LANES & 1) != 0 ? size : size + 3;
            for (uint32_t i = 0; i < LANES; i++) {
                for (uint32_t at = 0; at < distance; at += 2) {
                    uint32_t code = at == 0 ? first + i : get_random();
                    texels[i * distance + at] = (uint8_t)code;
                    texels[i * distance + at + 1] = (uint8_t)(code >> 8);
                }
            }
            differences += count_decode_differences(format, texels, distance, LANES);
        }
        if (!CHECK_EQ(differences, 0)) {
            fprintf(stderr, "    %s\n", texture_format_get_info(format)->word);
        }
    }
}

// Words that lie where formats change their mind.
static uint32_t get_word(enum type_kind kind) {
    static const uint32_t specials[] = {0, 0x80000000u, 1, 0x80000001u, 0x7fffffu, 0x800000u,
        0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00001u, 0x7f800001u, 0x3f800000u, 0xbf800000u,
        0x3f7fffffu, 0x3f800001u, 0x477fe000u, 0x477fefffu, 0x477ff000u, 0x47800000u, 0x38800000u,
        0x387fffffu, 0x387fe000u, 0x33000000u, 0x33000001u, 0x33800000u, 0x477e0000u, 0x477f0000u,
        0x7f7fffffu, 0x7fffffffu, 0xffffffffu, 127, 128, 255, 256, 0xffffff80u, 0xffffff7fu, 32767,
        32768, 65535, 65536, 0xffff8000u, 0xffff7fffu, 3, 4, 1023, 1024, 0x39000000u, 0x38ffffffu};
    uint32_t choice = get_random() % 8;
    if (choice == 0) {
        return specials[get_random() % (sizeof(specials) / sizeof(specials[0]))];
    }
    if (choice <= 2) {
        return get_random();
    }
    if (kind != TYPE_F32) {
        return get_random() >> (get_random() % 32);
    }
    if (choice <= 4) {
        // Some code and a half, of few enough bits, and the floats around.
        static const uint32_t counts[] = {255, 127, 65535, 32767, 1023, 3};
        uint32_t most = counts[get_random() % 6];
        float value = (float)(((double)(get_random() % most) + 0.5) / most);
        value = (get_random() & 1) != 0 ? value : -value;
        return to_word(TYPE_F32, value) + get_random() % 5 - 2;
    }
    if (choice == 5) {
        // The middle between two neighbours of a small float, and the floats around.
        uint32_t fraction = (get_random() & 0x7fffffu & (0xffffffffu << (12 + get_random() % 6)));
        uint32_t word = (100 + get_random() % 45) << 23 | fraction;
        return (word | (get_random() & 1) << 31) + get_random() % 5 - 2;
    }
    return (110 + get_random() % 20) << 23 | (get_random() & 0x7fffffu) |
        (uint32_t)(get_random() % 4 == 0) << 31;
}

TEST(words_encode_alike) {
    uint32_t words[4][LANES];
    for (uint32_t format = 1; format <= WGPUTextureFormat_Depth32FloatStencil8; format++) {
        if (!is_known_to_host(format)) {
            continue;
        }
        const struct cpu_texel_codec *codec = cpu_texel_codec_get(format);
        uint32_t differences = 0;
        for (uint32_t round = 0; round < 400; round++) {
            for (uint32_t i = 0; i < 4 * LANES; i++) {
                words[i / LANES][i % LANES] = get_word(codec->kind);
            }
            uint32_t count = round % 4 == 0 ? get_random() % LANES : LANES;
            differences += count_encode_differences(format, words, round % 3, count);
        }
        if (!CHECK_EQ(differences, 0)) {
            fprintf(stderr, "    %s\n", texture_format_get_info(format)->word);
        }
    }
}

// Both sides of each step of the sRGB curve.
TEST(srgb_turns_where_the_curve_does) {
    uint32_t words[4][LANES];
    uint32_t differences = 0;
    memset(words, 0, sizeof(words));
    for (uint32_t code = 0; code < 255; code++) {
        double encoded = (code + 0.5) / 255;
        double linear = encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
        uint32_t middle = to_word(TYPE_F32, linear);
        for (uint32_t i = 0; i < LANES; i++) {
            words[i % 3][i] = middle + i - LANES / 2;
        }
        differences += count_encode_differences(WGPUTextureFormat_RGBA8UnormSrgb, words, 0, LANES);
        differences += count_encode_differences(WGPUTextureFormat_BGRA8UnormSrgb, words, 0, LANES);
    }
    CHECK_EQ(differences, 0);
}

TEST(shared_exponents) {
    const struct cpu_texel_codec *codec = cpu_texel_codec_get(WGPUTextureFormat_RGB9E5Ufloat);
    CHECK_EQ(codec->kind, TYPE_F32);
    CHECK(codec->encode == NULL);
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t red = get_random() & 511;
        uint32_t green = get_random() & 511;
        uint32_t blue = i == 0 ? 511 : get_random() & 511;
        int exponent = (int)(i & 31);
        uint32_t word = red | green << 9 | blue << 18 | (uint32_t)exponent << 27;
        uint32_t words[4];
        uint8_t bytes[4] = {
            (uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
        codec->decode(bytes, 4, 1, words, 1);
        CHECK(to_number(TYPE_F32, words[0]) == ldexp(red, exponent - 24));
        CHECK(to_number(TYPE_F32, words[1]) == ldexp(green, exponent - 24));
        CHECK(to_number(TYPE_F32, words[2]) == ldexp(blue, exponent - 24));
        CHECK(to_number(TYPE_F32, words[3]) == 1);
    }
}

TEST(not_a_number_is_zero) {
    static const uint32_t formats[] = {WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RGBA8Snorm,
        WGPUTextureFormat_RGBA8UnormSrgb, WGPUTextureFormat_RGB10A2Unorm};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        uint32_t words[4] = {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu};
        uint8_t bytes[4] = {1, 2, 3, 4};
        static const uint8_t zero[4];
        cpu_texel_codec_get(formats[i])->encode(bytes, 4, 1, words, 1);
        CHECK_BYTES(bytes, zero, 4);
    }
}

CHECK_MAIN(all_codes_decode_alike, words_encode_alike, srgb_turns_where_the_curve_does,
    shared_exponents, not_a_number_is_zero)
