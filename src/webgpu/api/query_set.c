// SPDX-License-Identifier: MIT
//
// Query sets: creation, getters, and the encoders' commands that use them.
#include "webgpu/validate/query_set.h"

#include "base/os_thread.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/encode/query_set.h"

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_QUERY_SET, label);
    struct validate_error error = {0};
    enum backend_status status = BACKEND_OK;
    bool is_valid = validate_query_set_create(device, descriptor, name.text, &error);
    struct WGPUQuerySetImpl *set = gpu_query_set_create(device, label, descriptor->type,
        descriptor->count, is_valid && !atomic_load(&device->is_lost), &status);
    if (!is_valid) {
        api_report(device, &error);
    }
    if (set == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    error_report_status(device, status, name.text);
    return set;
}

void wgpuQuerySetDestroy(WGPUQuerySet querySet) {
    if (!API_IS_NULL(querySet)) {
        struct WGPUDeviceImpl *device = querySet->object.device;
        os_mutex_lock(&device->mutex);
        querySet->is_destroyed = true;
        os_mutex_unlock(&device->mutex);
    }
}

uint32_t wgpuQuerySetGetCount(WGPUQuerySet querySet) {
    return API_IS_NULL(querySet) ? 0 : querySet->count;
}

WGPUQueryType wgpuQuerySetGetType(WGPUQuerySet querySet) {
    return API_IS_NULL(querySet) ? (WGPUQueryType)0 : querySet->type;
}

void wgpuCommandEncoderWriteTimestamp(
    WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet, uint32_t queryIndex) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_write_timestamp(commandEncoder, querySet, queryIndex);
    }
}

void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet,
    uint32_t firstQuery, uint32_t queryCount, WGPUBuffer destination, uint64_t destinationOffset) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_resolve_query_set(
            commandEncoder, querySet, firstQuery, queryCount, destination, destinationOffset);
    }
}
