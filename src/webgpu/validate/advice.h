// SPDX-License-Identifier: MIT
//
// What is valid about a pipeline and may be better, told to the device's channel of warnings
// (event/warning.h). Called where warnings are on alone: it analyses the shaders.
#pragma once

#include "webgpu/object/device.h"
#include "webgpu/object/pipeline_layout.h"

struct compile_program;

// One stage of a pipeline.
struct advice_stage {
    const struct reflect_entry_point *declared; // of the module
    const struct compile_program *program;      // specialised
};

// call: the function's name. has_given_layout: the program's own layout, not an automatic one.
void advise_pipeline(struct WGPUDeviceImpl *device, const char *call, struct gpu_object *pipeline,
    const struct WGPUPipelineLayoutImpl *layout, bool has_given_layout,
    const struct advice_stage *stages, uint32_t stage_count);
