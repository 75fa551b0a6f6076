// SPDX-License-Identifier: MIT
//
// GPU: requestAdapter, and what WGSL's language has.

#include "device.h"
#include "dictionary.h"
#include "method.h"
#include "operation.h"

#include <alba/alba.h>
#include <stdlib.h>
#include <string.h>

static void finish_gpu(struct object *object) {
    struct gpu *gpu = (struct gpu *)object;
    drop_reference(object->node, &gpu->language_features);
    wgpuInstanceRelease(gpu->instance);
}

napi_value gpu_create(struct node_env *node, const struct device_options *options,
    WGPUBackendType backend, uint64_t backends) {
    AlbaInstanceOptions chained = ALBA_INSTANCE_OPTIONS_INIT;
    chained.backends = backends;
    chained.threadCount = options->thread_count;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &chained.chain;
    WGPUInstance instance = wgpuCreateInstance(&descriptor);
    if (instance == NULL) {
        napi_throw_error(node->env, NULL, "alba: no instance could be made");
        return NULL;
    }
    struct object *object = NULL;
    napi_value value = object_create(
        node, &interface_gpu, NULL, NULL, (WGPUStringView){NULL, 0}, &object);
    if (value == NULL) {
        wgpuInstanceRelease(instance);
        return NULL;
    }
    struct gpu *gpu = (struct gpu *)object;
    gpu->instance = instance;
    gpu->backend = backend;
    gpu->options = *options;
    object->finish = finish_gpu;
    return value;
}

static napi_value create_language_features(struct call *call) {
    struct gpu *gpu = (struct gpu *)call->self;
    WGPUSupportedWGSLLanguageFeatures features = WGPU_SUPPORTED_WGSL_LANGUAGE_FEATURES_INIT;
    wgpuInstanceGetWGSLLanguageFeatures(gpu->instance, &features);
    napi_value value = create_words(call->node, HOOK_createLanguageFeatures, features.featureCount,
        (const uint32_t *)features.features, &enum_language_feature_name);
    wgpuSupportedWGSLLanguageFeaturesFreeMembers(features);
    return value;
}

napi_value gpu_get_language_features(struct call *call) {
    return same_object(
        call, &((struct gpu *)call->self)->language_features, create_language_features);
}

napi_value gpu_get_preferred_canvas_format(struct call *call) {
    return result_text(call, "bgra8unorm");
}

// What requestAdapter's result needs of the GPU object, which may be collected before.
struct adapter_request {
    WGPUInstance instance;
    struct device_options options;
    bool is_fallback;
};

static void finish_adapter(struct object *object) {
    struct adapter *adapter = (struct adapter *)object;
    drop_reference(object->node, &adapter->features);
    drop_reference(object->node, &adapter->limits);
    drop_reference(object->node, &adapter->info);
    wgpuInstanceRelease(adapter->instance);
}

static void release_adapter_handle(void *handle) {
    wgpuAdapterRelease(handle);
}

static void settle_adapter(struct operation *operation, napi_env env) {
    struct adapter_request *request = operation->extra;
    napi_value value = NULL;
    if (operation->status != WGPURequestAdapterStatus_Success) {
        napi_get_null(env, &value);
        operation_resolve(operation, value);
        wgpuInstanceRelease(request->instance);
        return;
    }
    struct object *object = NULL;
    WGPUAdapter handle = operation->handle;
    operation->handle = NULL;
    value = object_create(
        operation->node, &interface_adapter, NULL, handle, (WGPUStringView){NULL, 0}, &object);
    if (value == NULL) {
        operation_reject(operation, NULL);
        wgpuInstanceRelease(request->instance);
        return;
    }
    struct adapter *adapter = (struct adapter *)object;
    adapter->instance = request->instance;
    adapter->is_fallback = request->is_fallback;
    adapter->options = request->options;
    object->finish = finish_adapter;
    operation_resolve(operation, value);
}

static void adapter_callback(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation->handle = adapter;
    operation->release = release_adapter_handle;
    operation_post(operation, message);
}

static bool text_is(WGPUStringView text, const char *word) {
    return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

static napi_value resolve_null(struct call *call) {
    napi_value null_value;
    napi_value promise = NULL;
    napi_deferred deferred;
    if (napi_get_null(call->env, &null_value) == napi_ok &&
        napi_create_promise(call->env, &deferred, &promise) == napi_ok) {
        napi_resolve_deferred(call->env, deferred, null_value);
    }
    return promise;
}

napi_value gpu_request_adapter(struct call *call) {
    struct gpu *gpu = (struct gpu *)call->self;
    struct request_adapter_options given;
    if (!argument_dictionary(call, 0, "options", &dictionary_request_adapter_options, &given)) {
        return NULL;
    }
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.featureLevel = WGPUFeatureLevel_Core;
    if (given.feature_level.data != NULL) {
        if (text_is(given.feature_level, "compatibility")) {
            options.featureLevel = WGPUFeatureLevel_Compatibility;
        } else if (!text_is(given.feature_level, "core")) {
            return resolve_null(call);
        }
    }
    if (given.xr_compatible) {
        return resolve_null(call); // there is no XR device to be compatible with
    }
    options.powerPreference = given.power_preference;
    options.forceFallbackAdapter = given.force_fallback;
    options.backendType = gpu->backend;

    napi_value promise;
    struct adapter_request *request = malloc(sizeof *request);
    struct operation *operation = request == NULL
        ? NULL
        : operation_create(call, settle_adapter, NULL, &promise);
    if (operation == NULL) {
        free(request);
        return NULL;
    }
    *request = (struct adapter_request){gpu->instance, gpu->options, given.force_fallback != 0};
    wgpuInstanceAddRef(gpu->instance);
    operation->extra = request;
    wgpuInstanceRequestAdapter(gpu->instance, &options,
        (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = adapter_callback,
            .userdata1 = operation});
    return promise;
}
