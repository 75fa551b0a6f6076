// SPDX-License-Identifier: MIT
//
// struct WGPURenderPipelineImpl: compiled stages and what draws must check. Constant.
// WebGPU §"GPURenderPipeline".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/object.h"
#include "webgpu/object/pipeline_interface.h"

// What a pass or bundle encoder and a pipeline or bundle must agree on. WebGPU
// "derive render targets layout from pipeline" and its kin. Formats behind color_count are
// Undefined, so that layouts of different counts compare with holes at the end.
struct gpu_render_layout {
    WGPUTextureFormat color_formats[COMMAND_COLOR_ATTACHMENT_CAPACITY]; // Undefined: a hole
    uint32_t color_count;                   // up to the last that is no hole
    WGPUTextureFormat depth_stencil_format; // Undefined: none
    uint32_t sample_count;
};

// What draws ask of the vertex buffer in one slot.
struct gpu_vertex_slot {
    bool is_used; // false: nothing need be bound
    bool is_per_instance;
    uint64_t stride_bytes;
    uint64_t last_stride_bytes; // max of offset + size over the attributes
};

struct WGPURenderPipelineImpl {
    struct gpu_object object;
    struct gpu_pipeline_interface interface;
    struct backend_render_pipeline *backend;
    struct gpu_render_layout layout;
    bool writes_depth;   // WebGPU [[writesDepth]]
    bool writes_stencil; // WebGPU [[writesStencil]]
    WGPUPrimitiveTopology topology;
    WGPUIndexFormat strip_index_format; // Undefined: draws may be indexed with either
    struct gpu_vertex_slot vertex_slots[BACKEND_VERTEX_BUFFER_CAPACITY];
    uint32_t vertex_slot_count;
};

extern const struct gpu_object_class gpu_render_pipeline_class;

// An empty pipeline; the caller fills the rest in before it hands the pipeline out. NULL when out
// of memory.
struct WGPURenderPipelineImpl *gpu_render_pipeline_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
