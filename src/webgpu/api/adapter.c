// SPDX-License-Identifier: MIT
//
// Adapters: the request, which picks one of the backends' adapters, and what they tell.
#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/api/info_priv.h"
#include "webgpu/object/adapter.h"
#include "webgpu/object/command_encoder.h"
#include "webgpu/object/instance.h"
#include "webgpu/object/surface.h"
#include "webgpu/validate/chain.h"

#define ADAPTER_CAPACITY 16

static void destroy(struct gpu_object *object) {
    struct WGPUAdapterImpl *adapter = (struct WGPUAdapterImpl *)object;
    struct WGPUInstanceImpl *instance = adapter->instance;
    adapter->backend->functions->destroy(adapter->backend);
    gpu_object_free(object);
    GPU_UNREF(instance);
}

static const struct gpu_object_class adapter_class = {GPU_ADAPTER, destroy, NULL};

// Takes the backend's adapter over. NULL when out of memory.
static struct WGPUAdapterImpl *create_adapter(
    struct WGPUInstanceImpl *instance, struct backend_adapter *backend, bool is_core) {
    struct WGPUAdapterImpl *adapter = gpu_object_create(
        &adapter_class, sizeof(*adapter), NULL, TEXT_LITERAL(""), true);
    if (adapter == NULL) {
        backend->functions->destroy(backend);
        return NULL;
    }
    adapter->backend = backend;
    adapter->instance = instance;
    GPU_REF(instance);
    backend->functions->get_info(backend, &adapter->info);
    adapter->info.features = feature_set_with(
        adapter->info.features, WGPUFeatureName_CoreFeaturesAndLimits);
    adapter->limits = limit_set_of_adapter(&adapter->info.limits);
    // What this layer can count is a bound of its own.
    uint64_t *values = adapter->limits.values;
    if (values[LIMIT_maxBindGroups] > GPU_BIND_GROUP_SLOTS) {
        values[LIMIT_maxBindGroups] = GPU_BIND_GROUP_SLOTS;
    }
    if (values[LIMIT_maxImmediateSize] > GPU_IMMEDIATE_CAPACITY_BYTES) {
        values[LIMIT_maxImmediateSize] = GPU_IMMEDIATE_CAPACITY_BYTES;
    }
    struct gpu_label name = {0, ""};
    name.length = strlen(adapter->info.device);
    gpu_object_set_label(&adapter->object, (struct text){adapter->info.device, name.length});
    adapter->is_core = is_core;
    return adapter;
}

// ---------------------------------------------------------------- the request

struct adapter_event {
    struct event event;
    WGPURequestAdapterCallbackInfo info;
    WGPURequestAdapterStatus status;
    struct WGPUAdapterImpl *adapter; // the application's first reference
    struct text_buffer message;
};

static void fire_adapter(struct event *event, bool is_cancelled) {
    struct adapter_event *request = (struct adapter_event *)event;
    WGPURequestAdapterStatus status = request->status;
    WGPUStringView message = event_message(request->message.data);
    if (is_cancelled) {
        status = WGPURequestAdapterStatus_CallbackCancelled;
        message = event_message(event_cancelled_message);
    }
    if (is_cancelled || request->info.callback == NULL) {
        gpu_object_api_unref(request->adapter != NULL ? &request->adapter->object : NULL);
        request->adapter = NULL;
    }
    if (request->info.callback != NULL) {
        request->info.callback(
            status, request->adapter, message, request->info.userdata1, request->info.userdata2);
    }
    text_buffer_finish(&request->message);
    memory_free(request);
}

// The backend type as a set, of WGPUBackendType; 0: none of ours.
static uint32_t get_backends(WGPUBackendType type, uint32_t allowed) {
    switch ((int)type) {
    case WGPUBackendType_Undefined:
        return allowed;
    case WGPUBackendType_Null:
        return 1u << BACKEND_NULL;
    case WGPUBackendType_Vulkan:
        return 1u << BACKEND_VULKAN;
    default:
        return 0;
    }
}

static bool is_fit(struct backend_adapter *backend, const WGPURequestAdapterOptions *options) {
    struct backend_adapter_info info;
    backend->functions->get_info(backend, &info);
    // A fallback adapter is one that needs no GPU.
    return !options->forceFallbackAdapter || info.type == BACKEND_CPU || info.type == BACKEND_NULL;
}

// Picks the first adapter that fits and destroys the others.
static struct WGPUAdapterImpl *find_adapter(struct WGPUInstanceImpl *instance,
    const WGPURequestAdapterOptions *options, bool *out_is_out_of_memory) {
    struct backend_adapter *candidates[ADAPTER_CAPACITY];
    uint32_t backends = get_backends(options->backendType, instance->backends);
    size_t count = 0;
    if (options->backendType == WGPUBackendType_Undefined || backends != 0) {
        count = api_enumerate_backends(backends, candidates, ADAPTER_CAPACITY);
    }
    struct WGPUAdapterImpl *adapter = NULL;
    bool is_core = options->featureLevel != WGPUFeatureLevel_Compatibility;
    *out_is_out_of_memory = false;
    for (size_t i = 0; i < count; i++) {
        if (adapter == NULL && !*out_is_out_of_memory && is_fit(candidates[i], options)) {
            adapter = create_adapter(instance, candidates[i], is_core);
            *out_is_out_of_memory = adapter == NULL;
        } else {
            candidates[i]->functions->destroy(candidates[i]);
        }
    }
    return adapter;
}

