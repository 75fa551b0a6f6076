// SPDX-License-Identifier: MIT
//
// Calls in any order, with any of the handles and with odd numbers, of all that draws: textures,
// views, samplers, render pipelines, passes, bundles, query sets and surfaces. Nothing crashes,
// nothing leaks. The seed of a run is printed when it fails. test_random.c has the rest.
#include "api_freed.h"

#include <math.h>

#include "base/memory.h"

#define SLOT_COUNT 5
#define CALL_COUNT 1500

struct world {
    struct api api;
    uint64_t state; // of the generator
    WGPUBuffer buffers[SLOT_COUNT];
    WGPUTexture textures[SLOT_COUNT];
    WGPUTextureView views[SLOT_COUNT];
    WGPUSampler samplers[SLOT_COUNT];
    WGPUQuerySet query_sets[SLOT_COUNT];
    WGPUBindGroup groups[SLOT_COUNT];
    WGPUShaderModule modules[SLOT_COUNT];
    WGPURenderPipeline pipelines[SLOT_COUNT];
    WGPUCommandEncoder encoders[SLOT_COUNT];
    WGPURenderPassEncoder passes[SLOT_COUNT];
    WGPURenderBundleEncoder bundle_encoders[SLOT_COUNT];
    WGPURenderBundle bundles[SLOT_COUNT];
    WGPUCommandBuffer commands[SLOT_COUNT];
    WGPUSurface surfaces[SLOT_COUNT];
};

static uint32_t next(struct world *w) {
    // xorshift64*
    w->state ^= w->state >> 12;
    w->state ^= w->state << 25;
    w->state ^= w->state >> 27;
    return (uint32_t)((w->state * UINT64_C(2685821657736338717)) >> 32);
}

static uint32_t below(struct world *w, uint32_t bound) {
    return next(w) % bound;
}

// Mostly small and aligned, sometimes not, sometimes absurd.
static uint64_t odd_number(struct world *w) {
    switch (below(w, 8)) {
    case 0:
        return below(w, 64);
    case 1:
        return UINT64_MAX - below(w, 16);
    default:
        return (uint64_t)below(w, 5) * 256;
    }
}

static uint32_t small(struct world *w) {
    return below(w, 12) == 0 ? next(w) : below(w, 5);
}

static float odd_float(struct world *w) {
    static const float values[] = {0, 1, 0.5f, 4, -1, 1e30f, NAN, INFINITY};
    return values[below(w, 8)];
}

#define SLOT(array) (w->array[below(w, SLOT_COUNT)])
#define KEEP(Kind, array, handle) \
    do { \
        WGPU##Kind *slot = &SLOT(array); \
        WGPU##Kind fresh = (handle); \
        if (*slot != NULL) { \
            wgpu##Kind##Release(*slot); \
        } \
        *slot = fresh; \
    } while (0)

static WGPUTextureFormat any_format(struct world *w) {
    static const WGPUTextureFormat formats[] = {WGPUTextureFormat_RGBA8Unorm,
        WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_BGRA8Unorm,
        WGPUTextureFormat_Depth32Float, WGPUTextureFormat_Depth24PlusStencil8,
        WGPUTextureFormat_R32Uint, WGPUTextureFormat_BC1RGBAUnorm};
    return below(w, 20) == 0 ? (WGPUTextureFormat)below(w, 130) : formats[below(w, 8)];
}

// ---------------------------------------------------------------- resources

static WGPUTexture new_texture(struct world *w) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.format = any_format(w);
    descriptor.usage = below(w, 3) == 0 ? below(w, 64) : 0x17;
    descriptor.size = (WGPUExtent3D){8, below(w, 4) == 0 ? small(w) : 8, 1 + (below(w, 6) == 0)};
    descriptor.sampleCount = below(w, 5) == 0 ? 4 : 1;
    descriptor.mipLevelCount = 1 + (below(w, 6) == 0);
    descriptor.dimension = (WGPUTextureDimension)(below(w, 6) == 0 ? below(w, 5) : 2);
    return wgpuDeviceCreateTexture(w->api.device, &descriptor);
}

