// SPDX-License-Identifier: MIT
//
// Frames of surfaces: presenting them, and reading what was presented. Called with the surface's
// mutex held; both take the device's.
#pragma once

#include "webgpu/object/surface.h"

// Ends the current frame, which becomes the presented one: everything that was given to the queue
// before is in it.
void surface_present_locked(struct WGPUSurfaceImpl *surface);
// Copies the presented frame's texels, rows without gaps between, into `data`, which has room for
// them. Waits for the work that makes them. LOST when that was cancelled.
enum backend_status surface_read_locked(
    struct WGPUSurfaceImpl *surface, void *data, uint64_t size_bytes);
