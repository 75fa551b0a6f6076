// SPDX-License-Identifier: MIT
//
// One table of layouts; packed formats are small integers whose components are cut out of a word.
#include "backend/host_texel.h"

#include <math.h>
#include <string.h>

#include <webgpu/webgpu.h>

enum channel { UNORM, SNORM, SRGB, UINT, SINT, FLOAT, UFLOAT };

// Components follow each other from the lowest bit of a little-endian word, all of `bits` bits, but
// for the packed formats.
struct layout {
    uint8_t channel;
    uint8_t component_count;
    uint8_t bits; // of one component; 0: packed
};

// clang-format off
static const struct layout layouts[] = {
    [WGPUTextureFormat_R8Unorm]        = {UNORM, 1, 8},
    [WGPUTextureFormat_R8Snorm]        = {SNORM, 1, 8},
    [WGPUTextureFormat_R8Uint]         = {UINT,  1, 8},
    [WGPUTextureFormat_R8Sint]         = {SINT,  1, 8},
    [WGPUTextureFormat_R16Unorm]       = {UNORM, 1, 16},
    [WGPUTextureFormat_R16Snorm]       = {SNORM, 1, 16},
    [WGPUTextureFormat_R16Uint]        = {UINT,  1, 16},
    [WGPUTextureFormat_R16Sint]        = {SINT,  1, 16},
    [WGPUTextureFormat_R16Float]       = {FLOAT, 1, 16},
    [WGPUTextureFormat_RG8Unorm]       = {UNORM, 2, 8},
    [WGPUTextureFormat_RG8Snorm]       = {SNORM, 2, 8},
    [WGPUTextureFormat_RG8Uint]        = {UINT,  2, 8},
    [WGPUTextureFormat_RG8Sint]        = {SINT,  2, 8},
    [WGPUTextureFormat_R32Float]       = {FLOAT, 1, 32},
    [WGPUTextureFormat_R32Uint]        = {UINT,  1, 32},
    [WGPUTextureFormat_R32Sint]        = {SINT,  1, 32},
    [WGPUTextureFormat_RG16Unorm]      = {UNORM, 2, 16},
    [WGPUTextureFormat_RG16Snorm]      = {SNORM, 2, 16},
    [WGPUTextureFormat_RG16Uint]       = {UINT,  2, 16},
    [WGPUTextureFormat_RG16Sint]       = {SINT,  2, 16},
    [WGPUTextureFormat_RG16Float]      = {FLOAT, 2, 16},
    [WGPUTextureFormat_RGBA8Unorm]     = {UNORM, 4, 8},
    [WGPUTextureFormat_RGBA8UnormSrgb] = {SRGB,  4, 8},
    [WGPUTextureFormat_RGBA8Snorm]     = {SNORM, 4, 8},
    [WGPUTextureFormat_RGBA8Uint]      = {UINT,  4, 8},
    [WGPUTextureFormat_RGBA8Sint]      = {SINT,  4, 8},
    [WGPUTextureFormat_BGRA8Unorm]     = {UNORM, 4, 8},
    [WGPUTextureFormat_BGRA8UnormSrgb] = {SRGB,  4, 8},
    [WGPUTextureFormat_RGB10A2Uint]    = {UINT,  4, 0},
    [WGPUTextureFormat_RGB10A2Unorm]   = {UNORM, 4, 0},
    [WGPUTextureFormat_RG11B10Ufloat]  = {UFLOAT, 3, 0},
    [WGPUTextureFormat_RG32Float]      = {FLOAT, 2, 32},
    [WGPUTextureFormat_RG32Uint]       = {UINT,  2, 32},
    [WGPUTextureFormat_RG32Sint]       = {SINT,  2, 32},
    [WGPUTextureFormat_RGBA16Unorm]    = {UNORM, 4, 16},
    [WGPUTextureFormat_RGBA16Snorm]    = {SNORM, 4, 16},
    [WGPUTextureFormat_RGBA16Uint]     = {UINT,  4, 16},
    [WGPUTextureFormat_RGBA16Sint]     = {SINT,  4, 16},
    [WGPUTextureFormat_RGBA16Float]    = {FLOAT, 4, 16},
    [WGPUTextureFormat_RGBA32Float]    = {FLOAT, 4, 32},
    [WGPUTextureFormat_RGBA32Uint]     = {UINT,  4, 32},
    [WGPUTextureFormat_RGBA32Sint]     = {SINT,  4, 32},
    [WGPUTextureFormat_Stencil8]       = {UINT,  1, 8},
    [WGPUTextureFormat_Depth16Unorm]   = {UNORM, 1, 16},
    [WGPUTextureFormat_Depth24Plus]    = {FLOAT, 1, 32}, // the precision is alba's choice
    [WGPUTextureFormat_Depth32Float]   = {FLOAT, 1, 32},
};
// clang-format on

