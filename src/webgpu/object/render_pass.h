// SPDX-License-Identifier: MIT
//
// struct WGPURenderPassEncoderImpl. One thread at a time. WebGPU §"Render Passes".
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/command_encoder.h"
#include "webgpu/object/render_commands.h"

struct WGPURenderPassEncoderImpl {
    union {
        struct gpu_object object;
        struct gpu_render_commands commands;
    };
    uint32_t width; // of the attachments
    uint32_t height;
    uint64_t max_draw_count;
    struct WGPUQuerySetImpl *occlusion_query_set; // in the recording's objects; NULL: none
    bool is_occlusion_query_active;
    uint64_t *occlusion_queries_begun; // MEMORY_COMMAND, a bit for each query; NULL until the first
    struct gpu_end_timestamp end_timestamp;
};

extern const struct gpu_object_class gpu_render_pass_encoder_class;

// NULL when out of memory.
struct WGPURenderPassEncoderImpl *gpu_render_pass_encoder_create(
    struct WGPUCommandEncoderImpl *encoder, struct text label);