static void call_resource(struct world *w) {
    switch (below(w, 8)) {
    case 0: {
        static const WGPUBufferUsage usages[] = {0x003C, 0x020C, 0x011C, 0x00C8};
        KEEP(Buffer, buffers, api_buffer(&w->api, "b", odd_number(w), usages[below(w, 4)]));
        break;
    }
    case 1:
    case 2:
        KEEP(Texture, textures, new_texture(w));
        break;
    case 3: {
        WGPUTexture texture = SLOT(textures);
        WGPUTextureViewDescriptor descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
        if (below(w, 3) == 0) {
            descriptor.baseMipLevel = small(w);
            descriptor.arrayLayerCount = small(w);
            descriptor.dimension = (WGPUTextureViewDimension)below(w, 8);
        }
        KEEP(TextureView, views,
            texture == NULL ? NULL : wgpuTextureCreateView(texture, &descriptor));
        break;
    }
    case 4: {
        WGPUSamplerDescriptor descriptor = WGPU_SAMPLER_DESCRIPTOR_INIT;
        descriptor.lodMinClamp = odd_float(w);
        descriptor.compare = (WGPUCompareFunction)below(w, 10);
        KEEP(Sampler, samplers, wgpuDeviceCreateSampler(w->api.device, &descriptor));
        break;
    }
    case 5: {
        WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
        descriptor.type = (WGPUQueryType)below(w, 4);
        descriptor.count = small(w);
        KEEP(QuerySet, query_sets, wgpuDeviceCreateQuerySet(w->api.device, &descriptor));
        break;
    }
    case 6:
        if (below(w, 3) == 0 && SLOT(textures) != NULL) {
            WGPUTexture texture = SLOT(textures);
            if (texture != NULL) {
                wgpuTextureDestroy(texture);
            }
        } else if (below(w, 3) == 0) {
            WGPUQuerySet set = SLOT(query_sets);
            if (set != NULL) {
                wgpuQuerySetDestroy(set);
            }
        }
        break;
    default: {
        WGPUTexture texture = SLOT(textures);
        static const unsigned char bytes[8 * 8 * 16 * 2];
        WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
        to.texture = texture;
        to.mipLevel = small(w);
        WGPUTexelCopyBufferLayout layout = {odd_number(w), 128, 8};
        WGPUExtent3D size = {small(w), small(w), 1};
        if (texture != NULL) {
            wgpuQueueWriteTexture(w->api.queue, &to, bytes, sizeof(bytes), &layout, &size);
        }
        break;
    }
    }
}

static void call_surface(struct world *w) {
    WGPUSurface surface = SLOT(surfaces);
    switch (below(w, 7)) {
    case 0: {
        AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
        WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
        descriptor.nextInChain = below(w, 5) == 0 ? NULL : &source.chain;
        KEEP(Surface, surfaces, wgpuInstanceCreateSurface(w->api.instance, &descriptor));
        break;
    }
    case 1: {
        WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
        config.device = w->api.device;
        config.format = any_format(w);
        config.width = 8;
        config.height = small(w);
        config.usage = below(w, 4) == 0 ? below(w, 64) : 0x17;
        if (surface != NULL) {
            wgpuSurfaceConfigure(surface, &config);
        }
        break;
    }
    case 2:
    case 3: {
        WGPUSurfaceTexture current = WGPU_SURFACE_TEXTURE_INIT;
        if (surface != NULL) {
            wgpuSurfaceGetCurrentTexture(surface, &current);
        }
        if (current.texture != NULL) {
            KEEP(Texture, textures, current.texture);
        }
        break;
    }
    case 4:
        if (surface != NULL) {
            wgpuSurfacePresent(surface);
        }
        break;
    case 5: {
        AlbaFrame frame = ALBA_FRAME_INIT;
        if (surface != NULL) {
            albaSurfaceReadFrame(surface, &frame);
        }
        albaFrameFreeMembers(frame);
        break;
    }
    default:
        if (surface != NULL && below(w, 4) == 0) {
            wgpuSurfaceUnconfigure(surface);
        }
        break;
    }
}

// ---------------------------------------------------------------- pipelines

