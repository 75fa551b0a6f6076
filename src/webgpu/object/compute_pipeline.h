// SPDX-License-Identifier: MIT
//
// struct WGPUComputePipelineImpl: a compiled entry point and what dispatches must check. Constant.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/object.h"
#include "webgpu/object/pipeline_layout.h"

// The size that a binding of a layout with minBindingSize 0 must have at dispatch.
struct gpu_deferred_size {
    uint32_t group;
    uint32_t entry; // index into the bind group layout's entries
    uint64_t minimum_bytes;
};

struct WGPUComputePipelineImpl {
    struct gpu_object object;
    struct WGPUPipelineLayoutImpl *layout; // an internal reference; NULL when invalid
    struct backend_compute_pipeline *backend;
    uint32_t workgroup_size[3];
    uint64_t immediate_slots; // bit n: the shader may read the word at byte 4 n
    bool uses_workgroup_index;
    bool uses_global_invocation_index;
    struct gpu_deferred_size *deferred_sizes; // MEMORY_OBJECT
    uint32_t deferred_size_count;
};

extern const struct gpu_object_class gpu_compute_pipeline_class;

// An empty pipeline; the caller fills the rest in before it hands the pipeline out. NULL when out
// of memory.
struct WGPUComputePipelineImpl *gpu_compute_pipeline_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
