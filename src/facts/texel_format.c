// SPDX-License-Identifier: MIT
//
// The rows of texel_format.def as a table. Any thread.
#include "facts/texel_format.h"

#include <webgpu/webgpu.h>

static const struct texel_format_info rows[] = {
#define TEXEL_FORMAT(word, name, channel, tier1) \
    {word, WGPUTextureFormat_##name, TEXEL_CHANNEL_##channel, tier1 != 0},
#include "facts/texel_format.def"
};

const struct texel_format_info *texel_format_get_all(size_t *out_count) {
    *out_count = sizeof(rows) / sizeof(rows[0]);
    return rows;
}

const char *texel_format_word(uint32_t format) {
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].format == format) {
            return rows[i].word;
        }
    }
    return "?";
}

enum texel_channel texel_format_channel(uint32_t format) {
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].format == format) {
            return rows[i].channel;
        }
    }
    return TEXEL_CHANNEL_F32;
}
