// SPDX-License-Identifier: MIT
//
// Surfaces: creation, capabilities, configuration, frames. Nothing shows on a screen: the one kind
// of surface that works is alba.h's, without a window.
#include <alba/alba.h>
#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/object/instance.h"
#include "webgpu/queue/surface.h"
#include "webgpu/validate/surface.h"

#define SURFACE_NAME GPU_NAME(surface, SURFACE)

// ---------------------------------------------------------------- creation

// The headless source of the chain; NULL, with a line in the log, for every other chain.
static const AlbaSurfaceSourceHeadless *find_source(
    const WGPUSurfaceDescriptor *descriptor, const char *name) {
    const WGPUChainedStruct *source = descriptor->nextInChain;
    if (source == NULL) {
        log_message(LOG_ERROR, "%s: the descriptor's chain names no window", name);
        return NULL;
    }
    if (source->next != NULL) {
        log_message(LOG_ERROR,
            "%s: the descriptor's chain must hold exactly one struct, but has one of sType 0x%08x "
            "and one of sType 0x%08x",
            name, (unsigned)source->sType, (unsigned)source->next->sType);
        return NULL;
    }
    if ((uint32_t)source->sType != (uint32_t)AlbaSType_SurfaceSourceHeadless) {
        log_message(LOG_ERROR,
            "%s: the chained struct of sType 0x%08x is no surface that this build can present to; "
            "AlbaSurfaceSourceHeadless is",
            name, (unsigned)source->sType);
        return NULL;
    }
    return (const AlbaSurfaceSourceHeadless *)(const void *)source;
}

