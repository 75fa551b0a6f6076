// SPDX-License-Identifier: MIT
//
// GPUDevice itself: its life, its attributes, loss, error scopes and uncaptured errors. What it
// creates is in device_create.c.

#include "buffer.h"
#include "dictionary.h"
#include "limits.h"
#include "method.h"
#include "operation.h"

#include <stdlib.h>
#include <string.h>

//
// Life
//

void device_hold(struct device *device) {
    atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
}

void device_let_go(struct device *device) {
    if (atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    wgpuInstanceRelease(device->instance);
    node_env_unref(device->node);
    free(device);
}

void device_ref(struct device *device) {
    atomic_fetch_add_explicit(&device->users, 1, memory_order_relaxed);
}

void device_unref(struct device *device) {
    if (atomic_fetch_sub_explicit(&device->users, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (device->handle != NULL) {
        wgpuDeviceRelease(device->handle);
    }
    device_let_go(device);
}

static void finish_device(struct object *object) {
    struct device_object *self = (struct device_object *)object;
    struct node_env *node = object->node;
    object->handle = NULL; // the struct device's
    drop_reference(node, &self->features);
    drop_reference(node, &self->limits);
    drop_reference(node, &self->info);
    drop_reference(node, &self->queue);
    drop_reference(node, &self->lost);
    drop_reference(node, &object->device->object);
    // WebGPU §"Garbage Collection": collection does not settle `lost`.
    drop_reference(node, &object->device->resolve_lost);
    if (object->device->awaits_lost) {
        object->device->awaits_lost = false;
        if (!node->is_closed) {
            node_env_remove_pending(node);
        }
    }
}

static void read_features(struct device *device) {
    WGPUSupportedFeatures features = WGPU_SUPPORTED_FEATURES_INIT;
    wgpuDeviceGetFeatures(device->handle, &features);
    for (size_t i = 0; i < features.featureCount; i++) {
        if ((uint32_t)features.features[i] < 64) {
            device->features |= UINT64_C(1) << features.features[i];
        }
    }
    wgpuSupportedFeaturesFreeMembers(features);
}

// `lost`: an object {promise, resolve}.
static bool create_lost(struct device *device, struct device_object *self) {
    napi_env env = device->node->env;
    napi_value pair = node_env_call_hook(device->node, HOOK_createLost, 0, NULL);
    napi_value promise;
    napi_value resolve;
    return pair != NULL && napi_get_named_property(env, pair, "promise", &promise) == napi_ok &&
        napi_get_named_property(env, pair, "resolve", &resolve) == napi_ok &&
        napi_create_reference(env, promise, 1, &self->lost) == napi_ok &&
        napi_create_reference(env, resolve, 1, &device->resolve_lost) == napi_ok;
}

static bool create_queue(struct device *device, struct device_object *self, WGPUStringView label) {
    napi_env env = device->node->env;
    WGPUQueue queue = wgpuDeviceGetQueue(device->handle);
    napi_value value = object_create(device->node, &interface_queue, device, queue, label, NULL);
    return value != NULL && napi_create_reference(env, value, 1, &self->queue) == napi_ok;
}

napi_value device_create_object(
    struct device *device, WGPUStringView label, WGPUStringView queue_label) {
    struct object *object = NULL;
    read_features(device);
    napi_value value = object_create(device->node, &interface_device, device, NULL, label, &object);
    if (value == NULL) {
        return NULL;
    }
    struct device_object *self = (struct device_object *)object;
    object->handle = device->handle;
    object->finish = finish_device;
    if (!create_queue(device, self, queue_label) || !create_lost(device, self) ||
        napi_create_reference(device->node->env, value, 0, &device->object) != napi_ok) {
        return NULL;
    }
    return value;
}

//
// Attributes
//

static napi_value create_device_features(struct call *call) {
    WGPUSupportedFeatures features = WGPU_SUPPORTED_FEATURES_INIT;
    wgpuDeviceGetFeatures(call->self->handle, &features);
    napi_value value = create_features(call->node, &features);
    wgpuSupportedFeaturesFreeMembers(features);
    return value;
}

static napi_value create_device_limits(struct call *call) {
    struct limit_structs limits;
    limits_start(&limits);
    wgpuDeviceGetLimits(call->self->handle, &limits.limits);
    return create_limits(call->node, &limits);
}

static napi_value create_device_info(struct call *call) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    wgpuDeviceGetAdapterInfo(call->self->handle, &info);
    napi_value value = create_info(call->node, &info, call->self->device->is_fallback);
    wgpuAdapterInfoFreeMembers(info);
    return value;
}

napi_value device_get_features(struct call *call) {
    return same_object(
        call, &((struct device_object *)call->self)->features, create_device_features);
}

napi_value device_get_limits(struct call *call) {
    return same_object(call, &((struct device_object *)call->self)->limits, create_device_limits);
}

napi_value device_get_adapter_info(struct call *call) {
    return same_object(call, &((struct device_object *)call->self)->info, create_device_info);
}

napi_value device_get_queue(struct call *call) {
    return same_object(call, &((struct device_object *)call->self)->queue, NULL);
}

napi_value device_get_lost(struct call *call) {
    return same_object(call, &((struct device_object *)call->self)->lost, NULL);
}

//
// Loss
//

static void settle_lost(struct operation *operation, napi_env env) {
    struct device *device = operation->device;
    struct node_env *node = operation->node;
    device->is_lost = true;
    if (device->awaits_lost) {
        device->awaits_lost = false;
        node_env_remove_pending(node);
    }
    if (device->resolve_lost == NULL) {
        return;
    }
    napi_value resolve;
    napi_value undefined;
    napi_value argv[2];
    napi_value ignored;
    bool is_destroyed = operation->status == WGPUDeviceLostReason_Destroyed;
    argv[1] = operation_message(operation, "");
    if (napi_create_string_utf8(
            env, is_destroyed ? "destroyed" : "unknown", NAPI_AUTO_LENGTH, &argv[0]) != napi_ok ||
        argv[1] == NULL) {
        return;
    }
    napi_value info = node_env_call_hook(node, HOOK_createLostInfo, 2, argv);
    if (info != NULL && napi_get_reference_value(env, device->resolve_lost, &resolve) == napi_ok &&
        napi_get_undefined(env, &undefined) == napi_ok) {
        napi_call_function(env, undefined, resolve, 1, &info, &ignored);
    }
    drop_reference(node, &device->resolve_lost);
}

void device_lost_callback(const WGPUDevice *handle, WGPUDeviceLostReason reason,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct device *device = userdata1;
    (void)handle;
    (void)userdata2;
    if (reason == WGPUDeviceLostReason_Destroyed || reason == WGPUDeviceLostReason_Unknown) {
        struct operation *operation = operation_create_event(device, settle_lost);
        if (operation != NULL) {
            operation->status = reason;
            operation_post(operation, message);
        }
    }
    device_let_go(device);
}

void device_unmap_buffers(struct device *device) {
    while (device->mapped != NULL) {
        buffer_end_mapping(device->mapped);
    }
}

napi_value device_destroy(struct call *call) {
    struct device *device = call->self->device;
    device_unmap_buffers(device);
    if (device->resolve_lost != NULL && !device->awaits_lost) {
        device->awaits_lost = true;
        node_env_add_pending(call->node);
    }
    wgpuDeviceDestroy(device->handle);
    return NULL;
}

//
// Errors
//

static const char *error_class(uint32_t type) {
    switch (type) {
    case WGPUErrorType_OutOfMemory:
        return "GPUOutOfMemoryError";
    case WGPUErrorType_Internal:
    case WGPUErrorType_Unknown:
        return "GPUInternalError";
    default:
        return "GPUValidationError";
    }
}

static napi_value create_error(struct operation *operation) {
    napi_value argv[2];
    argv[1] = operation_message(operation, "");
    if (argv[1] == NULL ||
        napi_create_string_utf8(operation->node->env, error_class(operation->type),
            NAPI_AUTO_LENGTH, &argv[0]) != napi_ok) {
        return NULL;
    }
    return node_env_call_hook(operation->node, HOOK_createError, 2, argv);
}

static void settle_uncaptured_error(struct operation *operation, napi_env env) {
    napi_value argv[2] = {NULL, NULL};
    if (operation->device->object == NULL ||
        napi_get_reference_value(env, operation->device->object, &argv[0]) != napi_ok ||
        argv[0] == NULL) {
        return;
    }
    argv[1] = create_error(operation);
    if (argv[1] != NULL) {
        node_env_call_hook(operation->node, HOOK_dispatchUncapturedError, 2, argv);
    }
}

void device_uncaptured_error_callback(const WGPUDevice *handle, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct device *device = userdata1;
    (void)handle;
    (void)userdata2;
    struct operation *operation = operation_create_event(device, settle_uncaptured_error);
    if (operation == NULL) {
        return;
    }
    operation->type = type;
    if (node_env_is_own_thread(device->node)) {
        // An idle program still hears of it.
        operation->is_pending = true;
        node_env_add_pending(device->node);
    }
    operation_post(operation, message);
}

napi_value device_push_error_scope(struct call *call) {
    uint32_t filter;
    if (argument_enum(call, 0, "filter", &enum_error_filter, &filter)) {
        wgpuDevicePushErrorScope(call->self->handle, (WGPUErrorFilter)filter);
    }
    return NULL;
}

static void settle_error_scope(struct operation *operation, napi_env env) {
    napi_value value = NULL;
    if (operation->status == WGPUPopErrorScopeStatus_Error && !operation->device->is_lost) {
        operation_reject_dom(operation, "OperationError", "there is no error scope to pop");
    } else if (operation->status == WGPUPopErrorScopeStatus_Success &&
        operation->type != WGPUErrorType_NoError) {
        operation_resolve(operation, create_error(operation));
    } else if (napi_get_null(env, &value) == napi_ok) {
        operation_resolve(operation, value);
    }
}

static void error_scope_callback(WGPUPopErrorScopeStatus status, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation->type = type;
    operation_post(operation, message);
}

napi_value device_pop_error_scope(struct call *call) {
    napi_value promise;
    struct operation *operation = operation_create(call, settle_error_scope, NULL, &promise);
    if (operation == NULL) {
        return NULL;
    }
    wgpuDevicePopErrorScope(call->self->handle,
        (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = error_scope_callback,
            .userdata1 = operation});
    return promise;
}
