// SPDX-License-Identifier: MIT
//
// struct WGPUSamplerImpl: its descriptor with all defaults. Constant. WebGPU §"Samplers".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/object.h"

struct WGPUSamplerImpl {
    struct gpu_object object;
    struct backend_sampler sampler;
    bool is_comparison;
    bool is_filtering;
};

extern const struct gpu_object_class gpu_sampler_class;

// NULL when out of memory.
struct WGPUSamplerImpl *gpu_sampler_create(struct WGPUDeviceImpl *device, struct text label,
    const struct backend_sampler *sampler, bool is_valid);
