// SPDX-License-Identifier: MIT
//
// Buffers: creation, getters, mapping.
#include "webgpu/validate/buffer.h"

#include "webgpu/api/api_priv.h"
#include "webgpu/queue/queue.h"

WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_BUFFER, label);
    struct validate_error error = {0};
    enum backend_status status = BACKEND_OK;
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = validate_buffer_create(device, descriptor, name.text, &error);
    struct WGPUBufferImpl *buffer = gpu_buffer_create(
        device, label, descriptor->size, descriptor->usage, is_valid && !is_lost, &status);
    if (!is_valid) {
        api_report(device, &error);
    }
    if (buffer == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    if (status == BACKEND_OUT_OF_MEMORY) {
        error_report_format(device, WGPUErrorType_OutOfMemory, "%s: out of memory for %llu bytes",
            name.text, ULL(descriptor->size));
    } else {
        error_report_status(device, status, name.text);
    }
    if (!descriptor->mappedAtCreation) {
        return buffer;
    }
    // Even an invalid buffer is mapped, in memory of the host's, unless there cannot be so much.
    bool is_hopeless = status == BACKEND_OUT_OF_MEMORY ||
        descriptor->size > device->limits.values[LIMIT_maxBufferSize];
    if (!is_hopeless && gpu_buffer_map_at_creation(buffer)) {
        return buffer;
    }
    if (!is_hopeless) {
        error_report_format(device, WGPUErrorType_OutOfMemory,
            "%s: out of memory for the mapping at creation of %llu bytes", name.text,
            ULL(descriptor->size));
    }
    gpu_object_api_unref(&buffer->object);
    return NULL;
}

void wgpuBufferDestroy(WGPUBuffer buffer) {
    if (!API_IS_NULL(buffer)) {
        buffer_unmap(buffer, true);
    }
}

void wgpuBufferUnmap(WGPUBuffer buffer) {
    if (!API_IS_NULL(buffer)) {
        buffer_unmap(buffer, false);
    }
}

uint64_t wgpuBufferGetSize(WGPUBuffer buffer) {
    return API_IS_NULL(buffer) ? 0 : buffer->size_bytes;
}

WGPUBufferUsage wgpuBufferGetUsage(WGPUBuffer buffer) {
    return API_IS_NULL(buffer) ? WGPUBufferUsage_None : buffer->usage;
}

WGPUBufferMapState wgpuBufferGetMapState(WGPUBuffer buffer) {
    if (API_IS_NULL(buffer)) {
        return WGPUBufferMapState_Unmapped;
    }
    os_mutex_lock(&buffer->object.device->mutex);
    WGPUBufferMapState state = gpu_buffer_get_map_state(buffer);
    os_mutex_unlock(&buffer->object.device->mutex);
    return state;
}

// WGPU_WHOLE_MAP_SIZE is the rest of the buffer.
static uint64_t resolve_size(const struct WGPUBufferImpl *buffer, size_t offset, size_t size) {
    if (size != WGPU_WHOLE_MAP_SIZE) {
        return size;
    }
    return offset < buffer->size_bytes ? buffer->size_bytes - offset : 0;
}

WGPUFuture wgpuBufferMapAsync(WGPUBuffer buffer, WGPUMapMode mode, size_t offset, size_t size,
    WGPUBufferMapCallbackInfo callbackInfo) {
    if (API_IS_NULL(buffer) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    return buffer_map_async(
        buffer, mode, offset, resolve_size(buffer, offset, size), &callbackInfo);
}

void *wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
    if (API_IS_NULL(buffer)) {
        return NULL;
    }
    return buffer_get_mapped_range(buffer, offset, resolve_size(buffer, offset, size), false);
}

const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
    if (API_IS_NULL(buffer)) {
        return NULL;
    }
    return buffer_get_mapped_range(buffer, offset, resolve_size(buffer, offset, size), true);
}

WGPUStatus wgpuBufferReadMappedRange(WGPUBuffer buffer, size_t offset, void *data, size_t size) {
    if (API_IS_NULL(buffer) || (size != 0 && API_IS_NULL(data))) {
        return WGPUStatus_Error;
    }
    return buffer_read_mapped_range(buffer, offset, data, size) ? WGPUStatus_Success
                                                                : WGPUStatus_Error;
}

WGPUStatus wgpuBufferWriteMappedRange(
    WGPUBuffer buffer, size_t offset, const void *data, size_t size) {
    if (API_IS_NULL(buffer) || (size != 0 && API_IS_NULL(data))) {
        return WGPUStatus_Error;
    }
    return buffer_write_mapped_range(buffer, offset, data, size) ? WGPUStatus_Success
                                                                 : WGPUStatus_Error;
}
