// SPDX-License-Identifier: MIT
//
// Mapping of buffers: requests, their completion, ranges, unmapping. The device's mutex guards the
// states; the mapping itself begins when the request's event fires.
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "webgpu/event/error.h"
#include "webgpu/object/instance.h"
#include "webgpu/queue/queue_priv.h"
#include "webgpu/validate/buffer.h"

struct map_event {
    struct event event;
    struct WGPUBufferImpl *buffer; // an internal reference
    WGPUBufferMapCallbackInfo info;
    WGPUMapMode mode;
    uint64_t offset_bytes;
    uint64_t size_bytes;
    WGPUMapAsyncStatus early_status; // not Success: decided before the work was done
    const char *early_message;       // static; NULL: `message`
    struct text_buffer message;
};

// With the mutex held: maps, if this is still the buffer's request.
static WGPUMapAsyncStatus finish_map(struct map_event *map, const char **out_message) {
    struct WGPUBufferImpl *buffer = map->buffer;
    struct WGPUDeviceImpl *device = buffer->object.device;
    if (buffer->pending_map != &map->event) {
        *out_message = "the buffer was unmapped or destroyed before it was mapped";
        return WGPUMapAsyncStatus_Aborted;
    }
    buffer->pending_map = NULL;
    if (atomic_load(&device->is_lost)) {
        *out_message = "the device was lost before the buffer was mapped";
        buffer->state = GPU_BUFFER_AVAILABLE;
        return WGPUMapAsyncStatus_Aborted;
    }
    void *data = gpu_buffer_empty_mapping(map->offset_bytes);
    if (map->size_bytes != 0) {
        data = device->backend->functions->buffer_map(device->backend, buffer->backend,
            map->offset_bytes, map->size_bytes, map->mode == WGPUMapMode_Write);
    }
    if (data == NULL) {
        *out_message = "out of memory";
        buffer->state = GPU_BUFFER_AVAILABLE;
        return WGPUMapAsyncStatus_Error;
    }
    buffer->mapping.mode = map->mode;
    buffer->mapping.offset_bytes = map->offset_bytes;
    buffer->mapping.size_bytes = map->size_bytes;
    buffer->mapping.data = data;
    return WGPUMapAsyncStatus_Success;
}

static void fire_map(struct event *event, bool is_cancelled) {
    struct map_event *map = (struct map_event *)event;
    struct WGPUBufferImpl *buffer = map->buffer;
    struct WGPUDeviceImpl *device = buffer->object.device;
    WGPUMapAsyncStatus status = map->early_status;
    const char *message = map->early_message != NULL ? map->early_message : map->message.data;
    if (status == WGPUMapAsyncStatus_Success) {
        message = NULL;
        os_mutex_lock(&device->mutex);
        if (is_cancelled && buffer->pending_map == event) {
            buffer->pending_map = NULL;
            buffer->state = GPU_BUFFER_AVAILABLE;
        } else if (!is_cancelled) {
            status = finish_map(map, &message);
        }
        os_mutex_unlock(&device->mutex);
    }
    if (is_cancelled) {
        status = WGPUMapAsyncStatus_CallbackCancelled;
        message = event_cancelled_message;
    }
    struct text_buffer named = {0};
    if (message != NULL && message != map->message.data && map->info.callback != NULL) {
        text_buffer_print(&named, "%s: %s", GPU_NAME(buffer, BUFFER), message);
        message = named.has_failed ? message : text_buffer_get(&named).data;
    }
    if (map->info.callback != NULL) {
        map->info.callback(
            status, event_message(message), map->info.userdata1, map->info.userdata2);
    }
    text_buffer_finish(&named);
    text_buffer_finish(&map->message);
    memory_free(map);
    GPU_UNREF(buffer);
}

// With the mutex held: the request's checks; on success the buffer waits.
static void begin_map(struct map_event *map, struct validate_error *error) {
    struct WGPUBufferImpl *buffer = map->buffer;
    struct WGPUDeviceImpl *device = buffer->object.device;
    map->event.is_ready = true;
    map->early_status = WGPUMapAsyncStatus_Error;
    if (!validate_map_state(buffer, error)) {
        return;
    }
    if (atomic_load(&device->is_lost) || !buffer->object.is_valid) {
        map->early_status = WGPUMapAsyncStatus_Aborted;
        map->early_message = buffer->object.is_valid ? "the device is lost"
                                                     : "the buffer is invalid";
        return;
    }
    if (!validate_map(buffer, map->mode, map->offset_bytes, map->size_bytes, error)) {
        return;
    }
    if (buffer->has_pending_write) {
        queue_flush(device->queue);
        if (buffer->has_pending_write) {
            map->early_message = "out of memory";
            return;
        }
    }
    map->early_status = WGPUMapAsyncStatus_Success;
    map->event.serial = buffer->last_use_serial;
    map->event.is_ready = device->backend->functions->completed_serial(device->backend) >=
        map->event.serial;
    buffer->state = GPU_BUFFER_UNAVAILABLE;
    buffer->pending_map = &map->event;
}

