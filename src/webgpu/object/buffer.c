// SPDX-License-Identifier: MIT
//
// Life and mapping of buffers. See the header for locks.
#include "webgpu/object/buffer.h"

#include <string.h>

#include "base/memory.h"
#include "webgpu/object/device.h"

// Mapped pointers of ranges without bytes point here: not NULL, as aligned as their offset asks.
static _Alignas(16) unsigned char no_bytes[32];

void *gpu_buffer_empty_mapping(uint64_t offset_bytes) {
    return no_bytes + offset_bytes % 16;
}

static void unlink_buffer(struct WGPUBufferImpl *buffer) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    if (buffer->previous != NULL) {
        buffer->previous->next = buffer->next;
    } else if (device->first_buffer == buffer) {
        device->first_buffer = buffer->next;
    }
    if (buffer->next != NULL) {
        buffer->next->previous = buffer->previous;
    }
    buffer->next = NULL;
    buffer->previous = NULL;
}

static void link_buffer(struct WGPUBufferImpl *buffer) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    buffer->next = device->first_buffer;
    if (buffer->next != NULL) {
        buffer->next->previous = buffer;
    }
    device->first_buffer = buffer;
}

// The last reference is gone: no submission uses the buffer any more.
static void destroy(struct gpu_object *object) {
    struct WGPUBufferImpl *buffer = (struct WGPUBufferImpl *)object;
    struct WGPUDeviceImpl *device = object->device;
    os_mutex_lock(&device->mutex);
    gpu_buffer_end_mapping(buffer);
    unlink_buffer(buffer);
    os_mutex_unlock(&device->mutex);
    if (buffer->owns_backend) {
        device->backend->functions->buffer_destroy(device->backend, buffer->backend);
    }
    gpu_object_free(object);
}

const struct gpu_object_class gpu_buffer_class = {GPU_BUFFER, destroy, NULL};

struct WGPUBufferImpl *gpu_buffer_create(struct WGPUDeviceImpl *device, struct text label,
    uint64_t size_bytes, WGPUBufferUsage usage, bool is_valid, enum backend_status *out_status) {
    *out_status = BACKEND_OK;
    struct WGPUBufferImpl *buffer = gpu_object_create(
        &gpu_buffer_class, sizeof(*buffer), device, label, is_valid);
    if (buffer == NULL) {
        return NULL;
    }
    buffer->size_bytes = size_bytes;
    buffer->usage = usage;
    if (is_valid) {
        // Buffers of no bytes exist in WebGPU, but not in backends.
        *out_status = device->backend->functions->buffer_create(
            device->backend, size_bytes != 0 ? size_bytes : 4, usage, label, &buffer->backend);
        if (*out_status != BACKEND_OK) {
            buffer->backend = NULL;
            buffer->object.is_valid = false;
        }
        buffer->owns_backend = buffer->backend != NULL;
    }
    os_mutex_lock(&device->mutex);
    link_buffer(buffer);
    os_mutex_unlock(&device->mutex);
    return buffer;
}

bool gpu_buffer_map_at_creation(struct WGPUBufferImpl *buffer) {
    struct WGPUDeviceImpl *device = buffer->object.device;
    struct gpu_buffer_mapping *mapping = &buffer->mapping;
    void *data = no_bytes;
    void *host_copy = NULL;
    if (buffer->size_bytes != 0 && buffer->backend != NULL) {
        data = device->backend->functions->buffer_map(
            device->backend, buffer->backend, 0, buffer->size_bytes, true);
    } else if (buffer->size_bytes != 0) {
        // An error buffer: the application may write, and nothing comes of it.
        host_copy = buffer->size_bytes > SIZE_MAX
            ? NULL
            : memory_allocate_zeroed(MEMORY_STAGING, 1, (size_t)buffer->size_bytes);
        data = host_copy;
    }
    if (data == NULL) {
        return false;
    }
    os_mutex_lock(&device->mutex);
    mapping->mode = WGPUMapMode_Write;
    mapping->is_at_creation = true;
    mapping->offset_bytes = 0;
    mapping->size_bytes = buffer->size_bytes;
    mapping->data = data;
    mapping->host_copy = host_copy;
    if (buffer->state == GPU_BUFFER_AVAILABLE) {
        buffer->state = GPU_BUFFER_UNAVAILABLE;
    }
    os_mutex_unlock(&device->mutex);
    return true;
}

void gpu_buffer_end_mapping(struct WGPUBufferImpl *buffer) {
    struct gpu_buffer_mapping *mapping = &buffer->mapping;
    if (mapping->mode == WGPUMapMode_None) {
        return;
    }
    struct WGPUDeviceImpl *device = buffer->object.device;
    if (buffer->backend != NULL && mapping->host_copy == NULL && mapping->size_bytes != 0) {
        device->backend->functions->buffer_unmap(device->backend, buffer->backend);
    }
    memory_free(mapping->host_copy);
    vector_finish(&mapping->ranges);
    memset(mapping, 0, sizeof(*mapping));
    if (buffer->state == GPU_BUFFER_UNAVAILABLE) {
        buffer->state = GPU_BUFFER_AVAILABLE;
    }
}

void gpu_buffer_destroy_locked(struct WGPUBufferImpl *buffer) {
    if (buffer->state == GPU_BUFFER_DESTROYED) {
        return;
    }
    struct WGPUDeviceImpl *device = buffer->object.device;
    struct WGPUQueueImpl *queue = device->queue;
    gpu_buffer_end_mapping(buffer);
    if (buffer->owns_backend) {
        const struct backend_device_functions *functions = device->backend->functions;
        struct gpu_retired_memory retired = {
            .buffer = buffer->backend, .serial = buffer->last_use_serial};
        if (buffer->has_pending_write) {
            retired.serial = queue->submitted_serial + 1;
        }
        bool is_idle = functions->completed_serial(device->backend) >= retired.serial;
        if (is_idle) {
            functions->buffer_destroy(device->backend, buffer->backend);
            buffer->owns_backend = false;
        } else if (vector_push(&queue->retired, MEMORY_OBJECT, retired)) {
            buffer->owns_backend = false;
        } // else there is no memory to remember it: the last reference frees it
    }
    buffer->state = GPU_BUFFER_DESTROYED;
    unlink_buffer(buffer);
}

WGPUBufferMapState gpu_buffer_get_map_state(const struct WGPUBufferImpl *buffer) {
    if (buffer->mapping.mode != WGPUMapMode_None) {
        return WGPUBufferMapState_Mapped;
    }
    return buffer->pending_map != NULL ? WGPUBufferMapState_Pending : WGPUBufferMapState_Unmapped;
}
