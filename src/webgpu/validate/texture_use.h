// SPDX-License-Identifier: MIT
//
// Rules of WebGPU "validating GPUProgrammableStage" about calls that use a texture, with or without
// a sampler. Of any stage.
#pragma once

#include "shader/ir/reflect.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/validate/rule.h"

// The layout has all bindings of the entry point, of kinds that fit.
bool validate_texture_use(const struct reflect_entry_point *entry_point,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error);
