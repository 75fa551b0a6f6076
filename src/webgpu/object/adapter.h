// SPDX-License-Identifier: MIT
//
// struct WGPUAdapterImpl: one backend's adapter as a request saw it. Constant but for is_consumed.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "facts/limits.h"
#include "webgpu/object/object.h"

struct WGPUAdapterImpl {
    struct gpu_object object;
    struct WGPUInstanceImpl *instance; // an internal reference
    struct backend_adapter *backend;   // owned
    struct backend_adapter_info info;
    struct limit_set limits;
    bool is_core; // the feature level that devices have by default
    atomic_bool is_consumed;
};
