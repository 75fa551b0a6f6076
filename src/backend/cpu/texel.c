// SPDX-License-Identifier: MIT
//
// The codec of each format.
#include "backend/cpu/texel.h"

#include "backend/cpu/texel_block_astc.h"
#include "backend/cpu/texel_block_priv.h"

#include <webgpu/webgpu.h>

// clang-format off
static const struct cpu_texel_codec *const codecs[] = {
#define FORMAT(word, name, bytes, width, height, aspect, feature, sample, render, blend, \
    multisample, resolve, write, read, read_write, render_bytes, components, alignment) \
    [WGPUTextureFormat_##name] =
#define CPU(codec) &cpu_texel_##codec,
#define CPU_NONE NULL,
#include "facts/texture_format.def"
};
// clang-format on

const struct cpu_texel_codec *cpu_texel_codec_get(uint32_t format) {
    return format < sizeof(codecs) / sizeof(codecs[0]) ? codecs[format] : NULL;
}
