// SPDX-License-Identifier: MIT
//
// Nothing is left when everything was released, in whatever order; and no allocation may fail in a
// way that crashes or leaks: the same program is run with each of its allocations failing in turn.
#include "api_freed.h"

#include "base/memory.h"
#include "base/os_clock.h"
#include "webgpu/object/device.h"

static const char shader[] =
    "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n"
    "@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
    "    data[id.x] += 1u;\n"
    "}\n";

static void on_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata1);
    UNUSED_PARAMETER(userdata2);
    if (pipeline != NULL) {
        wgpuComputePipelineRelease(pipeline);
    }
}

static void on_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    *(WGPUMapAsyncStatus *)userdata1 = status;
}

#define RELEASE(Kind, handle) \
    do { \
        if ((handle) != NULL) { \
            wgpu##Kind##Release(handle); \
        } \
    } while (0)

// A texture, written, copied to another and on to `back`, and bound with a sampler. Every handle may
// be NULL.
static void use_textures(struct api *api, WGPUCommandEncoder encoder, WGPUBuffer back) {
    static const unsigned char bytes[64 * 64 * 4];
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.label = api_view("texture");
    descriptor.size = (WGPUExtent3D){16, 16, 1};
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst |
        WGPUTextureUsage_TextureBinding;
    WGPUTexture first = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPUTexture second = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPUTextureView view = first != NULL ? wgpuTextureCreateView(first, NULL) : NULL;
    WGPUSampler sampler = wgpuDeviceCreateSampler(api->device, NULL);
    WGPUBindGroupLayoutEntry slots[2] = {
        WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT, WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT};
    slots[0].texture.sampleType = WGPUTextureSampleType_Float;
    slots[1].binding = 1;
    slots[1].sampler.type = WGPUSamplerBindingType_Filtering;
    WGPUBindGroupLayoutDescriptor layout_descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.entryCount = 2;
    layout_descriptor.entries = slots;
    WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(api->device, &layout_descriptor);
    WGPUBindGroup group = NULL;
    if (layout != NULL && view != NULL && sampler != NULL) {
        WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
        entries[0].textureView = view;
        entries[1].binding = 1;
        entries[1].sampler = sampler;
        WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        group_descriptor.layout = layout;
        group_descriptor.entryCount = 2;
        group_descriptor.entries = entries;
        group = wgpuDeviceCreateBindGroup(api->device, &group_descriptor);
    }
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = first;
    to.texture = second;
    if (first != NULL) {
        WGPUTexelCopyBufferLayout layout_of_bytes = {0, 64, 16};
        WGPUExtent3D small = {4, 4, 1};
        wgpuQueueWriteTexture(
            api->queue, &from, bytes, sizeof(bytes), &layout_of_bytes, &descriptor.size);
        wgpuQueueWriteTexture(api->queue, &from, bytes, sizeof(bytes), &layout_of_bytes, &small);
    }
    if (encoder != NULL) {
        WGPUTexelCopyBufferInfo out = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
        out.buffer = back;
        out.layout.bytesPerRow = 256;
        wgpuCommandEncoderCopyTextureToTexture(encoder, &from, &to, &descriptor.size);
        wgpuCommandEncoderCopyTextureToBuffer(encoder, &to, &out, &descriptor.size);
    }
    RELEASE(BindGroup, group);
    RELEASE(BindGroupLayout, layout);
    RELEASE(Sampler, sampler);
    RELEASE(TextureView, view);
    RELEASE(Texture, second);
    RELEASE(Texture, first);
}

// A query set, resolved. Every handle may be NULL.
static void use_queries(struct api *api, WGPUCommandEncoder encoder) {
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.label = api_view("queries");
    descriptor.type = WGPUQueryType_Occlusion;
    descriptor.count = 8;
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(api->device, &descriptor);
    WGPUBuffer buffer = api_buffer(api, "results", 64, WGPUBufferUsage_QueryResolve);
    if (encoder != NULL) {
        wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 8, buffer, 0);
    }
    RELEASE(QuerySet, set);
    RELEASE(Buffer, buffer);
}

static void on_render_pipeline(WGPUCreatePipelineAsyncStatus status, WGPURenderPipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata1);
    UNUSED_PARAMETER(userdata2);
    RELEASE(RenderPipeline, pipeline);
}

