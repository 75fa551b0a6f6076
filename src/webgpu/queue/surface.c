// SPDX-License-Identifier: MIT
//
// A presented frame takes over the memory of its texture, so that presenting copies nothing;
// reading it is a copy on the queue into a buffer that lives for the call.
#include "webgpu/queue/surface.h"

#include <string.h>

#include "base/memory.h"
#include "ledger/ledger.h"
#include "webgpu/queue/queue_priv.h"

void surface_present_locked(struct WGPUSurfaceImpl *surface) {
    struct WGPUDeviceImpl *device = surface->device;
    struct WGPUTextureImpl *texture = surface->current;
    gpu_surface_drop_frame_locked(surface);
    struct gpu_presented_frame *frame = &surface->presented;
    frame->device = device;
    GPU_REF(device);
    frame->format = texture->format;
    frame->width = texture->size.width;
    frame->height = texture->size.height;
    os_mutex_lock(&device->mutex);
    if (texture->has_pending_write) {
        queue_flush(device->queue);
    }
    // Writes that could not be flushed for want of memory keep the texture's memory.
    if (texture->owns_backend && !texture->has_pending_write) {
        frame->memory = texture->backend;
        frame->serial = texture->last_use_serial;
        texture->owns_backend = false;
    }
    texture->is_expired = !texture->is_destroyed;
    gpu_texture_destroy_locked(texture);
    os_mutex_unlock(&device->mutex);
    surface->current = NULL;
    surface->presented_count++;
    ledger_next_frame(device->ledger);
    GPU_UNREF(texture);
}

// The stream's one command; false: no memory.
static bool record_copy(struct command_stream *stream, const struct gpu_presented_frame *frame,
    struct backend_buffer *buffer, uint64_t row_bytes) {
    struct command_copy_texture_to_buffer *command = COMMAND_APPEND(
        stream, COPY_TEXTURE_TO_BUFFER, copy_texture_to_buffer);
    if (command == NULL) {
        return false;
    }
    command->source = (struct command_texel_place){
        .texture = frame->memory, .aspect = TEXTURE_ASPECT_COLOR};
    command->destination = buffer;
    command->layout = (struct command_texel_layout){0, row_bytes, frame->height};
    command->size[0] = frame->width;
    command->size[1] = frame->height;
    command->size[2] = 1;
    return true;
}

// Submits the copy and waits for it.
static enum backend_status copy_frame(
    const struct gpu_presented_frame *frame, struct backend_buffer *buffer, uint64_t row_bytes) {
    struct WGPUDeviceImpl *device = frame->device;
    struct command_stream *stream = memory_allocate(MEMORY_COMMAND, sizeof(*stream));
    if (stream == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    command_stream_init(stream);
    if (!record_copy(stream, frame, buffer, row_bytes)) {
        command_stream_finish(stream);
        memory_free(stream);
        return BACKEND_OUT_OF_MEMORY;
    }
    os_mutex_lock(&device->mutex);
    uint64_t serial = 0;
    enum backend_status status = queue_submit_stream(device->queue, stream, &serial);
    os_mutex_unlock(&device->mutex);
    if (status == BACKEND_OK) {
        device->backend->functions->wait(device->backend, serial, UINT64_MAX);
    }
    return status;
}

enum backend_status surface_read_locked(
    struct WGPUSurfaceImpl *surface, void *data, uint64_t size_bytes) {
    const struct gpu_presented_frame *frame = &surface->presented;
    struct WGPUDeviceImpl *device = frame->device;
    const struct backend_device_functions *functions = device->backend->functions;
    struct backend_buffer *buffer = NULL;
    if (frame->memory == NULL || atomic_load(&device->is_lost)) {
        return BACKEND_LOST;
    }
    enum backend_status status = functions->buffer_create(device->backend, size_bytes,
        WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, TEXT_LITERAL("frame"), &buffer);
    if (status != BACKEND_OK) {
        return status;
    }
    status = copy_frame(frame, buffer, size_bytes / frame->height);
    if (status == BACKEND_OK && atomic_load(&device->is_lost)) {
        status = BACKEND_LOST;
    }
    if (status == BACKEND_OK) {
        const void *bytes = functions->buffer_map(device->backend, buffer, 0, size_bytes, false);
        if (bytes != NULL) {
            memcpy(data, bytes, (size_t)size_bytes);
            functions->buffer_unmap(device->backend, buffer);
            queue_note(device, LEDGER_CALL_READ_FRAME, size_bytes, NULL, &surface->object);
        } else {
            status = BACKEND_OUT_OF_MEMORY;
        }
    }
    functions->buffer_destroy(device->backend, buffer);
    return status;
}
