// SPDX-License-Identifier: MIT
//
// struct WGPUCommandEncoderImpl, its compute pass and the finished command buffer. Encoders belong
// to one thread at a time and take no lock; a command buffer is guarded by the device's mutex.
// WebGPU §"Command Encoding".
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/compute_pipeline.h"
#include "webgpu/object/object.h"
#include "webgpu/object/pass.h"
#include "webgpu/object/recording.h"

struct WGPUCommandEncoderImpl {
    struct gpu_object object;
    enum gpu_encoder_state state;
    struct gpu_first_error error;
    struct gpu_recording recording;
    uint32_t debug_depth;
};

struct WGPUComputePassEncoderImpl {
    union {
        struct gpu_object object;
        struct gpu_pass pass;
    };
    struct WGPUComputePipelineImpl *pipeline;   // in the recording's objects
    const struct WGPUBufferImpl *last_indirect; // checked together with the pass's state
    struct gpu_end_timestamp end_timestamp;
};

struct WGPUCommandBufferImpl {
    struct gpu_object object;
    struct gpu_recording recording;
    bool is_submitted; // used up
};

extern const struct gpu_object_class gpu_command_encoder_class;
extern const struct gpu_object_class gpu_compute_pass_encoder_class;
extern const struct gpu_object_class gpu_command_buffer_class;

// All return NULL when out of memory.
struct WGPUCommandEncoderImpl *gpu_command_encoder_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
struct WGPUComputePassEncoderImpl *gpu_compute_pass_encoder_create(
    struct WGPUCommandEncoderImpl *encoder, struct text label);
// Takes over what the encoder recorded.
struct WGPUCommandBufferImpl *gpu_command_buffer_create(struct WGPUDeviceImpl *device,
    struct text label, bool is_valid, struct gpu_recording *recording);
