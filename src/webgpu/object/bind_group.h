// SPDX-License-Identifier: MIT
//
// struct WGPUBindGroupImpl: resources in the order of the layout's entries. Constant.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/bind_group_layout.h"
#include "webgpu/object/buffer.h"
#include "webgpu/object/object.h"
#include "webgpu/object/sampler.h"
#include "webgpu/object/texture.h"

// One of buffer, view and sampler is set: an internal reference.
struct gpu_binding {
    struct WGPUBufferImpl *buffer;
    uint64_t offset_bytes;
    uint64_t size_bytes; // the effective size
    struct WGPUTextureViewImpl *view;
    struct WGPUSamplerImpl *sampler;
};

// WebGPU "internal usage".
enum gpu_usage_kind {
    GPU_USAGE_INPUT,
    GPU_USAGE_CONSTANT,
    GPU_USAGE_STORAGE,
    GPU_USAGE_STORAGE_READ,
    GPU_USAGE_ATTACHMENT,
    GPU_USAGE_ATTACHMENT_READ
};

// How a group's entry uses a buffer or texture.
struct gpu_binding_use {
    struct gpu_object *resource;             // the buffer or texture
    const struct backend_texture_view *view; // NULL: a buffer
    uint64_t offset_bytes;                   // of a buffer, without its dynamic offset
    uint64_t size_bytes;
    enum gpu_usage_kind kind;
    uint32_t visibility; // WGPUShaderStage bits
    uint32_t entry;      // index into the layout's entries
    bool has_dynamic_offset;
};

struct WGPUBindGroupImpl {
    struct gpu_object object;
    struct WGPUBindGroupLayoutImpl *layout; // an internal reference; NULL when invalid
    struct gpu_binding *bindings; // layout->entry_count of them; in the object's block
    struct gpu_binding_use *uses; // of those that are no samplers, in the same order
    uint32_t use_count;
    // A dispatch of this group alone was checked: its uses do not exclude each other.
    atomic_bool is_known_harmless;
    struct backend_bind_group *backend;     // NULL when invalid, or when a buffer or texture was destroyed
};

extern const struct gpu_object_class gpu_bind_group_class;

// bindings: one for each entry of the layout, in its order; references are taken. NULL when there
// is no memory for the object.
struct WGPUBindGroupImpl *gpu_bind_group_create(struct WGPUDeviceImpl *device, struct text label,
    struct WGPUBindGroupLayoutImpl *layout, const struct gpu_binding *bindings,
    bool is_valid, enum backend_status *out_status);
