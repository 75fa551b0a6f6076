// SPDX-License-Identifier: MIT
//
// Render passes and bundles called in any order, with any of the handles and with odd numbers, while
// allocations fail and devices go: nothing crashes, nothing leaks, and what is valid gets through.
#include "api_helper.h"

#include "base/memory.h"
#include "base/os_clock.h"

#define SLOT_COUNT 5
#define CALL_COUNT 1500

struct world {
    struct api api;
    uint64_t state; // of the generator
    WGPUBuffer buffers[SLOT_COUNT];
    WGPUTexture textures[SLOT_COUNT];
    WGPUTextureView views[SLOT_COUNT];
    WGPUBindGroup groups[SLOT_COUNT];
    WGPURenderPipeline pipelines[SLOT_COUNT];
    WGPUQuerySet sets[SLOT_COUNT];
    WGPUCommandEncoder encoders[SLOT_COUNT];
    WGPURenderPassEncoder passes[SLOT_COUNT];
    WGPURenderBundleEncoder bundle_encoders[SLOT_COUNT];
    WGPURenderBundle bundles[SLOT_COUNT];
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

static bool rarely(struct world *w) {
    return below(w, 12) == 0;
}

// Mostly small and aligned, sometimes absurd.
static uint64_t odd_number(struct world *w) {
    switch (below(w, 16)) {
    case 0:
        return below(w, 64);
    case 1:
        return UINT64_MAX - below(w, 16);
    default:
        return (uint64_t)below(w, 4) * 16;
    }
}

#define SLOT(array) (w->array[below(w, SLOT_COUNT)])
// Puts a new handle into a slot and gives back the one that was there.
#define KEEP(Kind, array, handle) \
    do { \
        WGPU##Kind *slot = &SLOT(array); \
        WGPU##Kind fresh = (handle); \
        if (*slot != NULL) { \
            wgpu##Kind##Release(*slot); \
        } \
        *slot = fresh; \
    } while (0)

// ---------------------------------------------------------------- objects

static WGPUTextureFormat any_color(struct world *w) {
    static const WGPUTextureFormat formats[] = {WGPUTextureFormat_RGBA8Unorm,
        WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_R32Float,
        WGPUTextureFormat_RGB9E5Ufloat, WGPUTextureFormat_Undefined};
    return formats[below(w, rarely(w) ? 6 : 3)];
}

static WGPUTexture new_texture(struct world *w) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TextureBinding;
    descriptor.format = below(w, 4) == 0 ? WGPUTextureFormat_Depth24PlusStencil8 : any_color(w);
    descriptor.size = (WGPUExtent3D){8, 8, 1 + below(w, 2) * below(w, 3)};
    descriptor.dimension = rarely(w) ? WGPUTextureDimension_3D : WGPUTextureDimension_2D;
    descriptor.mipLevelCount = 1 + below(w, 2) * below(w, 3);
    descriptor.sampleCount = rarely(w) ? 4 : 1;
    return wgpuDeviceCreateTexture(w->api.device, &descriptor);
}

static WGPUTextureView new_view(struct world *w) {
    WGPUTexture texture = SLOT(textures);
    if (texture == NULL) {
        return NULL;
    }
    WGPUTextureViewDescriptor descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    descriptor.mipLevelCount = 1;
    descriptor.baseMipLevel = below(w, 4) == 0;
    descriptor.arrayLayerCount = 1;
    descriptor.baseArrayLayer = below(w, 4) == 0;
    descriptor.aspect = rarely(w) ? WGPUTextureAspect_DepthOnly : WGPUTextureAspect_All;
    return wgpuTextureCreateView(texture, &descriptor);
}

