// SPDX-License-Identifier: MIT
//
// One device used from several threads at once: objects made, written, copied, rendered to, mapped
// and released; pipelines compiled, with warnings on; one bundle executed and one surface presented
// to by all; labels set while others read them; error scopes that stay apart; waits on each other's
// futures. Made to be run under ThreadSanitizer, too.
#include "api_helper.h"

#include "base/os_thread.h"

#define THREAD_COUNT 4
#define ROUND_COUNT 40

struct job {
    struct api *api;
    int number;
    WGPUBuffer shared;
    WGPURenderBundle bundle; // shared too
    WGPUSurface surface;     // likewise
    atomic_int *failures;
};

static void on_done(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    atomic_fetch_add((atomic_int *)userdata1, 1);
}

static void expect(struct job *job, bool ok, int line) {
    if (!ok) {
        fprintf(stderr, "test_thread.c:%d: thread %d failed\n", line, job->number);
        atomic_fetch_add(job->failures, 1);
    }
}

static void use_buffers(struct job *job, uint32_t round) {
    struct api *api = job->api;
    uint32_t words[64];
    for (uint32_t i = 0; i < 64; i++) {
        words[i] = (uint32_t)job->number * 1000u + round + i;
    }
    WGPUBuffer source = api_buffer(
        api, "source", 256, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
    WGPUBuffer target = api_buffer(
        api, "target", 256, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    wgpuQueueWriteBuffer(api->queue, source, 0, words, 256);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, 256);
    wgpuCommandEncoderClearBuffer(encoder, job->shared, 0, 64);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    expect(job, api_map(api, target, WGPUMapMode_Read, 0, 256) == WGPUMapAsyncStatus_Success,
        __LINE__);
    const uint32_t *result = wgpuBufferGetConstMappedRange(target, 0, 256);
    expect(job, result != NULL && memcmp(result, words, 256) == 0, __LINE__);
    wgpuBufferRelease(source);
    wgpuBufferRelease(target);
}

// A bundle that uses a buffer, for passes on one rgba8unorm attachment.
static WGPURenderBundle create_bundle(struct api *api, WGPUBuffer buffer) {
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(api->device, &descriptor);
    wgpuRenderBundleEncoderSetVertexBuffer(encoder, 0, buffer, 0, WGPU_WHOLE_SIZE);
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
    wgpuRenderBundleEncoderRelease(encoder);
    return bundle;
}

// Clears a texture to a value of this thread and round, executes the shared bundle, reads back.
static void use_rendering(struct job *job, uint32_t round) {
    struct api *api = job->api;
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.size = (WGPUExtent3D){4, 1, 1};
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc;
    WGPUTexture texture = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    WGPUBuffer target = api_buffer(
        api, "target", 256, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = view;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    color.clearValue = (WGPUColor){job->number / 255.0, round / 255.0, 0, 1};
    WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass_descriptor.colorAttachmentCount = 1;
    pass_descriptor.colorAttachments = &color;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor);
    wgpuRenderPassEncoderExecuteBundles(pass, 1, &job->bundle);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = texture;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = target;
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &descriptor.size);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(texture);
    expect(job, api_map(api, target, WGPUMapMode_Read, 0, 256) == WGPUMapAsyncStatus_Success,
        __LINE__);
    const unsigned char *texel = wgpuBufferGetConstMappedRange(target, 0, 256);
    expect(job, texel != NULL && texel[12] == job->number && texel[13] == round, __LINE__);
    wgpuBufferRelease(target);
}

static void on_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    *(WGPUComputePipeline *)userdata1 = pipeline;
}

