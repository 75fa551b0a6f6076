// SPDX-License-Identifier: MIT
//
// struct WGPURenderBundleEncoderImpl and the bundle that it becomes. An encoder belongs to one
// thread at a time; a bundle is constant. WebGPU §"Bundles".
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/object.h"
#include "webgpu/object/render_commands.h"

struct WGPURenderBundleEncoderImpl {
    union {
        struct gpu_object object;
        struct gpu_render_commands commands;
    };
    struct gpu_recording recording;
};

struct WGPURenderBundleImpl {
    struct gpu_object object;
    struct gpu_recording recording;
    struct gpu_usage_scope scope; // what it names is in the recording's objects
    struct gpu_render_layout layout;
    bool is_depth_read_only;
    bool is_stencil_read_only;
};

extern const struct gpu_object_class gpu_render_bundle_encoder_class;
extern const struct gpu_object_class gpu_render_bundle_class;

// All return NULL when out of memory. An invalid encoder has no stream.
struct WGPURenderBundleEncoderImpl *gpu_render_bundle_encoder_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
// Takes over what the encoder recorded (valid bundles).
struct WGPURenderBundleImpl *gpu_render_bundle_create(
    struct WGPURenderBundleEncoderImpl *encoder, struct text label, bool is_valid);
