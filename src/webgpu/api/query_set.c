// SPDX-License-Identifier: MIT
//
// Query sets: not built yet. Each call gives an error object whose getters tell what was asked for.
#include "webgpu/api/api_priv.h"
#include "webgpu/encode/encoder.h"
#include "webgpu/object/query_set.h"

static void fail_command(WGPUCommandEncoder encoder, enum not_implemented function) {
    const char *message = not_implemented_message(function);
    if (encoder_accepts(encoder, message)) {
        encoder_fail_text(&encoder->error, WGPUErrorType_Internal, message);
    }
}

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuDeviceCreateQuerySet);
    struct WGPUQuerySetImpl *set = gpu_object_create(
        &gpu_query_set_class, sizeof(*set), device, view_label(descriptor->label), false);
    if (set == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    set->type = descriptor->type;
    set->count = descriptor->count;
    return set;
}

void wgpuQuerySetDestroy(WGPUQuerySet querySet) {
    (void)API_IS_NULL(querySet);
}

uint32_t wgpuQuerySetGetCount(WGPUQuerySet querySet) {
    return API_IS_NULL(querySet) ? 0 : querySet->count;
}

WGPUQueryType wgpuQuerySetGetType(WGPUQuerySet querySet) {
    return API_IS_NULL(querySet) ? (WGPUQueryType)0 : querySet->type;
}

void wgpuCommandEncoderWriteTimestamp(
    WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet, uint32_t queryIndex) {
    (void)querySet;
    (void)queryIndex;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderWriteTimestamp);
    }
}

void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet,
    uint32_t firstQuery, uint32_t queryCount, WGPUBuffer destination, uint64_t destinationOffset) {
    (void)querySet;
    (void)firstQuery;
    (void)queryCount;
    (void)destination;
    (void)destinationOffset;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderResolveQuerySet);
    }
}
