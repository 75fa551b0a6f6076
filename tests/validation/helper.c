// SPDX-License-Identifier: MIT
//
// Objects for the cases.
#include "validation.h"

WGPUBuffer make_buffer(
    struct validation *v, const char *label, uint64_t size, WGPUBufferUsage usage) {
    return api_buffer(&v->api, label, size, usage);
}

WGPUBuffer make_invalid_buffer(struct validation *v) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUBuffer buffer = api_buffer(&v->api, "bad", 256, 0);
    api_pop_scope(&v->api);
    return buffer;
}

WGPUBuffer make_foreign_buffer(struct validation *v, WGPUBufferUsage usage) {
    return api_buffer(&v->other, "foreign", 256, usage);
}

WGPUBindGroupLayoutEntry buffer_entry(uint32_t binding, WGPUBufferBindingType type) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = binding;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = type;
    return entry;
}

WGPUBindGroupLayout make_layout(
    struct validation *v, const WGPUBindGroupLayoutEntry *entries, size_t count) {
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("layout");
    descriptor.entryCount = count;
    descriptor.entries = entries;
    return wgpuDeviceCreateBindGroupLayout(v->api.device, &descriptor);
}

WGPUBindGroup make_group(struct validation *v, WGPUBindGroupLayout layout, WGPUBuffer buffer,
    uint64_t offset, uint64_t size) {
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = buffer;
    entry.offset = offset;
    entry.size = size;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = api_view("group");
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    return wgpuDeviceCreateBindGroup(v->api.device, &descriptor);
}

WGPUPipelineLayout make_pipeline_layout(
    struct validation *v, const WGPUBindGroupLayout *layouts, size_t count, uint32_t immediates) {
    WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("pl");
    descriptor.bindGroupLayoutCount = count;
    descriptor.bindGroupLayouts = layouts;
    descriptor.immediateSize = immediates;
    return wgpuDeviceCreatePipelineLayout(v->api.device, &descriptor);
}

WGPUShaderModule make_module(struct validation *v, const char *code) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = api_view(code);
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = api_view("module");
    return wgpuDeviceCreateShaderModule(v->api.device, &descriptor);
}

WGPUComputePipeline make_pipeline(
    struct validation *v, WGPUPipelineLayout layout, const char *code) {
    WGPUShaderModule module = make_module(v, code);
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("pipe");
    descriptor.layout = layout;
    descriptor.compute.module = module;
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(v->api.device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

#define RENDER_CODE \
    "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }\n" \
    "@fragment fn fs() -> @location(0) vec4f { return vec4f(); }\n"

void begin_render(struct validation *v, struct render_case *r, const char *code) {
    r->descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    r->fragment = WGPU_FRAGMENT_STATE_INIT;
    for (int i = 0; i < 8; i++) {
        r->targets[i] = WGPU_COLOR_TARGET_STATE_INIT;
        r->targets[i].format = WGPUTextureFormat_RGBA8Unorm;
    }
    for (int i = 0; i < 9; i++) {
        r->buffers[i] = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    }
    for (uint32_t i = 0; i < 32; i++) {
        r->attributes[i] = WGPU_VERTEX_ATTRIBUTE_INIT;
        r->attributes[i].format = WGPUVertexFormat_Float32x4;
        r->attributes[i].shaderLocation = i;
    }
    r->blend = WGPU_BLEND_STATE_INIT;
    r->depth_stencil = WGPU_DEPTH_STENCIL_STATE_INIT;
    r->depth_stencil.format = WGPUTextureFormat_Depth24PlusStencil8;
    r->depth_stencil.depthWriteEnabled = WGPUOptionalBool_False;
    WGPUShaderModule module = make_module(v, code != NULL ? code : RENDER_CODE);
    r->descriptor.label = api_view("pipe");
    r->descriptor.vertex.module = module;
    r->descriptor.vertex.buffers = r->buffers;
    r->descriptor.fragment = &r->fragment;
    r->fragment.module = module;
    r->fragment.targetCount = 1;
    r->fragment.targets = r->targets;
}

WGPURenderPipeline make_render_pipeline(struct validation *v, struct render_case *r) {
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(v->api.device, &r->descriptor);
    wgpuShaderModuleRelease(r->fragment.module);
    return pipeline;
}

void end_render(struct validation *v, struct render_case *r) {
    wgpuRenderPipelineRelease(make_render_pipeline(v, r));
}

WGPUCommandEncoder begin_encoder(struct validation *v) {
    WGPUCommandEncoderDescriptor descriptor = WGPU_COMMAND_ENCODER_DESCRIPTOR_INIT;
    descriptor.label = api_view("enc");
    return wgpuDeviceCreateCommandEncoder(v->api.device, &descriptor);
}

WGPUComputePassEncoder begin_pass(WGPUCommandEncoder encoder) {
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    descriptor.label = api_view("pass");
    return wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
}

WGPUCommandBuffer finish_encoder(WGPUCommandEncoder encoder) {
    WGPUCommandBufferDescriptor descriptor = WGPU_COMMAND_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = api_view("cb");
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, &descriptor);
    wgpuCommandEncoderRelease(encoder);
    return commands;
}

WGPUCommandBuffer finish_pass(WGPUCommandEncoder encoder, WGPUComputePassEncoder pass) {
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return finish_encoder(encoder);
}

void finish_and_release(WGPUCommandEncoder encoder) {
    wgpuCommandBufferRelease(finish_encoder(encoder));
}

void finish_pass_and_release(WGPUCommandEncoder encoder, WGPUComputePassEncoder pass) {
    wgpuCommandBufferRelease(finish_pass(encoder, pass));
}

WGPUTextureDescriptor texture_descriptor(
    WGPUTextureFormat format, uint32_t width, uint32_t height, uint32_t layers) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.label = api_view("t");
    descriptor.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst |
        WGPUTextureUsage_TextureBinding;
    descriptor.format = format;
    descriptor.size.width = width;
    descriptor.size.height = height;
    descriptor.size.depthOrArrayLayers = layers;
    return descriptor;
}

