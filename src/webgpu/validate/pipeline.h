// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Pipelines" that all pipelines have, and those of compute.
#pragma once

#include "shader/ir/reflect.h"
#include "webgpu/object/device.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/object/shader_module.h"
#include "webgpu/validate/rule.h"

// The descriptor's pipeline layout, which may be NULL: an automatic one.
bool validate_given_layout(const struct WGPUDeviceImpl *device,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error);
// A pipeline constant's value, whatever its type.
bool validate_constant(
    struct text key, double value, const char *name, struct validate_error *error);
// Module and entry point of one stage. Sets out_entry_point to an index into the module.
bool validate_stage(const struct WGPUDeviceImpl *device, enum shader_stage stage,
    struct WGPUShaderModuleImpl *module, struct text entry_point, const char *name,
    uint32_t *out_entry_point, struct validate_error *error);
// The program's bindings and immediate data against the layout.
bool validate_shader_layout(const struct reflect_entry_point *entry_point,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error);
// Workgroup size and memory of the specialised program; `module` is its IR, for the variables' names.
bool validate_workgroup(const struct WGPUDeviceImpl *device, const struct ir_module *module,
    const struct reflect_entry_point *entry_point, const char *name, struct validate_error *error);

// The layout entry that fits a shader's binding alone: WebGPU "default pipeline layout".
void validate_default_entry(const struct reflect_binding *binding, enum shader_stage stage,
    struct gpu_binding_layout *out_entry);
// "a buffer of type Uniform".
struct rule_words validate_describe_entry(const struct gpu_binding_layout *entry);