static WGPURenderPipeline new_pipeline(struct world *w) {
    static const char *const codes[] = {
        "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }\n"
        "@fragment fn fs() -> @location(0) vec4f { return vec4f(); }\n",
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n"
        "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n"
        "@fragment fn fs() -> @location(0) vec4f { data[0] = 1u; return vec4f(); }\n"};
    uint32_t code = below(w, 2);
    WGPUShaderModule module = api_shader(&w->api, codes[code]);
    if (module == NULL) {
        return NULL;
    }
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    attribute.format = WGPUVertexFormat_Float32x4;
    WGPUVertexBufferLayout layout = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    layout.stepMode = below(w, 2) == 0 ? WGPUVertexStepMode_Vertex : WGPUVertexStepMode_Instance;
    layout.arrayStride = 16;
    layout.attributeCount = 1;
    layout.attributes = &attribute;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = any_color(w);
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = code;
    descriptor.vertex.buffers = &layout;
    descriptor.fragment = &fragment;
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(w->api.device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static WGPUBindGroup new_group(struct world *w) {
    WGPURenderPipeline pipeline = SLOT(pipelines);
    WGPUBindGroupLayout layout = pipeline != NULL
        ? wgpuRenderPipelineGetBindGroupLayout(pipeline, 0)
        : NULL;
    if (layout == NULL) {
        return NULL;
    }
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = SLOT(buffers);
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(w->api.device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

static WGPURenderBundleEncoder new_bundle_encoder(struct world *w) {
    WGPUTextureFormat formats[2] = {any_color(w), any_color(w)};
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.colorFormatCount = rarely(w) ? 2 : 1;
    descriptor.colorFormats = formats;
    descriptor.depthStencilFormat = rarely(w) ? WGPUTextureFormat_Depth24PlusStencil8
                                              : WGPUTextureFormat_Undefined;
    return wgpuDeviceCreateRenderBundleEncoder(w->api.device, &descriptor);
}

static void call_create(struct world *w) {
    switch (below(w, 8)) {
    case 0: {
        WGPUBufferUsage usage = WGPUBufferUsage_Vertex | WGPUBufferUsage_Index |
            WGPUBufferUsage_Indirect | WGPUBufferUsage_Storage;
        KEEP(Buffer, buffers,
            api_buffer(&w->api, "b", 64 + odd_number(w) % 1024, rarely(w) ? 0 : usage));
        break;
    }
    case 1:
        KEEP(Texture, textures, new_texture(w));
        break;
    case 2:
    case 3:
        KEEP(TextureView, views, new_view(w));
        break;
    case 4:
        KEEP(RenderPipeline, pipelines, new_pipeline(w));
        break;
    case 5:
        KEEP(BindGroup, groups, new_group(w));
        break;
    case 6: {
        WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
        descriptor.type = WGPUQueryType_Occlusion;
        descriptor.count = 1 + below(w, 80);
        KEEP(QuerySet, sets, wgpuDeviceCreateQuerySet(w->api.device, &descriptor));
        break;
    }
    default:
        KEEP(RenderBundleEncoder, bundle_encoders, new_bundle_encoder(w));
        break;
    }
}

// ---------------------------------------------------------------- commands

// The same for passes and bundle encoders.
#define COMMANDS(Kind, encoder) \
    switch (below(w, 12)) { \
    case 0: \
    case 1: \
        wgpu##Kind##SetPipeline(encoder, SLOT(pipelines)); \
        break; \
    case 2: \
        wgpu##Kind##SetBindGroup(encoder, below(w, 40) == 0 ? 9 : 0, SLOT(groups), 0, NULL); \
        break; \
    case 3: \
        wgpu##Kind##SetVertexBuffer(encoder, below(w, 40) == 0 ? 70 : below(w, 3), SLOT(buffers), \
            odd_number(w), WGPU_WHOLE_SIZE); \
        break; \
    case 4: \
        wgpu##Kind##SetIndexBuffer(encoder, SLOT(buffers), \
            (WGPUIndexFormat)(rarely(w) ? below(w, 4) : WGPUIndexFormat_Uint16), odd_number(w), \
            WGPU_WHOLE_SIZE); \
        break; \
    case 5: \
        wgpu##Kind##DrawIndexed( \
            encoder, below(w, 8), below(w, 3), below(w, 8), -(int32_t)below(w, 9), below(w, 2)); \
        break; \
    case 6: \
        wgpu##Kind##DrawIndirect(encoder, SLOT(buffers), odd_number(w)); \
        break; \
    case 7: \
        wgpu##Kind##DrawIndexedIndirect(encoder, SLOT(buffers), odd_number(w)); \
        break; \
    case 8: \
        wgpu##Kind##PushDebugGroup(encoder, api_view("g")); \
        wgpu##Kind##InsertDebugMarker(encoder, api_view("m")); \
        wgpu##Kind##PopDebugGroup(encoder); \
        break; \
    case 9: \
        wgpu##Kind##SetImmediates(encoder, rarely(w) ? next(w) : 4, &w->state, 8); \
        break; \
    default: \
        wgpu##Kind##Draw(encoder, below(w, 4), below(w, 3), below(w, 3), rarely(w) ? next(w) : 0); \
        break; \
    }

static void call_bundle(struct world *w) {
    WGPURenderBundleEncoder encoder = SLOT(bundle_encoders);
    if (encoder == NULL) {
        return;
    }
    if (below(w, 4) == 0) {
        KEEP(RenderBundle, bundles, wgpuRenderBundleEncoderFinish(encoder, NULL));
        return;
    }
    COMMANDS(RenderBundleEncoder, encoder)
}

static void call_pass(struct world *w) {
    WGPURenderPassEncoder pass = SLOT(passes);
    if (pass == NULL) {
        return;
    }
    WGPURenderBundle bundles[3] = {SLOT(bundles), SLOT(bundles), SLOT(bundles)};
    WGPUColor color = {0, 1, 2, 3};
    switch (below(w, 14)) {
    case 0:
    case 1:
        wgpuRenderPassEncoderEnd(pass);
        break;
    case 2:
        wgpuRenderPassEncoderSetViewport(
            pass, (float)odd_number(w) - 20, 0, 4, (float)below(w, 9), 0, rarely(w) ? 2.0f : 1.0f);
        break;
    case 3:
        wgpuRenderPassEncoderSetScissorRect(pass, below(w, 5), rarely(w) ? next(w) : 0, 4, 4);
        break;
    case 4:
        wgpuRenderPassEncoderSetBlendConstant(pass, &color);
        wgpuRenderPassEncoderSetStencilReference(pass, next(w));
        break;
    case 5:
        wgpuRenderPassEncoderBeginOcclusionQuery(pass, below(w, 40));
        break;
    case 6:
        wgpuRenderPassEncoderEndOcclusionQuery(pass);
        break;
    case 7:
        wgpuRenderPassEncoderExecuteBundles(pass, below(w, 3), bundles);
        break;
    default:
        COMMANDS(RenderPassEncoder, pass)
        break;
    }
}

static WGPURenderPassEncoder begin_pass(struct world *w, WGPUCommandEncoder encoder) {
    WGPURenderPassColorAttachment colors[2] = {
        WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT, WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT};
    for (int i = 0; i < 2; i++) {
        colors[i].view = SLOT(views);
        colors[i].depthSlice = rarely(w) ? below(w, 3) : WGPU_DEPTH_SLICE_UNDEFINED;
        colors[i].resolveTarget = rarely(w) ? SLOT(views) : NULL;
        colors[i].loadOp = (WGPULoadOp)(rarely(w) ? below(w, 4) : 2);
        colors[i].storeOp = (WGPUStoreOp)(rarely(w) ? below(w, 4) : 1);
        colors[i].clearValue = (WGPUColor){0.5, -1, 1e30, (double)odd_number(w)};
    }
    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.view = SLOT(views);
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthStoreOp = WGPUStoreOp_Discard;
    depth.depthClearValue = rarely(w) ? 3.0f : 0.5f;
    depth.stencilReadOnly = WGPU_TRUE;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = rarely(w) ? 2 : 1;
    descriptor.colorAttachments = colors;
    descriptor.depthStencilAttachment = rarely(w) ? &depth : NULL;
    descriptor.occlusionQuerySet = below(w, 2) == 0 ? SLOT(sets) : NULL;
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

// Finishes, and submits; true when it was valid.
static bool finish(struct world *w, WGPUCommandEncoder encoder) {
    wgpuDevicePushErrorScope(w->api.device, WGPUErrorFilter_Validation);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    if (commands != NULL) {
        wgpuQueueSubmit(w->api.queue, 1, &commands);
        wgpuCommandBufferRelease(commands);
    }
    struct api_scope_result scope = api_pop_scope(&w->api);
    return commands != NULL && scope.call_count == 1 && scope.type == WGPUErrorType_NoError;
}

static int call_encoder(struct world *w) {
    if (below(w, 3) == 0) {
        KEEP(CommandEncoder, encoders, wgpuDeviceCreateCommandEncoder(w->api.device, NULL));
        return 0;
    }
    WGPUCommandEncoder encoder = SLOT(encoders);
    if (encoder == NULL) {
        return 0;
    }
    if (below(w, 3) != 0) {
        KEEP(RenderPassEncoder, passes, begin_pass(w, encoder));
        return 0;
    }
    return finish(w, encoder);
}

static void call_destroy(struct world *w) {
    WGPUBuffer buffer = SLOT(buffers);
    WGPUTexture texture = SLOT(textures);
    WGPUQuerySet set = SLOT(sets);
    if (buffer != NULL && rarely(w)) {
        wgpuBufferDestroy(buffer);
    }
    if (texture != NULL && rarely(w)) {
        wgpuTextureDestroy(texture);
    }
    if (set != NULL && rarely(w)) {
        wgpuQuerySetDestroy(set);
    }
}

// A pass that is valid unless memory or the device is gone: begun, filled with whatever comes,
// ended.
static int call_valid(struct world *w) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = WGPUTextureUsage_RenderAttachment;
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.size = (WGPUExtent3D){8, 8, 1};
    WGPUTexture texture = wgpuDeviceCreateTexture(w->api.device, &descriptor);
    WGPUTextureView view = texture != NULL ? wgpuTextureCreateView(texture, NULL) : NULL;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(w->api.device, NULL);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = view;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Discard;
    WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass_descriptor.colorAttachmentCount = 1;
    pass_descriptor.colorAttachments = &color;
    WGPURenderPassEncoder pass = encoder != NULL
        ? wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor)
        : NULL;
    for (int i = 0; pass != NULL && i < 4; i++) {
        COMMANDS(RenderPassEncoder, pass)
    }
    int is_valid = 0;
    if (pass != NULL) {
        wgpuRenderPassEncoderEnd(pass);
        wgpuRenderPassEncoderRelease(pass);
        is_valid = finish(w, encoder);
    }
    if (encoder != NULL) {
        wgpuCommandEncoderRelease(encoder);
    }
    if (view != NULL) {
        wgpuTextureViewRelease(view);
    }
    if (texture != NULL) {
        wgpuTextureRelease(texture);
    }
    return is_valid;
}

