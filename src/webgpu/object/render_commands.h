// SPDX-License-Identifier: MIT
//
// What render passes and render bundle encoders have in common: what draws use, and the one usage
// scope of it all. WebGPU "GPURenderCommandsMixin". One thread at a time.
#pragma once

#include "webgpu/object/pass.h"
#include "webgpu/object/render_pipeline.h"
#include "webgpu/object/usage.h"

struct gpu_vertex_buffer {
    struct WGPUBufferImpl *buffer; // in the recording's objects; NULL: not set
    uint64_t offset_bytes;
    uint64_t size_bytes;
};

struct gpu_render_commands {
    union {
        struct gpu_object object;
        struct gpu_pass pass;
    };
    struct gpu_render_layout layout;
    bool is_depth_read_only;
    bool is_stencil_read_only;
    bool are_buffers_checked; // the pipeline's vertex buffers are set, and have not changed
    struct WGPURenderPipelineImpl *pipeline; // in the recording's objects; NULL: not set
    struct WGPUBufferImpl *index_buffer;     // likewise
    WGPUIndexFormat index_format;
    uint64_t index_offset_bytes;
    uint64_t index_size_bytes;
    struct gpu_vertex_buffer vertex_buffers[BACKEND_VERTEX_BUFFER_CAPACITY];
    uint64_t draw_count; // those of executed bundles included
    struct gpu_usage_scope scope;
};

// Unsets all that a bundle's execution unsets.
void gpu_render_commands_reset(struct gpu_render_commands *commands);
// Frees what they hold, the object itself apart.
void gpu_render_commands_finish(struct gpu_render_commands *commands);
