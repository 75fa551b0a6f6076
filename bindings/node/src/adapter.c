// SPDX-License-Identifier: MIT
//
// GPUAdapter: its attributes, and requestDevice.

#include "device.h"
#include "dictionary.h"
#include "limits.h"
#include "method.h"
#include "operation.h"

#include <alba/alba.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static napi_value create_adapter_features(struct call *call) {
    WGPUSupportedFeatures features = WGPU_SUPPORTED_FEATURES_INIT;
    wgpuAdapterGetFeatures(call->self->handle, &features);
    napi_value value = create_features(call->node, &features);
    wgpuSupportedFeaturesFreeMembers(features);
    return value;
}

static napi_value create_adapter_limits(struct call *call) {
    struct limit_structs limits;
    limits_start(&limits);
    wgpuAdapterGetLimits(call->self->handle, &limits.limits);
    return create_limits(call->node, &limits);
}

static napi_value create_adapter_info(struct call *call) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    wgpuAdapterGetInfo(call->self->handle, &info);
    napi_value value = create_info(call->node, &info, ((struct adapter *)call->self)->is_fallback);
    wgpuAdapterInfoFreeMembers(info);
    return value;
}

napi_value adapter_get_features(struct call *call) {
    return same_object(call, &((struct adapter *)call->self)->features, create_adapter_features);
}

napi_value adapter_get_limits(struct call *call) {
    return same_object(call, &((struct adapter *)call->self)->limits, create_adapter_limits);
}

napi_value adapter_get_info(struct call *call) {
    return same_object(call, &((struct adapter *)call->self)->info, create_adapter_info);
}

// WebGPU §"requestDevice": one of requiredLimits, or an OperationError that says what is wrong.
static bool require_limit(struct call *call, WGPUStringView name, uint64_t value,
    const struct limit_structs *supported, struct limit_structs *out_limits) {
    size_t index;
    char text[160];
    if (!limits_find(name.data, name.length, &index)) {
        return fail_dom(call, "OperationError", "is no limit that this version knows");
    }
    uint64_t best = limits_get(supported, index);
    if (limits_is_alignment(index)) {
        if (value == 0 || (value & (value - 1)) != 0 || value > UINT32_MAX) {
            return fail_dom(call, "OperationError", "is not a power of 2 below 2^32");
        }
        if (value < best) {
            snprintf(text, sizeof text, "is %llu, and the adapter's least is %llu",
                (unsigned long long)value, (unsigned long long)best);
            return fail_dom(call, "OperationError", text);
        }
    } else if (value > best) {
        snprintf(text, sizeof text, "is %llu, and the adapter has %llu", (unsigned long long)value,
            (unsigned long long)best);
        return fail_dom(call, "OperationError", text);
    }
    limits_set(out_limits, index, value);
    return true;
}

struct required_limit {
    WGPUStringView name;
    uint64_t value;
};

// record<DOMString, (GPUSize64 or undefined)>; those that are undefined are left out.
static bool convert_required_limits(
    struct call *call, napi_value record, size_t *out_count, struct required_limit **out_list) {
    napi_value entries;
    uint32_t length = 0;
    *out_count = 0;
    *out_list = NULL;
    if (record == NULL) {
        return true;
    }
    if (!is_object(call, record)) {
        return fail_type(call, "descriptor.requiredLimits is not an object");
    }
    entries = node_env_call_hook(call->node, HOOK_toEntries, 1, &record);
    if (entries == NULL || napi_get_array_length(call->env, entries, &length) != napi_ok) {
        return false;
    }
    struct required_limit *list = scratch_allocate(
        call->node, (length / 2 + 1) * sizeof(struct required_limit));
    if (list == NULL) {
        return fail_memory(call);
    }
    struct path outer = {.parent = call->path, .name = "descriptor.requiredLimits"};
    struct path path = {.parent = &outer};
    size_t count = 0;
    for (uint32_t i = 0; i + 1 < length; i += 2) {
        napi_value key;
        napi_value value;
        if (napi_get_element(call->env, entries, i, &key) != napi_ok ||
            napi_get_element(call->env, entries, i + 1, &value) != napi_ok ||
            !convert_string(call, key, &list[count].name)) {
            return false;
        }
        if (is_missing(call, value)) {
            continue;
        }
        path.name = list[count].name.data;
        call->path = &path;
        if (!convert_u64(call, value, &list[count].value)) {
            return false;
        }
        call->path = outer.parent;
        count++;
    }
    *out_count = count;
    *out_list = list;
    return true;
}

static bool check_features(struct call *call, const struct device_descriptor *descriptor) {
    for (size_t i = 0; i < descriptor->feature_count; i++) {
        if (!wgpuAdapterHasFeature(call->self->handle, descriptor->features[i])) {
            char text[128];
            snprintf(text, sizeof text, "the adapter has no feature '%s'",
                enum_find_word(&enum_feature_name, descriptor->features[i]));
            return fail_type(call, text);
        }
    }
    return true;
}

