// SPDX-License-Identifier: MIT
//
// What a render pass does beside drawing, on textures of host_texture.h: load operations, resolves,
// store operations, occlusion queries. Shared by the backends null and cpu; the queue thread's.
#pragma once

#include "backend/backend.h"

// The render pass that is being executed. Zero-initialised: none.
struct host_render_pass {
    const struct command_begin_render_pass *begin; // in the stream; NULL: none
    uint32_t occlusion_query;                      // the active one
    uint64_t passed_samples;                       // of it; whoever draws adds to them
};

// Performs BEGIN_RENDER_PASS (clears what is to be cleared), END_RENDER_PASS (resolves, then
// zeroes what is discarded), BEGIN_OCCLUSION_QUERY and END_OCCLUSION_QUERY; false for every other
// kind.
bool host_render_pass_execute(struct host_render_pass *pass, const struct command_header *header);
