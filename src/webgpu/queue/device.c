// SPDX-License-Identifier: MIT
//
// Life of devices and their queues: creation over a backend, loss, destruction.
#include <string.h>

#include "base/memory.h"
#include "ledger/ledger.h"
#include "webgpu/event/error.h"
#include "webgpu/event/warning.h"
#include "webgpu/object/adapter.h"
#include "webgpu/object/instance.h"
#include "webgpu/object/texture.h"
#include "webgpu/queue/queue_priv.h"

static void destroy_queue_parts(struct WGPUQueueImpl *queue) {
    if (queue == NULL) {
        return;
    }
    vector_finish(&queue->retired);
    queue->object.device = NULL; // never counted: the device owns the queue
    gpu_object_free(&queue->object);
}

// The last reference is gone: no buffer, no submission, no event refers to the device.
static void destroy(struct gpu_object *object) {
    struct WGPUDeviceImpl *device = (struct WGPUDeviceImpl *)object;
    if (device->backend != NULL) {
        // A buffer may wait for a write that was dropped when the device was lost: what was
        // submitted is all there is to wait for.
        struct WGPUQueueImpl *queue = device->queue;
        if (queue->retired.count != 0) {
            device->backend->functions->wait(device->backend, queue->submitted_serial, UINT64_MAX);
        }
        for (size_t i = 0; i < queue->retired.count; i++) {
            queue_free_retired(device, &queue->retired.items[i]);
        }
        device->backend->functions->destroy(device->backend);
    }
    destroy_queue_parts(device->queue);
    ledger_destroy(device->ledger);
    warning_list_destroy(device->warnings);
    error_finish_scopes(device);
    os_mutex_finish(&device->mutex);
    os_mutex_finish(&device->error_mutex);
    struct WGPUAdapterImpl *adapter = device->adapter;
    struct WGPUInstanceImpl *instance = device->instance;
    gpu_object_free(object);
    GPU_UNREF(adapter);
    GPU_UNREF(instance);
}

// webgpu.h: the last reference destroys the device, and its lost callback gets no handle.
static void release_last(struct gpu_object *object) {
    struct WGPUDeviceImpl *device = (struct WGPUDeviceImpl *)object;
    error_forget_handle(device);
    device_lose(device, WGPUDeviceLostReason_Destroyed, "the device's last reference was released");
}

static const struct gpu_object_class device_class = {GPU_DEVICE, destroy, release_last};

// Queues are freed by their device.
static void destroy_queue(struct gpu_object *object) {
    (void)object;
}
static const struct gpu_object_class queue_class = {GPU_QUEUE, destroy_queue, NULL};

static bool create_queue(struct WGPUDeviceImpl *device, struct text label) {
    struct WGPUQueueImpl *queue = gpu_object_create(
        &queue_class, sizeof(*queue), NULL, label, true);
    if (queue == NULL) {
        return false;
    }
    queue->object.device = device;
    atomic_store(&queue->object.api_refs, 0);
    device->queue = queue;
    return true;
}

// A device whose parts are there, but for the backend's.
static struct WGPUDeviceImpl *create_shell(
    struct WGPUAdapterImpl *adapter, const struct device_options *options) {
    struct WGPUDeviceImpl *device = gpu_object_create(
        &device_class, sizeof(*device), NULL, options->label, true);
    if (device == NULL) {
        return NULL;
    }
    if (!os_mutex_init(&device->mutex)) {
        gpu_object_free(&device->object);
        return NULL;
    }
    if (!os_mutex_init(&device->error_mutex)) {
        os_mutex_finish(&device->mutex);
        gpu_object_free(&device->object);
        return NULL;
    }
    device->instance = adapter->instance;
    device->adapter = adapter;
    GPU_REF(device->instance);
    GPU_REF(device->adapter);
    device->limits = options->limits;
    device->features = options->features;
    device->is_core = options->is_core;
    device->uncaptured = *options->uncaptured;
    device->service_job.run = queue_service;
    struct ledger_options ledger = {
        adapter->info.has_unified_memory, options->ledger_list_capacity};
    device->ledger = ledger_create(&ledger);
    device->warnings = options->warnings != NULL ? warning_list_create(options->warnings) : NULL;
    if (device->ledger == NULL || (options->warnings != NULL && device->warnings == NULL) ||
        !create_queue(device, options->queue_label)) {
        gpu_object_unref(&device->object);
        return NULL;
    }
    return device;
}

struct WGPUDeviceImpl *device_create(struct WGPUAdapterImpl *adapter,
    const struct device_options *options, enum backend_status *out_status) {
    *out_status = BACKEND_OUT_OF_MEMORY;
    if (event_manager_get_service_worker(adapter->instance->events) == NULL) {
        return NULL;
    }
    struct WGPUDeviceImpl *device = create_shell(adapter, options);
    if (device == NULL) {
        return NULL;
    }
    struct backend_device_options backend_options = options->backend;
    backend_options.label = options->label;
    backend_options.features = options->features;
    backend_options.events = (struct backend_events){device, queue_on_completed, queue_on_lost};
    enum backend_status status = adapter->backend->functions->device_create(
        adapter->backend, &backend_options, &device->backend);
    if (status != BACKEND_OK) {
        device->backend = NULL;
        *out_status = status;
    } else if (error_create_lost_event(device, options->lost)) {
        *out_status = BACKEND_OK;
        return device;
    }
    gpu_object_unref(&device->object);
    return NULL;
}

void device_lose(struct WGPUDeviceImpl *device, WGPUDeviceLostReason reason, const char *message) {
    if (!error_begin_loss(device)) {
        return;
    }
    struct event_manager *events = device->instance->events;
    struct WGPUQueueImpl *queue = device->queue;
    struct object_set pending_objects = {0};
    GPU_REF(device); // callbacks may release what else keeps it
    // Before work stops: whoever waits for that work finds the loss known.
    error_announce_loss(device, reason, message, false);
    device->backend->functions->cancel(device->backend);
    os_mutex_lock(&device->mutex);
    struct command_stream *pending = queue_take_pending(queue, &pending_objects);
    if (reason == WGPUDeviceLostReason_Destroyed) {
        while (device->first_buffer != NULL) {
            // A map that is pending finds itself disowned when it fires.
            device->first_buffer->pending_map = NULL;
            gpu_buffer_destroy_locked(device->first_buffer);
        }
        while (device->first_texture != NULL) {
            gpu_texture_destroy_locked(device->first_texture);
        }
    }
    os_mutex_unlock(&device->mutex);
    if (pending != NULL) {
        command_stream_finish(pending);
        memory_free(pending);
    }
    object_set_finish(&pending_objects);
    event_complete_serial(events, queue, UINT64_MAX);
    event_fire_spontaneous(events);
    queue_retire(device);
    GPU_UNREF(device);
}