// A render pipeline, at once and asynchronously, with an automatic layout of both stages.
static void make_render_pipelines(struct api *api) {
    WGPUShaderModule module = api_shader(api,
        "@group(0) @binding(0) var<uniform> a: vec4f;\n"
        "@group(1) @binding(0) var<storage> b: vec4f;\n"
        "struct Out { @builtin(position) p: vec4f, @location(2) v: f32 }\n"
        "@vertex fn vs(@location(0) x: f32) -> Out { return Out(a, x); }\n"
        "@fragment fn fs(in: Out) -> @location(0) vec4f { return a * b * in.v; }\n");
    if (module == NULL) {
        return;
    }
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    attribute.format = WGPUVertexFormat_Float32;
    WGPUVertexBufferLayout buffer = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    buffer.attributeCount = 1;
    buffer.attributes = &attribute;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("render");
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = 1;
    descriptor.vertex.buffers = &buffer;
    descriptor.fragment = &fragment;
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api->device, &descriptor);
    RELEASE(RenderPipeline, pipeline);
    WGPUCreateRenderPipelineAsyncCallbackInfo info =
        WGPU_CREATE_RENDER_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = on_render_pipeline;
    api_wait(api->instance, wgpuDeviceCreateRenderPipelineAsync(api->device, &descriptor, info));
    RELEASE(ShaderModule, module);
}

static const char render_shader[] =
    "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n"
    "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n"
    "@fragment fn fs() -> @location(0) vec4f { data[0] = 1u; return vec4f(); }\n";

static WGPURenderPipeline create_render_pipeline(struct api *api) {
    WGPUShaderModule module = api_shader(api, render_shader);
    if (module == NULL) {
        return NULL;
    }
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    attribute.format = WGPUVertexFormat_Float32x4;
    WGPUVertexBufferLayout layout = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    layout.stepMode = WGPUVertexStepMode_Vertex;
    layout.arrayStride = 16;
    layout.attributeCount = 1;
    layout.attributes = &attribute;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = 1;
    descriptor.vertex.buffers = &layout;
    descriptor.fragment = &fragment;
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static WGPURenderBundle create_bundle(
    struct api *api, WGPURenderPipeline pipeline, WGPUBindGroup group, WGPUBuffer vertices) {
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.label = api_view("bundle encoder");
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(api->device, &descriptor);
    if (encoder == NULL) {
        return NULL;
    }
    wgpuRenderBundleEncoderSetPipeline(encoder, pipeline);
    wgpuRenderBundleEncoderSetBindGroup(encoder, 0, group, 0, NULL);
    wgpuRenderBundleEncoderSetVertexBuffer(encoder, 0, vertices, 0, WGPU_WHOLE_SIZE);
    wgpuRenderBundleEncoderDraw(encoder, 3, 1, 0, 0);
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
    wgpuRenderBundleEncoderRelease(encoder);
    return bundle;
}

// A pass with an occlusion query, draws and a bundle on one level of a texture of several. Every
// handle may be NULL.
static void use_rendering(struct api *api, WGPUCommandEncoder encoder, WGPUBuffer data) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.size = (WGPUExtent3D){16, 16, 1};
    descriptor.mipLevelCount = 2;
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.usage = WGPUTextureUsage_RenderAttachment;
    WGPUTexture texture = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPUTextureViewDescriptor level = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    level.mipLevelCount = 1;
    WGPUTextureView view = texture != NULL ? wgpuTextureCreateView(texture, &level) : NULL;
    WGPURenderPipeline pipeline = create_render_pipeline(api);
    WGPUBindGroupLayout layout = pipeline != NULL
        ? wgpuRenderPipelineGetBindGroupLayout(pipeline, 0)
        : NULL;
    WGPUBindGroup group = NULL;
    if (layout != NULL && data != NULL) {
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.buffer = data;
        WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        group_descriptor.layout = layout;
        group_descriptor.entryCount = 1;
        group_descriptor.entries = &entry;
        group = wgpuDeviceCreateBindGroup(api->device, &group_descriptor);
    }
    WGPUBuffer vertices = api_buffer(
        api, "vertices", 64, WGPUBufferUsage_Vertex | WGPUBufferUsage_Index);
    WGPURenderBundle bundle = create_bundle(api, pipeline, group, vertices);
    WGPUQuerySetDescriptor set_descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    set_descriptor.type = WGPUQueryType_Occlusion;
    set_descriptor.count = 70;
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(api->device, &set_descriptor);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = view;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass_descriptor.label = api_view("render pass");
    pass_descriptor.colorAttachmentCount = 1;
    pass_descriptor.colorAttachments = &color;
    pass_descriptor.occlusionQuerySet = set;
    WGPURenderPassEncoder pass = encoder != NULL
        ? wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor)
        : NULL;
    if (pass != NULL) {
        wgpuRenderPassEncoderBeginOcclusionQuery(pass, 66);
        wgpuRenderPassEncoderSetPipeline(pass, pipeline);
        wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
        wgpuRenderPassEncoderSetVertexBuffer(pass, 0, vertices, 0, WGPU_WHOLE_SIZE);
        wgpuRenderPassEncoderSetIndexBuffer(
            pass, vertices, WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
        wgpuRenderPassEncoderDrawIndexed(pass, 3, 1, 0, 0, 0);
        wgpuRenderPassEncoderEndOcclusionQuery(pass);
        wgpuRenderPassEncoderExecuteBundles(pass, 1, &bundle);
        wgpuRenderPassEncoderEnd(pass);
    }
    RELEASE(RenderPassEncoder, pass);
    RELEASE(QuerySet, set);
    RELEASE(RenderBundle, bundle);
    RELEASE(Buffer, vertices);
    RELEASE(BindGroup, group);
    RELEASE(BindGroupLayout, layout);
    RELEASE(RenderPipeline, pipeline);
    RELEASE(TextureView, view);
    RELEASE(Texture, texture);
}

