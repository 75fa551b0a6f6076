// SPDX-License-Identifier: MIT
//
// Life of surfaces and of the memory of presented frames.
#include "webgpu/object/surface.h"

#include "webgpu/object/device.h"
#include "webgpu/object/instance.h"

static void destroy(struct gpu_object *object) {
    struct WGPUSurfaceImpl *surface = (struct WGPUSurfaceImpl *)object;
    struct WGPUInstanceImpl *instance = surface->instance;
    os_mutex_lock(&surface->mutex);
    gpu_surface_unconfigure_locked(surface);
    os_mutex_unlock(&surface->mutex);
    os_mutex_finish(&surface->mutex);
    gpu_object_free(object);
    GPU_UNREF(instance);
}

const struct gpu_object_class gpu_surface_class = {GPU_SURFACE, destroy, NULL};

struct WGPUSurfaceImpl *gpu_surface_create(
    struct WGPUInstanceImpl *instance, struct text label, bool is_valid) {
    struct WGPUSurfaceImpl *surface = gpu_object_create(
        &gpu_surface_class, sizeof(*surface), NULL, label, is_valid);
    if (surface == NULL) {
        return NULL;
    }
    if (!os_mutex_init(&surface->mutex)) {
        gpu_object_free(&surface->object);
        return NULL;
    }
    surface->instance = instance;
    GPU_REF(instance);
    return surface;
}

void gpu_surface_drop_frame_locked(struct WGPUSurfaceImpl *surface) {
    struct gpu_presented_frame frame = surface->presented;
    surface->presented = (struct gpu_presented_frame){.device = NULL};
    if (frame.memory != NULL) {
        struct backend_device *backend = frame.device->backend;
        struct gpu_retired_memory retired = {.texture = frame.memory, .serial = frame.serial};
        os_mutex_lock(&frame.device->mutex);
        bool is_listed = backend->functions->completed_serial(backend) < frame.serial &&
            vector_push(&frame.device->queue->retired, MEMORY_OBJECT, retired);
        os_mutex_unlock(&frame.device->mutex);
        if (!is_listed) {
            backend->functions->wait(backend, frame.serial, UINT64_MAX);
            backend->functions->texture_destroy(backend, frame.memory);
        }
    }
    GPU_UNREF(frame.device);
}

void gpu_surface_unconfigure_locked(struct WGPUSurfaceImpl *surface) {
    if (surface->current != NULL) {
        os_mutex_lock(&surface->device->mutex);
        surface->current->is_expired = !surface->current->is_destroyed;
        gpu_texture_destroy_locked(surface->current);
        os_mutex_unlock(&surface->device->mutex);
        GPU_UNREF(surface->current);
        surface->current = NULL;
    }
    gpu_surface_drop_frame_locked(surface);
    GPU_UNREF(surface->device);
    surface->device = NULL;
}
