// SPDX-License-Identifier: MIT
//
// struct WGPUBufferImpl: a buffer and its mapping. What is below the line in the struct is guarded
// by the device's mutex. WebGPU §"Buffers".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "base/vector.h"
#include "webgpu/object/object.h"

// WebGPU's [[internal state]].
enum gpu_buffer_state {
    GPU_BUFFER_AVAILABLE,
    GPU_BUFFER_UNAVAILABLE, // mapped or about to be
    GPU_BUFFER_DESTROYED
};

// What wgpuBufferGetMappedRange handed out; ranges for reading only may overlap each other.
struct gpu_mapped_range {
    uint64_t offset_bytes;
    uint64_t size_bytes;
    bool is_const;
};

// A mapping in force, or none: mode 0.
struct gpu_buffer_mapping {
    WGPUMapMode mode;
    bool is_at_creation;
    uint64_t offset_bytes;
    uint64_t size_bytes;
    unsigned char *data; // of the first mapped byte
    void *host_copy;     // MEMORY_STAGING block behind data, for invalid buffers; else NULL
    VECTOR(struct gpu_mapped_range) ranges;
};

struct WGPUBufferImpl {
    struct gpu_object object;
    uint64_t size_bytes;
    WGPUBufferUsage usage;
    // NULL for an invalid buffer. Constant; dangling once the buffer is destroyed.
    struct backend_buffer *backend;

    // ---- guarded
    bool owns_backend; // the memory behind `backend` is still this object's to free
    enum gpu_buffer_state state;
    struct event *pending_map; // its mapAsync, not owned; NULL for none
    struct gpu_buffer_mapping mapping;
    uint64_t last_use_serial;    // the last submission that uses it
    bool has_pending_write;      // used by the queue's pending writes
    struct WGPUBufferImpl *next; // the device's list
    struct WGPUBufferImpl *previous;
};

extern const struct gpu_object_class gpu_buffer_class;

// Makes the object, and for a valid one the backend's buffer. out_status tells why a buffer that
// should have been valid is not (out of memory, lost). NULL only when there is no memory for the
// object itself. The mapping at creation is the caller's next step.
struct WGPUBufferImpl *gpu_buffer_create(struct WGPUDeviceImpl *device, struct text label,
    uint64_t size_bytes, WGPUBufferUsage usage, bool is_valid, enum backend_status *out_status);
// Maps everything for writing; false: no memory. The buffer is not yet known to other threads.
bool gpu_buffer_map_at_creation(struct WGPUBufferImpl *buffer);

// What a mapped range without bytes points to: not NULL, congruent to its offset modulo 16.
void *gpu_buffer_empty_mapping(uint64_t offset_bytes);

// With the device's mutex held: ends the mapping without a trace but the bytes written.
void gpu_buffer_end_mapping(struct WGPUBufferImpl *buffer);
// With the device's mutex held: ends the mapping, frees the memory once its last submitted use has
// completed, and takes the buffer off the device's list.
void gpu_buffer_destroy_locked(struct WGPUBufferImpl *buffer);
// With the device's mutex held: WebGPU's mapState.
WGPUBufferMapState gpu_buffer_get_map_state(const struct WGPUBufferImpl *buffer);