// A pipeline that is warned of, twice, and the list of warnings.
static void use_warnings(struct api *api) {
    WGPUShaderModule module = api_shader(api,
        "@group(0) @binding(0) var<storage> a: vec4f;\n"
        "@group(0) @binding(1) var<storage> b: array<vec4f, 4>;\n"
        "@compute @workgroup_size(1) fn main() { _ = a.x + b[2].y; }\n");
    for (int i = 0; module != NULL && i < 2; i++) {
        WGPUComputePipeline pipeline = api_pipeline(api, module, NULL);
        RELEASE(ComputePipeline, pipeline);
    }
    RELEASE(ShaderModule, module);
    AlbaText json = albaDeviceGetWarningsJSON(api->device);
    albaTextFreeMembers(json);
}

// A frame of a surface, presented and read. Every handle may be NULL.
static void use_surface(struct api *api) {
    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = api_view("window");
    WGPUSurface surface = wgpuInstanceCreateSurface(api->instance, &descriptor);
    if (surface == NULL) {
        return;
    }
    WGPUSurfaceCapabilities capabilities = WGPU_SURFACE_CAPABILITIES_INIT;
    wgpuSurfaceGetCapabilities(surface, api->adapter, &capabilities);
    wgpuSurfaceCapabilitiesFreeMembers(capabilities);
    WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
    config.device = api->device;
    config.format = WGPUTextureFormat_BGRA8Unorm;
    config.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopyDst;
    config.width = 4;
    config.height = 2;
    wgpuSurfaceConfigure(surface, &config);
    for (int i = 0; i < 2; i++) {
        WGPUSurfaceTexture current = WGPU_SURFACE_TEXTURE_INIT;
        wgpuSurfaceGetCurrentTexture(surface, &current);
        if (current.texture != NULL && i == 1) {
            static const unsigned char texels[32];
            WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
            to.texture = current.texture;
            WGPUTexelCopyBufferLayout layout = {0, 16, 2};
            WGPUExtent3D size = {4, 2, 1};
            wgpuQueueWriteTexture(api->queue, &to, texels, sizeof(texels), &layout, &size);
        }
        RELEASE(Texture, current.texture);
        wgpuSurfacePresent(surface);
        AlbaFrame frame = ALBA_FRAME_INIT;
        albaSurfaceReadFrame(surface, &frame);
        albaFrameFreeMembers(frame);
    }
    wgpuSurfaceRelease(surface);
}

