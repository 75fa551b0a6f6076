// SPDX-License-Identifier: MIT
//
// Draws on the CPU adapter through the public API: what reaches the shaders and the attachments by
// each way to draw, textures in shaders of all stages, and draws that never end. What triangles,
// blending and depth look like to the pixel is tests/raster's.
#include "api_freed.h"
#include "base/os_clock.h"

#define SIZE 8u // of pictures, in texels
#define ROW 256u

static AlbaGuardPages guard_pages = AlbaGuardPages_None;

static bool begin(struct api *api, uint64_t watchdog_ms) {
    static const WGPUInstanceFeatureName instance_features[] = {
        WGPUInstanceFeatureName_TimedWaitAny};
    memset(api, 0, sizeof(*api));
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_CPU;
    WGPUInstanceDescriptor instance = WGPU_INSTANCE_DESCRIPTOR_INIT;
    instance.nextInChain = &options.chain;
    instance.requiredFeatureCount = 1;
    instance.requiredFeatures = instance_features;
    api->instance = wgpuCreateInstance(&instance);
    api->adapter = api_request_adapter(api->instance);
    if (!CHECK(api->adapter != NULL)) {
        return false;
    }
    AlbaDeviceOptions device_options = ALBA_DEVICE_OPTIONS_INIT;
    device_options.watchdogMilliseconds = watchdog_ms;
    device_options.guardPages = guard_pages;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &device_options.chain;
    api->device = api_request_device(api, &descriptor, NULL);
    if (!CHECK(api->device != NULL)) {
        return false;
    }
    api->queue = wgpuDeviceGetQueue(api->device);
    return true;
}

static void end(struct api *api) {
    if (!CHECK_EQ(atomic_load(&api->error_count), 0)) {
        fprintf(stderr, "    %s\n", api->error_message);
    }
    api_end(api);
    CHECK(api_is_all_freed());
}

// ---------------------------------------------------------------- pictures

struct picture {
    WGPUTexture texture;
    WGPUTextureView view;
};

static struct picture create_picture(struct api *api, WGPUTextureUsage usage) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = usage | WGPUTextureUsage_CopySrc;
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.size = (WGPUExtent3D){SIZE, SIZE, 1};
    struct picture picture = {.texture = wgpuDeviceCreateTexture(api->device, &descriptor)};
    picture.view = wgpuTextureCreateView(picture.texture, NULL);
    return picture;
}

static void release_picture(struct picture *picture) {
    wgpuTextureViewRelease(picture->view);
    wgpuTextureRelease(picture->texture);
}

