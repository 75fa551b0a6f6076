// SPDX-License-Identifier: MIT
//
// GPUBuffer and its mapping. An ArrayBuffer of getMappedRange is V8's own memory, a copy of the
// mapped range that goes back at unmap: whatever a program does with it (transfers it, keeps it),
// it never shares memory with a buffer, and unmapping detaches it. For the environment's thread.

#pragma once

#include "device.h"

struct operation;

enum map_state { MAP_NONE, MAP_PENDING, MAP_READ, MAP_WRITE };

// A range that getMappedRange handed out.
struct mapped_view {
    struct mapped_view *next;
    uint64_t offset;
    uint64_t size_bytes;
    void *memory; // libalba's; NULL if the buffer is invalid
    napi_ref array_buffer;
};

struct buffer {
    struct object object;
    uint64_t size_bytes;
    uint32_t usage;
    enum map_state state;
    struct operation *pending; // in MAP_PENDING
    uint64_t map_offset;
    uint64_t map_end;
    struct mapped_view *views;
    // In the device's list while the state is not MAP_NONE.
    struct buffer *next;
    struct buffer *previous;
};

// WebGPU §"unmap": a pending map is rejected with AbortError, ArrayBuffers are detached and, if
// mapped for writing, their bytes handed over. Nothing if the buffer is not mapped.
void buffer_end_mapping(struct buffer *buffer);
// Sets up a new buffer object.
void buffer_start(struct object *object, const WGPUBufferDescriptor *descriptor);
