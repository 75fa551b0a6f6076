// SPDX-License-Identifier: MIT
//
// The formats of WebGPU (texture_format.def) by WGPUTextureFormat value: block sizes, aspects,
// sample types and what each may be used for, given the features of a device. Constant tables and
// pure functions, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "facts/feature.h"

enum texture_aspect {
    TEXTURE_ASPECT_COLOR,
    TEXTURE_ASPECT_DEPTH,
    TEXTURE_ASPECT_STENCIL,
    TEXTURE_ASPECT_DEPTH_STENCIL
};

enum texture_sample {
    TEXTURE_SAMPLE_FLOAT,        // float and unfilterable-float
    TEXTURE_SAMPLE_FLOAT32,      // unfilterable-float, and float with float32-filterable
    TEXTURE_SAMPLE_UNFILTERABLE, // unfilterable-float
    TEXTURE_SAMPLE_UINT,
    TEXTURE_SAMPLE_SINT,
    TEXTURE_SAMPLE_DEPTH // depth and unfilterable-float
};

enum texture_capability {
    TEXTURE_CAPABILITY_FORMAT, // the format exists at all
    TEXTURE_CAPABILITY_RENDER,
    TEXTURE_CAPABILITY_BLEND,
    TEXTURE_CAPABILITY_MULTISAMPLE,
    TEXTURE_CAPABILITY_RESOLVE,
    TEXTURE_CAPABILITY_STORAGE_WRITE,
    TEXTURE_CAPABILITY_STORAGE_READ,
    TEXTURE_CAPABILITY_STORAGE_READ_WRITE,
    TEXTURE_CAPABILITY_COUNT
};

// What gives a capability: nothing needed, nothing helps, or a WGPUFeatureName value.
#define TEXTURE_NEEDS_NOTHING 0u
#define TEXTURE_NEVER 255u

struct texture_format_info {
    const char *word; // WebGPU's name: "rgba8unorm"
    uint8_t block_bytes;
    uint8_t block_width;
    uint8_t block_height;
    uint8_t render_target_bytes; // WebGPU "render target pixel byte cost"
    uint8_t component_count;     // of what can be a color target
    uint8_t render_alignment;    // WebGPU "render target component alignment"
    enum texture_aspect aspect;
    enum texture_sample sample;
    uint8_t needs[TEXTURE_CAPABILITY_COUNT];
};

// The row of a WGPUTextureFormat value; NULL for Undefined and values that the standard lacks.
const struct texture_format_info *texture_format_get_info(uint32_t format);
bool texture_format_can(const struct texture_format_info *info, enum texture_capability capability,
    struct feature_set features);
// WebGPU "compressed format".
static inline bool texture_format_is_compressed(const struct texture_format_info *info) {
    return info->block_width > 1;
}
// Whether textures of dimension 3d may have the format.
bool texture_format_can_be_3d(
    const struct texture_format_info *info, struct feature_set features);
// One step of WebGPU "calculating color attachment bytes per sample", which begins with 0.
uint32_t texture_format_add_render_bytes(
    uint32_t total_bytes, const struct texture_format_info *info);
// The format that differs in nothing but being sRGB; 0 when there is none.
uint32_t texture_format_get_srgb_twin(uint32_t format);
// WebGPU "aspect-specific format" of one aspect (COLOR, DEPTH or STENCIL): 0 when the format lacks
// that aspect. Its block bytes are the texel block copy footprint.
uint32_t texture_format_get_aspect(uint32_t format, enum texture_aspect aspect);
