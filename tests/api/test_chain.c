// SPDX-License-Identifier: MIT
//
// The standard's article "Struct-Chaining", statement by statement: every struct with a chain
// refuses an sType that it does not know, one that comes twice, and a cycle; device errors where the
// device takes the struct, a status and an untouched struct where the program gets one back.
#include "api_helper.h"

// Each makes the call with `chain` in one struct and releases what comes of it.
typedef void (*chain_user)(struct api *api, WGPUChainedStruct *chain);

struct row {
    const char *name;
    chain_user use;
};

static WGPUChainedStruct *chained(WGPUChainedStruct *first, WGPUChainedStruct *then) {
    first->next = then;
    return first;
}

// ---------------------------------------------------------------- resources

static void use_buffer(struct api *api, WGPUChainedStruct *chain) {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    descriptor.usage = WGPUBufferUsage_CopyDst;
    wgpuBufferRelease(wgpuDeviceCreateBuffer(api->device, &descriptor));
}

static WGPUTextureDescriptor texture_descriptor(void) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.size = (WGPUExtent3D){4, 4, 1};
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.usage = WGPUTextureUsage_RenderAttachment;
    return descriptor;
}

static void use_texture(struct api *api, WGPUChainedStruct *chain) {
    WGPUTextureDescriptor descriptor = texture_descriptor();
    descriptor.nextInChain = chain;
    wgpuTextureRelease(wgpuDeviceCreateTexture(api->device, &descriptor));
}

static void use_view(struct api *api, WGPUChainedStruct *chain) {
    WGPUTextureDescriptor descriptor = texture_descriptor();
    WGPUTexture texture = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.nextInChain = chain;
    wgpuTextureViewRelease(wgpuTextureCreateView(texture, &view));
    wgpuTextureRelease(texture);
}

static void use_sampler(struct api *api, WGPUChainedStruct *chain) {
    WGPUSamplerDescriptor descriptor = WGPU_SAMPLER_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    wgpuSamplerRelease(wgpuDeviceCreateSampler(api->device, &descriptor));
}

static void use_query_set(struct api *api, WGPUChainedStruct *chain) {
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    descriptor.type = WGPUQueryType_Occlusion;
    wgpuQuerySetRelease(wgpuDeviceCreateQuerySet(api->device, &descriptor));
}

static void use_surface_configuration(struct api *api, WGPUChainedStruct *chain) {
    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    WGPUSurface surface = wgpuInstanceCreateSurface(api->instance, &descriptor);
    WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
    config.nextInChain = chain;
    config.device = api->device;
    config.format = WGPUTextureFormat_RGBA8Unorm;
    config.width = 4;
    config.height = 4;
    wgpuSurfaceConfigure(surface, &config);
    wgpuSurfaceRelease(surface);
}

// ---------------------------------------------------------------- layouts and groups

static void make_layout(struct api *api, const WGPUBindGroupLayoutEntry *entry) {
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.entryCount = 1;
    descriptor.entries = entry;
    wgpuBindGroupLayoutRelease(wgpuDeviceCreateBindGroupLayout(api->device, &descriptor));
}

static void use_layout(struct api *api, WGPUChainedStruct *chain) {
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    wgpuBindGroupLayoutRelease(wgpuDeviceCreateBindGroupLayout(api->device, &descriptor));
}

static void use_layout_entry(struct api *api, WGPUChainedStruct *chain) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.nextInChain = chain;
    entry.buffer.type = WGPUBufferBindingType_Uniform;
    make_layout(api, &entry);
}

static void use_buffer_layout(struct api *api, WGPUChainedStruct *chain) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.buffer.nextInChain = chain;
    entry.buffer.type = WGPUBufferBindingType_Uniform;
    make_layout(api, &entry);
}

static void use_sampler_layout(struct api *api, WGPUChainedStruct *chain) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.sampler.nextInChain = chain;
    entry.sampler.type = WGPUSamplerBindingType_Filtering;
    make_layout(api, &entry);
}

static void use_texture_layout(struct api *api, WGPUChainedStruct *chain) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.texture.nextInChain = chain;
    entry.texture.sampleType = WGPUTextureSampleType_Float;
    make_layout(api, &entry);
}

static void use_storage_texture_layout(struct api *api, WGPUChainedStruct *chain) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.storageTexture.nextInChain = chain;
    entry.storageTexture.access = WGPUStorageTextureAccess_WriteOnly;
    entry.storageTexture.format = WGPUTextureFormat_RGBA8Unorm;
    make_layout(api, &entry);
}