static WGPUShaderModule new_module(struct world *w) {
    static const char *const codes[] = {
        "@vertex fn v(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n"
        "@fragment fn f() -> @location(0) vec4f { return vec4f(); }",
        "@group(0) @binding(0) var t: texture_2d<f32>;\n"
        "@group(0) @binding(1) var s: sampler;\n"
        "@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }\n"
        "@fragment fn f() -> @location(0) vec4f { return textureSampleLevel(t, s, vec2f(), 0); }",
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
        "@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }\n"
        "@fragment fn f() { a[0] = 1; }",
        "fn broken("};
    return api_shader(&w->api, codes[below(w, 4)]);
}

static WGPURenderPipeline new_pipeline(struct world *w) {
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    attribute.format = WGPUVertexFormat_Float32x4;
    WGPUVertexBufferLayout buffer = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    buffer.stepMode = (WGPUVertexStepMode)below(w, 4);
    buffer.arrayStride = odd_number(w);
    buffer.attributeCount = 1;
    buffer.attributes = &attribute;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = any_format(w);
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = SLOT(modules);
    fragment.targetCount = below(w, 2);
    fragment.targets = &target;
    WGPUDepthStencilState depth = WGPU_DEPTH_STENCIL_STATE_INIT;
    depth.format = any_format(w);
    depth.depthWriteEnabled = (WGPUOptionalBool)below(w, 4);
    depth.depthCompare = (WGPUCompareFunction)below(w, 10);
    depth.depthBiasClamp = odd_float(w);
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = SLOT(modules);
    descriptor.vertex.bufferCount = below(w, 2);
    descriptor.vertex.buffers = &buffer;
    descriptor.fragment = below(w, 5) == 0 ? NULL : &fragment;
    descriptor.depthStencil = below(w, 3) == 0 ? &depth : NULL;
    descriptor.primitive.topology = (WGPUPrimitiveTopology)below(w, 7);
    descriptor.multisample.count = below(w, 5) == 0 ? small(w) : 1;
    return wgpuDeviceCreateRenderPipeline(w->api.device, &descriptor);
}

static WGPUBindGroup new_group(struct world *w) {
    WGPURenderPipeline pipeline = SLOT(pipelines);
    if (pipeline == NULL) {
        return NULL;
    }
    WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    if (below(w, 2) == 0) {
        entries[0].textureView = SLOT(views);
        entries[1].sampler = SLOT(samplers);
    } else {
        entries[0].buffer = SLOT(buffers);
    }
    entries[1].binding = 1;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = 1 + below(w, 2);
    descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(w->api.device, &descriptor);
    if (layout != NULL) {
        wgpuBindGroupLayoutRelease(layout);
    }
    return group;
}

static void call_pipeline(struct world *w) {
    switch (below(w, 3)) {
    case 0:
        KEEP(ShaderModule, modules, new_module(w));
        break;
    case 1:
        KEEP(RenderPipeline, pipelines, new_pipeline(w));
        break;
    default:
        KEEP(BindGroup, groups, new_group(w));
        break;
    }
}

// ---------------------------------------------------------------- encoders

static void begin_pass(struct world *w, WGPUCommandEncoder encoder) {
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = SLOT(views);
    color.resolveTarget = below(w, 6) == 0 ? SLOT(views) : NULL;
    color.loadOp = (WGPULoadOp)(1 + below(w, 2));
    color.storeOp = (WGPUStoreOp)(1 + below(w, 2));
    color.clearValue.r = (double)odd_float(w);
    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.view = SLOT(views);
    depth.depthLoadOp = (WGPULoadOp)below(w, 3);
    depth.depthStoreOp = (WGPUStoreOp)below(w, 3);
    depth.depthClearValue = odd_float(w);
    WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    writes.querySet = SLOT(query_sets);
    writes.endOfPassWriteIndex = small(w);
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = below(w, 8) == 0 ? 0 : 1;
    descriptor.colorAttachments = &color;
    descriptor.depthStencilAttachment = below(w, 3) == 0 ? &depth : NULL;
    descriptor.occlusionQuerySet = below(w, 2) == 0 ? SLOT(query_sets) : NULL;
    descriptor.timestampWrites = below(w, 4) == 0 ? &writes : NULL;
    KEEP(RenderPassEncoder, passes, wgpuCommandEncoderBeginRenderPass(encoder, &descriptor));
}

