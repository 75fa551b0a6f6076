// SPDX-License-Identifier: MIT
//
// The rows of texture_format.def as a table indexed by WGPUTextureFormat. Any thread.
#include "facts/texture_format.h"

#include <stddef.h>

#include <webgpu/webgpu.h>

// The short names of the table's capability columns.
enum {
    NEEDS_ALWAYS = TEXTURE_NEEDS_NOTHING,
    NEEDS_NEVER = TEXTURE_NEVER,
    NEEDS_CORE = WGPUFeatureName_CoreFeaturesAndLimits,
    NEEDS_TIER1 = WGPUFeatureName_TextureFormatsTier1,
    NEEDS_TIER2 = WGPUFeatureName_TextureFormatsTier2,
    NEEDS_BGRA8 = WGPUFeatureName_BGRA8UnormStorage,
    NEEDS_RG11 = WGPUFeatureName_RG11B10UfloatRenderable,
    NEEDS_BLEND32 = WGPUFeatureName_Float32Blendable,
    NEEDS_D32S8 = WGPUFeatureName_Depth32FloatStencil8,
    NEEDS_BC = WGPUFeatureName_TextureCompressionBC,
    NEEDS_ETC2 = WGPUFeatureName_TextureCompressionETC2,
    NEEDS_ASTC = WGPUFeatureName_TextureCompressionASTC
};

static const struct texture_format_info rows[] = {
#define FORMAT(word, name, bytes, width, height, aspect, feature, sample, render, blend, \
    multisample, resolve, write, read, read_write, render_bytes) \
    [WGPUTextureFormat_##name] = {word, bytes, width, height, render_bytes, \
        TEXTURE_ASPECT_##aspect, TEXTURE_SAMPLE_##sample, \
        {NEEDS_##feature, NEEDS_##render, NEEDS_##blend, NEEDS_##multisample, NEEDS_##resolve, \
            NEEDS_##write, NEEDS_##read, NEEDS_##read_write}},
#include "facts/texture_format.def"
};

const struct texture_format_info *texture_format_get_info(uint32_t format) {
    if (format >= sizeof(rows) / sizeof(rows[0]) || rows[format].word == NULL) {
        return NULL;
    }
    return &rows[format];
}

bool texture_format_can(const struct texture_format_info *info, enum texture_capability capability,
    struct feature_set features) {
    uint8_t needed = info->needs[capability];
    return needed == TEXTURE_NEEDS_NOTHING ||
        (needed != TEXTURE_NEVER && feature_set_has(features, needed));
}
