// SPDX-License-Identifier: MIT
//
// Compute passes: each function is one command of WebGPU §"Compute Passes". A broken rule is kept
// in the pass and passed on to its encoder when the pass ends. One thread at a time; no locks.
#pragma once

#include "webgpu/object/command_encoder.h"

// NULL only when out of memory.
struct WGPUComputePassEncoderImpl *compute_pass_begin(struct WGPUCommandEncoderImpl *encoder,
    const WGPUComputePassDescriptor *descriptor, struct text label);
void compute_pass_end(struct WGPUComputePassEncoderImpl *pass);
void compute_pass_set_pipeline(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUComputePipelineImpl *pipeline);
void compute_pass_set_bind_group(struct WGPUComputePassEncoderImpl *pass, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets);
void compute_pass_set_immediates(struct WGPUComputePassEncoderImpl *pass, uint32_t offset_bytes,
    const void *data, size_t size_bytes);
void compute_pass_dispatch(
    struct WGPUComputePassEncoderImpl *pass, uint32_t x, uint32_t y, uint32_t z);
void compute_pass_dispatch_indirect(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUBufferImpl *buffer, uint64_t offset_bytes);
void compute_pass_push_debug_group(struct WGPUComputePassEncoderImpl *pass, struct text label);
void compute_pass_pop_debug_group(struct WGPUComputePassEncoderImpl *pass);
void compute_pass_insert_debug_marker(struct WGPUComputePassEncoderImpl *pass, struct text label);
