// SPDX-License-Identifier: MIT
//
// GPUBuffer and its mapping. An ArrayBuffer of getMappedRange has memory of its own, a copy of the
// mapped range that goes back at unmap. The memory lives until the finaliser of the ArrayBuffer, or
// of the one that a program transferred it to, so that no such alias is ever a use after free or
// shares memory with a buffer; unmapping detaches what was not transferred. Where the runtime
// refuses external ArrayBuffers the memory is V8's. For the environment's thread.

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
    bool is_new;               // mapped at its creation, and not unmapped since
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
