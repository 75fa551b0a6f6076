// SPDX-License-Identifier: MIT
//
// What a render pass does beside drawing, on textures of host_texture.h: load operations, resolves,
// store operations, occlusion queries. Shared by the backends null and cpu; the queue thread's.
#pragma once

#include "backend/backend.h"

// Averages the samples of texels that follow each other, all of one image.
struct host_resolve {
    uint32_t format;      // WGPUTextureFormat
    uint32_t texel_bytes; // of one sample
    uint32_t sample_count;
    uint64_t texel_count;
    const uint8_t *samples; // sample_count a texel
    uint8_t *texels;
};
typedef void (*host_resolve_function)(void *user, const struct host_resolve *resolve);
// By way of host_texel.h, one after the other; user is not used.
void host_resolve(void *user, const struct host_resolve *resolve);

// The render pass that is being executed. Zero-initialised: none.
struct host_render_pass {
    host_resolve_function resolve; // the backend's; NULL: host_resolve
    void *resolve_user;
    const struct command_begin_render_pass *begin; // in the stream; NULL: none
    uint32_t occlusion_query;                      // the active one
    uint64_t passed_samples;                       // of it; whoever draws adds to them
};

// Performs BEGIN_RENDER_PASS (clears what is to be cleared), END_RENDER_PASS (resolves, then
// zeroes what is discarded), BEGIN_OCCLUSION_QUERY and END_OCCLUSION_QUERY; false for every other
// kind.
bool host_render_pass_execute(struct host_render_pass *pass, const struct command_header *header);