// A pipeline made at once, and one on the compile thread; a dispatch of each; a query set, resolved
// and destroyed.
static void use_compute(struct job *job, uint32_t round) {
    struct api *api = job->api;
    WGPUShaderModule module = api_shader(api,
        "@group(0) @binding(0) var<storage> factors: vec4f;\n"
        "@group(0) @binding(1) var<storage, read_write> data: array<f32>;\n"
        "override k: f32 = 1.0;\n"
        "@compute @workgroup_size(1) fn main() { data[0] = factors.x * k; }\n");
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = api_view("k");
    constant.value = job->number * 100 + (int)round;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view(round % 2 == 0 ? "even" : "odd");
    descriptor.compute.module = module;
    descriptor.compute.constantCount = 1;
    descriptor.compute.constants = &constant;
    WGPUComputePipeline pipelines[2] = {
        wgpuDeviceCreateComputePipeline(api->device, &descriptor), NULL};
    WGPUCreateComputePipelineAsyncCallbackInfo info =
        WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = on_pipeline;
    info.userdata1 = &pipelines[1];
    api_wait(api->instance, wgpuDeviceCreateComputePipelineAsync(api->device, &descriptor, info));
    wgpuShaderModuleRelease(module);
    WGPUBuffer buffer = api_buffer(api, "data", 256,
        WGPUBufferUsage_Storage | WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopyDst);
    WGPUQuerySetDescriptor queries = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    queries.type = WGPUQueryType_Occlusion;
    queries.count = 4;
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(api->device, &queries);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPUBuffer factors = api_buffer(api, "factors", 16, WGPUBufferUsage_Storage);
    for (int i = 0; i < 2; i++) {
        expect(job, pipelines[i] != NULL, __LINE__);
        WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipelines[i], 0);
        WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
        entries[0].buffer = factors;
        entries[1].binding = 1;
        entries[1].buffer = buffer;
        WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        group_descriptor.layout = layout;
        group_descriptor.entryCount = 2;
        group_descriptor.entries = entries;
        WGPUBindGroup group = wgpuDeviceCreateBindGroup(api->device, &group_descriptor);
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        wgpuComputePassEncoderSetPipeline(pass, pipelines[i]);
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        wgpuBindGroupRelease(group);
        wgpuBindGroupLayoutRelease(layout);
        wgpuComputePipelineRelease(pipelines[i]);
    }
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 4, buffer, 0);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuQuerySetDestroy(set);
    wgpuQuerySetRelease(set);
    wgpuBufferRelease(buffer);
    wgpuBufferRelease(factors);
}

// Frames of a surface that all threads present to: one thread's turn ends another's.
static void use_surface(struct job *job) {
    WGPUSurfaceTexture current = WGPU_SURFACE_TEXTURE_INIT;
    wgpuSurfaceGetCurrentTexture(job->surface, &current);
    if (current.texture != NULL) {
        expect(job, wgpuTextureGetWidth(current.texture) == 4, __LINE__);
        wgpuTextureRelease(current.texture);
    }
    wgpuSurfacePresent(job->surface);
    AlbaFrame frame = ALBA_FRAME_INIT;
    if (albaSurfaceReadFrame(job->surface, &frame) == WGPUStatus_Success) {
        expect(job, frame.size == 64 && ((unsigned char *)frame.data)[63] == 0, __LINE__);
    }
    albaFrameFreeMembers(frame);
}

static void run_job(void *user) {
    struct job *job = user;
    struct api *api = job->api;
    char label[32];
    for (uint32_t round = 0; round < ROUND_COUNT; round++) {
        snprintf(label, sizeof(label), "round %u of %d", round, job->number);
        wgpuBufferSetLabel(job->shared, api_view(label));
        use_buffers(job, round);
        use_rendering(job, round);
        use_compute(job, round);
        use_surface(job);
        // Only this thread's error is in this thread's scope.
        wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
        snprintf(label, sizeof(label), "wrong %d", job->number);
        if (round % 2 == 0) {
            wgpuBufferRelease(api_buffer(api, label, 4, 0));
        } else {
            wgpuQueueWriteBuffer(api->queue, job->shared, 2, label, 4); // names the shared label
        }
        struct api_scope_result scope = api_pop_scope(api);
        expect(job, scope.type == WGPUErrorType_Validation, __LINE__);
        expect(job, round % 2 != 0 || strstr(scope.message, label) != NULL, __LINE__);
        // A future of each kind of mode; all of them come in the end.
        static const WGPUCallbackMode modes[] = {WGPUCallbackMode_WaitAnyOnly,
            WGPUCallbackMode_AllowProcessEvents, WGPUCallbackMode_AllowSpontaneous};
        atomic_int count;
        atomic_init(&count, 0);
        WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
        info.mode = modes[round % 3];
        info.callback = on_done;
        info.userdata1 = &count;
        WGPUFuture future = wgpuQueueOnSubmittedWorkDone(api->queue, info);
        wgpuInstanceProcessEvents(api->instance);
        expect(job, api_wait(api->instance, future) == WGPUWaitStatus_Success, __LINE__);
        expect(job, atomic_load(&count) == 1, __LINE__); // whichever thread called back
    }
}