// A group of one uniform buffer, with a chain in its descriptor or in its entry.
static void make_group(struct api *api, WGPUChainedStruct *chain, WGPUChainedStruct *entry_chain) {
    WGPUBindGroupLayoutEntry slot = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    slot.buffer.type = WGPUBufferBindingType_Uniform;
    WGPUBindGroupLayoutDescriptor layout_descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.entryCount = 1;
    layout_descriptor.entries = &slot;
    WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(api->device, &layout_descriptor);
    WGPUBuffer buffer = api_buffer(api, "b", 16, WGPUBufferUsage_Uniform);
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.nextInChain = entry_chain;
    entry.buffer = buffer;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(api->device, &descriptor));
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
}

static void use_group(struct api *api, WGPUChainedStruct *chain) {
    make_group(api, chain, NULL);
}

static void use_group_entry(struct api *api, WGPUChainedStruct *chain) {
    make_group(api, NULL, chain);
}

static void use_pipeline_layout(struct api *api, WGPUChainedStruct *chain) {
    WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    wgpuPipelineLayoutRelease(wgpuDeviceCreatePipelineLayout(api->device, &descriptor));
}

// ---------------------------------------------------------------- shaders and pipelines

static void use_shader_module(struct api *api, WGPUChainedStruct *chain) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = api_view("const x = 1;");
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = chained(&source.chain, chain);
    wgpuShaderModuleRelease(wgpuDeviceCreateShaderModule(api->device, &descriptor));
}

#define SHADERS \
    "override k = 1.0;\n" \
    "@compute @workgroup_size(1) fn c() { _ = k; }\n" \
    "@vertex fn v(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n" \
    "@fragment fn f() -> @location(0) vec4f { return vec4f(k); }\n"

static void make_compute(struct api *api, WGPUComputePipelineDescriptor *descriptor) {
    WGPUShaderModule module = api_shader(api, SHADERS);
    descriptor->compute.module = module;
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(api->device, descriptor));
    wgpuShaderModuleRelease(module);
}

static void use_compute_pipeline(struct api *api, WGPUChainedStruct *chain) {
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    make_compute(api, &descriptor);
}

static void use_compute_state(struct api *api, WGPUChainedStruct *chain) {
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.compute.nextInChain = chain;
    make_compute(api, &descriptor);
}

static void use_constant(struct api *api, WGPUChainedStruct *chain) {
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.nextInChain = chain;
    constant.key = api_view("k");
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.compute.constantCount = 1;
    descriptor.compute.constants = &constant;
    make_compute(api, &descriptor);
}

// Every struct of a render pipeline.
struct render_state {
    WGPUVertexAttribute attribute;
    WGPUVertexBufferLayout buffer;
    WGPUColorTargetState target;
    WGPUFragmentState fragment;
    WGPUDepthStencilState depth_stencil;
    WGPURenderPipelineDescriptor descriptor;
};

static void begin_render(struct render_state *state) {
    static const struct render_state none = {0};
    *state = none;
    state->attribute.format = WGPUVertexFormat_Float32x4;
    state->buffer.stepMode = WGPUVertexStepMode_Vertex;
    state->buffer.arrayStride = 16;
    state->buffer.attributeCount = 1;
    state->target.format = WGPUTextureFormat_RGBA8Unorm;
    state->target.writeMask = WGPUColorWriteMask_All;
    state->fragment.entryPoint.length = WGPU_STRLEN; // the null value: the only entry point
    state->fragment.targetCount = 1;
    state->depth_stencil.format = WGPUTextureFormat_Depth32Float;
    state->depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
    state->depth_stencil.depthCompare = WGPUCompareFunction_Less;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    state->descriptor = descriptor;
    state->descriptor.vertex.bufferCount = 1;
}

static void end_render(struct api *api, struct render_state *state) {
    WGPUShaderModule module = api_shader(api, SHADERS);
    state->buffer.attributes = &state->attribute;
    state->descriptor.vertex.module = module;
    state->descriptor.vertex.buffers = &state->buffer;
    state->fragment.module = module;
    state->fragment.targets = &state->target;
    state->descriptor.fragment = &state->fragment;
    state->descriptor.depthStencil = &state->depth_stencil;
    wgpuRenderPipelineRelease(wgpuDeviceCreateRenderPipeline(api->device, &state->descriptor));
    wgpuShaderModuleRelease(module);
}

