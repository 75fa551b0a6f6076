// SPDX-License-Identifier: MIT
//
// What tests through the public API share: an instance with timed waits, an adapter, a device
// whose uncaptured errors are counted, and calls that wait. One thread, except where a test says
// so.
#pragma once

#include <alba/alba.h>
#include <webgpu/webgpu.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define UNUSED_PARAMETER(x) (void)(x)

struct api {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    atomic_int error_count; // uncaptured errors
    WGPUErrorType error_type;
    char error_message[1024]; // of the last one
    atomic_int lost_count;
    WGPUDeviceLostReason lost_reason;
    char lost_message[256];
    int has_lost_handle; // *device was not NULL
};

// Blocks of memory of the whole library that are not freed.
static inline uint64_t api_count_live_blocks(void) {
    AlbaMemoryCounter counters[32];
    size_t count = albaGetMemoryCounters(32, counters);
    uint64_t live = 0;
    for (size_t i = 0; i < count && i < 32; i++) {
        live += counters[i].liveBlocks;
    }
    return live;
}

static inline WGPUStringView api_view(const char *text) {
    WGPUStringView view = {text, WGPU_STRLEN};
    return view;
}

static inline void api_copy_message(char *out, size_t capacity, WGPUStringView message) {
    size_t length = message.length < capacity - 1 ? message.length : capacity - 1;
    if (length != 0) {
        memcpy(out, message.data, length);
    }
    out[length] = 0;
}

static inline void api_on_error(const WGPUDevice *device, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct api *api = userdata1;
    UNUSED_PARAMETER(device);
    UNUSED_PARAMETER(userdata2);
    api->error_type = type;
    api_copy_message(api->error_message, sizeof(api->error_message), message);
    atomic_fetch_add(&api->error_count, 1);
}

static inline void api_on_lost(const WGPUDevice *device, WGPUDeviceLostReason reason,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct api *api = userdata1;
    UNUSED_PARAMETER(userdata2);
    api->lost_reason = reason;
    api_copy_message(api->lost_message, sizeof(api->lost_message), message);
    api->has_lost_handle = *device != NULL;
    atomic_fetch_add(&api->lost_count, 1);
}

static inline void api_on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    *(WGPUAdapter *)userdata1 = adapter;
}

static inline void api_on_device(WGPURequestDeviceStatus status, WGPUDevice device,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    *(WGPUDevice *)userdata1 = device;
    if (userdata2 != NULL) {
        api_copy_message(userdata2, 1024, message);
    }
}

static inline WGPUInstance api_create_instance(void) {
    static const WGPUInstanceFeatureName features[] = {
        WGPUInstanceFeatureName_TimedWaitAny, WGPUInstanceFeatureName_MultipleDevicesPerAdapter};
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    const char *backend = getenv("TEST_BACKEND"); // "cpu": that adapter; else null
    options.backends = backend != NULL && strcmp(backend, "cpu") == 0 ? AlbaBackends_CPU
                                                                      : AlbaBackends_Null;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    descriptor.requiredFeatureCount = 2;
    descriptor.requiredFeatures = features;
    return wgpuCreateInstance(&descriptor);
}

static inline WGPUWaitStatus api_wait(WGPUInstance instance, WGPUFuture future) {
    WGPUFutureWaitInfo info = {future, WGPU_FALSE};
    return wgpuInstanceWaitAny(instance, 1, &info, UINT64_C(20000000000));
}

static inline WGPUAdapter api_request_adapter(WGPUInstance instance) {
    WGPUAdapter adapter = NULL;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_adapter;
    info.userdata1 = &adapter;
    api_wait(instance, wgpuInstanceRequestAdapter(instance, NULL, info));
    return adapter;
}

// `descriptor` gets the callbacks of `api`.
static inline WGPUDevice api_request_device(
    struct api *api, WGPUDeviceDescriptor *descriptor, char *message) {
    WGPUDevice device = NULL;
    descriptor->uncapturedErrorCallbackInfo.callback = api_on_error;
    descriptor->uncapturedErrorCallbackInfo.userdata1 = api;
    descriptor->deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
    descriptor->deviceLostCallbackInfo.callback = api_on_lost;
    descriptor->deviceLostCallbackInfo.userdata1 = api;
    WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_device;
    info.userdata1 = &device;
    info.userdata2 = message;
    api_wait(api->instance, wgpuAdapterRequestDevice(api->adapter, descriptor, info));
    return device;
}

