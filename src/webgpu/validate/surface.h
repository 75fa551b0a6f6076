// SPDX-License-Identifier: MIT
//
// Rules of surfaces: the standard's article "Surfaces".
#pragma once

#include "webgpu/object/adapter.h"
#include "webgpu/object/surface.h"
#include "webgpu/validate/rule.h"

// What frames of headless surfaces can be, in order of preference.
#define SURFACE_FORMAT_CAPACITY 8
struct surface_capabilities {
    WGPUTextureUsage usages;
    WGPUTextureFormat formats[SURFACE_FORMAT_CAPACITY]; // those that the adapter has
    uint32_t format_count;
};
void surface_get_capabilities(
    const struct WGPUAdapterImpl *adapter, struct surface_capabilities *out_capabilities);
extern const WGPUPresentMode surface_present_modes[];
extern const uint32_t surface_present_mode_count;
extern const WGPUCompositeAlphaMode surface_alpha_modes[];
extern const uint32_t surface_alpha_mode_count;

// config->device is not NULL. Fills in what the frames' textures are made of.
bool validate_surface_configure(struct WGPUSurfaceImpl *surface,
    const WGPUSurfaceConfiguration *config, struct gpu_texture_properties *out_properties,
    struct validate_error *error);
