// SPDX-License-Identifier: MIT
//
// What the tests of exact pictures share: a device of the CPU adapter with a given number of
// threads, pipelines with defaults to be changed, passes, and texels read back. raster_run draws
// with one and with several threads and holds what both read against each other, to the bit. One
// thread uses a struct raster_gpu.
#pragma once

#include "api_helper.h"

struct raster_gpu {
    struct api api;
    uint32_t thread_count;
    uint64_t hash; // of everything that was read back
    uint64_t read_count;
};

// ---------------------------------------------------------------- devices

// The first error tells more than the last one.
static inline void raster_on_error(const WGPUDevice *device, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct api *api = userdata1;
    if (atomic_load(&api->error_count) == 0) {
        fprintf(stderr, "    error: %.*s\n", (int)message.length, message.data);
    }
    api_on_error(device, type, message, userdata1, userdata2);
}

static inline WGPUDevice raster_request_device(struct api *api, WGPUDeviceDescriptor *descriptor) {
    WGPUDevice device = NULL;
    descriptor->uncapturedErrorCallbackInfo.callback = raster_on_error;
    descriptor->uncapturedErrorCallbackInfo.userdata1 = api;
    descriptor->deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
    descriptor->deviceLostCallbackInfo.callback = api_on_lost;
    descriptor->deviceLostCallbackInfo.userdata1 = api;
    WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_device;
    info.userdata1 = &device;
    api_wait(api->instance, wgpuAdapterRequestDevice(api->adapter, descriptor, info));
    return device;
}

static inline bool raster_begin(struct raster_gpu *gpu, uint32_t thread_count) {
    static const WGPUInstanceFeatureName instance_features[] = {
        WGPUInstanceFeatureName_TimedWaitAny};
    memset(gpu, 0, sizeof(*gpu));
    gpu->thread_count = thread_count;
    gpu->hash = UINT64_C(0xcbf29ce484222325);
    struct api *api = &gpu->api;
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_CPU;
    options.threadCount = thread_count;
    WGPUInstanceDescriptor instance = WGPU_INSTANCE_DESCRIPTOR_INIT;
    instance.nextInChain = &options.chain;
    instance.requiredFeatureCount = 1;
    instance.requiredFeatures = instance_features;
    api->instance = wgpuCreateInstance(&instance);
    api->adapter = api_request_adapter(api->instance);
    if (!CHECK(api->adapter != NULL)) {
        return false;
    }
    // All that the adapter has: formats, dual-source blending, float32-blendable ...
    WGPUSupportedFeatures supported = WGPU_SUPPORTED_FEATURES_INIT;
    wgpuAdapterGetFeatures(api->adapter, &supported);
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatures = supported.features;
    descriptor.requiredFeatureCount = supported.featureCount;
    api->device = raster_request_device(api, &descriptor);
    wgpuSupportedFeaturesFreeMembers(supported);
    if (!CHECK(api->device != NULL)) {
        return false;
    }
    api->queue = wgpuDeviceGetQueue(api->device);
    return CHECK(api->queue != NULL);
}

static inline void raster_end(struct raster_gpu *gpu) {
    CHECK_EQ(atomic_load(&gpu->api.error_count), 0);
    CHECK_EQ(atomic_load(&gpu->api.lost_count), 0);
    api_end(&gpu->api);
}

// Draws with devices of so many threads; what is read must be the same.
static inline void raster_run_with(
    void (*draw)(struct raster_gpu *gpu), const uint32_t *thread_counts, int count) {
    uint64_t first = 0;
    for (int i = 0; i < count; i++) {
        struct raster_gpu gpu;
        if (raster_begin(&gpu, thread_counts[i])) {
            draw(&gpu);
            CHECK(gpu.read_count != 0);
            first = i == 0 ? gpu.hash : first;
            CHECK(gpu.hash == first);
            raster_end(&gpu);
        }
    }
}