#define USE_RENDER(name, member) \
    static void use_##name(struct api *api, WGPUChainedStruct *chain) { \
        struct render_state state; \
        begin_render(&state); \
        state.member.nextInChain = chain; \
        end_render(api, &state); \
    }
USE_RENDER(render_pipeline, descriptor)
USE_RENDER(vertex_state, descriptor.vertex)
USE_RENDER(vertex_buffer_layout, buffer)
USE_RENDER(vertex_attribute, attribute)
USE_RENDER(primitive_state, descriptor.primitive)
USE_RENDER(multisample_state, descriptor.multisample)
USE_RENDER(depth_stencil_state, depth_stencil)
USE_RENDER(fragment_state, fragment)
USE_RENDER(color_target_state, target)

// ---------------------------------------------------------------- encoders

static void finish(WGPUCommandEncoder encoder, const WGPUCommandBufferDescriptor *descriptor) {
    wgpuCommandBufferRelease(wgpuCommandEncoderFinish(encoder, descriptor));
    wgpuCommandEncoderRelease(encoder);
}

static void use_encoder(struct api *api, WGPUChainedStruct *chain) {
    WGPUCommandEncoderDescriptor descriptor = WGPU_COMMAND_ENCODER_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    wgpuCommandEncoderRelease(wgpuDeviceCreateCommandEncoder(api->device, &descriptor));
}

static void use_command_buffer(struct api *api, WGPUChainedStruct *chain) {
    WGPUCommandBufferDescriptor descriptor = WGPU_COMMAND_BUFFER_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    finish(wgpuDeviceCreateCommandEncoder(api->device, NULL), &descriptor);
}

static void use_compute_pass(struct api *api, WGPUChainedStruct *chain) {
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    finish(encoder, NULL);
}

static void use_timestamp_writes(struct api *api, WGPUChainedStruct *chain) {
    WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    writes.nextInChain = chain;
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    descriptor.timestampWrites = &writes;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    finish(encoder, NULL);
}

// Each chain may be NULL.
static void make_render_pass(struct api *api, WGPUChainedStruct *chain,
    WGPUChainedStruct *color_chain, WGPUChainedStruct *depth_chain) {
    WGPUTextureDescriptor descriptor = texture_descriptor();
    WGPUTexture color_texture = wgpuDeviceCreateTexture(api->device, &descriptor);
    descriptor.format = WGPUTextureFormat_Depth32Float;
    WGPUTexture depth_texture = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.nextInChain = color_chain;
    color.view = wgpuTextureCreateView(color_texture, NULL);
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.nextInChain = depth_chain;
    depth.view = wgpuTextureCreateView(depth_texture, NULL);
    depth.depthLoadOp = WGPULoadOp_Load;
    depth.depthStoreOp = WGPUStoreOp_Store;
    WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass_descriptor.nextInChain = chain;
    pass_descriptor.colorAttachmentCount = 1;
    pass_descriptor.colorAttachments = &color;
    pass_descriptor.depthStencilAttachment = &depth;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    finish(encoder, NULL);
    wgpuTextureViewRelease(color.view);
    wgpuTextureViewRelease(depth.view);
    wgpuTextureRelease(color_texture);
    wgpuTextureRelease(depth_texture);
}

static void use_render_pass(struct api *api, WGPUChainedStruct *chain) {
    make_render_pass(api, chain, NULL, NULL);
}

static void use_color_attachment(struct api *api, WGPUChainedStruct *chain) {
    make_render_pass(api, NULL, chain, NULL);
}

static void use_depth_stencil_attachment(struct api *api, WGPUChainedStruct *chain) {
    make_render_pass(api, NULL, NULL, chain);
}

static void make_bundle(
    struct api *api, WGPUChainedStruct *encoder_chain, WGPUChainedStruct *bundle_chain) {
    static const WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.nextInChain = encoder_chain;
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(api->device, &descriptor);
    if (encoder_chain == NULL) {
        WGPURenderBundleDescriptor bundle = WGPU_RENDER_BUNDLE_DESCRIPTOR_INIT;
        bundle.nextInChain = bundle_chain;
        wgpuRenderBundleRelease(wgpuRenderBundleEncoderFinish(encoder, &bundle));
    }
    wgpuRenderBundleEncoderRelease(encoder);
}

static void use_bundle_encoder(struct api *api, WGPUChainedStruct *chain) {
    make_bundle(api, chain, NULL);
}