static bool is_request_valid(
    const WGPURequestAdapterOptions *options, struct text_buffer *out_message) {
    struct validate_error error = {0};
    struct validate_chain chain = {1, {WGPUSType_RequestAdapterWebXROptions}, {NULL}};
    if (!validate_chain(options->nextInChain, &chain, "the adapter request", &error)) {
        *out_message = error.message;
        return false;
    }
    if ((unsigned)options->featureLevel > WGPUFeatureLevel_Core ||
        (unsigned)options->powerPreference > WGPUPowerPreference_HighPerformance ||
        (unsigned)options->backendType > WGPUBackendType_OpenGLES) {
        text_buffer_append_string(out_message,
            "an option of the adapter request is no value of "
            "its enumeration");
        return false;
    }
    return true;
}

static void handle_request(struct WGPUInstanceImpl *instance,
    const WGPURequestAdapterOptions *options, struct adapter_event *request) {
    request->status = WGPURequestAdapterStatus_Error;
    if (!is_request_valid(options, &request->message)) {
        return;
    }
    request->status = WGPURequestAdapterStatus_Unavailable;
    // Every adapter presents to a surface without a window; an error surface stands for a window.
    struct WGPUSurfaceImpl *surface = options->compatibleSurface;
    if (surface != NULL && !surface->object.is_valid) {
        text_buffer_print(&request->message,
            "no adapter can present to %s, which is an error surface", GPU_NAME(surface, SURFACE));
        return;
    }
    if (surface != NULL && surface->instance != instance) {
        request->status = WGPURequestAdapterStatus_Error;
        text_buffer_print(&request->message, "compatibleSurface, %s, is of another instance",
            GPU_NAME(surface, SURFACE));
        return;
    }
    bool is_out_of_memory = false;
    request->adapter = find_adapter(instance, options, &is_out_of_memory);
    if (request->adapter != NULL) {
        request->status = WGPURequestAdapterStatus_Success;
        log_message(LOG_INFO, "adapter: %s", request->adapter->info.description);
        return;
    }
    if (is_out_of_memory) {
        request->status = WGPURequestAdapterStatus_Error;
    }
    text_buffer_append_string(&request->message,
        is_out_of_memory
            ? "out of memory"
            : "no adapter is of the kind that was asked for (by backendType, "
              "AlbaInstanceOptions.backends or ALBA_BACKEND); this version has cpu and "
              "null");
}

WGPUFuture wgpuInstanceRequestAdapter(WGPUInstance instance,
    const WGPURequestAdapterOptions *options, WGPURequestAdapterCallbackInfo callbackInfo) {
    static const WGPURequestAdapterOptions defaults = {0};
    if (API_IS_NULL(instance) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct adapter_event *request = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*request));
    if (request == NULL) {
        if (callbackInfo.callback != NULL) {
            callbackInfo.callback(WGPURequestAdapterStatus_Error, NULL,
                event_message("out of memory"), callbackInfo.userdata1, callbackInfo.userdata2);
        }
        return (WGPUFuture){0};
    }
    request->event.mode = callbackInfo.mode;
    request->event.fire = fire_adapter;
    request->event.is_ready = true;
    request->info = callbackInfo;
    handle_request(instance, options != NULL ? options : &defaults, request);
    return event_add(instance->events, &request->event);
}

// ---------------------------------------------------------------- what adapters tell

void wgpuAdapterGetFeatures(WGPUAdapter adapter, WGPUSupportedFeatures *features) {
    if (!API_IS_NULL(adapter) && !API_IS_NULL(features)) {
        info_write_features(adapter->info.features, features);
    }
}

WGPUBool wgpuAdapterHasFeature(WGPUAdapter adapter, WGPUFeatureName feature) {
    return !API_IS_NULL(adapter) && feature_set_has(adapter->info.features, (uint32_t)feature);
}

WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits) {
    if (API_IS_NULL(adapter) || API_IS_NULL(limits)) {
        return WGPUStatus_Error;
    }
    return info_write_limits(__func__, &adapter->limits, limits);
}

WGPUStatus wgpuAdapterGetInfo(WGPUAdapter adapter, WGPUAdapterInfo *info) {
    if (API_IS_NULL(adapter) || API_IS_NULL(info)) {
        return WGPUStatus_Error;
    }
    return info_write_adapter(__func__, &adapter->info, info);
}