// Uses one of each of what there is. Every handle may be NULL; true when all went well.
static bool use_everything(struct api *api) {
    WGPUShaderModule module = api_shader(api, shader);
    WGPUComputePipeline pipeline = module != NULL ? api_pipeline(api, module, NULL) : NULL;
    if (module != NULL) {
        WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        descriptor.compute.module = module;
        WGPUCreateComputePipelineAsyncCallbackInfo info =
            WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_WaitAnyOnly;
        info.callback = on_pipeline;
        api_wait(
            api->instance, wgpuDeviceCreateComputePipelineAsync(api->device, &descriptor, info));
    }
    make_render_pipelines(api);
    WGPUBuffer data = api_buffer(api, "data", 4096,
        WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
    WGPUBuffer back = api_buffer(
        api, "back", 4096, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    static const unsigned char bytes[4096];
    if (data != NULL) {
        wgpuQueueWriteBuffer(api->queue, data, 0, bytes, 64);
        wgpuQueueWriteBuffer(api->queue, data, 0, bytes, 4096);
    }
    WGPUBindGroupLayout layout = pipeline != NULL
        ? wgpuComputePipelineGetBindGroupLayout(pipeline, 0)
        : NULL;
    WGPUBindGroup group = NULL;
    if (layout != NULL && data != NULL) {
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.buffer = data;
        WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        descriptor.layout = layout;
        descriptor.entryCount = 1;
        descriptor.entries = &entry;
        group = wgpuDeviceCreateBindGroup(api->device, &descriptor);
    }
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPUComputePassEncoder pass = encoder != NULL
        ? wgpuCommandEncoderBeginComputePass(encoder, NULL)
        : NULL;
    if (pass != NULL) {
        wgpuComputePassEncoderPushDebugGroup(pass, api_view("group"));
        wgpuComputePassEncoderSetPipeline(pass, pipeline);
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 4, 1, 1);
        wgpuComputePassEncoderPopDebugGroup(pass);
        wgpuComputePassEncoderEnd(pass);
    }
    WGPUCommandBuffer commands = NULL;
    if (encoder != NULL) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, data, 0, back, 0, 4096);
        use_textures(api, encoder, back);
        use_queries(api, encoder);
        use_surface(api);
        use_warnings(api);
        use_rendering(api, encoder, data);
        commands = wgpuCommandEncoderFinish(encoder, NULL);
    }
    if (commands != NULL) {
        wgpuQueueSubmit(api->queue, 1, &commands);
    }
    WGPUMapAsyncStatus map_status = WGPUMapAsyncStatus_Error;
    if (back != NULL) {
        WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_WaitAnyOnly;
        info.callback = on_map;
        info.userdata1 = &map_status;
        api_wait(api->instance, wgpuBufferMapAsync(back, WGPUMapMode_Read, 0, 4096, info));
        if (map_status == WGPUMapAsyncStatus_Success) {
            wgpuBufferGetConstMappedRange(back, 0, 4096);
        }
    }
    RELEASE(CommandBuffer, commands);
    RELEASE(ComputePassEncoder, pass);
    RELEASE(CommandEncoder, encoder);
    RELEASE(BindGroup, group);
    RELEASE(BindGroupLayout, layout);
    RELEASE(Buffer, data);
    RELEASE(Buffer, back);
    RELEASE(ComputePipeline, pipeline);
    RELEASE(ShaderModule, module);
    return map_status == WGPUMapAsyncStatus_Success && atomic_load(&api->error_count) == 0;
}

// The whole life of a program. True when nothing failed.
static bool run_program(void) {
    struct api api;
    memset(&api, 0, sizeof(api));
    bool ok = false;
    api.instance = api_create_instance();
    if (api.instance == NULL) {
        return false;
    }
    api.adapter = api_request_adapter(api.instance);
    if (api.adapter != NULL) {
        AlbaWarningOptions warnings = ALBA_WARNING_OPTIONS_INIT;
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.nextInChain = &warnings.chain;
        descriptor.label = api_view("device");
        api.device = api_request_device(&api, &descriptor, NULL);
    }
    if (api.device != NULL) {
        api.queue = wgpuDeviceGetQueue(api.device);
        ok = use_everything(&api);
        wgpuQueueRelease(api.queue);
        wgpuDeviceRelease(api.device);
    }
    RELEASE(Adapter, api.adapter);
    wgpuInstanceRelease(api.instance);
    return ok;
}

TEST(nothing_is_left) {
    CHECK(run_program());
    CHECK(api_is_all_freed());
}

