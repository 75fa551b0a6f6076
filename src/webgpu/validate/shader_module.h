// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Shader Module Creation".
#pragma once

#include "shader/compile/compile.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

// The descriptor has one source, in WGSL.
bool validate_shader_source(const WGPUShaderModuleDescriptor *descriptor, const char *name,
    WGPUStringView *out_code, struct validate_error *error);
// The compiled module has no errors.
bool validate_shader_module(
    const struct compile_module *module, const char *name, struct validate_error *error);
// The WGSL enable extensions that the features allow, as compile_options has them.
uint32_t validate_get_extensions(struct feature_set features);
