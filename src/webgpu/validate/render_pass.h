// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Render Passes": attachments, and the commands that only passes have.
#pragma once

#include "webgpu/object/device.h"
#include "webgpu/object/render_bundle.h"
#include "webgpu/object/render_pass.h"
#include "webgpu/object/texture.h"
#include "webgpu/validate/rule.h"

// What the attachments have in common.
struct render_target {
    uint32_t width;
    uint32_t height;
    struct gpu_render_layout layout;
    uint64_t max_draw_count;
};

// All but timestampWrites, which query_set.h has.
bool validate_render_pass(const struct WGPUDeviceImpl *device,
    const WGPURenderPassDescriptor *descriptor, const char *name, struct render_target *out_target,
    struct validate_error *error);

bool validate_blend_constant(struct WGPURenderPassEncoderImpl *pass, const WGPUColor *color,
    struct validate_error *error);
bool validate_viewport(struct WGPURenderPassEncoderImpl *pass,
    const struct command_set_viewport *viewport, struct validate_error *error);
bool validate_scissor_rect(struct WGPURenderPassEncoderImpl *pass,
    const struct command_set_scissor_rect *rect, struct validate_error *error);
// is_begun: the pass has begun that query before.
bool validate_begin_occlusion_query(struct WGPURenderPassEncoderImpl *pass, uint32_t index,
    bool is_begun, struct validate_error *error);
bool validate_end_occlusion_query(
    struct WGPURenderPassEncoderImpl *pass, struct validate_error *error);
bool validate_execute_bundle(struct WGPURenderPassEncoderImpl *pass, uint32_t index,
    struct WGPURenderBundleImpl *bundle, struct validate_error *error);
bool validate_end_render_pass(struct WGPURenderPassEncoderImpl *pass, struct validate_error *error);