WGPUTexture make_texture(struct validation *v, const WGPUTextureDescriptor *descriptor) {
    return wgpuDeviceCreateTexture(v->api.device, descriptor);
}

WGPUTexture make_foreign_texture(struct validation *v) {
    WGPUTextureDescriptor descriptor = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
    descriptor.label = api_view("foreign");
    return wgpuDeviceCreateTexture(v->other.device, &descriptor);
}

WGPUTextureView make_view(WGPUTexture texture) {
    WGPUTextureViewDescriptor descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    descriptor.label = api_view("view");
    return wgpuTextureCreateView(texture, &descriptor);
}

WGPUTextureView make_target(struct validation *v, WGPUTextureFormat format, uint32_t width,
    uint32_t height, uint32_t samples) {
    WGPUTextureDescriptor descriptor = texture_descriptor(format, width, height, 1);
    descriptor.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TextureBinding;
    descriptor.sampleCount = samples;
    WGPUTexture texture = make_texture(v, &descriptor);
    WGPUTextureView view = make_view(texture);
    wgpuTextureRelease(texture);
    return view;
}

WGPURenderPassColorAttachment color_attachment(WGPUTextureView view) {
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = view;
    color.loadOp = WGPULoadOp_Load;
    color.storeOp = WGPUStoreOp_Store;
    return color;
}

WGPURenderPassEncoder begin_render_pass(WGPUCommandEncoder encoder,
    const WGPURenderPassColorAttachment *colors, size_t color_count,
    const WGPURenderPassDepthStencilAttachment *depth_stencil) {
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.label = api_view("pass");
    descriptor.colorAttachmentCount = color_count;
    descriptor.colorAttachments = colors;
    descriptor.depthStencilAttachment = depth_stencil;
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

WGPUCommandBuffer finish_render_pass(WGPUCommandEncoder encoder, WGPURenderPassEncoder pass) {
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    return finish_encoder(encoder);
}

void finish_render_pass_and_release(WGPUCommandEncoder encoder, WGPURenderPassEncoder pass) {
    wgpuCommandBufferRelease(finish_render_pass(encoder, pass));
}

void begin_device(
    struct validation *v, bool is_core, const WGPUFeatureName *features, size_t feature_count) {
    begin_limited_device(v, is_core, features, feature_count, NULL);
}

void begin_limited_device(struct validation *v, bool is_core, const WGPUFeatureName *features,
    size_t feature_count, const WGPULimits *limits) {
    v->kept.adapter = v->api.adapter;
    v->kept.device = v->api.device;
    v->kept.queue = v->api.queue;
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.featureLevel = is_core ? WGPUFeatureLevel_Core : WGPUFeatureLevel_Compatibility;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_adapter;
    info.userdata1 = &v->api.adapter;
    api_wait(v->api.instance, wgpuInstanceRequestAdapter(v->api.instance, &options, info));
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = feature_count;
    descriptor.requiredFeatures = features;
    descriptor.requiredLimits = limits;
    v->api.device = api_request_device(&v->api, &descriptor, NULL);
    v->api.queue = wgpuDeviceGetQueue(v->api.device);
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
}

void end_device(struct validation *v) {
    struct api_scope_result scope = api_pop_scope(&v->api);
    snprintf(v->message, sizeof(v->message), "%s", scope.message);
    wgpuQueueRelease(v->api.queue);
    wgpuDeviceRelease(v->api.device);
    wgpuAdapterRelease(v->api.adapter);
    v->api.adapter = v->kept.adapter;
    v->api.device = v->kept.device;
    v->api.queue = v->kept.queue;
}

static void on_log(AlbaLogLevel level, WGPUStringView message, void *userdata) {
    struct validation *v = userdata;
    UNUSED_PARAMETER(level);
    if (v->message[0] == 0) {
        api_copy_message(v->message, sizeof(v->message), message);
    }
}

void begin_log(struct validation *v) {
    albaSetLogLevel(AlbaLogLevel_Error);
    albaSetLogCallback(on_log, v);
}

void end_log(void) {
    albaSetLogCallback(NULL, NULL);
}
