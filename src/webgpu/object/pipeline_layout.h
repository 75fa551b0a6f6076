// SPDX-License-Identifier: MIT
//
// struct WGPUPipelineLayoutImpl. Constant. WebGPU §"GPUPipelineLayout".
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/bind_group_layout.h"
#include "webgpu/object/object.h"

// No adapter offers more bind groups than this; encoders keep one slot for each.
#define GPU_BIND_GROUP_SLOTS 8

struct WGPUPipelineLayoutImpl {
    struct gpu_object object;
    // Internal references. NULL: none, or one without entries.
    struct WGPUBindGroupLayoutImpl *groups[GPU_BIND_GROUP_SLOTS];
    uint32_t group_mask; // bit n: groups[n] is there
    bool has_writable;   // one of them has a binding that shaders may write
    uint32_t immediate_size_bytes;
};

extern const struct gpu_object_class gpu_pipeline_layout_class;

// groups: group_count <= GPU_BIND_GROUP_SLOTS layouts or NULLs; references are taken. NULL when out
// of memory.
struct WGPUPipelineLayoutImpl *gpu_pipeline_layout_create(struct WGPUDeviceImpl *device,
    struct text label, struct WGPUBindGroupLayoutImpl *const *groups, uint32_t group_count,
    uint32_t immediate_size_bytes, bool is_valid);