static void call_encoder(struct world *w) {
    WGPUCommandEncoder encoder = SLOT(encoders);
    if (encoder == NULL || below(w, 6) == 0) {
        KEEP(CommandEncoder, encoders, wgpuDeviceCreateCommandEncoder(w->api.device, NULL));
        return;
    }
    switch (below(w, 6)) {
    case 0:
    case 1:
        begin_pass(w, encoder);
        break;
    case 2:
        wgpuCommandEncoderResolveQuerySet(
            encoder, SLOT(query_sets), small(w), small(w), SLOT(buffers), odd_number(w));
        break;
    case 3:
        wgpuCommandEncoderWriteTimestamp(encoder, SLOT(query_sets), small(w));
        break;
    case 4: {
        WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
        WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
        from.texture = SLOT(textures);
        to.texture = SLOT(textures);
        to.origin.z = small(w);
        WGPUExtent3D size = {small(w), small(w), small(w)};
        wgpuCommandEncoderCopyTextureToTexture(encoder, &from, &to, &size);
        break;
    }
    default:
        KEEP(CommandBuffer, commands, wgpuCommandEncoderFinish(encoder, NULL));
        break;
    }
}

// The commands that passes and bundles share.
#define CALL_COMMON(Kind, handle) \
    switch (below(w, 9)) { \
    case 0: \
    case 1: \
        wgpu##Kind##SetPipeline(handle, SLOT(pipelines)); \
        break; \
    case 2: \
        wgpu##Kind##SetBindGroup(handle, small(w), SLOT(groups), 0, NULL); \
        break; \
    case 3: \
        wgpu##Kind##SetVertexBuffer( \
            handle, small(w), SLOT(buffers), odd_number(w), odd_number(w)); \
        break; \
    case 4: \
        wgpu##Kind##SetIndexBuffer( \
            handle, SLOT(buffers), (WGPUIndexFormat)below(w, 4), odd_number(w), WGPU_WHOLE_SIZE); \
        break; \
    case 5: \
    case 6: \
        wgpu##Kind##Draw(handle, small(w), small(w), small(w), small(w)); \
        break; \
    case 7: \
        wgpu##Kind##DrawIndexed(handle, small(w), 1, small(w), (int32_t)next(w), 0); \
        break; \
    default: \
        wgpu##Kind##DrawIndirect(handle, SLOT(buffers), odd_number(w)); \
        break; \
    }

static void call_pass(struct world *w) {
    WGPURenderPassEncoder pass = SLOT(passes);
    if (pass == NULL) {
        return;
    }
    switch (below(w, 9)) {
    case 0:
    case 1:
        wgpuRenderPassEncoderEnd(pass);
        break;
    case 2:
        wgpuRenderPassEncoderBeginOcclusionQuery(pass, small(w));
        break;
    case 3:
        wgpuRenderPassEncoderEndOcclusionQuery(pass);
        break;
    case 4: {
        WGPURenderBundle bundles[2] = {SLOT(bundles), SLOT(bundles)};
        wgpuRenderPassEncoderExecuteBundles(pass, below(w, 3), bundles);
        break;
    }
    case 5:
        wgpuRenderPassEncoderSetViewport(pass, odd_float(w), odd_float(w), odd_float(w),
            odd_float(w), odd_float(w), odd_float(w));
        wgpuRenderPassEncoderSetScissorRect(pass, small(w), small(w), small(w), small(w));
        break;
    default:
        CALL_COMMON(RenderPassEncoder, pass)
        break;
    }
}

static void call_bundle(struct world *w) {
    WGPURenderBundleEncoder encoder = SLOT(bundle_encoders);
    if (encoder == NULL || below(w, 8) == 0) {
        WGPUTextureFormat format = any_format(w);
        WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
        descriptor.colorFormatCount = 1;
        descriptor.colorFormats = &format;
        descriptor.depthStencilFormat = below(w, 3) == 0 ? any_format(w)
                                                         : WGPUTextureFormat_Undefined;
        KEEP(RenderBundleEncoder, bundle_encoders,
            wgpuDeviceCreateRenderBundleEncoder(w->api.device, &descriptor));
        return;
    }
    if (below(w, 5) == 0) {
        KEEP(RenderBundle, bundles, wgpuRenderBundleEncoderFinish(encoder, NULL));
        return;
    }
    CALL_COMMON(RenderBundleEncoder, encoder)
}