static bool check_limits(struct call *call, size_t count, const struct required_limit *list,
    struct limit_structs *out_limits) {
    struct adapter *adapter = (struct adapter *)call->self;
    struct limit_structs supported;
    limits_start(&supported);
    wgpuAdapterGetLimits(adapter->object.handle, &supported.limits);
    if (adapter->is_consumed) {
        return fail_dom(call, "OperationError", "the adapter was used for a device already");
    }
    struct path outer = {.parent = call->path, .name = "descriptor.requiredLimits"};
    struct path path = {.parent = &outer};
    for (size_t i = 0; i < count; i++) {
        path.name = list[i].name.data;
        call->path = &path;
        if (!require_limit(call, list[i].name, list[i].value, &supported, out_limits)) {
            return false;
        }
        call->path = outer.parent;
    }
    return true;
}

static void settle_device(struct operation *operation, napi_env env) {
    struct device *device = operation->device;
    WGPUDevice handle = operation->handle;
    (void)env;
    operation->handle = NULL;
    if (operation->status != WGPURequestDeviceStatus_Success) {
        operation_reject_dom(operation, "OperationError", "the device could not be made");
        return;
    }
    device->handle = handle;
    operation_resolve(operation,
        device_create_object(device, (WGPUStringView){operation->label, operation->label_length},
            (WGPUStringView){
                operation->extra, operation->extra == NULL ? 0 : strlen(operation->extra)}));
}

static void release_device_handle(void *handle) {
    wgpuDeviceRelease(handle);
}

static void device_callback(WGPURequestDeviceStatus status, WGPUDevice device,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation->handle = device;
    operation->release = release_device_handle;
    operation_post(operation, message);
}

// A copy that ends in a zero byte; NULL for the empty text and where there is no memory.
static char *copy_text(WGPUStringView text) {
    char *copy = text.data == NULL || text.length == 0 ? NULL : malloc(text.length + 1);
    if (copy != NULL) {
        memcpy(copy, text.data, text.length);
        copy[text.length] = '\0';
    }
    return copy;
}

static struct device *create_device(struct adapter *adapter) {
    struct device *device = calloc(1, sizeof *device);
    if (device != NULL) {
        atomic_init(&device->users, 1);
        atomic_init(&device->references, 1);
        device->node = adapter->object.node;
        device->instance = adapter->instance;
        device->is_fallback = adapter->is_fallback;
        device->has_own_mappings = adapter->options.has_own_mappings;
        node_env_ref(device->node);
        wgpuInstanceAddRef(device->instance);
    }
    return device;
}

// The list has it.
static void ignore_warning(const AlbaWarning *warning, void *userdata1, void *userdata2) {
    (void)warning;
    (void)userdata1;
    (void)userdata2;
}

static void request_device(struct call *call, struct operation *operation,
    const struct device_descriptor *given, const struct limit_structs *limits) {
    struct adapter *adapter = (struct adapter *)call->self;
    AlbaDeviceOptions options = ALBA_DEVICE_OPTIONS_INIT;
    options.watchdogMilliseconds = adapter->options.watchdog_milliseconds;
    options.threadCount = adapter->options.thread_count;
    options.guardPages = (AlbaGuardPages)adapter->options.guard_pages;
    options.ledgerListCapacity = adapter->options.ledger_list_capacity;
    AlbaWarningOptions warnings = ALBA_WARNING_OPTIONS_INIT;
    if (adapter->options.warnings == DEVICE_WARNINGS_LIST) {
        warnings.callback = ignore_warning;
    }
    if (adapter->options.warnings != DEVICE_WARNINGS_OFF) {
        options.chain.next = &warnings.chain;
    }
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    descriptor.label = given->label;
    descriptor.requiredFeatureCount = given->feature_count;
    descriptor.requiredFeatures = given->features;
    descriptor.requiredLimits = &limits->limits;
    descriptor.defaultQueue = given->queue;
    device_hold(operation->device); // until the lost callback
    descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
    descriptor.deviceLostCallbackInfo.callback = device_lost_callback;
    descriptor.deviceLostCallbackInfo.userdata1 = operation->device;
    descriptor.uncapturedErrorCallbackInfo.callback = device_uncaptured_error_callback;
    descriptor.uncapturedErrorCallbackInfo.userdata1 = operation->device;
    wgpuAdapterRequestDevice(adapter->object.handle, &descriptor,
        (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = device_callback,
            .userdata1 = operation});
}

napi_value adapter_request_device(struct call *call) {
    struct adapter *adapter = (struct adapter *)call->self;
    struct device_descriptor given;
    struct limit_structs limits;
    size_t limit_count;
    struct required_limit *limit_list;
    limits_start(&limits);
    if (!argument_dictionary(call, 0, "descriptor", &dictionary_device_descriptor, &given) ||
        !convert_required_limits(call, given.limits, &limit_count, &limit_list) ||
        !check_features(call, &given) || !check_limits(call, limit_count, limit_list, &limits)) {
        return NULL;
    }
    napi_value promise;
    struct operation *operation = operation_create(call, settle_device, NULL, &promise);
    if (operation == NULL) {
        return NULL;
    }
    operation->device = create_device(adapter);
    if (operation->device == NULL) {
        operation_destroy(operation);
        fail_memory(call);
        return NULL;
    }
    operation->label = copy_text(given.label);
    operation->label_length = operation->label == NULL ? 0 : given.label.length;
    operation->extra = copy_text(given.queue.label);
    adapter->is_consumed = true;
    request_device(call, operation, &given, &limits);
    return promise;
}
