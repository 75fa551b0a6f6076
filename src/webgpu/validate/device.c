// SPDX-License-Identifier: MIT
//
// Rules of device requests.
#include "webgpu/validate/device.h"

#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"

static bool validate_features(struct WGPUAdapterImpl *adapter,
    const WGPUDeviceDescriptor *descriptor, struct feature_set *out_features,
    struct validate_error *error) {
    struct feature_set features = {0};
    for (size_t i = 0; i < descriptor->requiredFeatureCount; i++) {
        uint32_t feature = (uint32_t)descriptor->requiredFeatures[i];
        if (!feature_set_has(adapter->info.features, feature)) {
            const struct feature_info *info = feature_get_info(feature);
            char unknown[48];
            snprintf(unknown, sizeof(unknown), "%u (no WGPUFeatureName)", feature);
            return BROKEN(error, DEVICE_FEATURE, GPU_NAME(adapter, ADAPTER),
                info != NULL ? info->word : unknown, i);
        }
        features = feature_set_with(features, feature);
    }
    if (adapter->is_core) {
        features = feature_set_with(features, WGPUFeatureName_CoreFeaturesAndLimits);
    }
    *out_features = feature_set_with_implied(features);
    return true;
}

static bool is_power_of_two(uint64_t value) {
    return value != 0 && (value & (value - 1)) == 0 && value <= UINT32_MAX;
}

static bool validate_limits(struct WGPUAdapterImpl *adapter, const WGPUDeviceDescriptor *descriptor,
    bool is_core, struct limit_set *out_limits, struct validate_error *error) {
    *out_limits = limit_set_get_default(is_core);
    if (descriptor->requiredLimits == NULL) {
        return true;
    }
    struct validate_chain chain = {1, {WGPUSType_CompatibilityModeLimits}, {NULL}};
    TRY(validate_chain(
        descriptor->requiredLimits->nextInChain, &chain, GPU_NAME(adapter, ADAPTER), error));
    struct limit_set wanted = limit_set_read(
        descriptor->requiredLimits, (const WGPUCompatibilityModeLimits *)chain.found[0]);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        enum limit_name name = (enum limit_name)i;
        const struct limit_info *info = limit_get_info(name);
        uint64_t value = wanted.values[i];
        if (value == WGPU_LIMIT_U64_UNDEFINED) {
            continue;
        }
        if (limit_is_better(name, value, adapter->limits.values[i])) {
            return BROKEN(error, DEVICE_LIMIT, GPU_NAME(adapter, ADAPTER), info->name, ULL(value),
                ULL(adapter->limits.values[i]));
        }
        if (info->class_of == LIMIT_CLASS_ALIGNMENT && !is_power_of_two(value)) {
            return BROKEN(
                error, DEVICE_ALIGNMENT, GPU_NAME(adapter, ADAPTER), info->name, ULL(value));
        }
        if (limit_is_better(name, value, out_limits->values[i])) {
            out_limits->values[i] = value;
        }
    }
    return true;
}

bool validate_device(struct WGPUAdapterImpl *adapter, const WGPUDeviceDescriptor *descriptor,
    struct feature_set *out_features, struct limit_set *out_limits, bool *out_is_core,
    struct validate_error *error) {
    TRY(validate_no_chain(descriptor->defaultQueue.nextInChain, GPU_NAME(adapter, ADAPTER), error));
    TRY(validate_no_chain(
        descriptor->uncapturedErrorCallbackInfo.nextInChain, GPU_NAME(adapter, ADAPTER), error));
    TRY(validate_features(adapter, descriptor, out_features, error));
    *out_is_core = feature_set_has(*out_features, WGPUFeatureName_CoreFeaturesAndLimits);
    // The defaults are those of the adapter's level, also when the feature was asked for.
    TRY(validate_limits(adapter, descriptor, adapter->is_core, out_limits, error));
    limit_set_normalise(out_limits, *out_is_core);
    return true;
}

bool validate_device_consumed(struct WGPUAdapterImpl *adapter, struct validate_error *error) {
    return BROKEN(error, DEVICE_CONSUMED, GPU_NAME(adapter, ADAPTER));
}