// ---------------------------------------------------------------- runs

// The usual device, but with timestamp-query in every other run.
static bool begin(struct world *w, uint64_t seed) {
    static const WGPUFeatureName feature = WGPUFeatureName_TimestampQuery;
    if (!api_begin(&w->api)) {
        return false;
    }
    if (seed % 2 == 0) {
        wgpuQueueRelease(w->api.queue);
        wgpuDeviceRelease(w->api.device);
        AlbaWarningOptions warnings = ALBA_WARNING_OPTIONS_INIT;
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.nextInChain = &warnings.chain;
        descriptor.requiredFeatureCount = 1;
        descriptor.requiredFeatures = &feature;
        w->api.device = api_request_device(&w->api, &descriptor, NULL);
        w->api.queue = wgpuDeviceGetQueue(w->api.device);
    }
    return CHECK(w->api.queue != NULL);
}

static void call_any(struct world *w) {
    switch (below(w, 12)) {
    case 0:
    case 1:
    case 2:
        call_resource(w);
        break;
    case 3:
        call_surface(w);
        break;
    case 4:
    case 5:
        call_pipeline(w);
        break;
    case 6:
    case 7:
        call_encoder(w);
        break;
    case 8:
    case 9:
        call_pass(w);
        break;
    case 10:
        call_bundle(w);
        break;
    default: {
        WGPUCommandBuffer list[2] = {SLOT(commands), SLOT(commands)};
        wgpuQueueSubmit(w->api.queue, 1 + below(w, 2), list);
        break;
    }
    }
}

#define RELEASE_ALL(Kind, array) \
    for (int i = 0; i < SLOT_COUNT; i++) { \
        if (w->array[i] != NULL) { \
            wgpu##Kind##Release(w->array[i]); \
        } \
    }

static void run(struct world *w, uint64_t seed) {
    memset(w, 0, sizeof(*w));
    if (!begin(w, seed)) {
        return;
    }
    w->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    bool is_destroyed = seed % 5 == 0;
    bool is_short_of_memory = seed % 3 == 0;
    for (int i = 0; i < CALL_COUNT; i++) {
        if (is_destroyed && i == CALL_COUNT / 2) {
            wgpuDeviceDestroy(w->api.device);
        }
        if (is_short_of_memory && below(w, 20) == 0) {
            memory_fail_after(below(w, 40), below(w, 8) == 0);
        } else if (is_short_of_memory && below(w, 10) == 0) {
            memory_fail_after(-1, false);
        }
        call_any(w);
    }
    memory_fail_after(-1, false);
    RELEASE_ALL(CommandBuffer, commands)
    RELEASE_ALL(RenderPassEncoder, passes)
    RELEASE_ALL(CommandEncoder, encoders)
    RELEASE_ALL(RenderBundleEncoder, bundle_encoders)
    RELEASE_ALL(RenderBundle, bundles)
    RELEASE_ALL(BindGroup, groups)
    RELEASE_ALL(RenderPipeline, pipelines)
    RELEASE_ALL(ShaderModule, modules)
    RELEASE_ALL(TextureView, views)
    RELEASE_ALL(Sampler, samplers)
    RELEASE_ALL(QuerySet, query_sets)
    RELEASE_ALL(Texture, textures)
    RELEASE_ALL(Buffer, buffers)
    RELEASE_ALL(Surface, surfaces)
    api_end(&w->api);
}

TEST(any_order_of_calls_is_survived) {
    static struct world world;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        run(&world, seed);
        if (!CHECK(api_is_all_freed())) {
            fprintf(stderr, "    seed %llu\n", (unsigned long long)seed);
            return;
        }
    }
}

CHECK_MAIN(any_order_of_calls_is_survived)