// ---------------------------------------------------------------- small floats

// 5 bits of exponent above fraction_bits of fraction: f16 without its sign, and the components of
// rg11b10ufloat. What is too large becomes infinity in f16, the largest number elsewhere.
static uint32_t encode_small_float(double value, uint32_t fraction_bits, bool has_infinity) {
    uint32_t infinity = (uint32_t)31 << fraction_bits;
    if (isnan(value)) {
        return infinity | (uint32_t)1 << (fraction_bits - 1);
    }
    if (isinf(value)) {
        return infinity;
    }
    if (value == 0) {
        return 0;
    }
    int exponent = 0;
    frexp(value, &exponent);
    exponent = exponent - 1 < -14 ? -14 : exponent - 1;
    if (exponent > 15) {
        return has_infinity ? infinity : infinity - 1;
    }
    uint32_t fraction = (uint32_t)nearbyint(ldexp(value, (int)fraction_bits - exponent));
    uint32_t bits = ((uint32_t)(exponent + 14) << fraction_bits) + fraction;
    return bits < infinity || has_infinity ? bits : infinity - 1;
}

static double decode_small_float(uint32_t bits, uint32_t fraction_bits) {
    uint32_t exponent = bits >> fraction_bits;
    uint32_t fraction = bits & (((uint32_t)1 << fraction_bits) - 1);
    if (exponent == 31) {
        return fraction != 0 ? NAN : INFINITY;
    }
    uint32_t implied = exponent != 0 ? (uint32_t)1 << fraction_bits : 0;
    int scale = (exponent != 0 ? (int)exponent : 1) - 15 - (int)fraction_bits;
    return ldexp((double)(fraction + implied), scale);
}

// ---------------------------------------------------------------- components

static double clamp(double value, double least, double most) {
    // NaN becomes the least.
    return value > least ? (value < most ? value : most) : least;
}

