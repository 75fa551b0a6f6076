// SPDX-License-Identifier: MIT
//
// Features, limits and adapter info in the standard's structs, and their FreeMembers.
#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/api/info_priv.h"
#include "webgpu/validate/chain.h"

void info_write_features(struct feature_set set, WGPUSupportedFeatures *out_features) {
    WGPUFeatureName *list = memory_allocate(MEMORY_GENERAL, 64 * sizeof(*list));
    size_t count = 0;
    for (uint32_t name = 1; list != NULL && name < 64; name++) {
        if (feature_set_has(set, name)) {
            list[count++] = (WGPUFeatureName)name;
        }
    }
    out_features->featureCount = count;
    out_features->features = list;
}

void wgpuSupportedFeaturesFreeMembers(WGPUSupportedFeatures features) {
    memory_free((void *)(uintptr_t)features.features);
}

static bool is_chain_fine(
    const char *function, const WGPUChainedStruct *first, struct validate_chain *chain) {
    struct validate_error error = {0};
    if (validate_chain(first, chain, function, &error)) {
        return true;
    }
    log_message(LOG_ERROR, "%s", text_buffer_get(&error.message).data);
    text_buffer_finish(&error.message);
    return false;
}

WGPUStatus info_write_limits(
    const char *function, const struct limit_set *set, WGPULimits *out_limits) {
    struct validate_chain chain = {1, {WGPUSType_CompatibilityModeLimits}, {NULL}};
    if (!is_chain_fine(function, out_limits->nextInChain, &chain)) {
        return WGPUStatus_Error;
    }
    limit_set_write(set, out_limits, (WGPUCompatibilityModeLimits *)(uintptr_t)chain.found[0]);
    return WGPUStatus_Success;
}

static WGPUBackendType get_backend_type(enum backend_type type) {
    switch (type) {
    case BACKEND_NULL:
        return WGPUBackendType_Null;
    case BACKEND_VULKAN:
        return WGPUBackendType_Vulkan;
    case BACKEND_CPU: // the standard has no type for it; the adapter's type says CPU
    case BACKEND_TYPE_COUNT:
        break;
    }
    return WGPUBackendType_Undefined;
}

WGPUStatus info_write_adapter(
    const char *function, const struct backend_adapter_info *info, WGPUAdapterInfo *out_info) {
    struct validate_chain chain = {0};
    if (!is_chain_fine(function, out_info->nextInChain, &chain)) {
        return WGPUStatus_Error;
    }
    // The four texts lie in one block, which the first one begins.
    const char *texts[4] = {info->vendor, info->architecture, info->device, info->description};
    WGPUStringView *views[4] = {
        &out_info->vendor, &out_info->architecture, &out_info->device, &out_info->description};
    size_t size_bytes = 1;
    for (int i = 0; i < 4; i++) {
        size_bytes += strlen(texts[i]);
    }
    char *block = memory_allocate(MEMORY_GENERAL, size_bytes);
    if (block == NULL) {
        log_message(LOG_ERROR, "%s: out of memory", function);
        return WGPUStatus_Error;
    }
    char *at = block;
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(texts[i]);
        memcpy(at, texts[i], length);
        *views[i] = (WGPUStringView){at, length};
        at += length;
    }
    out_info->backendType = get_backend_type(info->type);
    out_info->adapterType = (WGPUAdapterType)info->adapter_type;
    out_info->vendorID = info->vendor_id;
    out_info->deviceID = info->device_id;
    out_info->subgroupMinSize = info->subgroup_min_size;
    out_info->subgroupMaxSize = info->subgroup_max_size;
    return WGPUStatus_Success;
}

void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo info) {
    memory_free((void *)(uintptr_t)info.vendor.data);
}