static void submit(struct api *api, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

static void read_buffer(struct api *api, WGPUBuffer from, void *out, size_t size_bytes) {
    WGPUBuffer back = api_buffer(
        api, "back", size_bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, from, 0, back, 0, size_bytes);
    submit(api, encoder);
    CHECK_EQ(api_map(api, back, WGPUMapMode_Read, 0, size_bytes), WGPUMapAsyncStatus_Success);
    const void *data = wgpuBufferGetConstMappedRange(back, 0, size_bytes);
    if (CHECK(data != NULL)) {
        memcpy(out, data, size_bytes);
    }
    wgpuBufferRelease(back);
}

// Red of each texel, 0 to 255.
static void read_red(
    struct api *api, const struct picture *picture, unsigned char out[SIZE][SIZE]) {
    static unsigned char rows[ROW * SIZE];
    WGPUBuffer buffer = api_buffer(
        api, "rows", sizeof(rows), WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = picture->texture;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = buffer;
    to.layout = (WGPUTexelCopyBufferLayout){0, ROW, SIZE};
    WGPUExtent3D size = {SIZE, SIZE, 1};
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
    submit(api, encoder);
    memset(rows, 0xee, sizeof(rows));
    read_buffer(api, buffer, rows, sizeof(rows));
    for (uint32_t y = 0; y < SIZE; y++) {
        for (uint32_t x = 0; x < SIZE; x++) {
            out[y][x] = rows[y * ROW + x * 4];
        }
    }
    wgpuBufferRelease(buffer);
}

// Each character stands for a texel: '.' for 0, a digit for that many tens; line after line.
static bool has_red(struct api *api, const struct picture *picture, const char *expected) {
    unsigned char red[SIZE][SIZE];
    read_red(api, picture, red);
    char seen[SIZE * SIZE + 1] = "";
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        unsigned value = red[i / SIZE][i % SIZE];
        seen[i] = value == 0                 ? '.'
            : value % 10 == 0 && value < 100 ? (char)('0' + value / 10)
                                             : '?';
    }
    return CHECK_STR(seen, expected);
}

// ---------------------------------------------------------------- pipelines and passes

// One quad, (0, 0) to (1, 1), a column of it each instance: the instance's number is its column,
// red is tens of (the column + 1).
static const char columns[] =
    "struct Out { @builtin(position) p: vec4f, @location(0) red: f32 }\n"
    "@vertex fn vs(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Out {\n"
    "    let corner = vec2f(f32(v & 1u), f32(v >> 1u));\n"
    "    let x = (f32(i) + corner.x) / 8.0;\n"
    "    return Out(vec4f(x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0, 1), f32(i + 1u) * 10.0 / 255.0);\n"
    "}\n"
    "@fragment fn fs(@location(0) red: f32) -> @location(0) vec4f { return vec4f(red, 0, 0, 1); }\n";

// Of a triangle strip.
static WGPURenderPipeline create_pipeline(struct api *api, const char *code, const char *label,
    WGPUIndexFormat index_format, const WGPUVertexBufferLayout *buffers, size_t buffer_count) {
    WGPUShaderModule module = api_shader(api, code);
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view(label);
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = buffer_count;
    descriptor.vertex.buffers = buffers;
    descriptor.primitive.topology = WGPUPrimitiveTopology_TriangleStrip;
    descriptor.primitive.stripIndexFormat = index_format;
    descriptor.fragment = &fragment;
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static WGPURenderPassEncoder begin_pass(
    WGPUCommandEncoder encoder, const struct picture *picture, WGPUQuerySet queries) {
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = picture->view;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    descriptor.occlusionQuerySet = queries;
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

static void end_pass(WGPURenderPassEncoder pass) {
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
}

static WGPUBuffer create_words(
    struct api *api, WGPUBufferUsage usage, const void *words, size_t size_bytes) {
    WGPUBuffer buffer = api_buffer(api, "words", size_bytes, usage | WGPUBufferUsage_CopyDst);
    wgpuQueueWriteBuffer(api->queue, buffer, 0, words, size_bytes);
    return buffer;
}

// ---------------------------------------------------------------- ways to draw

#define LINE_4(row) row row row row
#define PICTURE(row) LINE_4(row) LINE_4(row)

TEST(instances_are_drawn_in_their_columns) {
    struct api api;
    if (!begin(&api, 0)) {
        return;
    }
    WGPURenderPipeline pipeline = create_pipeline(
        &api, columns, "columns", WGPUIndexFormat_Uint16, NULL, 0);
    struct picture picture = create_picture(&api, WGPUTextureUsage_RenderAttachment);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPURenderPassEncoder pass = begin_pass(encoder, &picture, NULL);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderDraw(pass, 4, 3, 0, 1);
    wgpuRenderPassEncoderDraw(pass, 4, 0, 0, 0);
    wgpuRenderPassEncoderDraw(pass, 0, 4, 0, 0);
    wgpuRenderPassEncoderSetScissorRect(pass, 0, 0, SIZE, SIZE / 2);
    wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 6);
    end_pass(pass);
    submit(&api, encoder);
    has_red(&api, &picture, LINE_4(".234..7.") LINE_4(".234...."));
    release_picture(&picture);
    wgpuRenderPipelineRelease(pipeline);
    end(&api);
}

TEST(indirect_draws_read_their_counts_and_stay_in_their_buffers) {
    struct api api;
    if (!begin(&api, 0)) {
        return;
    }
    WGPURenderPipeline pipeline = create_pipeline(
        &api, columns, "columns", WGPUIndexFormat_Uint16, NULL, 0);
    struct picture picture = create_picture(&api, WGPUTextureUsage_RenderAttachment);
    static const uint32_t arguments[] = {4, 2, 0, 0, // drawn
        4, 6, 0, 2,    // a first instance, which the device has no feature for: not drawn
        4, 3, 0, 0, 0, // indexed, drawn
        5, 8, 0, 0, 0, // an index beyond the buffer: not drawn
        4, 8, UINT32_MAX, 0, 0};
    // Of the strip's corners; 2 is the base vertex of none.
    static const uint16_t indices[] = {0, 1, 2, 3};
    WGPUBuffer indirect = create_words(
        &api, WGPUBufferUsage_Indirect, arguments, sizeof(arguments));
    WGPUBuffer index = create_words(&api, WGPUBufferUsage_Index, indices, sizeof(indices));
    static const char *const expected[] = {PICTURE("12......"), PICTURE("123.....")};
    for (int i = 0; i < 2; i++) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
        WGPURenderPassEncoder pass = begin_pass(encoder, &picture, NULL);
        wgpuRenderPassEncoderSetPipeline(pass, pipeline);
        if (i == 0) {
            wgpuRenderPassEncoderDrawIndirect(pass, indirect, 0);
            wgpuRenderPassEncoderDrawIndirect(pass, indirect, 16);
        } else {
            wgpuRenderPassEncoderSetIndexBuffer(
                pass, index, WGPUIndexFormat_Uint16, 0, WGPU_WHOLE_SIZE);
            wgpuRenderPassEncoderDrawIndexedIndirect(pass, indirect, 32);
            wgpuRenderPassEncoderDrawIndexedIndirect(pass, indirect, 52);
            wgpuRenderPassEncoderDrawIndexedIndirect(pass, indirect, 72);
        }
        end_pass(pass);
        submit(&api, encoder);
        has_red(&api, &picture, expected[i]);
    }
    wgpuBufferRelease(index);
    wgpuBufferRelease(indirect);
    release_picture(&picture);
    wgpuRenderPipelineRelease(pipeline);
    end(&api);
}

// Columns by a buffer that is stepped by instance: their numbers, as floats.
static WGPURenderPipeline create_buffer_pipeline(struct api *api) {
    static const char code[] =
        "struct Out { @builtin(position) p: vec4f, @location(0) red: f32 }\n"
        "@vertex fn vs(@location(3) corner: vec2f, @location(1) column: f32) -> Out {\n"
        "    let x = (column + corner.x) / 8.0;\n"
        "    return Out(vec4f(x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0, 1), (column + 1.0) / 25.5);\n"
        "}\n"
        "@fragment fn fs(@location(0) red: f32) -> @location(0) vec4f { return vec4f(red); }\n";
    WGPUVertexAttribute attributes[2] = {WGPU_VERTEX_ATTRIBUTE_INIT, WGPU_VERTEX_ATTRIBUTE_INIT};
    attributes[0].format = WGPUVertexFormat_Unorm8x2;
    attributes[0].shaderLocation = 3;
    attributes[1].format = WGPUVertexFormat_Float32;
    attributes[1].shaderLocation = 1;
    WGPUVertexBufferLayout layouts[2] = {
        WGPU_VERTEX_BUFFER_LAYOUT_INIT, WGPU_VERTEX_BUFFER_LAYOUT_INIT};
    layouts[0].stepMode = WGPUVertexStepMode_Vertex;
    layouts[0].arrayStride = 4;
    layouts[1].stepMode = WGPUVertexStepMode_Instance;
    layouts[1].arrayStride = 4;
    for (int i = 0; i < 2; i++) {
        layouts[i].attributeCount = 1;
        layouts[i].attributes = &attributes[i];
    }
    return create_pipeline(api, code, "buffers", WGPUIndexFormat_Uint32, layouts, 2);
}

TEST(vertices_come_from_buffers_and_bundles_leave_nothing_set) {
    struct api api;
    if (!begin(&api, 0)) {
        return;
    }
    WGPURenderPipeline pipeline = create_buffer_pipeline(&api);
    static const unsigned char corners[] = {
        9, 9, 9, 9, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 255, 0, 0};
    static const float numbers[] = {5, 7, 1};
    static const uint32_t indices[] = {0, 1, 2, 3};
    // The sixth instance of three: nothing is drawn.
    static const uint32_t arguments[] = {4, 6, 0, 1, 0};
    WGPUBuffer corner = create_words(&api, WGPUBufferUsage_Vertex, corners, sizeof(corners));
    WGPUBuffer number = create_words(&api, WGPUBufferUsage_Vertex, numbers, sizeof(numbers));
    WGPUBuffer index = create_words(&api, WGPUBufferUsage_Index, indices, sizeof(indices));
    WGPUBuffer indirect = create_words(
        &api, WGPUBufferUsage_Indirect, arguments, sizeof(arguments));
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    WGPURenderBundleEncoderDescriptor bundle_descriptor =
        WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    bundle_descriptor.colorFormatCount = 1;
    bundle_descriptor.colorFormats = &format;
    WGPURenderBundleEncoder recorder = wgpuDeviceCreateRenderBundleEncoder(
        api.device, &bundle_descriptor);
    wgpuRenderBundleEncoderSetPipeline(recorder, pipeline);
    wgpuRenderBundleEncoderSetVertexBuffer(recorder, 0, corner, 0, WGPU_WHOLE_SIZE);
    wgpuRenderBundleEncoderSetVertexBuffer(recorder, 1, number, 8, 4);
    wgpuRenderBundleEncoderSetIndexBuffer(
        recorder, index, WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
    wgpuRenderBundleEncoderDrawIndexed(recorder, 4, 1, 0, 1, 0);
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(recorder, NULL);
    wgpuRenderBundleEncoderRelease(recorder);

    struct picture picture = create_picture(&api, WGPUTextureUsage_RenderAttachment);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPURenderPassEncoder pass = begin_pass(encoder, &picture, NULL);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(pass, 0, corner, 4, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetVertexBuffer(pass, 1, number, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDraw(pass, 4, 2, 0, 0);
    wgpuRenderPassEncoderSetIndexBuffer(pass, index, WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDrawIndexedIndirect(pass, indirect, 0);
    wgpuRenderPassEncoderExecuteBundles(pass, 1, &bundle);
    end_pass(pass);
    submit(&api, encoder);
    has_red(&api, &picture, PICTURE(".2...6.8"));
    // A draw after a bundle finds nothing set.
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    pass = begin_pass(encoder, &picture, NULL);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderExecuteBundles(pass, 1, &bundle);
    wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 0);
    end_pass(pass);
    submit(&api, encoder);
    CHECK_EQ(api_pop_scope(&api).type, WGPUErrorType_Validation);
    wgpuRenderBundleRelease(bundle);
    wgpuBufferRelease(indirect);
    wgpuBufferRelease(index);
    wgpuBufferRelease(number);
    wgpuBufferRelease(corner);
    release_picture(&picture);
    wgpuRenderPipelineRelease(pipeline);
    end(&api);
}

TEST(occlusion_queries_count_samples) {
    struct api api;
    if (!begin(&api, 0)) {
        return;
    }
    WGPURenderPipeline pipeline = create_pipeline(
        &api, columns, "columns", WGPUIndexFormat_Uint16, NULL, 0);
    struct picture picture = create_picture(&api, WGPUTextureUsage_RenderAttachment);
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.type = WGPUQueryType_Occlusion;
    descriptor.count = 3;
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(api.device, &descriptor);
    WGPUBuffer results = api_buffer(
        &api, "results", 24, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPURenderPassEncoder pass = begin_pass(encoder, &picture, set);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderBeginOcclusionQuery(pass, 2);
    wgpuRenderPassEncoderDraw(pass, 4, 3, 0, 0); // three columns of eight texels
    wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 0);
    wgpuRenderPassEncoderEndOcclusionQuery(pass);
    wgpuRenderPassEncoderDraw(pass, 4, 8, 0, 0);
    wgpuRenderPassEncoderBeginOcclusionQuery(pass, 0);
    wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 1000); // outside
    wgpuRenderPassEncoderEndOcclusionQuery(pass);
    end_pass(pass);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 3, results, 0);
    submit(&api, encoder);
    uint64_t counts[3] = {7, 7, 7};
    read_buffer(&api, results, counts, sizeof(counts));
    CHECK_EQ(counts[0], 0);
    CHECK_EQ(counts[1], 0);
    CHECK_EQ(counts[2], 32);
    wgpuBufferRelease(results);
    wgpuQuerySetRelease(set);
    release_picture(&picture);
    wgpuRenderPipelineRelease(pipeline);
    end(&api);
}

// ---------------------------------------------------------------- bindings

static WGPUBindGroup bind(
    struct api *api, WGPUBindGroupLayout layout, const WGPUBindGroupEntry *entries, size_t count) {
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = count;
    descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api->device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

// A compute shader writes a storage texture, a fragment shader reads that one and stores to a
// buffer what it found.
static void bind_textures_in_all_stages(void) {
    struct api api;
    if (!begin(&api, 0)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api,
        "@group(0) @binding(3) var target_: texture_storage_2d<rgba8unorm, write>;\n"
        "@compute @workgroup_size(8, 8) fn main(@builtin(local_invocation_id) id: vec3u) {\n"
        "    textureStore(target_, id.xy, vec4f(f32(id.x + 1u) * 10.0 / 255.0, 0, 0, 1));\n"
        "}\n");
    WGPUComputePipeline compute = api_pipeline(&api, module, NULL);
    wgpuShaderModuleRelease(module);
    WGPURenderPipeline render = create_pipeline(&api,
        "@group(1) @binding(0) var<storage, read_write> sums: array<atomic<u32>, 2>;\n"
        "@group(1) @binding(4) var picture: texture_2d<f32>;\n"
        "@group(1) @binding(2) var nearest: sampler;\n"
        "@vertex fn vs(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {\n"
        "    let size = vec2f(textureDimensions(picture)) / 8.0;\n"
        "    return vec4f(vec2f(f32(v & 1u), f32(v >> 1u)) * size * 2.0 - 1.0, 0, 1);\n"
        "}\n"
        "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
        "    atomicAdd(&sums[0], 1u);\n"
        "    let mirrored = textureSampleLevel(picture, nearest, vec2f(1.0 - p.x / 8.0, 0.5), 0.0);\n"
        "    atomicAdd(&sums[1], u32(round(mirrored.r * 25.5)));\n"
        "    return mirrored;\n"
        "}\n",
        "mirror", WGPUIndexFormat_Undefined, NULL, 0);
    struct picture source = create_picture(
        &api, WGPUTextureUsage_StorageBinding | WGPUTextureUsage_TextureBinding);
    struct picture picture = create_picture(&api, WGPUTextureUsage_RenderAttachment);
    WGPUBuffer sums = api_buffer(
        &api, "sums", 8, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc);
    WGPUSampler sampler = wgpuDeviceCreateSampler(api.device, NULL);
    WGPUBindGroupEntry store = {.binding = 3, .textureView = source.view};
    WGPUBindGroupEntry load[] = {
        {.binding = 4, .textureView = source.view},
        {.binding = 0, .buffer = sums, .size = WGPU_WHOLE_SIZE},
        {.binding = 2, .sampler = sampler},
    };
    WGPUBindGroup groups[] = {
        bind(&api, wgpuComputePipelineGetBindGroupLayout(compute, 0), &store, 1),
        bind(&api, wgpuRenderPipelineGetBindGroupLayout(render, 1), load, 3),
    };
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder fill = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(fill, compute);
    wgpuComputePassEncoderSetBindGroup(fill, 0, groups[0], 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(fill, 1, 1, 1);
    wgpuComputePassEncoderEnd(fill);
    wgpuComputePassEncoderRelease(fill);
    WGPURenderPassEncoder pass = begin_pass(encoder, &picture, NULL);
    wgpuRenderPassEncoderSetPipeline(pass, render);
    wgpuRenderPassEncoderSetBindGroup(pass, 1, groups[1], 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 0);
    end_pass(pass);
    submit(&api, encoder);
    has_red(&api, &source, PICTURE("12345678"));
    has_red(&api, &picture, PICTURE("87654321"));
    uint32_t found[2] = {0};
    read_buffer(&api, sums, found, sizeof(found));
    CHECK_EQ(found[0], SIZE * SIZE);
    CHECK_EQ(found[1], 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
    for (int i = 0; i < 2; i++) {
        wgpuBindGroupRelease(groups[i]);
    }
    wgpuSamplerRelease(sampler);
    wgpuBufferRelease(sums);
    release_picture(&picture);
    release_picture(&source);
    wgpuRenderPipelineRelease(render);
    wgpuComputePipelineRelease(compute);
    end(&api);
}

TEST(textures_are_bound_in_all_stages) {
    bind_textures_in_all_stages();
}

// Buffers are copied between pages without access; textures stay where they are.
TEST(guard_pages_stand_around_the_buffers_of_stages) {
    guard_pages = AlbaGuardPages_After;
    bind_textures_in_all_stages();
    guard_pages = AlbaGuardPages_Before;
    bind_textures_in_all_stages();
    guard_pages = AlbaGuardPages_None;
}

// ---------------------------------------------------------------- draws that never end

// An endless loop in one stage or the other, told from outside to end never.
static const char endless_vertex[] =
    "@group(0) @binding(0) var<storage> flag: array<u32, 4>;\n"
    "@vertex fn vs(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {\n"
    "    var n = v;\n"
    "    while (flag[n & 3u] == 0u) { n = n * 5u + 1u; }\n"
    "    return vec4f(f32(n), 0, 0, 1);\n"
    "}\n"
    "@fragment fn fs() -> @location(0) vec4f { return vec4f(); }\n";
static const char endless_fragment[] =
    "@group(0) @binding(0) var<storage> flag: array<u32, 4>;\n"
    "@vertex fn vs(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {\n"
    "    return vec4f(f32(v & 1u) * 2.0 - 1.0, f32(v >> 1u) * 2.0 - 1.0, 0, 1);\n"
    "}\n"
    "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
    "    var n = u32(p.x);\n"
    "    while (flag[n & 3u] == 0u) { n = n * 5u + 1u; }\n"
    "    return vec4f(f32(n));\n"
    "}\n";

static void draw_endless(struct api *api, const char *code) {
    WGPURenderPipeline pipeline = create_pipeline(
        api, code, "never ends", WGPUIndexFormat_Undefined, NULL, 0);
    struct picture picture = create_picture(api, WGPUTextureUsage_RenderAttachment);
    WGPUBuffer flag = api_buffer(api, "flag", 16, WGPUBufferUsage_Storage);
    WGPUBindGroupEntry entry = {.binding = 0, .buffer = flag, .size = WGPU_WHOLE_SIZE};
    WGPUBindGroup group = bind(api, wgpuRenderPipelineGetBindGroupLayout(pipeline, 0), &entry, 1);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPURenderPassEncoder pass = begin_pass(encoder, &picture, NULL);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 4, 100, 0, 0);
    end_pass(pass);
    submit(api, encoder);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(flag);
    release_picture(&picture);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(an_endless_stage_loses_the_device) {
    const char *const codes[] = {endless_vertex, endless_fragment};
    for (int i = 0; i < 2; i++) {
        struct api api;
        if (!begin(&api, 300)) {
            return;
        }
        draw_endless(&api, codes[i]);
        CHECK_EQ(
            api_wait(api.instance, wgpuDeviceGetLostFuture(api.device)), WGPUWaitStatus_Success);
        CHECK_EQ(atomic_load(&api.lost_count), 1);
        CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_Unknown);
        CHECK_STR(api.lost_message,
            "no batch of vertices or fragments of render pipeline \"never ends\" finished for 300 "
            "ms, the watchdog's limit (AlbaDeviceOptions.watchdogMilliseconds)");
        CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
        end(&api);
    }
}

TEST(a_device_goes_while_it_draws) {
    const char *const codes[] = {endless_vertex, endless_fragment};
    for (int i = 0; i < 2; i++) {
        struct api api;
        if (!begin(&api, 0)) { // no watchdog: only the release stops it
            return;
        }
        draw_endless(&api, codes[i]);
        os_clock_sleep_ns(50000000); // it is being drawn
        end(&api);
        CHECK_EQ(atomic_load(&api.lost_count), 1);
        CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_Destroyed);
    }
}

CHECK_MAIN(instances_are_drawn_in_their_columns,
    indirect_draws_read_their_counts_and_stay_in_their_buffers,
    vertices_come_from_buffers_and_bundles_leave_nothing_set, occlusion_queries_count_samples,
    textures_are_bound_in_all_stages, guard_pages_stand_around_the_buffers_of_stages,
    an_endless_stage_loses_the_device, a_device_goes_while_it_draws)
