// SPDX-License-Identifier: MIT
//
// The frame of the validation tests. A case is one function that either breaks its rule or does the
// same just within it; the runner compares what was reported with the row's message, whole.
#pragma once

#include "api_helper.h"
#include "webgpu/validate/rule.h"

struct validation {
    struct api api;   // a device with the default limits
    struct api other; // another device of the same instance
    struct api kept;  // v->api, between begin_device and end_device
    char message
        [4096]; // what a case was told by a callback or the log; empty: look at the error scope
};

struct validation_case {
    enum validate_rule rule;
    void (*run)(struct validation *v, bool is_broken);
    const char *message;
};

struct validation_table {
    const struct validation_case *cases;
    size_t count;
};

extern const struct validation_table buffer_table;
extern const struct validation_table layout_table;
extern const struct validation_table group_table;
extern const struct validation_table pipeline_table;
extern const struct validation_table render_table;
extern const struct validation_table render_shader_table;
extern const struct validation_table encoder_table;
extern const struct validation_table pass_table;
extern const struct validation_table queue_table;
extern const struct validation_table query_table;
extern const struct validation_table texture_table;
extern const struct validation_table view_table;
extern const struct validation_table texture_group_table;
extern const struct validation_table texture_use_table;
extern const struct validation_table surface_table;
extern const struct validation_table texel_copy_table;
extern const struct validation_table attachment_table;
extern const struct validation_table render_pass_table;
extern const struct validation_table render_bundle_table;
extern const struct validation_table draw_table;
extern const struct validation_table usage_table;

#define CASE(name) static void run_##name(struct validation *v, bool is_broken)
#define ROW(name, text) \
    { RULE_##name, run_##name, text }
#define TABLE(name, rows) \
    const struct validation_table name = {rows, sizeof(rows) / sizeof((rows)[0])}

// Objects of v->api, labelled; the caller releases them.
WGPUBuffer make_buffer(
    struct validation *v, const char *label, uint64_t size, WGPUBufferUsage usage);
WGPUBuffer make_invalid_buffer(struct validation *v); // "bad"; its own error is swallowed
WGPUBuffer make_foreign_buffer(struct validation *v, WGPUBufferUsage usage); // "foreign"
// A layout "layout" of one compute-visible entry at that binding.
WGPUBindGroupLayoutEntry buffer_entry(uint32_t binding, WGPUBufferBindingType type);
WGPUBindGroupLayout make_layout(
    struct validation *v, const WGPUBindGroupLayoutEntry *entries, size_t count);
WGPUBindGroup make_group(struct validation *v, WGPUBindGroupLayout layout, WGPUBuffer buffer,
    uint64_t offset, uint64_t size); // "group", binding 0
WGPUPipelineLayout make_pipeline_layout(struct validation *v, const WGPUBindGroupLayout *layouts,
    size_t count, uint32_t immediates);                               // "pl"
WGPUShaderModule make_module(struct validation *v, const char *code); // "module"
WGPUComputePipeline make_pipeline(struct validation *v, WGPUPipelineLayout layout,
    const char *code); // "pipe"
// A 2D texture "t" of one layer, level and sample, with usage CopySrc, CopyDst and TextureBinding.
WGPUTextureDescriptor texture_descriptor(
    WGPUTextureFormat format, uint32_t width, uint32_t height, uint32_t layers);
WGPUTexture make_texture(struct validation *v, const WGPUTextureDescriptor *descriptor);
WGPUTexture make_foreign_texture(struct validation *v); // "foreign", 8 x 8 rgba8unorm
WGPUTextureView make_view(WGPUTexture texture);         // "view", all defaults
// A view "view" of a texture "t" that can be rendered to and sampled.
WGPUTextureView make_target(struct validation *v, WGPUTextureFormat format, uint32_t width,
    uint32_t height, uint32_t samples);
// Loaded and stored.
WGPURenderPassColorAttachment color_attachment(WGPUTextureView view);
// Begins a render pass "pass"; depth_stencil may be NULL.
WGPURenderPassEncoder begin_render_pass(WGPUCommandEncoder encoder,
    const WGPURenderPassColorAttachment *colors, size_t color_count,
    const WGPURenderPassDepthStencilAttachment *depth_stencil);
WGPUCommandBuffer finish_render_pass(WGPUCommandEncoder encoder, WGPURenderPassEncoder pass);
void finish_render_pass_and_release(WGPUCommandEncoder encoder, WGPURenderPassEncoder pass);
// A device with the features, or one in compatibility mode, that takes the place of v->api's device
// until end_device, which gives what it reported to v->message.
void begin_device(
    struct validation *v, bool is_core, const WGPUFeatureName *features, size_t feature_count);
void begin_limited_device(struct validation *v, bool is_core, const WGPUFeatureName *features,
    size_t feature_count, const WGPULimits *limits); // NULL: the defaults
void end_device(struct validation *v);
// A render pipeline "pipe" to be changed: one color target rgba8unorm, a module "module" with entry
// points "vs" and "fs". The arrays are there to be pointed to.
struct render_case {
    WGPURenderPipelineDescriptor descriptor;
    WGPUFragmentState fragment;
    WGPUColorTargetState targets[8];
    WGPUBlendState blend;
    WGPUDepthStencilState depth_stencil;
    WGPUVertexBufferLayout buffers[9];
    WGPUVertexAttribute attributes[32];
};
// NULL: code that writes vec4f at location 0 and has no inputs.
void begin_render(struct validation *v, struct render_case *r, const char *code);
// Makes the pipeline and releases the module; the caller releases the pipeline.
WGPURenderPipeline make_render_pipeline(struct validation *v, struct render_case *r);
// Makes the pipeline and releases all.
void end_render(struct validation *v, struct render_case *r);
// Begins an encoder "enc", and a pass "pass".
WGPUCommandEncoder begin_encoder(struct validation *v);
WGPUComputePassEncoder begin_pass(WGPUCommandEncoder encoder);
// Ends both, releases both and gives the command buffer "cb".
WGPUCommandBuffer finish_encoder(WGPUCommandEncoder encoder);
WGPUCommandBuffer finish_pass(WGPUCommandEncoder encoder, WGPUComputePassEncoder pass);
void finish_and_release(WGPUCommandEncoder encoder);
void finish_pass_and_release(WGPUCommandEncoder encoder, WGPUComputePassEncoder pass);
// Catches the log for the time of a call; the first line goes to v->message.
void begin_log(struct validation *v);
void end_log(void);
