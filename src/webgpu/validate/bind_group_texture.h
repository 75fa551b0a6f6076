// SPDX-License-Identifier: MIT
//
// Rules of bind group entries that are samplers, textures, storage textures and external textures.
#pragma once

#include "webgpu/object/bind_group.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

bool validate_sampler_binding(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, struct WGPUSamplerImpl *sampler, const char *name,
    struct gpu_binding *out_binding, struct validate_error *error);
// entry: a texture, a storage texture or an external texture.
bool validate_view_binding(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, struct WGPUTextureViewImpl *view, const char *name,
    struct gpu_binding *out_binding, struct validate_error *error);
