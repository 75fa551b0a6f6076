// SPDX-License-Identifier: MIT
//
// A device as the addon keeps it: one struct device for each GPUDevice, shared by all objects made
// from it, so that the device lives as long as the last of them whatever the garbage collector
// does first. References are counted from any thread; the rest is for the environment's thread.

#pragma once

#include "enum.h"
#include "limits.h"
#include "object.h"

struct buffer;

struct device {
    // Objects and operations that use the handle, which is released with the last of them.
    atomic_size_t users;
    // All users together, and each callback that may still come.
    atomic_size_t references;
    struct node_env *node;
    WGPUInstance instance;
    WGPUDevice handle;
    // Bit f is set if the device has WGPUFeatureName f.
    uint64_t features;
    // The GPUDevice, weakly; NULL before it is made and after it is collected.
    napi_ref object;
    // The function that settles `lost`, until that is done or the GPUDevice is collected.
    napi_ref resolve_lost;
    bool is_lost;
    // destroy() was called, and the program is kept running until `lost` is settled.
    bool awaits_lost;
    bool is_fallback;
    // Memory of mapped ranges is V8's even where the runtime takes ours.
    bool has_own_mappings;
    // Buffers that are mapped or about to be, doubly linked.
    struct buffer *mapped;
};

// The GPUDevice. Its attributes that are always the same object are held strongly here.
struct device_object {
    struct object object;
    napi_ref features;
    napi_ref limits;
    napi_ref info;
    napi_ref queue;
    napi_ref lost;
};

// Users, counted.
void device_ref(struct device *device);
void device_unref(struct device *device);
// The struct alone, for callbacks.
void device_hold(struct device *device);
void device_let_go(struct device *device);
static inline bool device_has(const struct device *device, WGPUFeatureName feature) {
    return (device->features >> feature & 1) != 0;
}

// What create's flags ask for every device (alba.h, AlbaDeviceOptions).
struct device_options {
    uint64_t watchdog_milliseconds;
    uint32_t thread_count;
    uint32_t guard_pages;
    size_t ledger_list_capacity;
    uint32_t warnings;     // enum device_warnings
    bool has_own_mappings; // of the addon's own: see struct device
};

// Where warnings go (alba.h, AlbaWarningOptions): nowhere, to the list alone, to standard error too.
enum device_warnings { DEVICE_WARNINGS_OFF, DEVICE_WARNINGS_LIST, DEVICE_WARNINGS_LOG };

struct gpu {
    struct object object;
    WGPUInstance instance;
    WGPUBackendType backend;
    struct device_options options;
    napi_ref language_features;
};

struct adapter {
    struct object object;
    WGPUInstance instance;
    bool is_fallback;
    bool is_consumed;
    napi_ref features;
    napi_ref limits;
    napi_ref info;
    struct device_options options;
};

// A new GPU object of an instance whose adapters are those of `backends`; NULL with an exception
// pending.
napi_value gpu_create(struct node_env *node, const struct device_options *options,
    WGPUBackendType backend, uint64_t backends);

// Values of lib/interfaces.js; NULL with an exception pending.
napi_value create_words(struct node_env *node, enum hook hook, size_t count, const uint32_t *values,
    const struct enum_table *words);
napi_value create_features(struct node_env *node, const WGPUSupportedFeatures *features);
napi_value create_info(struct node_env *node, const WGPUAdapterInfo *info, bool is_fallback);
napi_value create_limits(struct node_env *node, const struct limit_structs *limits);

// An attribute that is the same object each time: what *reference holds, made at first by `create`.
napi_value same_object(
    struct call *call, napi_ref *reference, napi_value (*create)(struct call *call));
// Lets go of it; nothing to do once the environment closes.
void drop_reference(struct node_env *node, napi_ref *reference);

// The GPUDevice of a device whose handle is set, made when the request's promise is resolved.
napi_value device_create_object(
    struct device *device, WGPUStringView label, WGPUStringView queue_label);
// Callbacks of WGPUDeviceDescriptor; userdata1 is the struct device.
void device_lost_callback(const WGPUDevice *handle, WGPUDeviceLostReason reason,
    WGPUStringView message, void *userdata1, void *userdata2);
void device_uncaptured_error_callback(const WGPUDevice *handle, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2);
// Unmaps all buffers of the device (WebGPU §"destroy").
void device_unmap_buffers(struct device *device);