WGPUFuture buffer_map_async(struct WGPUBufferImpl *buffer, WGPUMapMode mode, uint64_t offset_bytes,
    uint64_t size_bytes, const WGPUBufferMapCallbackInfo *info) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    struct event_manager *events = device->instance->events;
    struct map_event *map = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*map));
    if (map == NULL) {
        if (info->callback != NULL) {
            info->callback(WGPUMapAsyncStatus_Error, event_message("out of memory"),
                info->userdata1, info->userdata2);
        }
        return (WGPUFuture){0};
    }
    GPU_REF(device); // callbacks may release what else keeps it
    map->event.id = event_reserve_id(events);
    map->event.mode = info->mode;
    map->event.fire = fire_map;
    map->event.queue = device->queue;
    map->buffer = buffer;
    GPU_REF(buffer);
    map->info = *info;
    map->mode = mode;
    map->offset_bytes = offset_bytes;
    map->size_bytes = size_bytes;
    struct validate_error error = {0};
    os_mutex_lock(&device->mutex);
    begin_map(map, &error);
    os_mutex_unlock(&device->mutex);
    if (error.rule != RULE_NONE) {
        error_report(device, WGPUErrorType_Validation, text_buffer_get(&error.message));
        map->message = error.message;
    }
    bool is_ready = map->event.is_ready;
    uint64_t serial = map->event.serial;
    // The event may be gone once it is listed; the buffer is the caller's.
    WGPUFuture future = event_add(events, &map->event);
    if (!is_ready &&
        (atomic_load(&device->is_lost) ||
            device->backend->functions->completed_serial(device->backend) >= serial)) {
        if (event_complete_serial(events, device->queue, serial)) {
            event_fire_spontaneous(events);
        }
    }
    GPU_UNREF(device);
    return future;
}

// ---------------------------------------------------------------- ranges

void *buffer_get_mapped_range(
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes, bool is_const) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    struct gpu_buffer_mapping *mapping = &buffer->mapping;
    struct validate_error error = {0};
    void *data = NULL;
    os_mutex_lock(&device->mutex);
    bool ok = validate_mapped_range(buffer, offset_bytes, size_bytes, is_const, &error);
    bool is_read = mapping->mode == WGPUMapMode_Read;
    if (ok) {
        struct gpu_mapped_range range = {offset_bytes, size_bytes, is_const};
        if (size_bytes == 0 || vector_push(&mapping->ranges, MEMORY_OBJECT, range)) {
            data = mapping->data + (offset_bytes - mapping->offset_bytes);
        }
    }
    os_mutex_unlock(&device->mutex);
    if (!ok) {
        log_message(LOG_ERROR, "wgpuBufferGet%sMappedRange: %s", is_const ? "Const" : "",
            text_buffer_get(&error.message).data);
        text_buffer_finish(&error.message);
    } else if (data == NULL) {
        log_message(LOG_ERROR, "wgpuBufferGetMappedRange: out of memory");
    } else if (is_read) {
        queue_note(device, LEDGER_CALL_GET_MAPPED_RANGE, size_bytes, NULL, &buffer->object);
    }
    return data;
}

// The copying forms: by the same rules, but nothing is handed out that a later call could overlap.
static void *find_range(struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    bool is_const, const char *call) {
    struct validate_error error = {0};
    struct gpu_buffer_mapping *mapping = &buffer->mapping;
    if (!validate_mapped_range(buffer, offset_bytes, size_bytes, is_const, &error)) {
        log_message(LOG_ERROR, "%s: %s", call, text_buffer_get(&error.message).data);
        text_buffer_finish(&error.message);
        return NULL;
    }
    return mapping->data + (offset_bytes - mapping->offset_bytes);
}

bool buffer_read_mapped_range(
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, void *data, uint64_t size_bytes) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    os_mutex_lock(&device->mutex);
    void *source = find_range(buffer, offset_bytes, size_bytes, true, "wgpuBufferReadMappedRange");
    bool is_read = buffer->mapping.mode == WGPUMapMode_Read;
    // Copied under the lock, so that no other thread unmaps meanwhile.
    if (source != NULL && size_bytes != 0) {
        memcpy(data, source, (size_t)size_bytes);
    }
    os_mutex_unlock(&device->mutex);
    if (source != NULL && is_read) {
        queue_note(device, LEDGER_CALL_READ_MAPPED_RANGE, size_bytes, NULL, &buffer->object);
    }
    return source != NULL;
}

bool buffer_write_mapped_range(
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, const void *data, uint64_t size_bytes) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    os_mutex_lock(&device->mutex);
    void *destination = find_range(
        buffer, offset_bytes, size_bytes, false, "wgpuBufferWriteMappedRange");
    if (destination != NULL && size_bytes != 0) {
        memcpy(destination, data, (size_t)size_bytes);
    }
    os_mutex_unlock(&device->mutex);
    return destination != NULL;
}

// ---------------------------------------------------------------- unmapping

void buffer_unmap(struct WGPUBufferImpl *buffer, bool is_destroying) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    os_mutex_lock(&device->mutex);
    const struct gpu_buffer_mapping *mapping = &buffer->mapping;
    uint64_t aborted_id = 0;
    if (buffer->pending_map != NULL) {
        aborted_id = buffer->pending_map->id;
        buffer->pending_map = NULL;
        if (buffer->state == GPU_BUFFER_UNAVAILABLE) {
            buffer->state = GPU_BUFFER_AVAILABLE;
        }
    }
    bool is_at_creation = mapping->is_at_creation;
    uint64_t written_bytes = mapping->mode == WGPUMapMode_Write && buffer->object.is_valid
        ? mapping->size_bytes
        : 0;
    gpu_buffer_end_mapping(buffer);
    if (is_destroying) {
        gpu_buffer_destroy_locked(buffer);
    }
    os_mutex_unlock(&device->mutex);
    if (written_bytes != 0 && !is_destroying) {
        queue_note(device, is_at_creation ? LEDGER_CALL_UNMAP_AT_CREATION : LEDGER_CALL_UNMAP_WRITE,
            written_bytes, &buffer->object, NULL);
    }
    if (aborted_id != 0) {
        event_complete(device->instance->events, aborted_id, NULL, NULL, true);
    }
}
