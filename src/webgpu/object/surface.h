// SPDX-License-Identifier: MIT
//
// struct WGPUSurfaceImpl: a surface without a window, whose presented frames can be read. What is
// below the line is guarded by the surface's own mutex, which is taken before a device's.
// The standard's article "Surfaces".
#pragma once

#include <webgpu/webgpu.h>

#include "base/os_thread.h"
#include "webgpu/object/texture.h"

// A frame that was presented. `memory` is the surface's to free, on `device`.
struct gpu_presented_frame {
    struct WGPUDeviceImpl *device;  // an internal reference; NULL: none was presented
    struct backend_texture *memory; // NULL: an invalid texture was presented
    uint64_t serial;                // the last submission that uses it
    WGPUTextureFormat format;
    uint32_t width;
    uint32_t height;
};

struct WGPUSurfaceImpl {
    struct gpu_object object;          // invalid: an error surface, which has no more than this
    struct WGPUInstanceImpl *instance; // an internal reference
    struct os_mutex mutex;

    // ---- guarded
    uint32_t window_width; // 0: as configured
    uint32_t window_height;
    struct WGPUDeviceImpl *device;            // an internal reference; NULL: not configured
    struct gpu_texture_properties properties; // of the frames' textures
    struct WGPUTextureImpl *current;          // an internal reference; NULL: no frame is begun
    struct gpu_presented_frame presented;
    uint64_t presented_count; // since the surface was made
};

extern const struct gpu_object_class gpu_surface_class;

// NULL when out of memory.
struct WGPUSurfaceImpl *gpu_surface_create(
    struct WGPUInstanceImpl *instance, struct text label, bool is_valid);

// With the surface's mutex held: destroys the current frame's texture, frees the presented frame
// and lets go of the device.
void gpu_surface_unconfigure_locked(struct WGPUSurfaceImpl *surface);
// With the surface's mutex held: frees the presented frame's memory once its work is done.
void gpu_surface_drop_frame_locked(struct WGPUSurfaceImpl *surface);
