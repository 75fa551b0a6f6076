// SPDX-License-Identifier: MIT
//
// Devices: the request, getters, error scopes, destruction.
#include <alba/alba.h>
#include <string.h>

#include "base/memory.h"
#include "base/try.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/api/info_priv.h"
#include "webgpu/object/adapter.h"
#include "webgpu/object/instance.h"
#include "webgpu/queue/queue.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/device.h"

// ---------------------------------------------------------------- the request

struct device_event {
    struct event event;
    WGPURequestDeviceCallbackInfo info;
    WGPURequestDeviceStatus status;
    struct WGPUDeviceImpl *device; // the application's first reference
    struct text_buffer message;
};

static void fire_device(struct event *event, bool is_cancelled) {
    struct device_event *request = (struct device_event *)event;
    WGPURequestDeviceStatus status = request->status;
    WGPUStringView message = event_message(request->message.data);
    if (is_cancelled) {
        status = WGPURequestDeviceStatus_CallbackCancelled;
        message = event_message(event_cancelled_message);
    }
    if (is_cancelled || request->info.callback == NULL) {
        gpu_object_api_unref(request->device != NULL ? &request->device->object : NULL);
        request->device = NULL;
    }
    if (request->info.callback != NULL) {
        request->info.callback(
            status, request->device, message, request->info.userdata1, request->info.userdata2);
    }
    text_buffer_finish(&request->message);
    memory_free(request);
}

static void read_options(const AlbaDeviceOptions *given, const struct WGPUInstanceImpl *instance,
    struct device_options *out) {
    out->backend.thread_count = instance->thread_count;
    if (given == NULL) {
        return;
    }
    if (given->threadCount != 0) {
        out->backend.thread_count = given->threadCount;
    }
    out->backend.has_watchdog = given->watchdogMilliseconds != ALBA_WATCHDOG_DEFAULT;
    out->backend.watchdog_ms = out->backend.has_watchdog ? given->watchdogMilliseconds : 0;
    out->backend.has_guard_pages = given->guardPages == AlbaGuardPages_After;
    out->backend.has_guard_pages_before = given->guardPages == AlbaGuardPages_Before;
    out->ledger_list_capacity = given->ledgerListCapacity;
}

// Makes the device, or a message.
static struct WGPUDeviceImpl *make_device(struct WGPUAdapterImpl *adapter,
    const WGPUDeviceDescriptor *descriptor, struct text_buffer *out_message) {
    struct device_options options = {0};
    struct validate_error error = {0};
    struct validate_chain chain = {
        2, {(uint32_t)AlbaSType_DeviceOptions, (uint32_t)AlbaSType_WarningOptions}, {NULL}};
    options.label = view_label(descriptor->label);
    options.queue_label = view_label(descriptor->defaultQueue.label);
    options.lost = &descriptor->deviceLostCallbackInfo;
    options.uncaptured = &descriptor->uncapturedErrorCallbackInfo;
    bool ok = validate_chain(descriptor->nextInChain, &chain,
                  gpu_name_of_label(GPU_DEVICE, options.label).text, &error) &&
        validate_device(
            adapter, descriptor, &options.features, &options.limits, &options.is_core, &error);
    if (!ok) {
        *out_message = error.message;
        return NULL;
    }
    if (!adapter->instance->has_multiple_devices && atomic_exchange(&adapter->is_consumed, true)) {
        validate_device_consumed(adapter, &error);
        *out_message = error.message;
        return NULL;
    }
    read_options((const AlbaDeviceOptions *)chain.found[0], adapter->instance, &options);
    options.warnings = (const AlbaWarningOptions *)(const void *)chain.found[1];
    enum backend_status status = BACKEND_OK;
    struct WGPUDeviceImpl *device = device_create(adapter, &options, &status);
    if (device == NULL) {
        atomic_store(&adapter->is_consumed, false);
        text_buffer_append_string(out_message,
            status == BACKEND_OUT_OF_MEMORY ? "out of memory"
                                            : "the adapter could not make a device");
    }
    return device;
}

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter adapter, const WGPUDeviceDescriptor *descriptor,
    WGPURequestDeviceCallbackInfo callbackInfo) {
    static const WGPUDeviceDescriptor defaults = {.label = {NULL, 0}};
    if (API_IS_NULL(adapter) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    if (descriptor == NULL) {
        descriptor = &defaults;
    }
    struct event_manager *events = adapter->instance->events;
    struct device_event *request = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*request));
    if (request == NULL) {
        if (callbackInfo.callback != NULL) {
            callbackInfo.callback(WGPURequestDeviceStatus_Error, NULL,
                event_message("out of memory"), callbackInfo.userdata1, callbackInfo.userdata2);
        }
        return (WGPUFuture){0};
    }
    request->event.mode = callbackInfo.mode;
    request->event.fire = fire_device;
    request->event.is_ready = true;
    request->info = callbackInfo;
    request->status = WGPURequestDeviceStatus_Error;
    const WGPUDeviceLostCallbackInfo *lost = &descriptor->deviceLostCallbackInfo;
    bool is_lost_wrong = lost->callback != NULL &&
        api_is_callback_wrong(__func__, lost->nextInChain, lost->mode);
    if (is_lost_wrong) {
        text_buffer_append_string(&request->message,
            "deviceLostCallbackInfo has no valid mode, or "
            "a chained struct");
    } else if (descriptor->requiredFeatureCount != 0 && descriptor->requiredFeatures == NULL) {
        text_buffer_print(&request->message,
            "requiredFeatureCount is %zu, but requiredFeatures is NULL",
            descriptor->requiredFeatureCount);
        error_fire_failed_creation(events, lost, text_buffer_get(&request->message).data);
    } else {
        request->device = make_device(adapter, descriptor, &request->message);
        if (request->device == NULL) {
            error_fire_failed_creation(events, lost, text_buffer_get(&request->message).data);
        }
    }
    if (request->device != NULL) {
        request->status = WGPURequestDeviceStatus_Success;
    }
    return event_add(events, &request->event);
}

