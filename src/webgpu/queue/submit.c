// SPDX-License-Identifier: MIT
//
// Submissions: from command buffers and pending writes to the backend, and what is let go when they
// have completed. The device's mutex gives their order.
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "ledger/ledger.h"
#include "webgpu/event/error.h"
#include "webgpu/event/worker.h"
#include "webgpu/object/instance.h"
#include "webgpu/object/render_bundle.h"
#include "webgpu/object/texture.h"
#include "webgpu/queue/queue_priv.h"
#include "webgpu/validate/command.h"

void queue_report(struct WGPUDeviceImpl *device, struct validate_error *error) {
    rule_log(error);
    error_report(device, WGPUErrorType_Validation, text_buffer_get(&error->message));
    text_buffer_finish(&error->message);
}

static enum ledger_place get_place(const struct gpu_object *object) {
    return object->class_of->kind == GPU_BUFFER
        ? ledger_buffer_place(((const struct WGPUBufferImpl *)object)->usage)
        : LEDGER_DEVICE;
}

void queue_note(struct WGPUDeviceImpl *device, enum ledger_call call, uint64_t size_bytes,
    struct gpu_object *destination, struct gpu_object *source) {
    struct ledger_event event = {.call = call, .size_bytes = size_bytes};
    if (destination != NULL) {
        event.destination = get_place(destination);
    }
    if (source != NULL) {
        event.source = get_place(source);
    }
    if (!ledger_has_list(device->ledger)) {
        ledger_record(device->ledger, &event); // nothing keeps the labels
        return;
    }
    struct gpu_label label;
    struct gpu_label other;
    if (destination != NULL) {
        label = gpu_object_get_label(destination);
        event.label = (struct text){label.data, label.length};
    }
    if (source != NULL) {
        other = gpu_object_get_label(source);
        event.other_label = (struct text){other.data, other.length};
        if (destination == NULL) {
            event.label = event.other_label;
            event.other_label = (struct text){NULL, 0};
        }
    }
    ledger_record(device->ledger, &event);
}

// ---------------------------------------------------------------- to the backend

static struct gpu_submission *create_submission(struct WGPUDeviceImpl *device) {
    struct gpu_submission *submission = memory_allocate_zeroed(
        MEMORY_COMMAND, 1, sizeof(*submission));
    if (submission != NULL) {
        submission->device = device;
        GPU_REF(device);
    }
    return submission;
}

static void free_submission(struct gpu_submission *submission) {
    struct WGPUDeviceImpl *device = submission->device;
    object_set_finish(&submission->objects);
    memory_free(submission);
    GPU_UNREF(device);
}

// Lets the service thread look after the device. Any thread, the backend's own too.
static void request_service(struct WGPUDeviceImpl *device) {
    if (atomic_exchange(&device->is_service_queued, true)) {
        return;
    }
    // A device whose last reference has gone waits for its backend in its destructor.
    if (gpu_object_try_ref(&device->object)) {
        worker_submit(
            event_manager_get_service_worker(device->instance->events), &device->service_job);
    }
}

static void mark_group_used(struct WGPUBindGroupImpl *group, uint64_t serial) {
    for (uint32_t i = 0; i < group->layout->entry_count; i++) {
        if (group->bindings[i].buffer != NULL) {
            group->bindings[i].buffer->last_use_serial = serial;
        } else if (group->bindings[i].view != NULL) {
            group->bindings[i].view->texture->last_use_serial = serial;
        }
    }
}

static void mark_used(struct gpu_object *object, uint64_t serial);

static void mark_all_used(const struct object_set *objects, uint64_t serial) {
    for (size_t i = 0; i < objects->count; i++) {
        mark_used(objects->items[i], serial);
    }
}

static void mark_used(struct gpu_object *object, uint64_t serial) {
    if (object->class_of->kind == GPU_BUFFER) {
        ((struct WGPUBufferImpl *)object)->last_use_serial = serial;
    } else if (object->class_of->kind == GPU_TEXTURE) {
        ((struct WGPUTextureImpl *)object)->last_use_serial = serial;
    } else if (object->class_of->kind == GPU_BIND_GROUP) {
        mark_group_used((struct WGPUBindGroupImpl *)object, serial);
    } else if (object->class_of->kind == GPU_RENDER_BUNDLE) { // which has no bundles in it
        mark_all_used(&((struct WGPURenderBundleImpl *)object)->recording.objects, serial);
    }
}

enum backend_status queue_hand_over(struct WGPUQueueImpl *queue, struct command_stream **streams,
    size_t stream_count, struct gpu_submission *submission) {
    struct backend_device *backend = queue->object.device->backend;
    uint64_t serial = queue->submitted_serial + 1;
    enum backend_status status = backend->functions->submit(backend, streams, stream_count, serial);
    // A failed one's serial is used up, and completes when all before it have.
    submission->serial = serial;
    queue->submitted_serial = serial;
    if (queue->last != NULL) {
        queue->last->next = submission;
    } else {
        queue->first = submission;
    }
    queue->last = submission;
    if (status != BACKEND_OK) {
        request_service(queue->object.device);
        return status;
    }
    mark_all_used(&submission->objects, serial);
    return BACKEND_OK;
}

