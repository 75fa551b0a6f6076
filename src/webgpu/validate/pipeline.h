// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Pipelines" for compute.
#pragma once

#include "shader/ir/reflect.h"
#include "webgpu/object/device.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/object/shader_module.h"
#include "webgpu/validate/rule.h"

// Layout, module and entry point of the descriptor. Sets out_entry_point to an index into the
// module.
bool validate_compute_stage(const struct WGPUDeviceImpl *device,
    const WGPUComputePipelineDescriptor *descriptor, struct text entry_point, const char *name,
    uint32_t *out_entry_point, struct validate_error *error);
// The program's bindings and immediate data against the layout.
bool validate_shader_layout(const struct reflect_entry_point *entry_point,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error);
// Workgroup size and memory of the specialised program; `module` is its IR, for the variables' names.
bool validate_workgroup(const struct WGPUDeviceImpl *device, const struct ir_module *module,
    const struct reflect_entry_point *entry_point, const char *name, struct validate_error *error);

// The layout entry that fits a shader's binding: WebGPU "default pipeline layout". True on success;
// false for what has no WebGPU counterpart.
bool validate_default_entry(
    const struct reflect_binding *binding, struct gpu_binding_layout *out_entry);
