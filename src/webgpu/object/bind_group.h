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

struct WGPUBindGroupImpl {
    struct gpu_object object;
    struct WGPUBindGroupLayoutImpl *layout; // an internal reference; NULL when invalid
    struct gpu_binding *bindings;    // layout->entry_count of them; in the object's block
    struct backend_bind_group *backend;     // NULL when invalid, or when a buffer or texture was destroyed
};

extern const struct gpu_object_class gpu_bind_group_class;

// bindings: one for each entry of the layout, in its order; references are taken. NULL when there
// is no memory for the object.
struct WGPUBindGroupImpl *gpu_bind_group_create(struct WGPUDeviceImpl *device, struct text label,
    struct WGPUBindGroupLayoutImpl *layout, const struct gpu_binding *bindings,
    bool is_valid, enum backend_status *out_status);