static inline bool api_begin(struct api *api) {
    memset(api, 0, sizeof(*api));
    api->instance = api_create_instance();
    if (!CHECK(api->instance != NULL)) {
        return false;
    }
    api->adapter = api_request_adapter(api->instance);
    if (!CHECK(api->adapter != NULL)) {
        return false;
    }
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.label = api_view("the device");
    api->device = api_request_device(api, &descriptor, NULL);
    if (!CHECK(api->device != NULL)) {
        return false;
    }
    api->queue = wgpuDeviceGetQueue(api->device);
    return CHECK(api->queue != NULL);
}

static inline void api_end(struct api *api) {
    wgpuQueueRelease(api->queue);
    wgpuDeviceRelease(api->device);
    wgpuAdapterRelease(api->adapter);
    wgpuInstanceRelease(api->instance);
}

static inline WGPUBuffer api_buffer(
    struct api *api, const char *label, uint64_t size, WGPUBufferUsage usage) {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = api_view(label);
    descriptor.size = size;
    descriptor.usage = usage;
    return wgpuDeviceCreateBuffer(api->device, &descriptor);
}

struct api_map_result {
    atomic_int call_count;
    WGPUMapAsyncStatus status;
    char message[512];
};

static inline void api_on_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    struct api_map_result *result = userdata1;
    UNUSED_PARAMETER(userdata2);
    result->status = status;
    api_copy_message(result->message, sizeof(result->message), message);
    atomic_fetch_add(&result->call_count, 1);
}

static inline WGPUBufferMapCallbackInfo api_map_info(
    struct api_map_result *result, WGPUCallbackMode mode) {
    WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    memset(result, 0, sizeof(*result));
    info.mode = mode;
    info.callback = api_on_map;
    info.userdata1 = result;
    return info;
}

static inline WGPUMapAsyncStatus api_map(
    struct api *api, WGPUBuffer buffer, WGPUMapMode mode, size_t offset, size_t size) {
    struct api_map_result result;
    WGPUBufferMapCallbackInfo info = api_map_info(&result, WGPUCallbackMode_WaitAnyOnly);
    api_wait(api->instance, wgpuBufferMapAsync(buffer, mode, offset, size, info));
    return result.status;
}

static inline void api_on_done(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    *(WGPUQueueWorkDoneStatus *)userdata1 = status;
}

static inline WGPUQueueWorkDoneStatus api_finish_queue(struct api *api) {
    WGPUQueueWorkDoneStatus status = (WGPUQueueWorkDoneStatus)0;
    WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_done;
    info.userdata1 = &status;
    api_wait(api->instance, wgpuQueueOnSubmittedWorkDone(api->queue, info));
    return status;
}

struct api_scope_result {
    int call_count;
    WGPUPopErrorScopeStatus status;
    WGPUErrorType type;
    char message[1024];
};

static inline void api_on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct api_scope_result *result = userdata1;
    UNUSED_PARAMETER(userdata2);
    result->status = status;
    result->type = type;
    api_copy_message(result->message, sizeof(result->message), message);
    result->call_count++;
}

static inline struct api_scope_result api_pop_scope(struct api *api) {
    struct api_scope_result result = {0};
    WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_scope;
    info.userdata1 = &result;
    api_wait(api->instance, wgpuDevicePopErrorScope(api->device, info));
    return result;
}

static inline WGPUShaderModule api_shader(struct api *api, const char *code) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = api_view(code);
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = api_view("the shader");
    return wgpuDeviceCreateShaderModule(api->device, &descriptor);
}

static inline WGPUComputePipeline api_pipeline(
    struct api *api, WGPUShaderModule module, WGPUPipelineLayout layout) {
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("the pipeline");
    descriptor.layout = layout;
    descriptor.compute.module = module;
    return wgpuDeviceCreateComputePipeline(api->device, &descriptor);
}
