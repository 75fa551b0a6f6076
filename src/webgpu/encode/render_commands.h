// SPDX-License-Identifier: MIT
//
// The commands that render passes and render bundle encoders share beyond those of pass.h: WebGPU
// "GPURenderCommandsMixin". `what` names the standard's function in messages. A broken rule is kept
// in the encoder. One thread at a time; no locks.
#pragma once

#include "webgpu/object/render_commands.h"

void render_set_pipeline(struct gpu_render_commands *commands, const char *what,
    struct WGPURenderPipelineImpl *pipeline);
void render_set_bind_group(struct gpu_render_commands *commands, const char *what, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets);
// size_bytes may be WGPU_WHOLE_SIZE.
void render_set_index_buffer(struct gpu_render_commands *commands, const char *what,
    struct WGPUBufferImpl *buffer, WGPUIndexFormat format, uint64_t offset_bytes,
    uint64_t size_bytes);
void render_set_vertex_buffer(struct gpu_render_commands *commands, const char *what, uint32_t slot,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes);

void render_draw(struct gpu_render_commands *commands, const char *what, uint32_t vertex_count,
    uint32_t instance_count, uint32_t first_vertex, uint32_t first_instance);
void render_draw_indexed(struct gpu_render_commands *commands, const char *what,
    uint32_t index_count, uint32_t instance_count, uint32_t first_index, int32_t base_vertex,
    uint32_t first_instance);
void render_draw_indirect(struct gpu_render_commands *commands, const char *what,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes);
void render_draw_indexed_indirect(struct gpu_render_commands *commands, const char *what,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes);

// Keeps the message "out of memory while encoding".
void render_fail_memory(struct gpu_render_commands *commands);
// Counts draws of the pass: the first one's label goes to the recording.
void render_count_draws(struct gpu_render_commands *commands, uint64_t count);
