// SPDX-License-Identifier: MIT
//
// Surfaces: not built yet. Every surface is an error surface; nothing can be configured for it.
#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/object/placeholder.h"

// A surface belongs to no device: what goes wrong is logged.
static void log_missing(enum not_implemented function) {
    log_message(LOG_ERROR, "%s", not_implemented_message(function));
}

WGPUSurface wgpuInstanceCreateSurface(
    WGPUInstance instance, const WGPUSurfaceDescriptor *descriptor) {
    if (API_IS_NULL(instance) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    log_missing(NOT_IMPLEMENTED_wgpuInstanceCreateSurface);
    return gpu_object_create(&gpu_surface_class, sizeof(struct WGPUSurfaceImpl), NULL,
        view_label(descriptor->label), false);
}

void wgpuSurfaceConfigure(WGPUSurface surface, const WGPUSurfaceConfiguration *config) {
    if (API_IS_NULL(surface) || API_IS_NULL(config)) {
        return;
    }
    if (config->device != NULL) {
        not_implemented_report(config->device, NOT_IMPLEMENTED_wgpuSurfaceConfigure);
    } else {
        log_missing(NOT_IMPLEMENTED_wgpuSurfaceConfigure);
    }
}

void wgpuSurfaceUnconfigure(WGPUSurface surface) {
    (void)API_IS_NULL(surface);
}

WGPUStatus wgpuSurfaceGetCapabilities(
    WGPUSurface surface, WGPUAdapter adapter, WGPUSurfaceCapabilities *capabilities) {
    if (!API_IS_NULL(surface) && !API_IS_NULL(adapter) && !API_IS_NULL(capabilities)) {
        log_missing(NOT_IMPLEMENTED_wgpuSurfaceGetCapabilities);
    }
    return WGPUStatus_Error;
}

void wgpuSurfaceCapabilitiesFreeMembers(WGPUSurfaceCapabilities capabilities) {
    memory_free((void *)(uintptr_t)capabilities.formats);
    memory_free((void *)(uintptr_t)capabilities.presentModes);
    memory_free((void *)(uintptr_t)capabilities.alphaModes);
}

void wgpuSurfaceGetCurrentTexture(WGPUSurface surface, WGPUSurfaceTexture *surfaceTexture) {
    if (API_IS_NULL(surface) || API_IS_NULL(surfaceTexture)) {
        return;
    }
    log_missing(NOT_IMPLEMENTED_wgpuSurfaceGetCurrentTexture);
    surfaceTexture->texture = NULL;
    surfaceTexture->status = WGPUSurfaceGetCurrentTextureStatus_Error;
}

WGPUStatus wgpuSurfacePresent(WGPUSurface surface) {
    if (!API_IS_NULL(surface)) {
        log_missing(NOT_IMPLEMENTED_wgpuSurfacePresent);
    }
    return WGPUStatus_Error;
}
