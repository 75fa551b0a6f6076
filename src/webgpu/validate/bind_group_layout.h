// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Bind Group Layout Creation" and §"Pipeline Layout Creation".
#pragma once

#include "webgpu/object/bind_group_layout.h"
#include "webgpu/object/device.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/validate/rule.h"

// Writes descriptor->entryCount entries with their defaults to out_entries (not sorted).
bool validate_bind_group_layout(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupLayoutDescriptor *descriptor, const char *name,
    struct gpu_binding_layout *out_entries, struct validate_error *error);

bool validate_pipeline_layout(const struct WGPUDeviceImpl *device,
    const WGPUPipelineLayoutDescriptor *descriptor, const char *name, struct validate_error *error);
// One entry with all defaults filled in, of a descriptor or of an automatic layout.
bool validate_layout_entry(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, const char *name, struct validate_error *error);

// The slots of all groups together, for automatic layouts too.
bool validate_layout_slots(const struct WGPUDeviceImpl *device,
    struct WGPUBindGroupLayoutImpl *const *groups, uint32_t group_count, const char *name,
    struct validate_error *error);
