// SPDX-License-Identifier: MIT
//
// Textures whose texels lie in the process's own memory, and the commands that only move texels:
// shared by the backends null and cpu. One block of zeroed pages for a texture, out of the budget
// of host_buffer.h. Creation and destruction are safe from any thread; the texels belong to whoever
// the queue's order gives them to.
#pragma once

#include "backend/backend.h"
#include "facts/texture_format.h"

// 2^15 texels, the largest extent that an adapter offers, have 16 levels.
#define HOST_TEXTURE_LEVELS 16u

// One mip level of one plane, in rows of texel blocks: layers and depth slices are images.
struct host_texture_level {
    uint8_t *data;
    uint64_t row_bytes;
    uint64_t image_bytes;
    uint32_t width; // in texels, not rounded to blocks
    uint32_t height;
    uint32_t image_count;
};

// The texels of one aspect.
struct host_texture_plane {
    enum texture_aspect aspect;
    uint32_t format;      // WGPUTextureFormat of that aspect alone
    uint32_t block_bytes; // of all samples
    uint32_t block_width;
    uint32_t block_height;
    struct host_texture_level levels[HOST_TEXTURE_LEVELS];
};

struct backend_texture {
    struct backend_buffer *memory;
    uint32_t dimension; // WGPUTextureDimension
    uint32_t format;    // WGPUTextureFormat
    uint32_t mip_level_count;
    uint32_t sample_count;
    uint32_t plane_count;
    struct host_texture_plane planes[2]; // depth before stencil
};

// OUT_OF_MEMORY beyond the budget.
enum backend_status host_texture_create(
    const struct backend_texture_description *description, struct backend_texture **out_texture);
void host_texture_destroy(struct backend_texture *texture); // NULL is allowed
// The plane of COLOR, DEPTH or STENCIL; NULL when the format lacks the aspect.
struct host_texture_plane *host_texture_find_plane(
    struct backend_texture *texture, enum texture_aspect aspect);

// Performs the copies between buffers and textures, between textures, and WRITE_TEXTURE; false for
// every other kind.
bool host_texture_execute(const struct command_header *header);
