// SPDX-License-Identifier: MIT
//
// Rules of WebGPU "GPURenderCommandsMixin", for render passes and bundle encoders, and of bundles.
#pragma once

#include "webgpu/object/device.h"
#include "webgpu/object/render_commands.h"
#include "webgpu/validate/rule.h"

// ---- render target layouts

bool validate_layouts_are_equal(
    const struct gpu_render_layout *a, const struct gpu_render_layout *b);
// "color formats [rgba8unorm, none], depth-stencil format depth24plus and 4 samples".
struct layout_words {
    char text[384];
};
struct layout_words validate_describe_layout(const struct gpu_render_layout *layout);
// WebGPU "calculating color attachment bytes per sample".
uint32_t validate_count_color_bytes(const struct gpu_render_layout *layout);

// ---- setting state

bool validate_set_render_pipeline(struct gpu_render_commands *commands,
    struct WGPURenderPipelineImpl *pipeline, struct validate_error *error);
// size_bytes: WGPU_WHOLE_SIZE was replaced by the caller.
bool validate_set_index_buffer(struct gpu_render_commands *commands, struct WGPUBufferImpl *buffer,
    WGPUIndexFormat format, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error);
bool validate_set_vertex_buffer(struct gpu_render_commands *commands, uint32_t slot,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error);
static inline uint32_t validate_index_bytes(WGPUIndexFormat format) {
    return format == WGPUIndexFormat_Uint16 ? 2 : 4;
}

// ---- draws; commands->pipeline is set

// Vertex buffers are there, and not too many together with bind groups.
bool validate_draw_buffers(struct gpu_render_commands *commands, struct validate_error *error);
// vertex_end and instance_end: the first that is not read; vertex_end 0: not known before the draw.
bool validate_draw_ranges(struct gpu_render_commands *commands, uint64_t vertex_end,
    uint64_t instance_end, struct validate_error *error);
bool validate_draw_index_buffer(struct gpu_render_commands *commands, struct validate_error *error);
bool validate_draw_index_range(struct gpu_render_commands *commands, uint32_t first_index,
    uint32_t index_count, struct validate_error *error);

// ---- bundles

bool validate_bundle_encoder(const struct WGPUDeviceImpl *device,
    const WGPURenderBundleEncoderDescriptor *descriptor, const char *name,
    struct gpu_render_layout *out_layout, struct validate_error *error);
