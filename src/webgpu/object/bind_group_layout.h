// SPDX-License-Identifier: MIT
//
// struct WGPUBindGroupLayoutImpl: its entries with all defaults filled in, sorted by binding, so
// that equality is a comparison of bytes. Constant. WebGPU §"GPUBindGroupLayout".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "webgpu/object/object.h"

enum gpu_binding_kind {
    GPU_BINDING_BUFFER,
    GPU_BINDING_SAMPLER,
    GPU_BINDING_TEXTURE,
    GPU_BINDING_STORAGE_TEXTURE,
    GPU_BINDING_EXTERNAL_TEXTURE
};

// Members that the kind does not use are 0.
struct gpu_binding_layout {
    uint32_t binding;
    uint32_t kind;       // enum gpu_binding_kind
    uint32_t visibility; // WGPUShaderStage bits
    uint32_t type;       // WGPUBufferBindingType, WGPUSamplerBindingType, WGPUTextureSampleType or
                         // WGPUStorageTextureAccess
    uint32_t format;     // WGPUTextureFormat, of storage textures
    uint32_t dimension;  // WGPUTextureViewDimension
    uint32_t is_multisampled;
    uint32_t has_dynamic_offset;
    uint64_t min_binding_size;
};

struct WGPUBindGroupLayoutImpl {
    struct gpu_object object;
    struct gpu_binding_layout *entries; // sorted by binding; in the object's own block
    uint32_t entry_count;
    uint32_t dynamic_offset_count;
    bool has_writable; // a storage buffer or texture that shaders may write
    uint64_t hash;
    uint64_t exclusive_pipeline_id; // 0: none; else only that pipeline's own layouts equal this one
};

extern const struct gpu_object_class gpu_bind_group_layout_class;

// Copies and sorts the entries. NULL when out of memory. An invalid layout has none.
struct WGPUBindGroupLayoutImpl *gpu_bind_group_layout_create(struct WGPUDeviceImpl *device,
    struct text label, const struct gpu_binding_layout *entries, uint32_t entry_count,
    uint64_t exclusive_pipeline_id, bool is_valid);
// True when shaders may write what is bound.
bool gpu_binding_is_writable(const struct gpu_binding_layout *entry);
// WebGPU "group-equivalent".
bool gpu_bind_group_layout_is_equivalent(
    const struct WGPUBindGroupLayoutImpl *a, const struct WGPUBindGroupLayoutImpl *b);
// The entry of that binding number; UINT32_MAX when there is none.
uint32_t gpu_bind_group_layout_find(const struct WGPUBindGroupLayoutImpl *layout, uint32_t binding);
