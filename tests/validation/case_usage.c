// SPDX-License-Identifier: MIT
//
// Usage scopes of render passes and bundles, aliasing in draws, and views of one texture in
// compatibility mode.
#include "validation.h"

#define FORMAT WGPUTextureFormat_RGBA8Unorm

// A group "group" of one binding, visible to the fragment stage.
static WGPUBindGroup make_bound(
    struct validation *v, WGPUBindGroupLayoutEntry entry, WGPUBuffer buffer, WGPUTextureView view) {
    entry.visibility = WGPUShaderStage_Fragment;
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBindGroupEntry bound = WGPU_BIND_GROUP_ENTRY_INIT;
    bound.binding = entry.binding;
    bound.buffer = buffer;
    bound.size = WGPU_WHOLE_SIZE;
    bound.textureView = view;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = api_view("group");
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &bound;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(v->api.device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

static WGPUBindGroupLayoutEntry texture_entry(WGPUTextureSampleType type) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.texture.sampleType = type;
    return entry;
}

struct open_pass {
    WGPUCommandEncoder encoder;
    WGPURenderPassEncoder pass;
    WGPUTextureView view;
};

static struct open_pass open_pass(struct validation *v) {
    struct open_pass open;
    open.view = make_target(v, FORMAT, 4, 4, 1);
    open.encoder = begin_encoder(v);
    WGPURenderPassColorAttachment color = color_attachment(open.view);
    open.pass = begin_render_pass(open.encoder, &color, 1, NULL);
    return open;
}

static void end_pass(struct open_pass open) {
    finish_render_pass_and_release(open.encoder, open.pass);
    wgpuTextureViewRelease(open.view);
}

// ---------------------------------------------------------------- buffers

// Written as storage and read as vertices, though nothing is drawn.
CASE(USAGE_BUFFER) {
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex);
    WGPUBindGroup group = make_bound(v,
        buffer_entry(
            3, is_broken ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage),
        buffer, NULL);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetBindGroup(open.pass, 2, group, 0, NULL);
    wgpuRenderPassEncoderInsertDebugMarker(open.pass, api_view("marker"));
    wgpuRenderPassEncoderSetVertexBuffer(open.pass, 5, buffer, 0, 256);
    wgpuRenderPassEncoderSetVertexBuffer(open.pass, 5, NULL, 0, 0);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
}

static WGPURenderBundleEncoder begin_bundle(struct validation *v) {
    WGPUTextureFormat format = FORMAT;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.label = api_view("enc");
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    return wgpuDeviceCreateRenderBundleEncoder(v->api.device, &descriptor);
}

static WGPURenderBundle finish_bundle(WGPURenderBundleEncoder encoder) {
    WGPURenderBundleDescriptor descriptor = WGPU_RENDER_BUNDLE_DESCRIPTOR_INIT;
    descriptor.label = api_view("bundle");
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, &descriptor);
    wgpuRenderBundleEncoderRelease(encoder);
    return bundle;
}

static void run_USAGE_IN_BUNDLE(struct validation *v, bool is_broken) {
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Storage | WGPUBufferUsage_Index);
    WGPUBindGroup group = make_bound(v,
        buffer_entry(
            0, is_broken ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage),
        buffer, NULL);
    WGPURenderBundleEncoder encoder = begin_bundle(v);
    wgpuRenderBundleEncoderSetIndexBuffer(encoder, buffer, WGPUIndexFormat_Uint32, 0, 256);
    wgpuRenderBundleEncoderSetBindGroup(encoder, 0, group, 0, NULL);
    WGPURenderBundle bundle = finish_bundle(encoder);
    wgpuRenderBundleRelease(bundle);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
}
// A bundle reads what the pass writes.
static void run_USAGE_OF_BUNDLE(struct validation *v, bool is_broken) {
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex);
    WGPUBindGroup group = make_bound(v,
        buffer_entry(
            0, is_broken ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage),
        buffer, NULL);
    WGPURenderBundleEncoder encoder = begin_bundle(v);
    wgpuRenderBundleEncoderSetVertexBuffer(encoder, 1, buffer, 0, 256);
    WGPURenderBundle bundle = finish_bundle(encoder);
    WGPURenderBundle twice[2] = {bundle, bundle};
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetBindGroup(open.pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderExecuteBundles(open.pass, 2, twice);
    end_pass(open);
    wgpuRenderBundleRelease(bundle);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
}