enum backend_status queue_submit_stream(
    struct WGPUQueueImpl *queue, struct command_stream *stream, uint64_t *out_serial) {
    // Pending writes count on the next serial: destroyed memory that they use is kept until then.
    queue_flush(queue);
    struct gpu_submission *submission = queue->pending == NULL
        ? create_submission(queue->object.device)
        : NULL;
    if (submission == NULL) {
        command_stream_finish(stream);
        memory_free(stream);
        return BACKEND_OUT_OF_MEMORY;
    }
    enum backend_status status = queue_hand_over(queue, &stream, 1, submission);
    *out_serial = queue->submitted_serial;
    return status;
}

struct command_stream *queue_take_pending(
    struct WGPUQueueImpl *queue, struct object_set *out_objects) {
    struct command_stream *stream = queue->pending;
    *out_objects = queue->pending_objects;
    for (size_t i = 0; i < out_objects->count; i++) {
        struct gpu_object *object = out_objects->items[i];
        if (object->class_of->kind == GPU_BUFFER) {
            ((struct WGPUBufferImpl *)object)->has_pending_write = false;
        } else {
            ((struct WGPUTextureImpl *)object)->has_pending_write = false;
        }
    }
    queue->pending = NULL;
    queue->pending_bytes = 0;
    memset(&queue->pending_objects, 0, sizeof(queue->pending_objects));
    return stream;
}

uint64_t queue_flush(struct WGPUQueueImpl *queue) {
    if (queue->pending == NULL) {
        return queue->submitted_serial;
    }
    struct gpu_submission *submission = create_submission(queue->object.device);
    if (submission == NULL) {
        // The writes stay pending: they are as good as any time later.
        return queue->submitted_serial;
    }
    struct command_stream *stream = queue_take_pending(queue, &submission->objects);
    if (queue_hand_over(queue, &stream, 1, submission) != BACKEND_OK) {
        log_message(LOG_ERROR, "a queue's pending writes could not be submitted");
    }
    return queue->submitted_serial;
}

// ---------------------------------------------------------------- wgpuQueueSubmit

// All streams of a submission and the objects of all its command buffers.
struct batch {
    struct command_stream **streams;
    size_t stream_count;
    struct gpu_submission *submission;
};

static bool add_objects(struct object_set *set, const struct object_set *more) {
    for (size_t i = 0; i < more->count; i++) {
        if (!object_set_add(set, more->items[i])) {
            return false;
        }
    }
    return true;
}

// Everything that can fail for want of memory, before anything is taken from its owner.
static bool prepare(struct batch *batch, struct WGPUQueueImpl *queue, size_t count,
    struct WGPUCommandBufferImpl *const *commands) {
    batch->streams = memory_allocate(MEMORY_COMMAND, (count + 1) * sizeof(*batch->streams));
    batch->submission = create_submission(queue->object.device);
    if (batch->streams == NULL || batch->submission == NULL) {
        return false;
    }
    for (size_t i = 1; i < count; i++) {
        if (!add_objects(&batch->submission->objects, &commands[i]->recording.objects)) {
            return false;
        }
    }
    // Of the first one the whole set can be taken over, if it is the only one.
    if (count > 1 || queue->pending != NULL) {
        return (count == 0 ||
                   add_objects(&batch->submission->objects, &commands[0]->recording.objects)) &&
            add_objects(&batch->submission->objects, &queue->pending_objects);
    }
    return true;
}

static void account(struct WGPUDeviceImpl *device, const struct gpu_recording *recording) {
    for (size_t i = 0; i < recording->notes.count; i++) {
        const struct gpu_ledger_note *note = &recording->notes.items[i];
        queue_note(device, note->call, note->size_bytes, note->destination, note->source);
    }
    ledger_count_calls(device->ledger, LEDGER_CALL_DISPATCH, recording->dispatch_count);
    ledger_count_calls(device->ledger, LEDGER_CALL_DRAW, recording->draw_count);
}

// Moves streams and objects out of their owners. What becomes superfluous goes to out_leftover.
static void take(struct batch *batch, struct WGPUQueueImpl *queue, size_t count,
    struct WGPUCommandBufferImpl *const *commands, struct object_set *out_leftover) {
    if (queue->pending != NULL) {
        batch->streams[batch->stream_count++] = queue_take_pending(queue, out_leftover);
    } else if (count == 1) {
        batch->submission->objects = commands[0]->recording.objects;
        memset(&commands[0]->recording.objects, 0, sizeof(commands[0]->recording.objects));
    }
    for (size_t i = 0; i < count; i++) {
        account(queue->object.device, &commands[i]->recording);
        batch->streams[batch->stream_count++] = commands[i]->recording.stream;
        commands[i]->recording.stream = NULL;
    }
}

