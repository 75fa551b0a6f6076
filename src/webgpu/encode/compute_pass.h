// SPDX-License-Identifier: MIT
//
// Compute passes: each function is one command of WebGPU §"Compute Passes"; pass.h has the rest. A broken rule is kept
// in the pass and passed on to its encoder when the pass ends. One thread at a time; no locks.
#pragma once

#include "webgpu/object/command_encoder.h"

// NULL only when out of memory.
struct WGPUComputePassEncoderImpl *compute_pass_begin(struct WGPUCommandEncoderImpl *encoder,
    const WGPUComputePassDescriptor *descriptor, struct text label);
void compute_pass_end(struct WGPUComputePassEncoderImpl *pass);
void compute_pass_set_pipeline(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUComputePipelineImpl *pipeline);
void compute_pass_dispatch(
    struct WGPUComputePassEncoderImpl *pass, uint32_t x, uint32_t y, uint32_t z);
void compute_pass_dispatch_indirect(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUBufferImpl *buffer, uint64_t offset_bytes);
