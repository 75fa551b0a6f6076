// SPDX-License-Identifier: MIT
//
// How buffers and textures are used by a dispatch, a draw, a render pass or a bundle: the data of
// WebGPU "usage scope". webgpu/track fills and joins them. What they name is kept alive by the
// recording that they belong to. One thread at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backend/backend.h"
#include "base/vector.h"
#include "webgpu/object/bind_group.h"
#include "webgpu/object/object.h"

enum gpu_usage_place {
    GPU_USAGE_BINDING, // slot: the bind group's index; binding and group are set
    GPU_USAGE_INDIRECT_BUFFER,
    GPU_USAGE_INDEX_BUFFER,
    GPU_USAGE_VERTEX_BUFFER,    // slot: the vertex buffer's
    GPU_USAGE_COLOR_ATTACHMENT, // slot: the attachment's index
    GPU_USAGE_RESOLVE_TARGET,   // likewise
    GPU_USAGE_DEPTH_STENCIL_ATTACHMENT
};

struct gpu_usage {
    struct gpu_object *resource; // a buffer or a texture
    enum gpu_usage_kind kind;
    enum gpu_usage_place place;
    uint32_t slot;
    uint32_t binding;
    uint32_t call;              // of the pass or bundle encoder; 0: the pass's descriptor
    enum texture_aspect aspect; // of a texture, as in its view
    const struct backend_texture_view *view; // of a texture; NULL: a buffer
    struct WGPUBindGroupImpl *group;
    struct WGPURenderBundleImpl *bundle; // `call` is its encoder's; NULL: none
    uint32_t bundle_call;                // of the pass, which executed it
};

// The same of a dispatch or draw that is being checked: what pairs are compared by.
struct gpu_bound_use {
    const struct gpu_object *resource;       // as in gpu_binding_use
    const struct backend_texture_view *view; // likewise
    uint64_t offset_bytes;                   // dynamic offset included
    uint64_t end_bytes;
    enum gpu_usage_kind kind;
    uint32_t visibility;
    uint32_t slot; // the bind group's index; UINT32_MAX: the indirect buffer
    uint32_t entry;
};

// What is known of a buffer, a texture, a bind group or a bundle in a scope.
struct gpu_usage_entry {
    const struct gpu_object *object;
    uint32_t usage;  // 1 + the index of the first use, of all subresources; 0: none
    uint32_t *parts; // the same for each subresource of a texture; NULL: `usage` says it
};

// Zero-initialised: empty.
struct gpu_usage_scope {
    VECTOR(struct gpu_usage) usages; // those that were the first of a subresource
    VECTOR(struct gpu_usage_entry) entries;
    uint32_t *slots; // open addressing: 0 is empty, else 1 + an index of entries
    size_t slot_count;
    bool has_conflict;
    struct gpu_usage conflict[2]; // the first pair that excludes each other
};

void gpu_usage_scope_finish(struct gpu_usage_scope *scope);
