// SPDX-License-Identifier: MIT
//
// Render passes: each function is one command of WebGPU §"Render Passes" that bundles do not have;
// render_commands.h and pass.h have the rest. A broken rule is kept in the pass and passed on to
// its encoder when the pass ends. One thread at a time; no locks.
#pragma once

#include "webgpu/object/render_bundle.h"
#include "webgpu/object/render_pass.h"

// NULL only when out of memory.
struct WGPURenderPassEncoderImpl *render_pass_begin(struct WGPUCommandEncoderImpl *encoder,
    const WGPURenderPassDescriptor *descriptor, struct text label);
void render_pass_end(struct WGPURenderPassEncoderImpl *pass);
void render_pass_set_viewport(struct WGPURenderPassEncoderImpl *pass, float x, float y, float width,
    float height, float min_depth, float max_depth);
void render_pass_set_scissor_rect(struct WGPURenderPassEncoderImpl *pass, uint32_t x, uint32_t y,
    uint32_t width, uint32_t height);
void render_pass_set_blend_constant(struct WGPURenderPassEncoderImpl *pass, const WGPUColor *color);
void render_pass_set_stencil_reference(struct WGPURenderPassEncoderImpl *pass, uint32_t reference);
void render_pass_begin_occlusion_query(struct WGPURenderPassEncoderImpl *pass, uint32_t index);
void render_pass_end_occlusion_query(struct WGPURenderPassEncoderImpl *pass);
void render_pass_execute_bundles(struct WGPURenderPassEncoderImpl *pass, size_t count,
    struct WGPURenderBundleImpl *const *bundles);
