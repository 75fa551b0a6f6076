// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Compute Passes"; those of what a pass binds are in pass.h.
#pragma once

#include "webgpu/object/command_encoder.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

bool validate_dispatch_count(struct WGPUComputePassEncoderImpl *pass, const uint32_t workgroups[3],
    struct validate_error *error);
