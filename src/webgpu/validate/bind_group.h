// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Bind Group Creation".
#pragma once

#include "webgpu/object/bind_group.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

// The layout alone, before out_bindings can be allocated.
bool validate_bind_group_layout_use(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupDescriptor *descriptor, const char *name, struct validate_error *error);
// Writes one binding for each entry of the layout, in its order; out_bindings is zeroed and takes
// no references.
bool validate_bind_group(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupDescriptor *descriptor, const char *name,
    struct gpu_binding *out_bindings, struct validate_error *error);
