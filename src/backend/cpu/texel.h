// SPDX-License-Identifier: MIT
//
// Texels in memory as four 32-bit words and back, fast: what host_texel.h does for one texel in
// doubles, for shaders, blending and vertex data. A word is the bits of an f32, i32 or u32, by the
// format's kind. Conversions are those of WebGPU "Texel block" formats and agree with host_texel.h
// to the bit wherever both know a format. Constant tables and pure functions, any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shader/type/type.h"

struct cpu_texel_codec {
    // Kind of the words: TYPE_F32, TYPE_U32, TYPE_I32. Depth: TYPE_F32; stencil: TYPE_U32.
    enum type_kind kind;
    uint8_t component_count;
    // Reads `count` texels, `stride_bytes` apart, into rows out[component][row_words]: missing
    // components become 0, alpha 1. Of uncompressed formats.
    void (*decode)(const uint8_t *texels, size_t stride_bytes, uint32_t count, uint32_t *out,
        uint32_t row_words);
    // The inverse: NaN becomes 0 in normalised formats; values are clamped; NULL for formats that
    // are neither rendered to nor stored to.
    void (*encode)(uint8_t *texels, size_t stride_bytes, uint32_t count, const uint32_t *words,
        uint32_t row_words);
    // Of block-compressed formats: one block into block_width * block_height texels, rows first,
    // four words each; NULL for the others.
    void (*decode_block)(const uint8_t *block, uint32_t out_texels[][4]);
};

// format: WGPUTextureFormat of one aspect; never NULL for a format that textures may have.
const struct cpu_texel_codec *cpu_texel_codec_get(uint32_t format);