#define RELEASE_ALL(Kind, array) \
    for (int i = 0; i < SLOT_COUNT; i++) { \
        if (w->array[i] != NULL) { \
            wgpu##Kind##Release(w->array[i]); \
        } \
    }

// How many valid submissions there were.
static int run(struct world *w, uint64_t seed) {
    memset(w, 0, sizeof(*w));
    if (!api_begin(&w->api)) {
        return 0;
    }
    w->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    int valid_count = 0;
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
        switch (below(w, 7)) {
        case 0:
            call_create(w);
            break;
        case 1:
            valid_count += call_encoder(w);
            break;
        case 2:
            call_bundle(w);
            break;
        case 3:
            valid_count += call_valid(w);
            break;
        case 4:
            call_destroy(w);
            break;
        default:
            call_pass(w);
            break;
        }
    }
    memory_fail_after(-1, false);
    RELEASE_ALL(RenderPassEncoder, passes)
    RELEASE_ALL(CommandEncoder, encoders)
    RELEASE_ALL(RenderBundleEncoder, bundle_encoders)
    RELEASE_ALL(RenderBundle, bundles)
    RELEASE_ALL(BindGroup, groups)
    RELEASE_ALL(Buffer, buffers)
    RELEASE_ALL(TextureView, views)
    RELEASE_ALL(Texture, textures)
    RELEASE_ALL(RenderPipeline, pipelines)
    RELEASE_ALL(QuerySet, sets)
    api_end(&w->api);
    return valid_count;
}

static uint64_t count_live_blocks(void) {
    uint64_t live = 0;
    for (int tag = 0; tag < MEMORY_TAG_COUNT; tag++) {
        live += memory_live_blocks((enum memory_tag)tag);
    }
    return live;
}

TEST(any_order_of_render_calls_is_survived) {
    static struct world world;
    int valid_count = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        valid_count += run(&world, seed);
        for (int i = 0; i < 3000 && count_live_blocks() != 0; i++) {
            os_clock_sleep_ns(1000000);
        }
        if (!CHECK_EQ(count_live_blocks(), 0)) {
            fprintf(stderr, "    seed %llu\n", (unsigned long long)seed);
            return;
        }
    }
    CHECK(valid_count > 300);
    printf("%d valid submissions\n", valid_count);
}

CHECK_MAIN(any_order_of_render_calls_is_survived)
