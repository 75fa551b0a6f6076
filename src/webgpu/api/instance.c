// SPDX-License-Identifier: MIT
//
// Instances: creation, features and limits, futures, WGSL language features.
#include <alba/alba.h>
#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/object/instance.h"
#include "webgpu/validate/chain.h"

// What wgpuCreateInstance can be asked for. Waiting costs no more for many futures than for few.
#define TIMED_WAIT_CAPACITY ((size_t)1 << 20)

static const WGPUInstanceFeatureName instance_features[] = {
    WGPUInstanceFeatureName_TimedWaitAny, WGPUInstanceFeatureName_MultipleDevicesPerAdapter};

static const WGPUWGSLLanguageFeatureName language_features[] = {
    WGPUWGSLLanguageFeatureName_ReadonlyAndReadwriteStorageTextures,
    WGPUWGSLLanguageFeatureName_Packed4x8IntegerDotProduct,
    WGPUWGSLLanguageFeatureName_UnrestrictedPointerParameters,
    WGPUWGSLLanguageFeatureName_PointerCompositeAccess,
    WGPUWGSLLanguageFeatureName_UniformBufferStandardLayout,
    WGPUWGSLLanguageFeatureName_SubgroupId,
    WGPUWGSLLanguageFeatureName_TextureAndSamplerLet,
    WGPUWGSLLanguageFeatureName_SubgroupUniformity,
    WGPUWGSLLanguageFeatureName_TextureFormatsTier1,
    WGPUWGSLLanguageFeatureName_LinearIndexing,
    WGPUWGSLLanguageFeatureName_ImmediateAddressSpace,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---------------------------------------------------------------- life

static void destroy(struct gpu_object *object) {
    event_manager_destroy(((struct WGPUInstanceImpl *)object)->events);
    gpu_object_free(object);
}

static void release_last(struct gpu_object *object) {
    event_shut_down(((struct WGPUInstanceImpl *)object)->events);
}

static const struct gpu_object_class instance_class = {GPU_INSTANCE, destroy, release_last};

WGPUBool wgpuHasInstanceFeature(WGPUInstanceFeatureName feature) {
    for (size_t i = 0; i < COUNT(instance_features); i++) {
        if (instance_features[i] == feature) {
            return WGPU_TRUE;
        }
    }
    return WGPU_FALSE;
}

static bool is_descriptor_fine(
    const WGPUInstanceDescriptor *descriptor, struct validate_chain *chain) {
    struct validate_error error = {0};
    if (!validate_chain(descriptor->nextInChain, chain, "the instance", &error)) {
        log_message(LOG_ERROR, "wgpuCreateInstance: %s", text_buffer_get(&error.message).data);
        text_buffer_finish(&error.message);
        return false;
    }
    if (descriptor->requiredFeatureCount != 0 && descriptor->requiredFeatures == NULL) {
        log_message(LOG_ERROR,
            "wgpuCreateInstance: requiredFeatureCount is %zu, but requiredFeatures is NULL",
            descriptor->requiredFeatureCount);
        return false;
    }
    for (size_t i = 0; i < descriptor->requiredFeatureCount; i++) {
        if (!wgpuHasInstanceFeature(descriptor->requiredFeatures[i])) {
            log_message(LOG_ERROR, "wgpuCreateInstance: the instance feature %u is not supported",
                (unsigned)descriptor->requiredFeatures[i]);
            return false;
        }
    }
    const WGPUInstanceLimits *limits = descriptor->requiredLimits;
    if (limits != NULL &&
        (limits->nextInChain != NULL || limits->timedWaitAnyMaxCount > TIMED_WAIT_CAPACITY)) {
        log_message(LOG_ERROR,
            "wgpuCreateInstance: the required limits are not supported "
            "(timedWaitAnyMaxCount %zu, at most %zu)",
            limits->timedWaitAnyMaxCount, TIMED_WAIT_CAPACITY);
        return false;
    }
    return true;
}

WGPUInstance wgpuCreateInstance(const WGPUInstanceDescriptor *descriptor) {
    static const WGPUInstanceDescriptor none = {NULL, 0, NULL, NULL};
    if (descriptor == NULL) {
        descriptor = &none;
    }
    struct validate_chain chain = {1, {(uint32_t)AlbaSType_InstanceOptions}, {NULL}};
    if (!is_descriptor_fine(descriptor, &chain)) {
        return NULL;
    }
    struct WGPUInstanceImpl *instance = gpu_object_create(
        &instance_class, sizeof(*instance), NULL, TEXT_LITERAL(""), true);
    if (instance == NULL) {
        return NULL;
    }
    instance->events = event_manager_create(&instance->object);
    if (instance->events == NULL) {
        gpu_object_free(&instance->object);
        return NULL;
    }
    for (size_t i = 0; i < descriptor->requiredFeatureCount; i++) {
        WGPUInstanceFeatureName feature = descriptor->requiredFeatures[i];
        instance->has_timed_wait |= feature == WGPUInstanceFeatureName_TimedWaitAny;
        instance->has_multiple_devices |= feature ==
            WGPUInstanceFeatureName_MultipleDevicesPerAdapter;
    }
    // Whoever enables timed waits without a limit means to wait.
    instance->timed_wait_capacity = TIMED_WAIT_CAPACITY;
    const WGPUInstanceLimits *limits = descriptor->requiredLimits;
    if (limits != NULL && limits->timedWaitAnyMaxCount != 0) {
        instance->timed_wait_capacity = limits->timedWaitAnyMaxCount;
    }
    const AlbaInstanceOptions *options = (const AlbaInstanceOptions *)chain.found[0];
    if (options != NULL) {
        // The flags are 1 << enum backend_type.
        instance->backends = (uint32_t)options->backends;
        instance->thread_count = options->threadCount;
    }
    if (instance->backends == 0) {
        instance->backends = api_get_environment_backends();
    }
    return instance;
}

// ---------------------------------------------------------------- features and limits

static void *copy_list(const void *list, size_t count, size_t item_bytes) {
    void *copy = memory_allocate(MEMORY_GENERAL, count * item_bytes);
    if (copy != NULL) {
        memcpy(copy, list, count * item_bytes);
    }
    return copy;
}

void wgpuGetInstanceFeatures(WGPUSupportedInstanceFeatures *features) {
    if (API_IS_NULL(features)) {
        return;
    }
    features->features = copy_list(
        instance_features, COUNT(instance_features), sizeof(*instance_features));
    features->featureCount = features->features != NULL ? COUNT(instance_features) : 0;
}

void wgpuSupportedInstanceFeaturesFreeMembers(WGPUSupportedInstanceFeatures features) {
    memory_free((void *)(uintptr_t)features.features);
}

WGPUStatus wgpuGetInstanceLimits(WGPUInstanceLimits *limits) {
    if (API_IS_NULL(limits)) {
        return WGPUStatus_Error;
    }
    if (limits->nextInChain != NULL) {
        log_message(LOG_ERROR,
            "wgpuGetInstanceLimits: the chained struct of sType 0x%08x is not known",
            (unsigned)limits->nextInChain->sType);
        return WGPUStatus_Error;
    }
    limits->timedWaitAnyMaxCount = TIMED_WAIT_CAPACITY;
    return WGPUStatus_Success;
}

void wgpuInstanceGetWGSLLanguageFeatures(
    WGPUInstance instance, WGPUSupportedWGSLLanguageFeatures *features) {
    if (API_IS_NULL(instance) || API_IS_NULL(features)) {
        return;
    }
    features->features = copy_list(
        language_features, COUNT(language_features), sizeof(*language_features));
    features->featureCount = features->features != NULL ? COUNT(language_features) : 0;
}

void wgpuSupportedWGSLLanguageFeaturesFreeMembers(WGPUSupportedWGSLLanguageFeatures features) {
    memory_free((void *)(uintptr_t)features.features);
}

WGPUBool wgpuInstanceHasWGSLLanguageFeature(
    WGPUInstance instance, WGPUWGSLLanguageFeatureName feature) {
    if (API_IS_NULL(instance)) {
        return WGPU_FALSE;
    }
    for (size_t i = 0; i < COUNT(language_features); i++) {
        if (language_features[i] == feature) {
            return WGPU_TRUE;
        }
    }
    return WGPU_FALSE;
}

// ---------------------------------------------------------------- futures

WGPUWaitStatus wgpuInstanceWaitAny(
    WGPUInstance instance, size_t futureCount, WGPUFutureWaitInfo *futures, uint64_t timeoutNS) {
    if (API_IS_NULL(instance) || (futureCount != 0 && API_IS_NULL(futures))) {
        return WGPUWaitStatus_Error;
    }
    return event_wait_any(instance, futureCount, futures, timeoutNS);
}

void wgpuInstanceProcessEvents(WGPUInstance instance) {
    if (!API_IS_NULL(instance)) {
        event_process(instance->events);
    }
}