void queue_submit(
    struct WGPUQueueImpl *queue, size_t count, struct WGPUCommandBufferImpl *const *commands) {
    struct WGPUDeviceImpl *device = queue->object.device;
    struct validate_error error = {0};
    struct batch batch = {0};
    struct object_set leftover = {0};
    enum backend_status status = BACKEND_OK;
    os_mutex_lock(&device->mutex);
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = !is_lost && validate_submit(device, &queue->object, commands, count, &error);
    if (is_valid) {
        status = prepare(&batch, queue, count, commands) ? BACKEND_OK : BACKEND_OUT_OF_MEMORY;
    }
    if (is_valid && status == BACKEND_OK) {
        ledger_begin_submit(device->ledger);
        take(&batch, queue, count, commands, &leftover);
        if (batch.stream_count != 0) {
            status = queue_hand_over(queue, batch.streams, batch.stream_count, batch.submission);
            batch.submission = NULL;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (commands[i] != NULL && commands[i]->object.device == device) {
            commands[i]->is_submitted = true;
        }
    }
    os_mutex_unlock(&device->mutex);
    for (size_t i = 0; i < count; i++) {
        // Used up: its set of objects, if it was not taken over, need not wait for its release.
        if (is_valid && status == BACKEND_OK) {
            gpu_recording_finish(&commands[i]->recording);
        }
    }
    memory_free(batch.streams);
    object_set_finish(&leftover);
    if (batch.submission != NULL) {
        free_submission(batch.submission);
    }
    if (!is_valid && !is_lost) {
        queue_report(device, &error);
    } else {
        error_report_status(device, status, "wgpuQueueSubmit");
    }
}

// ---------------------------------------------------------------- completion

void queue_on_completed(void *user, uint64_t serial) {
    struct WGPUDeviceImpl *device = user;
    event_complete_serial(device->instance->events, device->queue, serial);
    request_service(device);
}

void queue_on_lost(void *user, struct text reason) {
    struct WGPUDeviceImpl *device = user;
    os_mutex_lock(&device->error_mutex);
    size_t length = reason.length < sizeof(device->lost_reason) - 1
        ? reason.length
        : sizeof(device->lost_reason) - 1;
    if (length != 0) {
        memcpy(device->lost_reason, reason.data, length);
    }
    device->lost_reason[length] = 0;
    char message[sizeof(device->lost_reason)];
    memcpy(message, device->lost_reason, sizeof(message));
    os_mutex_unlock(&device->error_mutex);
    // At once, so that what completes now is not taken for done, and who waits for it can hear of the
    // loss; callbacks and the rest are the service thread's.
    atomic_store(&device->is_lost, true);
    error_announce_loss(device, WGPUDeviceLostReason_Unknown, message, false);
    atomic_store(&device->has_lost_notice, true);
    request_service(device);
}

void queue_free_retired(struct WGPUDeviceImpl *device, const struct gpu_retired_memory *retired) {
    const struct backend_device_functions *functions = device->backend->functions;
    if (retired->buffer != NULL) {
        functions->buffer_destroy(device->backend, retired->buffer);
    } else {
        functions->texture_destroy(device->backend, retired->texture);
    }
}

void queue_retire(struct WGPUDeviceImpl *device) {
    struct WGPUQueueImpl *queue = device->queue;
    const struct backend_device_functions *functions = device->backend->functions;
    os_mutex_lock(&device->mutex);
    uint64_t completed = functions->completed_serial(device->backend);
    struct gpu_submission *done = NULL;
    struct gpu_submission **end = &done;
    while (queue->first != NULL && queue->first->serial <= completed) {
        *end = queue->first;
        end = &queue->first->next;
        queue->first = queue->first->next;
    }
    *end = NULL;
    if (queue->first == NULL) {
        queue->last = NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < queue->retired.count; i++) {
        struct gpu_retired_memory retired = queue->retired.items[i];
        if (retired.serial <= completed) {
            queue_free_retired(device, &retired);
        } else {
            queue->retired.items[kept++] = retired;
        }
    }
    queue->retired.count = kept;
    os_mutex_unlock(&device->mutex);
    while (done != NULL) {
        struct gpu_submission *next = done->next;
        free_submission(done);
        done = next;
    }
}

void queue_service(struct worker_job *job) {
    struct WGPUDeviceImpl *device = (struct WGPUDeviceImpl *)((char *)job -
        offsetof(struct WGPUDeviceImpl, service_job));
    struct event_manager *events = device->instance->events;
    atomic_store(&device->is_service_queued, false);
    if (atomic_exchange(&device->has_lost_notice, false)) {
        char reason[sizeof(device->lost_reason)];
        os_mutex_lock(&device->error_mutex);
        memcpy(reason, device->lost_reason, sizeof(reason));
        os_mutex_unlock(&device->error_mutex);
        device_lose(device, WGPUDeviceLostReason_Unknown, reason);
    }
    queue_retire(device);
    event_fire_spontaneous(events);
    GPU_UNREF(device);
}