// ---------------------------------------------------------------- textures

// Sampled while it is rendered to: another level would do.
CASE(USAGE_TEXTURE) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 8, 8, 1);
    descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    descriptor.mipLevelCount = 2;
    WGPUTexture texture = make_texture(v, &descriptor);
    WGPUTextureViewDescriptor view_descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view_descriptor.mipLevelCount = 1;
    WGPUTextureView sampled = wgpuTextureCreateView(texture, &view_descriptor);
    view_descriptor.baseMipLevel = is_broken ? 0 : 1;
    WGPUTextureView rendered = wgpuTextureCreateView(texture, &view_descriptor);
    WGPUBindGroup group = make_bound(v, texture_entry(WGPUTextureSampleType_Float), NULL, sampled);
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPURenderPassColorAttachment color = color_attachment(rendered);
    WGPURenderPassEncoder pass = begin_render_pass(encoder, &color, 1, NULL);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    finish_render_pass_and_release(encoder, pass);
    wgpuBindGroupRelease(group);
    wgpuTextureViewRelease(rendered);
    wgpuTextureViewRelease(sampled);
    wgpuTextureRelease(texture);
}
// Depth may be sampled while it is a read-only attachment, beside a stencil that is written.
static void run_USAGE_DEPTH(struct validation *v, bool is_broken) {
    WGPUTextureDescriptor descriptor = texture_descriptor(
        WGPUTextureFormat_Depth24PlusStencil8, 4, 4, 1);
    descriptor.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TextureBinding;
    WGPUTexture texture = make_texture(v, &descriptor);
    WGPUTextureViewDescriptor view_descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    WGPUTextureView all = wgpuTextureCreateView(texture, &view_descriptor);
    view_descriptor.aspect = WGPUTextureAspect_DepthOnly;
    WGPUTextureView depth = wgpuTextureCreateView(texture, &view_descriptor);
    WGPUBindGroup group = make_bound(v, texture_entry(WGPUTextureSampleType_Depth), NULL, depth);
    WGPURenderPassDepthStencilAttachment attachment =
        WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    attachment.view = all;
    attachment.depthReadOnly = !is_broken;
    attachment.depthLoadOp = is_broken ? WGPULoadOp_Load : WGPULoadOp_Undefined;
    attachment.depthStoreOp = is_broken ? WGPUStoreOp_Store : WGPUStoreOp_Undefined;
    attachment.stencilLoadOp = WGPULoadOp_Load;
    attachment.stencilStoreOp = WGPUStoreOp_Store;
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPURenderPassEncoder pass = begin_render_pass(encoder, NULL, 0, &attachment);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    finish_render_pass_and_release(encoder, pass);
    wgpuBindGroupRelease(group);
    wgpuTextureViewRelease(depth);
    wgpuTextureViewRelease(all);
    wgpuTextureRelease(texture);
}
// A resolve target is an attachment too.
static void run_USAGE_RESOLVE(struct validation *v, bool is_broken) {
    WGPUTextureView many = make_target(v, FORMAT, 4, 4, 4);
    WGPUTextureView one = make_target(v, FORMAT, 4, 4, 1);
    WGPUTextureView other = make_target(v, FORMAT, 4, 4, 1);
    WGPUBindGroup group = make_bound(
        v, texture_entry(WGPUTextureSampleType_Float), NULL, is_broken ? one : other);
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPURenderPassColorAttachment color = color_attachment(many);
    color.resolveTarget = one;
    WGPURenderPassEncoder pass = begin_render_pass(encoder, &color, 1, NULL);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    finish_render_pass_and_release(encoder, pass);
    wgpuBindGroupRelease(group);
    wgpuTextureViewRelease(other);
    wgpuTextureViewRelease(one);
    wgpuTextureViewRelease(many);
}

// ---------------------------------------------------------------- aliasing in draws