static double to_srgb(double linear) {
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static double from_srgb(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static double get_most(uint32_t bits) {
    return (double)(((uint64_t)1 << bits) - 1);
}

static uint32_t encode_float(double value, uint32_t bits) {
    float single = (float)value;
    if (bits == 16) {
        return (signbit(single) ? 0x8000u : 0) | encode_small_float(fabs((double)single), 10, true);
    }
    uint32_t word = 0;
    memcpy(&word, &single, sizeof(word));
    return word;
}

static double decode_float(uint32_t word, uint32_t bits) {
    if (bits == 16) {
        double magnitude = decode_small_float(word & 0x7fffu, 10);
        return (word & 0x8000u) != 0 ? -magnitude : magnitude;
    }
    float single = 0;
    memcpy(&single, &word, sizeof(single));
    return single;
}

static uint32_t encode_component(enum channel channel, uint32_t bits, double value) {
    switch (channel) {
    case SRGB:
        return (uint32_t)floor(to_srgb(clamp(value, 0, 1)) * get_most(bits) + 0.5);
    case UNORM:
        return (uint32_t)floor(clamp(value, 0, 1) * get_most(bits) + 0.5);
    case SNORM:
        return isnan(value)
            ? 0
            : (uint32_t)(int32_t)nearbyint(clamp(value, -1, 1) * get_most(bits - 1));
    case UINT:
        return (uint32_t)trunc(clamp(value, 0, get_most(bits)));
    case SINT:
        return (uint32_t)(int32_t)trunc(clamp(value, -get_most(bits - 1) - 1, get_most(bits - 1)));
    case FLOAT:
        return encode_float(value, bits);
    case UFLOAT:
        return encode_small_float(
            value > 0 || isnan(value) ? (double)(float)value : 0, bits - 5, false);
    }
    return 0;
}

static double sign_extend(uint32_t word, uint32_t bits) {
    uint32_t sign = (uint32_t)1 << (bits - 1);
    return (double)(int64_t)word - ((word & sign) != 0 ? (double)((uint64_t)1 << bits) : 0);
}

static double decode_component(enum channel channel, uint32_t bits, uint32_t word) {
    switch (channel) {
    case SRGB:
        return from_srgb(word / get_most(bits));
    case UNORM:
        return word / get_most(bits);
    case SNORM:
        return clamp(sign_extend(word, bits) / get_most(bits - 1), -1, 1);
    case UINT:
        return word;
    case SINT:
        return sign_extend(word, bits);
    case FLOAT:
        return decode_float(word, bits);
    case UFLOAT:
        return decode_small_float(word, bits - 5);
    }
    return 0;
}

// ---------------------------------------------------------------- texels

struct component {
    uint32_t shift; // from the texel's first bit
    uint32_t bits;
    enum channel channel;
    uint32_t number; // 0 red .. 3 alpha
};

static struct component get_component(uint32_t format, const struct layout *layout, uint32_t at) {
    static const uint8_t bits_10_2[] = {10, 10, 10, 2};
    static const uint8_t bits_11_10[] = {11, 11, 10};
    struct component component = {
        .bits = layout->bits, .channel = layout->channel, .shift = at * layout->bits, .number = at};
    if (layout->bits == 0) {
        bool is_ufloat = layout->channel == UFLOAT;
        component.bits = is_ufloat ? bits_11_10[at] : bits_10_2[at];
        component.shift = is_ufloat ? at * 11 : at * 10;
    }
    if (layout->channel == SRGB && at == 3) {
        component.channel = UNORM;
    }
    bool is_bgra = format == WGPUTextureFormat_BGRA8Unorm ||
        format == WGPUTextureFormat_BGRA8UnormSrgb;
    if (is_bgra && at != 3) {
        component.number = 2 - at;
    }
    return component;
}

static uint32_t load_word(const uint8_t *bytes, uint32_t byte_count) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < byte_count; i++) {
        word |= (uint32_t)bytes[i] << (8 * i);
    }
    return word;
}

static void store_word(uint8_t *bytes, uint32_t byte_count, uint32_t word) {
    for (uint32_t i = 0; i < byte_count; i++) {
        bytes[i] = (uint8_t)(word >> (8 * i));
    }
}

uint32_t host_texel_encode(uint32_t format, const double value[4], uint8_t out_bytes[]) {
    const struct layout *layout = &layouts[format];
    uint32_t packed = 0;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        struct component component = get_component(format, layout, i);
        uint32_t word = encode_component(
            component.channel, component.bits, value[component.number]);
        if (layout->bits == 0) {
            packed |= word << component.shift;
        } else {
            store_word(out_bytes + component.shift / 8, component.bits / 8, word);
        }
    }
    if (layout->bits == 0) {
        store_word(out_bytes, 4, packed);
        return 4;
    }
    return (uint32_t)layout->bits / 8 * layout->component_count;
}

void host_texel_decode(uint32_t format, const uint8_t bytes[], double out_value[4]) {
    const struct layout *layout = &layouts[format];
    out_value[0] = out_value[1] = out_value[2] = 0;
    out_value[3] = 1;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        struct component component = get_component(format, layout, i);
        uint32_t word = layout->bits == 0
            ? (load_word(bytes, 4) >> component.shift) & (((uint32_t)1 << component.bits) - 1)
            : load_word(bytes + component.shift / 8, component.bits / 8);
        out_value[component.number] = decode_component(component.channel, component.bits, word);
    }
}