static void use_bundle(struct api *api, WGPUChainedStruct *chain) {
    make_bundle(api, NULL, chain);
}

// ---------------------------------------------------------------- structs that a device takes

#define ROW(name) \
    { #name, use_##name }
static const struct row rows[] = {ROW(buffer), ROW(texture), ROW(view), ROW(sampler),
    ROW(query_set), ROW(surface_configuration), ROW(layout), ROW(layout_entry), ROW(buffer_layout),
    ROW(sampler_layout), ROW(texture_layout), ROW(storage_texture_layout), ROW(group),
    ROW(group_entry), ROW(pipeline_layout), ROW(shader_module), ROW(compute_pipeline),
    ROW(compute_state), ROW(constant), ROW(render_pipeline), ROW(vertex_state),
    ROW(vertex_buffer_layout), ROW(vertex_attribute), ROW(primitive_state), ROW(multisample_state),
    ROW(depth_stencil_state), ROW(fragment_state), ROW(color_target_state), ROW(encoder),
    ROW(command_buffer), ROW(compute_pass), ROW(timestamp_writes), ROW(render_pass),
    ROW(color_attachment), ROW(depth_stencil_attachment), ROW(bundle_encoder), ROW(bundle)};

// A validation error whose message has the text; an empty one: no error.
static void expect(
    struct api *api, const struct row *row, WGPUChainedStruct *chain, const char *text) {
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
    row->use(api, chain);
    struct api_scope_result scope = api_pop_scope(api);
    bool ok = text[0] == 0 ? CHECK_STR(scope.message, "")
                           : CHECK(strstr(scope.message, text) != NULL);
    if (!ok) {
        fprintf(stderr, "    %s, expected '%s': '%s'\n", row->name, text, scope.message);
    }
}

TEST(every_descriptor_refuses_what_it_does_not_know) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        WGPUChainedStruct unknown = {NULL, (WGPUSType)0x7654};
        expect(&api, &rows[i], &unknown, "0x00007654");
        // One that the implementation knows, in another place.
        WGPUShaderSourceSPIRV elsewhere = WGPU_SHADER_SOURCE_SPIRV_INIT;
        if (rows[i].use != use_shader_module) {
            expect(&api, &rows[i], &elsewhere.chain, "0x00000001");
        }
        // A cycle ends at the first repetition, or at what is not known.
        unknown.next = &unknown;
        expect(&api, &rows[i], &unknown, "0x00007654");
        if (rows[i].use != use_timestamp_writes) { // which lack a query set here
            expect(&api, &rows[i], NULL, "");
        }
    }
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(a_known_struct_comes_once) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUExternalTextureBindingLayout first = WGPU_EXTERNAL_TEXTURE_BINDING_LAYOUT_INIT;
    WGPUExternalTextureBindingLayout second = WGPU_EXTERNAL_TEXTURE_BINDING_LAYOUT_INIT;
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.nextInChain = &first.chain;
    make_layout(&api, &entry);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    first.chain.next = &second.chain;
    make_layout(&api, &entry);
    CHECK_EQ(atomic_load(&api.error_count), 1);
    CHECK(strstr(api.error_message, "two chained structs") != NULL);
    first.chain.next = &first.chain; // a cycle
    make_layout(&api, &entry);
    CHECK_EQ(atomic_load(&api.error_count), 2);
    api_end(&api);
}

// ---------------------------------------------------------------- structs that come back