// Two storage bindings of overlapping ranges of one buffer may be set, but not drawn with.
static void run_DRAW_ALIAS(struct validation *v, bool is_broken) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Storage);
    entry.visibility = WGPUShaderStage_Fragment;
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBindGroupLayout layouts[2] = {layout, layout};
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, layouts, 2, 0);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.layout = pipeline_layout;
    WGPURenderPipeline pipeline = make_render_pipeline(v, &r);
    WGPUBuffer buffer = make_buffer(v, "b", 512, WGPUBufferUsage_Storage);
    WGPUBindGroup first = make_group(v, layout, buffer, 0, 512);
    WGPUBindGroup low = make_group(v, layout, buffer, 0, 256);
    WGPUBindGroup high = make_group(v, layout, buffer, 256, 256);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(open.pass, 1, high, 0, NULL);
    wgpuRenderPassEncoderSetBindGroup(open.pass, 0, first, 0, NULL);
    wgpuRenderPassEncoderSetBindGroup(open.pass, 0, is_broken ? first : low, 0, NULL);
    wgpuRenderPassEncoderDraw(open.pass, 3, 1, 0, 0);
    end_pass(open);
    wgpuBindGroupRelease(high);
    wgpuBindGroupRelease(low);
    wgpuBindGroupRelease(first);
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
}

// ---------------------------------------------------------------- many bindings

// Dispatches with 30 parts of 256 bytes of one buffer "b"; the part at `odd` has another size or
// another type.
static void dispatch_many(
    struct validation *v, uint32_t odd, uint64_t odd_size, WGPUBufferBindingType odd_type) {
    enum { COUNT = 30 };
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxStorageBuffersPerShaderStage = COUNT;
    begin_limited_device(v, true, NULL, 0, &limits);
    WGPUBuffer buffer = make_buffer(v, "b", COUNT * 256, WGPUBufferUsage_Storage);
    WGPUBindGroupLayoutEntry slots[COUNT];
    WGPUBindGroupEntry entries[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        slots[i] = buffer_entry(i, i == odd ? odd_type : WGPUBufferBindingType_Storage);
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entries[i] = entry;
        entries[i].binding = i;
        entries[i].buffer = buffer;
        entries[i].offset = i * 256;
        entries[i].size = i == odd ? odd_size : 256;
    }
    WGPUBindGroupLayout layout = make_layout(v, slots, COUNT);
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, &layout, 1, 0);
    WGPUComputePipeline pipeline = make_pipeline(
        v, pipeline_layout, "@compute @workgroup_size(1) fn main() {}");
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = api_view("group");
    descriptor.layout = layout;
    descriptor.entryCount = COUNT;
    descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(v->api.device, &descriptor);
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUComputePassEncoder pass = begin_pass(encoder);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    finish_pass_and_release(encoder, pass);
    wgpuBindGroupRelease(group);
    wgpuComputePipelineRelease(pipeline);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
    wgpuBufferRelease(buffer);
    end_device(v);
}

// A part that reaches over several others.
static void run_ALIAS_MANY(struct validation *v, bool is_broken) {
    dispatch_many(v, 2, is_broken ? 2560 : 256, WGPUBufferBindingType_Storage);
}
static void run_USAGE_MANY(struct validation *v, bool is_broken) {
    dispatch_many(v, 17, 256,
        is_broken ? WGPUBufferBindingType_ReadOnlyStorage : WGPUBufferBindingType_Storage);
}

// ---------------------------------------------------------------- compatibility mode

CASE(BOUND_COMPATIBILITY_VIEWS) {
    begin_device(v, false, NULL, 0);
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 8, 8, 1);
    descriptor.mipLevelCount = 2;
    WGPUTexture texture = make_texture(v, &descriptor);
    WGPUTextureViewDescriptor view_descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view_descriptor.label = api_view("all");
    WGPUTextureView all = wgpuTextureCreateView(texture, &view_descriptor);
    view_descriptor.label = api_view("one");
    view_descriptor.mipLevelCount = is_broken ? 1 : 2;
    WGPUTextureView one = wgpuTextureCreateView(texture, &view_descriptor);
    WGPUBindGroupLayoutEntry entry = texture_entry(WGPUTextureSampleType_Float);
    entry.visibility = WGPUShaderStage_Compute;
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBindGroupLayout layouts[2] = {layout, layout};
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, layouts, 2, 0);
    WGPUComputePipeline pipeline = make_pipeline(
        v, pipeline_layout, "@compute @workgroup_size(1) fn main() {}");
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUComputePassEncoder pass = begin_pass(encoder);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    WGPUBindGroupEntry bound = WGPU_BIND_GROUP_ENTRY_INIT;
    WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group_descriptor.layout = layout;
    group_descriptor.entryCount = 1;
    group_descriptor.entries = &bound;
    for (uint32_t i = 0; i < 2; i++) {
        bound.textureView = i == 0 ? all : one;
        WGPUBindGroup group = wgpuDeviceCreateBindGroup(v->api.device, &group_descriptor);
        wgpuComputePassEncoderSetBindGroup(pass, i, group, 0, NULL);
        wgpuBindGroupRelease(group);
    }
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    finish_pass_and_release(encoder, pass);
    wgpuComputePipelineRelease(pipeline);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
    wgpuTextureViewRelease(one);
    wgpuTextureViewRelease(all);
    wgpuTextureRelease(texture);
    end_device(v);
}

