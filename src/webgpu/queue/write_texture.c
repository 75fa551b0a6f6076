// SPDX-License-Identifier: MIT
//
// wgpuQueueWriteTexture: the texels alone are copied out of the application's memory, packed, and
// join the queue's pending writes.
#include <string.h>

#include "base/memory.h"
#include "webgpu/event/error.h"
#include "webgpu/queue/queue_priv.h"
#include "webgpu/validate/texel_copy.h"

static void pack(
    uint8_t *out, const struct texel_copy *copy, const void *data, const WGPUExtent3D *size) {
    const uint8_t *from = (const uint8_t *)data + copy->layout.offset_bytes;
    uint64_t image_bytes = copy->layout.row_pitch_bytes * copy->layout.rows_per_image;
    for (uint32_t image = 0; image < size->depthOrArrayLayers; image++) {
        for (uint32_t row = 0; row < copy->row_count; row++) {
            memcpy(out, from + image_bytes * image + copy->layout.row_pitch_bytes * row,
                (size_t)copy->row_bytes);
            out += copy->row_bytes;
        }
    }
}

// With the mutex held. The bytes of a large write were packed by the caller into `block`.
static bool append_write(struct WGPUQueueImpl *queue, struct WGPUTextureImpl *texture,
    const struct texel_copy *copy, const void *data, const WGPUExtent3D *size, void *block) {
    if (!queue_ensure_pending(queue) ||
        !object_set_add(&queue->pending_objects, &texture->object)) {
        return false;
    }
    bool has_failed = queue->pending->has_failed;
    size_t inline_bytes = block == NULL ? (size_t)copy->texel_bytes : 0;
    struct command_write_texture *command = command_stream_append(
        queue->pending, COMMAND_WRITE_TEXTURE, sizeof(*command) + inline_bytes);
    if (command == NULL) {
        // Nothing was appended: the stream is as good as before.
        queue->pending->has_failed = has_failed;
        return false;
    }
    command->destination = copy->place;
    command->layout = (struct command_texel_layout){0, copy->row_bytes, copy->row_count};
    command->size[0] = size->width;
    command->size[1] = size->height;
    command->size[2] = size->depthOrArrayLayers;
    command->data = block;
    if (block == NULL) {
        pack((uint8_t *)(command + 1), copy, data, size);
    }
    texture->has_pending_write = true;
    queue->pending_bytes += copy->texel_bytes;
    return true;
}

void queue_write_texture(struct WGPUQueueImpl *queue, const WGPUTexelCopyTextureInfo *destination,
    const void *data, size_t data_bytes, const WGPUTexelCopyBufferLayout *layout,
    const WGPUExtent3D *size) {
    struct WGPUDeviceImpl *device = queue->object.device;
    struct WGPUTextureImpl *texture = destination->texture;
    struct validate_error error = {0};
    struct texel_copy copy = {0};
    if (!validate_write_texture(
            device, &queue->object, destination, data_bytes, layout, size, &copy, &error)) {
        queue_report(device, &error);
        return;
    }
    void *block = NULL;
    if (copy.texel_bytes > QUEUE_INLINE_LIMIT_BYTES) {
        block = memory_allocate(MEMORY_STAGING, (size_t)copy.texel_bytes);
        if (block == NULL) {
            error_report_status(device, BACKEND_OUT_OF_MEMORY, "wgpuQueueWriteTexture");
            return;
        }
        pack(block, &copy, data, size);
    }
    os_mutex_lock(&device->mutex);
    bool is_lost = atomic_load(&device->is_lost);
    bool ok = is_lost || validate_texture_not_destroyed(&queue->object, texture, &error);
    bool has_memory = true;
    bool is_appended = false;
    if (ok && !is_lost && copy.texel_bytes != 0) {
        is_appended = append_write(queue, texture, &copy, data, size, block);
        has_memory = is_appended;
    }
    if (is_appended) {
        queue_note(device, LEDGER_CALL_WRITE_TEXTURE, copy.texel_bytes, &texture->object, NULL);
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
        error_report_status(device, BACKEND_OUT_OF_MEMORY, "wgpuQueueWriteTexture");
    }
}
