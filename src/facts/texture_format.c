// SPDX-License-Identifier: MIT
//
// The rows of texture_format.def as a table indexed by WGPUTextureFormat. Any thread.
#include "facts/texture_format.h"

#include <stddef.h>
#include <string.h>

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
    multisample, resolve, write, read, read_write, render_bytes, components, alignment) \
    [WGPUTextureFormat_##name] = {word, bytes, width, height, render_bytes, \
        components, alignment, TEXTURE_ASPECT_##aspect, TEXTURE_SAMPLE_##sample, \
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

bool texture_format_can_be_3d(
    const struct texture_format_info *info, struct feature_set features) {
    uint8_t needed = info->needs[TEXTURE_CAPABILITY_FORMAT];
    if (info->aspect != TEXTURE_ASPECT_COLOR) {
        return false;
    }
    if (!texture_format_is_compressed(info)) {
        return true;
    }
    return (needed == NEEDS_BC &&
               feature_set_has(features, WGPUFeatureName_TextureCompressionBCSliced3D)) ||
        (needed == NEEDS_ASTC &&
            feature_set_has(features, WGPUFeatureName_TextureCompressionASTCSliced3D));
}

uint32_t texture_format_add_render_bytes(
    uint32_t total_bytes, const struct texture_format_info *info) {
    uint32_t alignment = info->render_alignment > 1 ? info->render_alignment : 1;
    return (total_bytes + alignment - 1) / alignment * alignment + info->render_target_bytes;
}

uint32_t texture_format_get_srgb_twin(uint32_t format) {
    static const char suffix[] = "-srgb";
    const struct texture_format_info *info = texture_format_get_info(format);
    if (info == NULL) {
        return 0;
    }
    size_t length = strlen(info->word);
    for (uint32_t other = 1; other < sizeof(rows) / sizeof(rows[0]); other++) {
        const char *word = rows[other].word;
        size_t other_length = word != NULL ? strlen(word) : 0;
        if (other_length == length + sizeof(suffix) - 1) {
            if (memcmp(word, info->word, length) == 0 && strcmp(word + length, suffix) == 0) {
                return other;
            }
        } else if (length == other_length + sizeof(suffix) - 1 && other_length != 0) {
            if (memcmp(word, info->word, other_length) == 0 &&
                strcmp(info->word + other_length, suffix) == 0) {
                return other;
            }
        }
    }
    return 0;
}

uint32_t texture_format_get_aspect(uint32_t format, enum texture_aspect aspect) {
    const struct texture_format_info *info = texture_format_get_info(format);
    if (info == NULL) {
        return 0;
    }
    if (info->aspect == aspect) {
        return format;
    }
    if (info->aspect != TEXTURE_ASPECT_DEPTH_STENCIL || aspect == TEXTURE_ASPECT_COLOR) {
        return 0;
    }
    if (aspect == TEXTURE_ASPECT_STENCIL) {
        return WGPUTextureFormat_Stencil8;
    }
    return format == WGPUTextureFormat_Depth32FloatStencil8 ? WGPUTextureFormat_Depth32Float
                                                            : WGPUTextureFormat_Depth24Plus;
}
