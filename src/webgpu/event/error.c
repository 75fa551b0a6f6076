// SPDX-License-Identifier: MIT
//
// Error scopes and uncaptured errors. The stacks of all threads lie in one array of the device, in
// the order of their pushes; a thread's own scopes are those with its number.
#include "webgpu/event/error.h"

#include <stdatomic.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "webgpu/event/event.h"

static bool filter_takes(WGPUErrorFilter filter, WGPUErrorType type) {
    switch ((int)filter) {
    case WGPUErrorFilter_Validation:
        return type == WGPUErrorType_Validation;
    case WGPUErrorFilter_OutOfMemory:
        return type == WGPUErrorType_OutOfMemory;
    case WGPUErrorFilter_Internal:
        return type == WGPUErrorType_Internal;
    default:
        return false;
    }
}

static char *copy_message(struct text message) {
    char *copy = memory_allocate(MEMORY_EVENT, message.length + 1);
    if (copy != NULL) {
        memcpy(copy, message.data, message.length);
        copy[message.length] = 0;
    }
    return copy;
}

// True when a scope took the error (only the first is kept).
static bool capture(struct WGPUDeviceImpl *device, WGPUErrorType type, struct text message) {
    uint64_t thread_id = event_get_thread_id();
    bool is_captured = false;
    os_mutex_lock(&device->error_mutex);
    for (size_t i = device->error_scopes.count; i-- > 0;) {
        struct gpu_error_scope *scope = &device->error_scopes.items[i];
        if (scope->thread_id != thread_id || !filter_takes(scope->filter, type)) {
            continue;
        }
        if (scope->type == WGPUErrorType_NoError) {
            scope->type = type;
            scope->message = copy_message(message);
        }
        is_captured = true;
        break;
    }
    os_mutex_unlock(&device->error_mutex);
    return is_captured;
}

void error_report(struct WGPUDeviceImpl *device, WGPUErrorType type, struct text message) {
    if (atomic_load(&device->is_lost) || capture(device, type, message)) {
        return;
    }
    const WGPUUncapturedErrorCallbackInfo *info = &device->uncaptured;
    if (info->callback == NULL) {
        log_message(LOG_WARNING, "uncaptured error: %.*s", TEXT_ARGS(message));
        return;
    }
    WGPUStringView view = {message.data, message.length};
    WGPUDevice handle = atomic_load(&device->is_handle_gone) ? NULL : device;
    info->callback(&handle, type, view, info->userdata1, info->userdata2);
}

void error_report_format(
    struct WGPUDeviceImpl *device, WGPUErrorType type, const char *format, ...) {
    struct text_buffer message = {0};
    va_list list;
    va_start(list, format);
    text_buffer_print_list(&message, format, list);
    va_end(list);
    struct text text = message.has_failed ? TEXT_LITERAL("out of memory while reporting an error")
                                          : text_buffer_get(&message);
    error_report(device, type, text);
    text_buffer_finish(&message);
}

void error_report_status(
    struct WGPUDeviceImpl *device, enum backend_status status, const char *what) {
    switch (status) {
    case BACKEND_OK:
    case BACKEND_LOST:
        break;
    case BACKEND_OUT_OF_MEMORY:
        error_report_format(device, WGPUErrorType_OutOfMemory, "%s: out of memory", what);
        break;
    case BACKEND_INTERNAL:
        error_report_format(device, WGPUErrorType_Internal, "%s: the adapter failed", what);
        break;
    }
}

void error_push_scope(struct WGPUDeviceImpl *device, WGPUErrorFilter filter) {
    struct gpu_error_scope scope = {event_get_thread_id(), filter, WGPUErrorType_NoError, NULL};
    os_mutex_lock(&device->error_mutex);
    bool ok = vector_push(&device->error_scopes, MEMORY_EVENT, scope);
    os_mutex_unlock(&device->error_mutex);
    if (!ok) {
        log_message(LOG_ERROR, "wgpuDevicePushErrorScope: out of memory, the scope is lost");
    }
}

bool error_pop_scope(struct WGPUDeviceImpl *device, struct gpu_error_scope *out_scope) {
    uint64_t thread_id = event_get_thread_id();
    bool is_found = false;
    os_mutex_lock(&device->error_mutex);
    struct gpu_error_scope *items = device->error_scopes.items;
    for (size_t i = device->error_scopes.count; i-- > 0 && !is_found;) {
        if (items[i].thread_id == thread_id) {
            *out_scope = items[i];
            device->error_scopes.count--;
            memmove(items + i, items + i + 1, (device->error_scopes.count - i) * sizeof(*items));
            is_found = true;
        }
    }
    os_mutex_unlock(&device->error_mutex);
    return is_found;
}

void error_finish_scopes(struct WGPUDeviceImpl *device) {
    for (size_t i = 0; i < device->error_scopes.count; i++) {
        memory_free(device->error_scopes.items[i].message);
    }
    vector_finish(&device->error_scopes);
}