#define PASS "render pass encoder \"pass\": the pass uses "
#define ADVICE \
    "; in one render pass it may be read in any number of ways, or be writable storage, but not both"
#define ATTACHMENT_ADVICE \
    "; in one render pass a subresource may be an attachment that is written or be bound, but not both; a read-only depth-stencil attachment may be bound as a texture"

static const struct validation_case
    cases
        [] =
            {
                ROW(USAGE_BUFFER,
                    PASS
                    "buffer \"b\" in two ways that exclude each other: group 2 binding 3 (Storage) of bind group \"group\", set by call 1; and vertex buffer 5, set by call 3" ADVICE),
                {RULE_USAGE_BUFFER, run_USAGE_IN_BUNDLE,
                    "render bundle encoder \"enc\": the bundle uses buffer \"b\" in two ways that exclude each other: the index buffer, set by call 1; and group 0 binding 0 (Storage) of bind group \"group\", set by call 2; in one bundle it may be read in any number of ways, or be writable storage, but not both"},
                {RULE_USAGE_BUFFER, run_USAGE_OF_BUNDLE,
                    PASS
                    "buffer \"b\" in two ways that exclude each other: group 0 binding 0 (Storage) of bind group \"group\", set by call 1; and vertex buffer 1, set by call 1 of render bundle \"bundle\", executed by call 2" ADVICE},
                ROW(USAGE_TEXTURE,
                    PASS
                    "a part of texture \"t\" in two ways that exclude each other: color attachment 0; and group 0 binding 0 (Texture) of bind group \"group\", set by call 1" ATTACHMENT_ADVICE),
                {RULE_USAGE_TEXTURE, run_USAGE_DEPTH,
                    PASS
                    "a part of texture \"t\" in two ways that exclude each other: the depth attachment; and group 0 binding 0 (Texture) of bind group \"group\", set by call 1" ATTACHMENT_ADVICE},
                {RULE_USAGE_TEXTURE, run_USAGE_RESOLVE,
                    PASS
                    "a part of texture \"t\" in two ways that exclude each other: the resolve target of color attachment 0; and group 0 binding 0 (Texture) of bind group \"group\", set by call 1" ATTACHMENT_ADVICE},
                {RULE_ALIAS_BUFFER, run_DRAW_ALIAS,
                    "render pass encoder \"pass\": a draw may write to bytes 0 to 512 of buffer \"b\" through group 0 binding 0 (Storage) of bind group \"group\", set by call 3, which overlap bytes 256 to 512 bound as group 1 binding 0 (Storage) of bind group \"group\", set by call 2"},
                {RULE_ALIAS_BUFFER, run_ALIAS_MANY,
                    "compute pass encoder \"pass\": a dispatch may write to bytes 512 to 3072 of buffer \"b\" through group 0 binding 2 (Storage) of bind group \"group\", set by call 2, which overlap bytes 768 to 1024 bound as group 0 binding 3 (Storage) of bind group \"group\", set by call 2"},
                {RULE_USAGE_BUFFER,
                    run_USAGE_MANY, "compute pass encoder \"pass\": a dispatch uses buffer \"b\" in two ways that exclude each other: group 0 binding 0 (Storage) of bind group \"group\", set by call 2; and group 0 binding 17 (ReadOnlyStorage) of bind group \"group\", set by call 2; in one dispatch it may be read in any number of ways, or be writable storage, but not both"},
                ROW(BOUND_COMPATIBILITY_VIEWS,
                    "compute pass encoder \"pass\": a dispatch has both texture view \"all\" and texture view \"one\" bound, views of texture \"t\" that differ in mipLevelCount, on a device in compatibility mode"),
};
TABLE(usage_table, cases);
