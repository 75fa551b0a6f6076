// SPDX-License-Identifier: MIT
//
// struct WGPUComputePipelineImpl: a compiled entry point and what dispatches must check. Constant.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/object.h"
#include "webgpu/object/pipeline_interface.h"

struct WGPUComputePipelineImpl {
    struct gpu_object object;
    struct gpu_pipeline_interface interface;
    struct backend_compute_pipeline *backend;
    uint32_t workgroup_size[3];
    bool uses_workgroup_index;
    bool uses_global_invocation_index;
};

extern const struct gpu_object_class gpu_compute_pipeline_class;

// An empty pipeline; the caller fills the rest in before it hands the pipeline out. NULL when out
// of memory.
struct WGPUComputePipelineImpl *gpu_compute_pipeline_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
