// SPDX-License-Identifier: MIT
//
// The blend that most programs use, "over", in the formats that most programs use: decoding, the
// equation and encoding in one loop. Bit for bit what the general way gives.
#include "backend/cpu/raster_blend_priv.h"
#include "backend/cpu/wide.h"

#include <string.h>

#include <webgpu/webgpu.h>

CPU_WIDE_INLINE float to_float(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

CPU_WIDE_INLINE float clamp(uint32_t word) {
    float value = to_float(word);
    value = value > 0.0f ? value : 0.0f; // NaN too
    return value < 1.0f ? value : 1.0f;
}

// code / 255, rounded as a division is: so it comes out for each of the 256 codes.
CPU_WIDE_INLINE float decode(uint32_t code) {
    float value = (float)(int32_t)code;
    return value * (1 / 256.0f) + value * (1 / 65280.0f);
}

// The nearest code, halves up, exactly. In units of 2^-31 the number is an integer u (the quarter
// rounds what is less than one unit), and 255 u = 256 u - u; the upper bits of 256 u are those of u.
CPU_WIDE_INLINE uint32_t encode(float value) {
    value = value > 0.0f ? value : 0.0f;
    value = value < 0x1.fffffep-1f ? value : 0x1.fffffep-1f;
    int32_t units = (int32_t)(value * 0x1p31f + 0.25f);
    int32_t rest = (int32_t)((uint32_t)units << 8 & 0x7fffffffu) - units;
    return (uint32_t)((units >> 23) + (rest >= 0x40000000) - (rest < -0x40000000));
}

static bool is_over(const struct backend_blend_component *state) {
    return state->operation == WGPUBlendOperation_Add &&
        state->dst_factor == WGPUBlendFactor_OneMinusSrcAlpha &&
        (state->src_factor == WGPUBlendFactor_SrcAlpha || state->src_factor == WGPUBlendFactor_One);
}

bool raster_blend_is_over_unorm8(const struct backend_color_target *state, uint32_t format) {
    return (format == WGPUTextureFormat_RGBA8Unorm || format == WGPUTextureFormat_BGRA8Unorm) &&
        is_over(&state->color) && is_over(&state->alpha);
}

// Positions of red and blue in a texel, in bits.
struct order {
    uint32_t red;
    uint32_t blue;
};

CPU_WIDE void lay_over(const uint32_t *restrict source, uint32_t *restrict texels,
    struct blend_span span, struct order order, float color_factor, float alpha_factor) {
    for (uint32_t i = span.first; i < span.end; i++) {
        uint32_t texel = texels[i];
        float alpha = clamp(source[3 * JIT_BATCH_LANES + i]);
        float rest = 1 - alpha;
        // Negative: the source's alpha is the factor.
        float color = color_factor < 0 ? alpha : color_factor;
        float own = alpha_factor < 0 ? alpha : alpha_factor;
        float red = color * clamp(source[i]) + rest * decode(texel >> order.red & 0xffu);
        float green = color * clamp(source[JIT_BATCH_LANES + i]) +
            rest * decode(texel >> 8 & 0xffu);
        float blue = color * clamp(source[2 * JIT_BATCH_LANES + i]) +
            rest * decode(texel >> order.blue & 0xffu);
        float sum = own * alpha + rest * decode(texel >> 24);
        texels[i] = encode(red) << order.red | encode(green) << 8 | encode(blue) << order.blue |
            encode(sum) << 24;
    }
}

void raster_blend_over_unorm8(const struct backend_color_target *state, uint32_t format,
    const uint32_t *source, struct blend_span span, uint8_t *texels) {
    uint32_t words[JIT_BATCH_LANES];
    size_t offset_bytes = span.first * sizeof(words[0]);
    size_t size_bytes = (span.end - span.first) * sizeof(words[0]);
    bool is_bgra = format == WGPUTextureFormat_BGRA8Unorm;
    struct order order = {.red = is_bgra ? 16 : 0, .blue = is_bgra ? 0 : 16};
    memcpy(words + span.first, texels + offset_bytes, size_bytes);
    lay_over(source, words, span, order, state->color.src_factor == WGPUBlendFactor_One ? 1 : -1,
        state->alpha.src_factor == WGPUBlendFactor_One ? 1 : -1);
    memcpy(texels + offset_bytes, words + span.first, size_bytes);
}
