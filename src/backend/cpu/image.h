// SPDX-License-Identifier: MIT
//
// Texture views and samplers as shaders of the CPU adapter see them: texel loads and stores,
// sampling with all filters and address modes, gathering, comparison. Generated code comes here
// through jit_dispatch.texture; formats are those of texel.h. Views and samplers are constant once
// made and safe for any thread; texels belong to whoever the queue's order gives them to.
#pragma once

#include "backend/backend.h"
#include "backend/host_texture.h"
#include "shader/jit/jit.h"

// One mip level of a view: where its first image (array layer, cube face or depth slice) begins.
struct cpu_image_level {
    uint8_t *data;
    uint64_t row_bytes;
    uint64_t image_bytes;
    uint32_t width; // in texels
    uint32_t height;
    uint32_t image_count; // of the view: layers, 6 a cube, or depth slices
};

struct cpu_texel_codec; // texel.h

struct cpu_image {
    struct jit_texture seen; // first: what generated code reads
    uint32_t format;         // WGPUTextureFormat of the one aspect that the view shows
    uint32_t dimension;      // WGPUTextureViewDimension
    uint32_t sample_count;
    uint32_t texel_bytes; // of one sample of a block
    uint32_t block_width;
    uint32_t block_height;
    uint8_t swizzle[4]; // WGPUComponentSwizzle
    bool has_swizzle;   // other than r, g, b, a
    const struct cpu_texel_codec *codec;
    struct cpu_image_level levels[HOST_TEXTURE_LEVELS];
};

// The view's texture must exist now; its memory, whenever texels are asked for.
void cpu_image_init(struct cpu_image *out_image, const struct backend_texture_view *view);

struct cpu_sampler {
    struct backend_sampler state;
    // Derived, image.c's own.
    bool is_linear_mag, is_linear_min, is_linear_mip;
    uint32_t anisotropy; // at least 1
};
void cpu_sampler_init(struct cpu_sampler *out_sampler, const struct backend_sampler *state);

// The jit_texture_function: texture is a struct cpu_image, sampler a struct cpu_sampler.
void cpu_image_call(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes, const uint32_t *arguments, uint32_t *results);
