// SPDX-License-Identifier: MIT
//
// struct WGPUTextureImpl and its views. What is below the line in a struct is guarded by the
// device's mutex; all else is constant. WebGPU §"Textures and Texture Views".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "facts/texture_format.h"
#include "webgpu/object/object.h"

struct WGPUTextureImpl {
    struct gpu_object object;
    WGPUTextureUsage usage;
    WGPUTextureDimension dimension;
    WGPUTextureFormat format;
    WGPUExtent3D size;
    uint32_t mip_level_count;
    uint32_t sample_count;
    // The one dimension of views for binding in compatibility mode; Undefined on core devices.
    WGPUTextureViewDimension binding_view_dimension;
    // The only other format that views may have is the one that differs in sRGB; Undefined: none.
    WGPUTextureFormat other_view_format;
    // NULL for an invalid texture. Constant; dangling once the texture is destroyed.
    struct backend_texture *backend;

    // ---- guarded
    bool owns_backend; // the memory behind `backend` is still this object's to free
    bool is_destroyed;
    bool is_expired;              // destroyed as the frame of a surface, whose time was over
    bool has_pending_write;       // used by the queue's pending writes
    uint64_t last_use_serial;     // the last submission that uses it
    struct WGPUTextureImpl *next; // the device's list
    struct WGPUTextureImpl *previous;
};

struct WGPUTextureViewImpl {
    struct gpu_object object;
    struct WGPUTextureImpl *texture; // an internal reference; NULL when invalid
    // With all defaults; texture, aspect and swizzle apart, this is the resolved descriptor.
    struct backend_texture_view view;
    WGPUTextureUsage usage;
};

extern const struct gpu_object_class gpu_texture_class;
extern const struct gpu_object_class gpu_texture_view_class;

// What a texture is made of, all defaults filled in.
struct gpu_texture_properties {
    WGPUTextureUsage usage;
    WGPUTextureDimension dimension;
    WGPUTextureFormat format;
    WGPUExtent3D size;
    uint32_t mip_level_count;
    uint32_t sample_count;
    WGPUTextureViewDimension binding_view_dimension;
    WGPUTextureFormat other_view_format;
};

// Makes the object, and for a valid one the backend's texture. out_status tells why a texture that
// should have been valid is not. NULL only when there is no memory for the object itself.
struct WGPUTextureImpl *gpu_texture_create(struct WGPUDeviceImpl *device, struct text label,
    const struct gpu_texture_properties *properties, bool is_valid,
    enum backend_status *out_status);
// With the device's mutex held: frees the memory once its last submitted use has completed, and
// takes the texture off the device's list.
void gpu_texture_destroy_locked(struct WGPUTextureImpl *texture);

// view->texture is set here. NULL when out of memory.
struct WGPUTextureViewImpl *gpu_texture_view_create(struct WGPUTextureImpl *texture,
    struct text label, const struct backend_texture_view *view, WGPUTextureUsage usage,
    bool is_valid);

// WebGPU "array layer count".
static inline uint32_t gpu_texture_layer_count(const struct WGPUTextureImpl *texture) {
    return texture->dimension == WGPUTextureDimension_2D ? texture->size.depthOrArrayLayers : 1;
}
// WebGPU "physical miplevel-specific texture extent": x and y rounded up to texel blocks; z is the
// depth, or the number of layers.
WGPUExtent3D gpu_texture_get_physical_extent(
    const struct WGPUTextureImpl *texture, uint32_t mip_level);
