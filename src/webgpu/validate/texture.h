// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Texture Creation", §"Texture View Creation" and §"Sampler Creation". Each fills
// in what the object is made of, all defaults resolved; what it writes is of no use when a rule is
// broken, but for the members that getters return.
#pragma once

#include "webgpu/object/device.h"
#include "webgpu/object/sampler.h"
#include "webgpu/object/texture.h"
#include "webgpu/validate/rule.h"

bool validate_texture_create(const struct WGPUDeviceImpl *device,
    const WGPUTextureDescriptor *descriptor, const char *name,
    struct gpu_texture_properties *out_properties, struct validate_error *error);

// descriptor may be NULL: all defaults.
bool validate_texture_view(struct WGPUTextureImpl *texture,
    const WGPUTextureViewDescriptor *descriptor, const char *name,
    struct backend_texture_view *out_view, WGPUTextureUsage *out_usage,
    struct validate_error *error);

// descriptor may be NULL: all defaults.
bool validate_sampler(const WGPUSamplerDescriptor *descriptor, const char *name,
    struct backend_sampler *out_sampler, struct validate_error *error);

// True when the format can be a storage texture in at least one access mode.
bool validate_can_be_storage(const struct WGPUDeviceImpl *device, WGPUTextureFormat format);
// The aspects that a WGPUTextureAspect names in a format; false when the format lacks them.
bool validate_find_aspect(
    WGPUTextureFormat format, WGPUTextureAspect aspect, enum texture_aspect *out_aspect);
