// SPDX-License-Identifier: MIT
//
// wgpuQueueWriteBuffer and wgpuQueueOnSubmittedWorkDone. Writes are collected in a stream that goes
// to the backend before the next submission, or when enough has come together.
#include <string.h>

#include "base/memory.h"
#include "webgpu/event/error.h"
#include "webgpu/object/instance.h"
#include "webgpu/queue/queue_priv.h"
#include "webgpu/validate/command.h"

bool queue_ensure_pending(struct WGPUQueueImpl *queue) {
    if (queue->pending != NULL) {
        return true;
    }
    queue->pending = memory_allocate(MEMORY_COMMAND, sizeof(*queue->pending));
    if (queue->pending == NULL) {
        return false;
    }
    command_stream_init(queue->pending);
    return true;
}

// With the mutex held. The bytes of a large write were copied by the caller into `block`.
static bool append_write(struct WGPUQueueImpl *queue, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, const void *data, size_t size_bytes, void *block) {
    if (!queue_ensure_pending(queue) || !object_set_add(&queue->pending_objects, &buffer->object)) {
        return false;
    }
    bool has_failed = queue->pending->has_failed;
    struct command_write_buffer *command = command_stream_append(
        queue->pending, COMMAND_WRITE_BUFFER, sizeof(*command) + (block == NULL ? size_bytes : 0));
    if (command == NULL) {
        // Nothing was appended: the stream is as good as before.
        queue->pending->has_failed = has_failed;
        return false;
    }
    command->buffer = buffer->backend;
    command->offset_bytes = offset_bytes;
    command->size_bytes = size_bytes;
    command->data = block;
    if (block == NULL) {
        memcpy(command + 1, data, size_bytes);
    }
    buffer->has_pending_write = true;
    queue->pending_bytes += size_bytes;
    return true;
}

void queue_write_buffer(struct WGPUQueueImpl *queue, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, const void *data, size_t size_bytes) {
    struct WGPUDeviceImpl *device = queue->object.device;
    struct validate_error error = {0};
    void *block = NULL;
    if (size_bytes > QUEUE_INLINE_LIMIT_BYTES) {
        // Validated first, so that a wrong size does not cost its memory; again under the lock.
        os_mutex_lock(&device->mutex);
        bool ok = validate_write(device, &queue->object, buffer, offset_bytes, size_bytes, &error);
        os_mutex_unlock(&device->mutex);
        if (!ok) {
            queue_report(device, &error);
            return;
        }
        block = memory_allocate(MEMORY_STAGING, size_bytes);
        if (block == NULL) {
            error_report_status(device, BACKEND_OUT_OF_MEMORY, "wgpuQueueWriteBuffer");
            return;
        }
        memcpy(block, data, size_bytes);
    }
    os_mutex_lock(&device->mutex);
    bool is_lost = atomic_load(&device->is_lost);
    bool ok = is_lost ||
        validate_write(device, &queue->object, buffer, offset_bytes, size_bytes, &error);
    bool has_memory = true;
    bool is_appended = false;
    if (ok && !is_lost && size_bytes != 0) {
        is_appended = append_write(queue, buffer, offset_bytes, data, size_bytes, block);
        has_memory = is_appended;
    }
    if (is_appended) {
        queue_note(device, LEDGER_CALL_WRITE_BUFFER, size_bytes, &buffer->object, NULL);
        if (queue->pending_bytes >= QUEUE_PENDING_LIMIT_BYTES) {
            queue_flush(queue);
        }
    }
    os_mutex_unlock(&device->mutex);
    if (!is_appended) {
        memory_free(block);
    }
    if (!ok) {
        queue_report(device, &error);
    } else if (!has_memory) {
        error_report_status(device, BACKEND_OUT_OF_MEMORY, "wgpuQueueWriteBuffer");
    }
}

// ---------------------------------------------------------------- work done

struct work_done_event {
    struct event event;
    struct WGPUDeviceImpl *device; // an internal reference
    WGPUQueueWorkDoneCallbackInfo info;
};

static void fire_work_done(struct event *event, bool is_cancelled) {
    struct work_done_event *done = (struct work_done_event *)event;
    if (done->info.callback != NULL) {
        done->info.callback(is_cancelled ? WGPUQueueWorkDoneStatus_CallbackCancelled
                                         : WGPUQueueWorkDoneStatus_Success,
            event_message(is_cancelled ? event_cancelled_message : NULL), done->info.userdata1,
            done->info.userdata2);
    }
    struct WGPUDeviceImpl *device = done->device;
    memory_free(done);
    GPU_UNREF(device);
}

WGPUFuture queue_on_work_done(
    struct WGPUQueueImpl *queue, const WGPUQueueWorkDoneCallbackInfo *info) {
    struct WGPUDeviceImpl *device = queue->object.device;
    struct event_manager *events = device->instance->events;
    struct work_done_event *done = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*done));
    if (done == NULL) {
        if (info->callback != NULL) {
            info->callback(WGPUQueueWorkDoneStatus_Error, event_message("out of memory"),
                info->userdata1, info->userdata2);
        }
        return (WGPUFuture){0};
    }
    done->event.mode = info->mode;
    done->event.fire = fire_work_done;
    done->event.queue = queue;
    done->device = device;
    GPU_REF(device);
    GPU_REF(device); // this call's: callbacks may release what else keeps it
    done->info = *info;
    os_mutex_lock(&device->mutex);
    bool is_lost = atomic_load(&device->is_lost);
    done->event.serial = is_lost ? 0 : queue_flush(queue);
    // What was asked for earlier (maps among it) comes first: their serials are no greater and
    // their ids smaller.
    done->event.is_ready = is_lost ||
        device->backend->functions->completed_serial(device->backend) >= done->event.serial;
    os_mutex_unlock(&device->mutex);
    uint64_t serial = done->event.serial;
    bool is_ready = done->event.is_ready;
    WGPUFuture future = event_add(events, &done->event);
    // It may have completed between the look and the listing.
    if (!is_ready &&
        (atomic_load(&device->is_lost) ||
            device->backend->functions->completed_serial(device->backend) >= serial)) {
        if (event_complete_serial(events, queue, serial)) {
            event_fire_spontaneous(events);
        }
    }
    GPU_UNREF(device);
    return future;
}