TEST(outputs_with_a_wrong_chain_are_not_touched) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUChainedStruct unknown = {NULL, (WGPUSType)0x7654};
    WGPULimits limits;
    WGPULimits limits_before;
    memset(&limits, 0xab, sizeof(limits));
    limits.nextInChain = &unknown;
    limits_before = limits;
    CHECK_EQ(wgpuAdapterGetLimits(api.adapter, &limits), WGPUStatus_Error);
    CHECK_EQ(wgpuDeviceGetLimits(api.device, &limits), WGPUStatus_Error);
    CHECK(memcmp(&limits, &limits_before, sizeof(limits)) == 0);
    // A known one behind which an unknown one stands is not written either.
    WGPUCompatibilityModeLimits more;
    WGPUCompatibilityModeLimits more_before;
    memset(&more, 0xcd, sizeof(more));
    more.chain.sType = WGPUSType_CompatibilityModeLimits;
    more.chain.next = &unknown;
    more_before = more;
    limits.nextInChain = &more.chain;
    limits_before = limits;
    CHECK_EQ(wgpuDeviceGetLimits(api.device, &limits), WGPUStatus_Error);
    CHECK(memcmp(&limits, &limits_before, sizeof(limits)) == 0);
    CHECK(memcmp(&more, &more_before, sizeof(more)) == 0);
    more.chain.next = &more.chain;
    CHECK_EQ(wgpuDeviceGetLimits(api.device, &limits), WGPUStatus_Error);
    more.chain.next = NULL;
    CHECK_EQ(wgpuDeviceGetLimits(api.device, &limits), WGPUStatus_Success);
    CHECK_EQ(more.maxStorageBuffersInVertexStage, 8);

    WGPUAdapterInfo info;
    WGPUAdapterInfo info_before;
    memset(&info, 0xab, sizeof(info));
    info.nextInChain = &unknown;
    info_before = info;
    CHECK_EQ(wgpuAdapterGetInfo(api.adapter, &info), WGPUStatus_Error);
    CHECK_EQ(wgpuDeviceGetAdapterInfo(api.device, &info), WGPUStatus_Error);
    CHECK(memcmp(&info, &info_before, sizeof(info)) == 0);

    WGPUInstanceLimits instance_limits = {&unknown, 1234};
    CHECK_EQ(wgpuGetInstanceLimits(&instance_limits), WGPUStatus_Error);
    CHECK_EQ(instance_limits.timedWaitAnyMaxCount, 1234);

    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    WGPUSurface surface = wgpuInstanceCreateSurface(api.instance, &descriptor);
    WGPUSurfaceCapabilities capabilities;
    WGPUSurfaceCapabilities capabilities_before;
    memset(&capabilities, 0xab, sizeof(capabilities));
    capabilities.nextInChain = &unknown;
    capabilities_before = capabilities;
    CHECK_EQ(wgpuSurfaceGetCapabilities(surface, api.adapter, &capabilities), WGPUStatus_Error);
    CHECK(memcmp(&capabilities, &capabilities_before, sizeof(capabilities)) == 0);
    wgpuSurfaceRelease(surface);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// ---------------------------------------------------------------- requests

static void on_adapter_status(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    *(WGPURequestAdapterStatus *)userdata1 = status;
    CHECK_EQ(adapter != NULL, status == WGPURequestAdapterStatus_Success);
    CHECK_EQ(message.length != 0, status != WGPURequestAdapterStatus_Success);
    UNUSED_PARAMETER(userdata2);
    if (adapter != NULL) {
        wgpuAdapterRelease(adapter);
    }
}

TEST(requests_refuse_what_they_do_not_know) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUChainedStruct unknown = {NULL, (WGPUSType)0x7654};
    WGPUInstanceDescriptor instance = WGPU_INSTANCE_DESCRIPTOR_INIT;
    instance.nextInChain = &unknown;
    CHECK(wgpuCreateInstance(&instance) == NULL);
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    WGPURequestAdapterStatus status = (WGPURequestAdapterStatus)0;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = on_adapter_status;
    info.userdata1 = &status;
    options.nextInChain = &unknown;
    api_wait(api.instance, wgpuInstanceRequestAdapter(api.instance, &options, info));
    CHECK_EQ(status, WGPURequestAdapterStatus_Error);
    options.nextInChain = NULL;
    api_wait(api.instance, wgpuInstanceRequestAdapter(api.instance, &options, info));
    CHECK_EQ(status, WGPURequestAdapterStatus_Success);

    for (int i = 0; i < 4; i++) {
        WGPULimits limits = WGPU_LIMITS_INIT;
        WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
        char message[1024] = "";
        device.requiredLimits = &limits;
        device.nextInChain = i == 0 ? &unknown : NULL;
        device.defaultQueue.nextInChain = i == 1 ? &unknown : NULL;
        limits.nextInChain = i == 2 ? &unknown : NULL;
        WGPUDevice got = api_request_device(&api, &device, message);
        if (!CHECK_EQ(got != NULL, i == 3) ||
            !CHECK_EQ(strstr(message, "0x00007654") != NULL, i != 3)) {
            fprintf(stderr, "    %d: %s\n", i, message);
        }
        if (got != NULL) {
            wgpuDeviceRelease(got);
        }
    }
    api_end(&api);
}

CHECK_MAIN(every_descriptor_refuses_what_it_does_not_know, a_known_struct_comes_once,
    outputs_with_a_wrong_chain_are_not_touched, requests_refuse_what_they_do_not_know)