// A device with warnings in place of the usual one.
static bool begin(struct api *api) {
    if (!api_begin(api)) {
        return false;
    }
    wgpuQueueRelease(api->queue);
    wgpuDeviceRelease(api->device);
    api->lost_count = 0;
    AlbaWarningOptions warnings = ALBA_WARNING_OPTIONS_INIT;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &warnings.chain;
    api->device = api_request_device(api, &descriptor, NULL);
    api->queue = wgpuDeviceGetQueue(api->device);
    return CHECK(api->queue != NULL);
}

static WGPUSurface create_surface(struct api *api) {
    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    WGPUSurface surface = wgpuInstanceCreateSurface(api->instance, &descriptor);
    WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
    config.device = api->device;
    config.format = WGPUTextureFormat_RGBA8Unorm;
    config.width = 4;
    config.height = 4;
    wgpuSurfaceConfigure(surface, &config);
    return surface;
}

TEST(one_device_serves_many_threads) {
    struct api api;
    struct os_thread threads[THREAD_COUNT];
    struct job jobs[THREAD_COUNT];
    atomic_int failures;
    atomic_init(&failures, 0);
    if (!begin(&api)) {
        return;
    }
    albaSetLogLevel(AlbaLogLevel_Off); // of warnings, and of frames that another thread presented
    WGPUSurface surface = create_surface(&api);
    WGPUBuffer shared = api_buffer(
        &api, "shared", 64, WGPUBufferUsage_CopyDst | WGPUBufferUsage_Vertex);
    WGPURenderBundle bundle = create_bundle(&api, shared);
    for (int i = 0; i < THREAD_COUNT; i++) {
        jobs[i] = (struct job){&api, i, shared, bundle, surface, &failures};
        CHECK(os_thread_create(&threads[i], run_job, &jobs[i], "test"));
    }
    for (int i = 0; i < THREAD_COUNT; i++) {
        os_thread_join(&threads[i]);
    }
    CHECK_EQ(atomic_load(&failures), 0);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    // One warning for each of the two labels, each as often as its pipeline was made.
    AlbaWarning warnings[3];
    if (CHECK_EQ(albaDeviceGetWarnings(api.device, 0, 3, warnings), 2)) {
        CHECK_EQ(warnings[0].count + warnings[1].count, 2 * THREAD_COUNT * ROUND_COUNT);
    }
    wgpuSurfaceRelease(surface);
    wgpuRenderBundleRelease(bundle);
    wgpuBufferRelease(shared);
    api_end(&api);
}

static void run_until_lost(void *user) {
    struct job *job = user;
    struct api *api = job->api;
    static const unsigned char bytes[2048];
    while (atomic_load(&api->lost_count) == 0) {
        WGPUBuffer buffer = api_buffer(
            api, "b", 2048, WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
        if (buffer == NULL) {
            continue;
        }
        wgpuQueueWriteBuffer(api->queue, buffer, 0, bytes, sizeof(bytes));
        WGPUMapAsyncStatus status = api_map(api, buffer, WGPUMapMode_Read, 0, 2048);
        expect(job,
            status == WGPUMapAsyncStatus_Success || status == WGPUMapAsyncStatus_Aborted ||
                status == WGPUMapAsyncStatus_Error,
            __LINE__);
        wgpuBufferRelease(buffer);
    }
}

TEST(a_device_may_be_destroyed_under_way) {
    struct api api;
    struct os_thread threads[THREAD_COUNT];
    struct job jobs[THREAD_COUNT];
    atomic_int failures;
    atomic_init(&failures, 0);
    if (!api_begin(&api)) {
        return;
    }
    for (int i = 0; i < THREAD_COUNT; i++) {
        jobs[i] = (struct job){&api, i, NULL, NULL, NULL, &failures};
        CHECK(os_thread_create(&threads[i], run_until_lost, &jobs[i], "test"));
    }
    for (int i = 0; i < 20; i++) {
        api_finish_queue(&api);
    }
    wgpuDeviceDestroy(api.device);
    for (int i = 0; i < THREAD_COUNT; i++) {
        os_thread_join(&threads[i]);
    }
    CHECK_EQ(atomic_load(&api.lost_count), 1);
    CHECK_EQ(atomic_load(&failures), 0);
    api_end(&api);
}

CHECK_MAIN(one_device_serves_many_threads, a_device_may_be_destroyed_under_way)