WGPUSurface wgpuInstanceCreateSurface(
    WGPUInstance instance, const WGPUSurfaceDescriptor *descriptor) {
    if (API_IS_NULL(instance) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    const AlbaSurfaceSourceHeadless *source = find_source(
        descriptor, gpu_name_of_label(GPU_SURFACE, label).text);
    struct WGPUSurfaceImpl *surface = gpu_surface_create(instance, label, source != NULL);
    if (surface == NULL) {
        log_message(LOG_ERROR, "%s: out of memory", __func__);
        return NULL;
    }
    if (source != NULL) {
        surface->window_width = source->width;
        surface->window_height = source->height;
    }
    return surface;
}

void albaSurfaceResize(WGPUSurface surface, uint32_t width, uint32_t height) {
    if (!API_IS_NULL(surface)) {
        os_mutex_lock(&surface->mutex);
        surface->window_width = width;
        surface->window_height = height;
        os_mutex_unlock(&surface->mutex);
    }
}

// ---------------------------------------------------------------- capabilities

static void *copy_list(const void *items, size_t size_bytes) {
    void *copy = memory_allocate(MEMORY_GENERAL, size_bytes);
    if (copy != NULL) {
        memcpy(copy, items, size_bytes);
    }
    return copy;
}

WGPUStatus wgpuSurfaceGetCapabilities(
    WGPUSurface surface, WGPUAdapter adapter, WGPUSurfaceCapabilities *capabilities) {
    if (API_IS_NULL(surface) || API_IS_NULL(adapter) || API_IS_NULL(capabilities)) {
        return WGPUStatus_Error;
    }
    if (capabilities->nextInChain != NULL) {
        log_message(LOG_ERROR, "%s: the chained struct of sType 0x%08x is not known", __func__,
            (unsigned)capabilities->nextInChain->sType);
        return WGPUStatus_Error;
    }
    if (!surface->object.is_valid) {
        log_message(LOG_ERROR, "%s: %s is an error surface", __func__, SURFACE_NAME);
        return WGPUStatus_Error;
    }
    if (adapter->instance != surface->instance) {
        log_message(
            LOG_ERROR, "%s: %s and the adapter are of different instances", __func__, SURFACE_NAME);
        return WGPUStatus_Error;
    }
    struct surface_capabilities found;
    surface_get_capabilities(adapter, &found);
    WGPUSurfaceCapabilities out = {
        .usages = found.usages,
        .formatCount = found.format_count,
        .formats = copy_list(found.formats, found.format_count * sizeof(found.formats[0])),
        .presentModeCount = surface_present_mode_count,
        .presentModes = copy_list(
            surface_present_modes, surface_present_mode_count * sizeof(surface_present_modes[0])),
        .alphaModeCount = surface_alpha_mode_count,
        .alphaModes = copy_list(
            surface_alpha_modes, surface_alpha_mode_count * sizeof(surface_alpha_modes[0])),
    };
    if (out.formats == NULL || out.presentModes == NULL || out.alphaModes == NULL) {
        log_message(LOG_ERROR, "%s: out of memory", __func__);
        wgpuSurfaceCapabilitiesFreeMembers(out);
        return WGPUStatus_Error;
    }
    *capabilities = out;
    return WGPUStatus_Success;
}

void wgpuSurfaceCapabilitiesFreeMembers(WGPUSurfaceCapabilities capabilities) {
    memory_free((void *)(uintptr_t)capabilities.formats);
    memory_free((void *)(uintptr_t)capabilities.presentModes);
    memory_free((void *)(uintptr_t)capabilities.alphaModes);
}

// ---------------------------------------------------------------- configuration

void wgpuSurfaceUnconfigure(WGPUSurface surface) {
    if (!API_IS_NULL(surface)) {
        os_mutex_lock(&surface->mutex);
        gpu_surface_unconfigure_locked(surface);
        os_mutex_unlock(&surface->mutex);
    }
}

void wgpuSurfaceConfigure(WGPUSurface surface, const WGPUSurfaceConfiguration *config) {
    if (API_IS_NULL(surface) || API_IS_NULL(config) ||
        (config->viewFormatCount != 0 && API_IS_NULL(config->viewFormats))) {
        return;
    }
    wgpuSurfaceUnconfigure(surface);
    if (API_IS_NULL(config->device)) {
        return;
    }
    struct WGPUDeviceImpl *device = config->device;
    struct validate_error error = {0};
    struct gpu_texture_properties properties;
    if (!validate_surface_configure(surface, config, &properties, &error)) {
        api_report(device, &error);
        return;
    }
    if (atomic_load(&device->is_lost)) {
        log_message(
            LOG_WARNING, "%s: %s cannot be configured for a lost device", __func__, SURFACE_NAME);
        return;
    }
    os_mutex_lock(&surface->mutex);
    gpu_surface_unconfigure_locked(surface); // another thread may have been here meanwhile
    surface->device = device;
    GPU_REF(device);
    surface->properties = properties;
    os_mutex_unlock(&surface->mutex);
}

// ---------------------------------------------------------------- frames

// Why no frame can be begun; NULL when one can.
static const char *find_obstacle(const struct WGPUSurfaceImpl *surface) {
    if (!surface->object.is_valid) {
        return "it is an error surface";
    }
    if (surface->device == NULL) {
        return "it is not configured";
    }
    return surface->current != NULL ? "its current texture was not presented yet" : NULL;
}

static WGPUSurfaceGetCurrentTextureStatus begin_frame_locked(
    struct WGPUSurfaceImpl *surface, WGPUTexture *out_texture, enum backend_status *out_status) {
    struct WGPUDeviceImpl *device = surface->device;
    struct WGPUTextureImpl *texture = gpu_texture_create(
        device, TEXT_LITERAL(""), &surface->properties, !atomic_load(&device->is_lost), out_status);
    if (texture == NULL) {
        *out_status = BACKEND_OUT_OF_MEMORY;
    }
    if (*out_status != BACKEND_OK) {
        gpu_object_api_unref(texture != NULL ? &texture->object : NULL);
        return WGPUSurfaceGetCurrentTextureStatus_Lost;
    }
    surface->current = texture;
    GPU_REF(texture);
    *out_texture = texture;
    const WGPUExtent3D *size = &surface->properties.size;
    bool fits = (surface->window_width == 0 || surface->window_width == size->width) &&
        (surface->window_height == 0 || surface->window_height == size->height);
    return fits ? WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal
                : WGPUSurfaceGetCurrentTextureStatus_SuccessSuboptimal;
}

void wgpuSurfaceGetCurrentTexture(WGPUSurface surface, WGPUSurfaceTexture *surfaceTexture) {
    if (API_IS_NULL(surface) || API_IS_NULL(surfaceTexture)) {
        return;
    }
    surfaceTexture->texture = NULL;
    surfaceTexture->status = WGPUSurfaceGetCurrentTextureStatus_Error;
    if (surfaceTexture->nextInChain != NULL) {
        log_message(LOG_ERROR, "%s: the chained struct of sType 0x%08x is not known", __func__,
            (unsigned)surfaceTexture->nextInChain->sType);
        return;
    }
    enum backend_status status = BACKEND_OK;
    struct WGPUDeviceImpl *device = NULL;
    os_mutex_lock(&surface->mutex);
    const char *obstacle = find_obstacle(surface);
    if (obstacle == NULL) {
        device = surface->device;
        GPU_REF(device);
        surfaceTexture->status = begin_frame_locked(surface, &surfaceTexture->texture, &status);
    }
    os_mutex_unlock(&surface->mutex);
    if (obstacle != NULL) {
        log_message(LOG_ERROR, "%s: %s: %s", __func__, SURFACE_NAME, obstacle);
        return;
    }
    error_report_status(device, status, SURFACE_NAME);
    GPU_UNREF(device);
}

WGPUStatus wgpuSurfacePresent(WGPUSurface surface) {
    if (API_IS_NULL(surface)) {
        return WGPUStatus_Error;
    }
    os_mutex_lock(&surface->mutex);
    bool has_frame = surface->current != NULL;
    if (has_frame) {
        surface_present_locked(surface);
    }
    os_mutex_unlock(&surface->mutex);
    if (!has_frame) {
        log_message(LOG_ERROR, "%s: %s has no current texture", __func__, SURFACE_NAME);
        return WGPUStatus_Error;
    }
    return WGPUStatus_Success;
}

// ---------------------------------------------------------------- reading

static enum backend_status read_frame_locked(struct WGPUSurfaceImpl *surface, AlbaFrame *frame) {
    const struct gpu_presented_frame *presented = &surface->presented;
    const struct texture_format_info *info = texture_format_get_info(presented->format);
    uint64_t row_bytes = (uint64_t)presented->width * info->block_bytes;
    uint64_t size_bytes = row_bytes * presented->height;
    void *data = memory_allocate(MEMORY_GENERAL, (size_t)size_bytes);
    if (data == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    enum backend_status status = surface_read_locked(surface, data, size_bytes);
    if (status != BACKEND_OK) {
        memory_free(data);
        return status;
    }
    frame->number = surface->presented_count;
    frame->format = presented->format;
    frame->width = presented->width;
    frame->height = presented->height;
    frame->bytesPerRow = (uint32_t)row_bytes;
    frame->size = (size_t)size_bytes;
    frame->data = data;
    return BACKEND_OK;
}

WGPUStatus albaSurfaceReadFrame(WGPUSurface surface, AlbaFrame *frame) {
    if (API_IS_NULL(surface) || API_IS_NULL(frame)) {
        return WGPUStatus_Error;
    }
    const AlbaFrame nothing = ALBA_FRAME_INIT;
    const WGPUChainedStruct *chain = frame->nextInChain;
    *frame = nothing;
    frame->nextInChain = (WGPUChainedStruct *)(uintptr_t)chain;
    if (chain != NULL) {
        log_message(LOG_ERROR, "%s: the chained struct of sType 0x%08x is not known", __func__,
            (unsigned)chain->sType);
        return WGPUStatus_Error;
    }
    os_mutex_lock(&surface->mutex);
    bool has_frame = surface->presented.device != NULL;
    enum backend_status status = has_frame ? read_frame_locked(surface, frame) : BACKEND_OK;
    os_mutex_unlock(&surface->mutex);
    if (!has_frame) {
        log_message(LOG_ERROR, "%s: %s has presented no frame since it was configured", __func__,
            SURFACE_NAME);
    } else if (status != BACKEND_OK) {
        log_message(LOG_ERROR, "%s: %s: %s", __func__, SURFACE_NAME,
            status == BACKEND_OUT_OF_MEMORY ? "out of memory"
                                            : "the frame was lost or its texture destroyed");
    }
    return has_frame && status == BACKEND_OK ? WGPUStatus_Success : WGPUStatus_Error;
}

void albaFrameFreeMembers(AlbaFrame frame) {
    memory_free(frame.data);
}
