// SPDX-License-Identifier: MIT
//
// struct WGPUQuerySetImpl. What is below the line is guarded by the device's mutex; all else is
// constant. WebGPU §"Queries".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/object.h"

struct WGPUQuerySetImpl {
    struct gpu_object object;
    WGPUQueryType type;
    uint32_t count;
    struct backend_query_set *backend; // NULL for an invalid one

    // ---- guarded
    bool is_destroyed; // submissions that use it are refused
};

extern const struct gpu_object_class gpu_query_set_class;

// Makes the object, and for a valid one the backend's. out_status tells why a set that should have
// been valid is not. NULL only when there is no memory for the object itself. The backend's memory
// lives as long as the object.
struct WGPUQuerySetImpl *gpu_query_set_create(struct WGPUDeviceImpl *device, struct text label,
    WGPUQueryType type, uint32_t count, bool is_valid, enum backend_status *out_status);