static inline void raster_run(void (*draw)(struct raster_gpu *gpu)) {
    static const uint32_t thread_counts[] = {1, 2, 5};
    raster_run_with(draw, thread_counts, 3);
}

// ---------------------------------------------------------------- textures and buffers

static inline WGPUTexture raster_texture(struct raster_gpu *gpu, WGPUTextureFormat format,
    uint32_t width, uint32_t height, uint32_t sample_count) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TextureBinding;
    if (sample_count == 1) {
        descriptor.usage |= WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst;
    }
    descriptor.format = format;
    descriptor.size = (WGPUExtent3D){width, height, 1};
    descriptor.sampleCount = sample_count;
    return wgpuDeviceCreateTexture(gpu->api.device, &descriptor);
}

static inline WGPUBuffer raster_buffer(
    struct raster_gpu *gpu, WGPUBufferUsage usage, const void *data, uint64_t size_bytes) {
    WGPUBuffer buffer = api_buffer(&gpu->api, "data", size_bytes, usage | WGPUBufferUsage_CopyDst);
    if (data != NULL) {
        wgpuQueueWriteBuffer(gpu->api.queue, buffer, 0, data, (size_t)size_bytes);
    }
    return buffer;
}

static inline void raster_submit(struct raster_gpu *gpu, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

static inline void raster_hash(struct raster_gpu *gpu, const uint8_t *bytes, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++) {
        gpu->hash = (gpu->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    gpu->read_count++;
}

// Reads a buffer with usage COPY_SRC.
static inline void raster_read_buffer(
    struct raster_gpu *gpu, WGPUBuffer buffer, void *out_bytes, size_t size_bytes) {
    WGPUBuffer read = api_buffer(
        &gpu->api, "read", size_bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->api.device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, read, 0, size_bytes);
    raster_submit(gpu, encoder);
    memset(out_bytes, 0, size_bytes);
    if (CHECK_EQ(api_map(&gpu->api, read, WGPUMapMode_Read, 0, size_bytes),
            WGPUMapAsyncStatus_Success)) {
        memcpy(out_bytes, wgpuBufferGetConstMappedRange(read, 0, size_bytes), size_bytes);
    }
    raster_hash(gpu, out_bytes, size_bytes);
    wgpuBufferRelease(read);
}

// Reads level 0 of one layer, rows packed.
static inline void raster_read_layer(struct raster_gpu *gpu, WGPUTexture texture,
    WGPUTextureAspect aspect, uint32_t layer, uint32_t texel_bytes, void *out_texels) {
    uint32_t width = wgpuTextureGetWidth(texture);
    uint32_t height = wgpuTextureGetHeight(texture);
    uint32_t row_bytes = (width * texel_bytes + 255) / 256 * 256;
    size_t size_bytes = (size_t)row_bytes * height;
    WGPUBuffer read = api_buffer(
        &gpu->api, "read", size_bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->api.device, NULL);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = texture;
    from.aspect = aspect;
    from.origin.z = layer;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = read;
    to.layout.bytesPerRow = row_bytes;
    to.layout.rowsPerImage = height;
    WGPUExtent3D extent = {width, height, 1};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);
    raster_submit(gpu, encoder);
    memset(out_texels, 0, (size_t)width * height * texel_bytes);
    if (CHECK_EQ(api_map(&gpu->api, read, WGPUMapMode_Read, 0, size_bytes),
            WGPUMapAsyncStatus_Success)) {
        const uint8_t *rows = wgpuBufferGetConstMappedRange(read, 0, size_bytes);
        for (uint32_t y = 0; y < height; y++) {
            memcpy((uint8_t *)out_texels + (size_t)y * width * texel_bytes, rows + y * row_bytes,
                (size_t)width * texel_bytes);
        }
    }
    raster_hash(gpu, out_texels, (size_t)width * height * texel_bytes);
    wgpuBufferRelease(read);
}

static inline void raster_read(
    struct raster_gpu *gpu, WGPUTexture texture, uint32_t texel_bytes, void *out_texels) {
    raster_read_layer(gpu, texture, WGPUTextureAspect_All, 0, texel_bytes, out_texels);
}

// ---------------------------------------------------------------- pipelines

// A description whose parts point at each other: not to be copied or moved. One target of
// rgba8unorm, one vertex buffer without attributes that is not counted, depth-stencil off.
struct raster_pipeline {
    WGPURenderPipelineDescriptor descriptor;
    WGPUFragmentState fragment;
    WGPUColorTargetState targets[4];
    WGPUBlendState blend;
    WGPUDepthStencilState depth_stencil; // descriptor.depthStencil = &depth_stencil uses it
    WGPUVertexBufferLayout buffers[2];
    WGPUVertexAttribute attributes[8];
};

static inline void raster_pipeline_init(
    struct raster_gpu *gpu, struct raster_pipeline *pipeline, const char *code) {
    memset(pipeline, 0, sizeof(*pipeline));
    WGPUShaderModule module = api_shader(&gpu->api, code);
    pipeline->descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    pipeline->descriptor.vertex.module = module;
    pipeline->descriptor.vertex.buffers = pipeline->buffers;
    pipeline->descriptor.fragment = &pipeline->fragment;
    pipeline->fragment = WGPU_FRAGMENT_STATE_INIT;
    pipeline->fragment.module = module;
    pipeline->fragment.targets = pipeline->targets;
    pipeline->fragment.targetCount = 1;
    for (int i = 0; i < 4; i++) {
        pipeline->targets[i] = WGPU_COLOR_TARGET_STATE_INIT;
        pipeline->targets[i].format = WGPUTextureFormat_RGBA8Unorm;
    }
    pipeline->blend = WGPU_BLEND_STATE_INIT;
    pipeline->depth_stencil = WGPU_DEPTH_STENCIL_STATE_INIT;
    for (int i = 0; i < 2; i++) {
        pipeline->buffers[i] = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
        pipeline->buffers[i].stepMode = WGPUVertexStepMode_Vertex;
        pipeline->buffers[i].attributes = &pipeline->attributes[4 * i];
    }
    for (int i = 0; i < 8; i++) {
        pipeline->attributes[i] = WGPU_VERTEX_ATTRIBUTE_INIT;
    }
}

// Adds a tightly packed attribute to a buffer: location = the number of attributes so far.
static inline void raster_pipeline_add(struct raster_pipeline *pipeline, uint32_t buffer,
    WGPUVertexFormat format, uint32_t size_bytes, uint32_t location) {
    WGPUVertexBufferLayout *layout = &pipeline->buffers[buffer];
    WGPUVertexAttribute *attribute = &pipeline->attributes[4 * buffer + layout->attributeCount];
    attribute->format = format;
    attribute->offset = layout->arrayStride;
    attribute->shaderLocation = location;
    layout->arrayStride += size_bytes;
    layout->attributeCount++;
    if (pipeline->descriptor.vertex.bufferCount <= buffer) {
        pipeline->descriptor.vertex.bufferCount = buffer + 1;
    }
}

// Makes the pipeline; the description's module is released and the description used up.
static inline WGPURenderPipeline raster_pipeline_create(
    struct raster_gpu *gpu, struct raster_pipeline *pipeline) {
    WGPURenderPipeline made = wgpuDeviceCreateRenderPipeline(
        gpu->api.device, &pipeline->descriptor);
    wgpuShaderModuleRelease(pipeline->descriptor.vertex.module);
    return made;
}

// ---------------------------------------------------------------- passes

struct raster_pass {
    WGPURenderPassDescriptor descriptor;
    WGPURenderPassColorAttachment colors[4];
    WGPURenderPassDepthStencilAttachment depth_stencil;
    WGPUTextureView views[9];
    uint32_t view_count;
    WGPUCommandEncoder encoder;
    WGPURenderPassEncoder pass;
};

static inline WGPUTextureView raster_pass_view(struct raster_pass *pass, WGPUTexture texture) {
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    pass->views[pass->view_count++] = view;
    return view;
}

// Attachments are cleared to 0 (depth to 1) and stored unless the caller changes that before
// raster_pass_begin.
static inline void raster_pass_init(struct raster_pass *pass) {
    memset(pass, 0, sizeof(*pass));
    pass->descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass->descriptor.colorAttachments = pass->colors;
}

static inline WGPURenderPassColorAttachment *raster_pass_add(
    struct raster_pass *pass, WGPUTexture texture, WGPUTexture resolve_target) {
    WGPURenderPassColorAttachment *color = &pass->colors[pass->descriptor.colorAttachmentCount++];
    *color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color->view = raster_pass_view(pass, texture);
    if (resolve_target != NULL) {
        color->resolveTarget = raster_pass_view(pass, resolve_target);
    }
    color->loadOp = WGPULoadOp_Clear;
    color->storeOp = WGPUStoreOp_Store;
    return color;
}

static inline WGPURenderPassDepthStencilAttachment *raster_pass_add_depth(
    struct raster_pass *pass, WGPUTexture texture, bool has_depth, bool has_stencil) {
    WGPURenderPassDepthStencilAttachment *depth = &pass->depth_stencil;
    *depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth->view = raster_pass_view(pass, texture);
    if (has_depth) {
        depth->depthLoadOp = WGPULoadOp_Clear;
        depth->depthStoreOp = WGPUStoreOp_Store;
        depth->depthClearValue = 1;
    }
    if (has_stencil) {
        depth->stencilLoadOp = WGPULoadOp_Clear;
        depth->stencilStoreOp = WGPUStoreOp_Store;
    }
    pass->descriptor.depthStencilAttachment = depth;
    return depth;
}

static inline WGPURenderPassEncoder raster_pass_begin(
    struct raster_gpu *gpu, struct raster_pass *pass) {
    pass->encoder = wgpuDeviceCreateCommandEncoder(gpu->api.device, NULL);
    pass->pass = wgpuCommandEncoderBeginRenderPass(pass->encoder, &pass->descriptor);
    return pass->pass;
}

static inline void raster_pass_end(struct raster_gpu *gpu, struct raster_pass *pass) {
    wgpuRenderPassEncoderEnd(pass->pass);
    wgpuRenderPassEncoderRelease(pass->pass);
    raster_submit(gpu, pass->encoder);
    for (uint32_t i = 0; i < pass->view_count; i++) {
        wgpuTextureViewRelease(pass->views[i]);
    }
}

// ---------------------------------------------------------------- numbers

static inline uint32_t raster_random(uint32_t *state) { // xorshift
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// Compares pictures of `count` texels; tells the first texel that differs, and how many do.
static inline bool raster_check(const uint8_t *got, const uint8_t *wanted, uint32_t width,
    uint32_t height, uint32_t texel_bytes, const char *what) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t *a = got + (size_t)i * texel_bytes;
        const uint8_t *b = wanted + (size_t)i * texel_bytes;
        if (memcmp(a, b, texel_bytes) != 0 && wrong++ == 0) {
            fprintf(stderr, "    %s: pixel (%u, %u):", what, i % width, i / width);
            for (uint32_t j = 0; j < texel_bytes; j++) {
                fprintf(stderr, " %02x", a[j]);
            }
            fprintf(stderr, ", wanted");
            for (uint32_t j = 0; j < texel_bytes; j++) {
                fprintf(stderr, " %02x", b[j]);
            }
            fprintf(stderr, "\n");
        }
    }
    if (!CHECK_EQ(wrong, 0)) {
        fprintf(stderr, "    %s: %u of %u pixels are wrong\n", what, wrong, width * height);
        return false;
    }
    return true;
}