// ---------------------------------------------------------------- getters

void wgpuDeviceGetFeatures(WGPUDevice device, WGPUSupportedFeatures *features) {
    if (!API_IS_NULL(device) && !API_IS_NULL(features)) {
        info_write_features(device->features, features);
    }
}

WGPUBool wgpuDeviceHasFeature(WGPUDevice device, WGPUFeatureName feature) {
    return !API_IS_NULL(device) && feature_set_has(device->features, (uint32_t)feature);
}

WGPUStatus wgpuDeviceGetLimits(WGPUDevice device, WGPULimits *limits) {
    if (API_IS_NULL(device) || API_IS_NULL(limits)) {
        return WGPUStatus_Error;
    }
    return info_write_limits(__func__, &device->limits, limits);
}

WGPUStatus wgpuDeviceGetAdapterInfo(WGPUDevice device, WGPUAdapterInfo *adapterInfo) {
    if (API_IS_NULL(device) || API_IS_NULL(adapterInfo)) {
        return WGPUStatus_Error;
    }
    return info_write_adapter(__func__, &device->adapter->info, adapterInfo);
}

WGPUFuture wgpuDeviceGetLostFuture(WGPUDevice device) {
    return (WGPUFuture){API_IS_NULL(device) ? 0 : device->lost_future_id};
}

void wgpuDeviceDestroy(WGPUDevice device) {
    if (!API_IS_NULL(device)) {
        device_lose(device, WGPUDeviceLostReason_Destroyed, "wgpuDeviceDestroy was called");
    }
}

// ---------------------------------------------------------------- error scopes

void wgpuDevicePushErrorScope(WGPUDevice device, WGPUErrorFilter filter) {
    if (!API_IS_NULL(device)) {
        error_push_scope(device, filter);
    }
}

struct scope_event {
    struct event event;
    WGPUPopErrorScopeCallbackInfo info;
    WGPUPopErrorScopeStatus status;
    WGPUErrorType type;
    char *message; // MEMORY_EVENT, may be NULL
};

static void fire_scope(struct event *event, bool is_cancelled) {
    struct scope_event *scope = (struct scope_event *)event;
    WGPUPopErrorScopeStatus status = scope->status;
    WGPUErrorType type = scope->type;
    WGPUStringView message = event_message(scope->message);
    if (status == WGPUPopErrorScopeStatus_Error) {
        message = event_message("this thread has no error scope to pop");
    }
    if (is_cancelled) {
        status = WGPUPopErrorScopeStatus_CallbackCancelled;
        type = WGPUErrorType_NoError;
        message = event_message(event_cancelled_message);
    }
    if (scope->info.callback != NULL) {
        scope->info.callback(status, type, message, scope->info.userdata1, scope->info.userdata2);
    }
    memory_free(scope->message);
    memory_free(scope);
}

WGPUFuture wgpuDevicePopErrorScope(WGPUDevice device, WGPUPopErrorScopeCallbackInfo callbackInfo) {
    if (API_IS_NULL(device) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct scope_event *scope = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*scope));
    struct gpu_error_scope popped = {0};
    bool is_found = error_pop_scope(device, &popped);
    if (scope == NULL) {
        memory_free(popped.message);
        if (callbackInfo.callback != NULL) {
            callbackInfo.callback(WGPUPopErrorScopeStatus_Error, WGPUErrorType_NoError,
                event_message("out of memory"), callbackInfo.userdata1, callbackInfo.userdata2);
        }
        return (WGPUFuture){0};
    }
    scope->event.mode = callbackInfo.mode;
    scope->event.fire = fire_scope;
    scope->event.is_ready = true;
    scope->info = callbackInfo;
    scope->status = is_found ? WGPUPopErrorScopeStatus_Success : WGPUPopErrorScopeStatus_Error;
    scope->type = is_found ? popped.type : WGPUErrorType_NoError;
    scope->message = popped.message;
    return event_add(device->instance->events, &scope->event);
}
