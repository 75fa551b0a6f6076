// SPDX-License-Identifier: MIT
//
// Life of textures and views. Any thread; the device's mutex guards lists and destruction.
#include "webgpu/object/texture.h"

#include "webgpu/object/device.h"

static void unlink_texture(struct WGPUTextureImpl *texture) {
    struct WGPUDeviceImpl *device = texture->object.device;
    if (texture->previous != NULL) {
        texture->previous->next = texture->next;
    } else if (device->first_texture == texture) {
        device->first_texture = texture->next;
    }
    if (texture->next != NULL) {
        texture->next->previous = texture->previous;
    }
    texture->next = NULL;
    texture->previous = NULL;
}

static void link_texture(struct WGPUTextureImpl *texture) {
    struct WGPUDeviceImpl *device = texture->object.device;
    texture->next = device->first_texture;
    if (texture->next != NULL) {
        texture->next->previous = texture;
    }
    device->first_texture = texture;
}

// The last reference is gone: no submission uses the texture any more.
static void destroy_texture(struct gpu_object *object) {
    struct WGPUTextureImpl *texture = (struct WGPUTextureImpl *)object;
    struct WGPUDeviceImpl *device = object->device;
    os_mutex_lock(&device->mutex);
    unlink_texture(texture);
    os_mutex_unlock(&device->mutex);
    if (texture->owns_backend) {
        device->backend->functions->texture_destroy(device->backend, texture->backend);
    }
    gpu_object_free(object);
}

static void destroy_view(struct gpu_object *object) {
    GPU_UNREF(((struct WGPUTextureViewImpl *)object)->texture);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_texture_class = {GPU_TEXTURE, destroy_texture, NULL};
const struct gpu_object_class gpu_texture_view_class = {GPU_TEXTURE_VIEW, destroy_view, NULL};

static enum backend_status create_backend_texture(
    struct WGPUTextureImpl *texture, struct text label) {
    struct backend_device *backend = texture->object.device->backend;
    struct backend_texture_description description = {
        .label = label,
        .usage = texture->usage,
        .dimension = texture->dimension,
        .format = texture->format,
        .width = texture->size.width,
        .height = texture->size.height,
        .depth_or_array_layers = texture->size.depthOrArrayLayers,
        .mip_level_count = texture->mip_level_count,
        .sample_count = texture->sample_count,
    };
    return backend->functions->texture_create(backend, &description, &texture->backend);
}

struct WGPUTextureImpl *gpu_texture_create(struct WGPUDeviceImpl *device, struct text label,
    const struct gpu_texture_properties *properties, bool is_valid,
    enum backend_status *out_status) {
    *out_status = BACKEND_OK;
    struct WGPUTextureImpl *texture = gpu_object_create(
        &gpu_texture_class, sizeof(*texture), device, label, is_valid);
    if (texture == NULL) {
        return NULL;
    }
    texture->usage = properties->usage;
    texture->dimension = properties->dimension;
    texture->format = properties->format;
    texture->size = properties->size;
    texture->mip_level_count = properties->mip_level_count;
    texture->sample_count = properties->sample_count;
    texture->binding_view_dimension = properties->binding_view_dimension;
    texture->other_view_format = properties->other_view_format;
    if (is_valid) {
        *out_status = create_backend_texture(texture, label);
        if (*out_status != BACKEND_OK) {
            texture->backend = NULL;
            texture->object.is_valid = false;
        }
        texture->owns_backend = texture->backend != NULL;
    }
    os_mutex_lock(&device->mutex);
    link_texture(texture);
    os_mutex_unlock(&device->mutex);
    return texture;
}

void gpu_texture_destroy_locked(struct WGPUTextureImpl *texture) {
    if (texture->is_destroyed) {
        return;
    }
    struct WGPUDeviceImpl *device = texture->object.device;
    struct WGPUQueueImpl *queue = device->queue;
    if (texture->owns_backend) {
        const struct backend_device_functions *functions = device->backend->functions;
        struct gpu_retired_memory retired = {
            .texture = texture->backend, .serial = texture->last_use_serial};
        if (texture->has_pending_write) {
            retired.serial = queue->submitted_serial + 1;
        }
        if (functions->completed_serial(device->backend) >= retired.serial) {
            functions->texture_destroy(device->backend, texture->backend);
            texture->owns_backend = false;
        } else if (vector_push(&queue->retired, MEMORY_OBJECT, retired)) {
            texture->owns_backend = false;
        } // else there is no memory to remember it: the last reference frees it
    }
    texture->is_destroyed = true;
    unlink_texture(texture);
}

struct WGPUTextureViewImpl *gpu_texture_view_create(struct WGPUTextureImpl *texture,
    struct text label, const struct backend_texture_view *view, WGPUTextureUsage usage,
    bool is_valid) {
    struct WGPUTextureViewImpl *object = gpu_object_create(
        &gpu_texture_view_class, sizeof(*object), texture->object.device, label, is_valid);
    if (object == NULL || !is_valid) {
        return object;
    }
    object->texture = texture;
    GPU_REF(texture);
    object->view = *view;
    object->view.texture = texture->backend;
    object->usage = usage;
    return object;
}

static uint32_t shrink(uint32_t extent, uint32_t level) {
    uint32_t size = level < 32 ? extent >> level : 0;
    return size != 0 ? size : 1;
}

static uint32_t round_up(uint32_t extent, uint32_t block) {
    return (extent + block - 1) / block * block;
}

WGPUExtent3D gpu_texture_get_physical_extent(
    const struct WGPUTextureImpl *texture, uint32_t mip_level) {
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    WGPUExtent3D extent = {
        .width = round_up(shrink(texture->size.width, mip_level), info->block_width),
        .height = texture->dimension == WGPUTextureDimension_1D
            ? 1
            : round_up(shrink(texture->size.height, mip_level), info->block_height),
        .depthOrArrayLayers = texture->dimension == WGPUTextureDimension_3D
            ? shrink(texture->size.depthOrArrayLayers, mip_level)
            : texture->size.depthOrArrayLayers,
    };
    return extent;
}
