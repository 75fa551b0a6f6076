// SPDX-License-Identifier: MIT
//
// struct WGPUInstanceImpl: the root object. Constant but for the events, which guard themselves.
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/object.h"

struct event_manager;

struct WGPUInstanceImpl {
    struct gpu_object object;
    struct event_manager *events; // owned; event/event.h
    bool has_timed_wait;
    bool has_multiple_devices; // an adapter is not used up by its first device
    size_t timed_wait_capacity;
    uint32_t backends;     // set of 1u << enum backend_type, 0: the default order
    uint32_t thread_count; // of CPU devices, 0: the backend's choice
};