TEST(order_of_release_does_not_matter) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(
        &api, "b", 64, WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
    wgpuQueueWriteBuffer(api.queue, buffer, 0, "abcd", 4);
    struct api_map_result map;
    wgpuBufferMapAsync(
        buffer, WGPUMapMode_Read, 0, 64, api_map_info(&map, WGPUCallbackMode_AllowProcessEvents));
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuInstanceRelease(api.instance);
    wgpuAdapterRelease(api.adapter);
    wgpuDeviceRelease(api.device);
    wgpuQueueRelease(api.queue);
    wgpuCommandEncoderRelease(encoder);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuBufferRelease(buffer);
    CHECK_EQ(atomic_load(&map.call_count), 1);
    CHECK(api_is_all_freed());
}

TEST(unfinished_work_is_let_go) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    // Submitted and never waited for; a future that nobody asks about.
    for (int i = 0; i < 50; i++) {
        WGPUBuffer buffer = api_buffer(&api, "b", 65536, WGPUBufferUsage_CopyDst);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
        wgpuCommandEncoderClearBuffer(encoder, buffer, 0, WGPU_WHOLE_SIZE);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(api.queue, 1, &commands);
        if (i % 3 == 0) {
            wgpuBufferDestroy(buffer);
        }
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
        wgpuBufferRelease(buffer);
    }
    WGPUQueueWorkDoneStatus status = (WGPUQueueWorkDoneStatus)0;
    WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_done;
    info.userdata1 = &status;
    wgpuQueueOnSubmittedWorkDone(api.queue, info);
    api_end(&api);
    CHECK_EQ(status, WGPUQueueWorkDoneStatus_CallbackCancelled);
    CHECK(api_is_all_freed());
}

TEST(a_dropped_write_keeps_nothing_waiting) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "b", 64, WGPUBufferUsage_CopyDst);
    wgpuQueueWriteBuffer(api.queue, buffer, 0, "abcd", 4);
    wgpuBufferDestroy(buffer); // its memory waits for the write, which is never submitted
    wgpuBufferRelease(buffer);
    api_end(&api);
    CHECK(api_is_all_freed());
}

// A submission that fails for want of memory uses up its serial: the next one must not be taken for
// done before it is.
TEST(a_failed_submission_uses_up_its_serial) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "b", 64, WGPUBufferUsage_CopyDst);
    struct backend_device *backend = api.device->backend;
    for (int64_t countdown = 0; countdown < 8; countdown++) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
        wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 64);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        memory_fail_after(countdown, false);
        wgpuQueueSubmit(api.queue, 1, &commands);
        memory_fail_after(-1, false);
        CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
        os_clock_sleep_ns(2000000); // the queue's thread has taken note of the failure
        CHECK(backend->functions->completed_serial(backend) <= api.queue->submitted_serial);
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
    }
    CHECK(atomic_load(&api.error_count) > 1); // some of them failed
    wgpuBufferRelease(buffer);
    api_end(&api);
    CHECK(api_is_all_freed());
}

// How many allocations the program makes: found by the first of the sticky runs that succeeds.
static int64_t allocation_count;

TEST(all_later_allocations_may_fail_too) {
    bool ok = false;
    for (int64_t countdown = 0; !ok && countdown < 100000; countdown += 1 + countdown / 16) {
        memory_fail_after(countdown, true);
        ok = run_program();
        memory_fail_after(-1, false);
        allocation_count = countdown;
        if (!CHECK(api_is_all_freed())) {
            fprintf(stderr, "    after the failure of allocation %lld and all later ones\n",
                (long long)countdown);
            return;
        }
    }
    CHECK(ok);                     // with enough memory it works
    CHECK(allocation_count > 100); // and there was something to fail
}

TEST(each_allocation_may_fail) {
    int64_t failed_count = 0;
    for (int64_t countdown = 0; countdown < allocation_count; countdown++) {
        memory_fail_after(countdown, false);
        failed_count += !run_program();
        memory_fail_after(-1, false);
        if (!CHECK(api_is_all_freed())) {
            fprintf(stderr, "    after the failure of allocation %lld\n", (long long)countdown);
            return;
        }
    }
    CHECK(failed_count > allocation_count / 2); // a few can be done without: labels, for one
}

CHECK_MAIN(nothing_is_left, order_of_release_does_not_matter, unfinished_work_is_let_go,
    a_dropped_write_keeps_nothing_waiting, a_failed_submission_uses_up_its_serial, all_later_allocations_may_fail_too,
    each_allocation_may_fail)
