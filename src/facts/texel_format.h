// SPDX-License-Identifier: MIT
//
// The texel formats that WGSL knows (texel_format.def), by word and by WGPUTextureFormat value.
// Constant tables: any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum texel_channel { TEXEL_CHANNEL_F32, TEXEL_CHANNEL_I32, TEXEL_CHANNEL_U32 };

struct texel_format_info {
    const char *word; // in WGSL
    uint32_t format;  // WGPUTextureFormat value
    enum texel_channel channel;
    bool needs_tier1; // the language extension texture_formats_tier1
};

// All rows; out_count gets their number.
const struct texel_format_info *texel_format_get_all(size_t *out_count);
// The WGSL word of a WGPUTextureFormat value, "?" when WGSL has none.
const char *texel_format_word(uint32_t format);
// The channel type of a WGPUTextureFormat value of the table; f32 for others.
enum texel_channel texel_format_channel(uint32_t format);
