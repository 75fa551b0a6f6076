// SPDX-License-Identifier: MIT
//
// struct WGPUShaderModuleImpl: a compiled module with its diagnostics. Constant.
#pragma once

#include <webgpu/webgpu.h>

#include "shader/compile/compile.h"
#include "webgpu/object/object.h"

struct WGPUShaderModuleImpl {
    struct gpu_object object;
    struct compile_module *module; // owned; NULL when there was no source to compile
};

extern const struct gpu_object_class gpu_shader_module_class;

// Takes over the module (may be NULL), also when it fails. NULL when out of memory.
struct WGPUShaderModuleImpl *gpu_shader_module_create(
    struct WGPUDeviceImpl *device, struct text label, struct compile_module *module, bool is_valid);
