// SPDX-License-Identifier: MIT
//
// What the standard's articles say of ownership, strings, sentinel values, floating-point numbers,
// errors, mapped ranges and asynchronous operations, one test for each statement that other tests of
// this folder do not show (test_chain.c: struct chaining; test_event.c: callback modes and waits).
#include "api_helper.h"

#include <math.h>

#include "base/memory.h"
#include "base/os_thread.h"

// The error of what was called since push; the message is empty where there was none.
static void push(struct api *api) {
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
}

static bool pop_is_error(struct api *api, bool is_expected, const char *what) {
    struct api_scope_result scope = api_pop_scope(api);
    bool ok = CHECK_EQ(scope.type == WGPUErrorType_Validation, is_expected);
    if (!ok) {
        fprintf(stderr, "    %s: '%s'\n", what, scope.message);
    }
    return ok;
}

// ---------------------------------------------------------------- ownership

// What objects use internally is kept by alba: the program may let go of it at once.
TEST(used_objects_may_be_released_at_once) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer source = api_buffer(
        &api, "source", 16, WGPUBufferUsage_CopyDst | WGPUBufferUsage_Uniform);
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.size = (WGPUExtent3D){4, 4, 1};
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.usage = WGPUTextureUsage_TextureBinding;
    WGPUTexture texture = wgpuDeviceCreateTexture(api.device, &descriptor);
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    wgpuTextureRelease(texture);
    WGPUShaderModule module = api_shader(&api,
        "@group(0) @binding(0) var<uniform> u: vec4f;\n"
        "@group(0) @binding(1) var t: texture_2d<f32>;\n"
        "@compute @workgroup_size(1) fn main() { _ = u; _ = t; }\n");
    WGPUComputePipeline pipeline = api_pipeline(&api, module, NULL);
    wgpuShaderModuleRelease(module);
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    entries[0].buffer = source;
    entries[1].binding = 1;
    entries[1].textureView = view;
    WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group_descriptor.layout = layout;
    group_descriptor.entryCount = 2;
    group_descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &group_descriptor);
    wgpuBindGroupLayoutRelease(layout);
    wgpuTextureViewRelease(view);
    wgpuBufferRelease(source);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePipelineRelease(pipeline);
    wgpuBindGroupRelease(group);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// References change by AddRef and Release alone; finish and submit take none away.
TEST(references_are_the_program_s) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "kept", 16, WGPUBufferUsage_CopyDst);
    wgpuBufferAddRef(buffer);
    wgpuBufferRelease(buffer);
    CHECK_EQ(wgpuBufferGetSize(buffer), 16);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 16);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api.queue, 1, &commands);
    // Both handles can be used after finish and submit: that they are used up is an error, no more.
    push(&api);
    wgpuCommandEncoderInsertDebugMarker(encoder, api_view("late"));
    pop_is_error(&api, true, "a command after finish");
    push(&api);
    wgpuQueueSubmit(api.queue, 1, &commands);
    pop_is_error(&api, true, "a second submit");
    wgpuCommandBufferSetLabel(commands, api_view("still here"));
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    CHECK_EQ(wgpuBufferGetSize(buffer), 16);
    wgpuBufferRelease(buffer);
    // A getter gives one reference each time.
    WGPUQueue again = wgpuDeviceGetQueue(api.device);
    CHECK(again == api.queue);
    wgpuQueueRelease(again);
    wgpuQueueSubmit(api.queue, 0, NULL);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// The last reference unmaps buffers, aborts pending maps, and passes no device, also where the loss
// was known before and its callback had not run.
TEST(releasing_the_device_does_what_destroying_does) {
    for (int is_destroyed_before = 0; is_destroyed_before < 2; is_destroyed_before++) {
        struct api api;
        if (!api_begin(&api)) {
            return;
        }
        struct api lost;
        memset(&lost, 0, sizeof(lost));
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowProcessEvents;
        descriptor.deviceLostCallbackInfo.callback = api_on_lost;
        descriptor.deviceLostCallbackInfo.userdata1 = &lost;
        WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
        WGPUDevice device = NULL;
        info.mode = WGPUCallbackMode_WaitAnyOnly;
        info.callback = api_on_device;
        info.userdata1 = &device;
        api_wait(api.instance, wgpuAdapterRequestDevice(api.adapter, &descriptor, info));
        WGPUBufferDescriptor buffer_descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        buffer_descriptor.size = 16;
        buffer_descriptor.usage = WGPUBufferUsage_MapRead;
        WGPUBuffer pending = wgpuDeviceCreateBuffer(device, &buffer_descriptor);
        buffer_descriptor.mappedAtCreation = WGPU_TRUE;
        WGPUBuffer mapped = wgpuDeviceCreateBuffer(device, &buffer_descriptor);
        CHECK_EQ(wgpuBufferGetMapState(mapped), WGPUBufferMapState_Mapped);
        struct api_map_result result;
        wgpuBufferMapAsync(pending, WGPUMapMode_Read, 0, 16,
            api_map_info(&result, WGPUCallbackMode_AllowProcessEvents));
        if (is_destroyed_before) {
            wgpuDeviceDestroy(device);
        }
        CHECK_EQ(atomic_load(&lost.lost_count), 0); // not before ProcessEvents
        wgpuDeviceRelease(device);
        CHECK_EQ(wgpuBufferGetMapState(mapped), WGPUBufferMapState_Unmapped);
        for (int i = 0; i < 1000 && atomic_load(&result.call_count) == 0; i++) {
            wgpuInstanceProcessEvents(api.instance);
        }
        CHECK_EQ(result.status, WGPUMapAsyncStatus_Aborted);
        CHECK_EQ(atomic_load(&lost.lost_count), 1);
        CHECK_EQ(lost.lost_reason, WGPUDeviceLostReason_Destroyed);
        CHECK_EQ(lost.has_lost_handle, 0);
        wgpuBufferRelease(pending);
        wgpuBufferRelease(mapped);
        api_end(&api);
    }
}

// ---------------------------------------------------------------- strings

TEST(null_and_empty_entry_points_differ) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, "@compute @workgroup_size(1) fn main() {}");
    static const struct {
        WGPUStringView view;
        bool is_error;
        const char *what;
    } cases[] = {
        {{NULL, WGPU_STRLEN}, false, "the null value: the only entry point"},
        {{NULL, 0}, true, "the empty string"},
        {{"", 0}, true, "the empty string with data"},
        {{"", WGPU_STRLEN}, true, "the empty string, zero-terminated"},
        {{"main", WGPU_STRLEN}, false, "zero-terminated"},
        {{"mainly", 4}, false, "of explicit length"},
        {{"mai", 3}, true, "another name"},
        {{"main\0", 5}, true, "the zero is part of an explicitly sized string"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        descriptor.compute.module = module;
        descriptor.compute.entryPoint = cases[i].view;
        push(&api);
        wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(api.device, &descriptor));
        pop_is_error(&api, cases[i].is_error, cases[i].what);
    }
    wgpuShaderModuleRelease(module);
    // Non-null input strings: the null value is the empty string.
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderPushDebugGroup(encoder, (WGPUStringView){NULL, WGPU_STRLEN});
    wgpuCommandEncoderInsertDebugMarker(encoder, (WGPUStringView){NULL, 0});
    wgpuCommandEncoderPopDebugGroup(encoder);
    wgpuCommandBufferRelease(wgpuCommandEncoderFinish(encoder, NULL));
    wgpuCommandEncoderRelease(encoder);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(output_strings_are_sized) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    CHECK_EQ(wgpuAdapterGetInfo(api.adapter, &info), WGPUStatus_Success);
    const WGPUStringView views[] = {info.vendor, info.architecture, info.device, info.description};
    for (size_t i = 0; i < 4; i++) {
        CHECK(views[i].length != WGPU_STRLEN);
        CHECK(views[i].length == 0 || memchr(views[i].data, 0, views[i].length) == NULL);
    }
    wgpuAdapterInfoFreeMembers(info);
    api_end(&api);
}

// ---------------------------------------------------------------- callbacks' arguments

struct told {
    int count;
    int status;
    bool has_object;
    size_t length;
};

static void tell_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
    void *userdata1, void *userdata2) {
    struct told *told = userdata1;
    UNUSED_PARAMETER(userdata2);
    *told = (struct told){told->count + 1, (int)status, device != NULL, message.length};
    if (device != NULL) {
        wgpuDeviceRelease(device); // passed with one reference
    }
}

static void tell_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct told *told = userdata1;
    UNUSED_PARAMETER(userdata2);
    *told = (struct told){told->count + 1, (int)status, pipeline != NULL, message.length};
    if (pipeline != NULL) {
        wgpuComputePipelineRelease(pipeline);
    }
}

static struct told request_with_feature(struct api *api, WGPUFeatureName feature) {
    struct told told = {0};
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = tell_device;
    info.userdata1 = &told;
    api_wait(api->instance, wgpuAdapterRequestDevice(api->adapter, &descriptor, info));
    return told;
}

static struct told create_with_constant(struct api *api, double value) {
    struct told told = {0};
    WGPUShaderModule module = api_shader(
        api, "override k: u32 = 1u; @compute @workgroup_size(k) fn main() {}");
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = api_view("k");
    constant.value = value;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.compute.module = module;
    descriptor.compute.constantCount = 1;
    descriptor.compute.constants = &constant;
    WGPUCreateComputePipelineAsyncCallbackInfo info =
        WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = tell_pipeline;
    info.userdata1 = &told;
    api_wait(api->instance, wgpuDeviceCreateComputePipelineAsync(api->device, &descriptor, info));
    wgpuShaderModuleRelease(module);
    return told;
}

TEST(a_callback_gets_a_result_or_a_message) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    struct told told = request_with_feature(&api, WGPUFeatureName_TimestampQuery);
    CHECK(told.count == 1 && told.status == (int)WGPURequestDeviceStatus_Success &&
        told.has_object && told.length == 0);
    told = request_with_feature(&api, (WGPUFeatureName)63);
    CHECK(told.count == 1 && told.status == (int)WGPURequestDeviceStatus_Error &&
        !told.has_object && told.length != 0);
    told = create_with_constant(&api, 4);
    CHECK(told.count == 1 && told.status == (int)WGPUCreatePipelineAsyncStatus_Success &&
        told.has_object && told.length == 0);
    told = create_with_constant(&api, -4);
    CHECK(told.count == 1 && told.status == (int)WGPUCreatePipelineAsyncStatus_ValidationError &&
        !told.has_object && told.length != 0);
    WGPUBuffer buffer = api_buffer(&api, "b", 16, WGPUBufferUsage_MapRead);
    struct api_map_result map;
    api_wait(api.instance,
        wgpuBufferMapAsync(
            buffer, WGPUMapMode_Read, 0, 16, api_map_info(&map, WGPUCallbackMode_WaitAnyOnly)));
    CHECK(map.status == WGPUMapAsyncStatus_Success && map.message[0] == 0);
    push(&api);
    api_wait(api.instance,
        wgpuBufferMapAsync(
            buffer, WGPUMapMode_Read, 0, 16, api_map_info(&map, WGPUCallbackMode_WaitAnyOnly)));
    pop_is_error(&api, true, "mapping twice");
    CHECK(map.status == WGPUMapAsyncStatus_Error && map.message[0] != 0);
    wgpuBufferRelease(buffer);
    CHECK_EQ(atomic_load(&api.error_count), 0); // async failures are the callback's alone
    api_end(&api);
}

// ---------------------------------------------------------------- sentinel values

TEST(undefined_values_have_their_defaults) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    // Whole sizes reach to the end, from the offset on.
    WGPUBuffer buffer = api_buffer(&api, "b", 64, WGPUBufferUsage_MapWrite);
    CHECK_EQ(api_map(&api, buffer, WGPUMapMode_Write, 16, WGPU_WHOLE_MAP_SIZE),
        WGPUMapAsyncStatus_Success);
    CHECK(wgpuBufferGetMappedRange(buffer, 16, WGPU_WHOLE_MAP_SIZE) != NULL);
    CHECK(wgpuBufferGetMappedRange(buffer, 56, 8) == NULL); // it was all handed out
    wgpuBufferRelease(buffer);
    // A texture's undefined dimension is 2D, a view's what the texture gives.
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    CHECK_EQ(descriptor.dimension, WGPUTextureDimension_Undefined);
    descriptor.size = (WGPUExtent3D){8, 8, 6};
    descriptor.mipLevelCount = 4;
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.usage = WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopySrc;
    WGPUTexture texture = wgpuDeviceCreateTexture(api.device, &descriptor);
    CHECK_EQ(wgpuTextureGetDimension(texture), WGPUTextureDimension_2D);
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.baseMipLevel = 3; // one level left
    view.baseArrayLayer = 5;
    wgpuTextureViewRelease(wgpuTextureCreateView(texture, &view));
    CHECK_EQ(atomic_load(&api.error_count), 0);
    push(&api);
    view.mipLevelCount = 2;
    wgpuTextureViewRelease(wgpuTextureCreateView(texture, &view));
    pop_is_error(&api, true, "two levels from the last on");
    // Copy strides: undefined where one row and one image need none, else an error.
    WGPUBuffer target = api_buffer(&api, "t", 4096, WGPUBufferUsage_CopyDst);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = texture;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = target;
    CHECK_EQ(to.layout.bytesPerRow, WGPU_COPY_STRIDE_UNDEFINED);
    for (uint32_t rows = 1; rows <= 2; rows++) {
        WGPUExtent3D size = {8, rows, 1};
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
        wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
        push(&api);
        wgpuCommandBufferRelease(wgpuCommandEncoderFinish(encoder, NULL));
        pop_is_error(&api, rows == 2, "rows without a pitch");
        wgpuCommandEncoderRelease(encoder);
    }
    wgpuBufferRelease(target);
    wgpuTextureRelease(texture);
    // Undefined limits are the defaults; the null value of a future completes at once.
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBindGroups = 5;
    WGPUDeviceDescriptor device_descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    device_descriptor.requiredLimits = &limits;
    WGPUDevice device = api_request_device(&api, &device_descriptor, NULL);
    if (CHECK(device != NULL)) {
        WGPULimits got = WGPU_LIMITS_INIT;
        CHECK_EQ(wgpuDeviceGetLimits(device, &got), WGPUStatus_Success);
        CHECK_EQ(got.maxBindGroups, 5);
        CHECK_EQ(got.maxTextureDimension1D, 8192);
        CHECK(got.maxBufferSize == 268435456);
        wgpuDeviceRelease(device);
    }
    WGPUFutureWaitInfo none = {{0}, WGPU_FALSE};
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 1, &none, 0), WGPUWaitStatus_Success);
    CHECK_EQ(none.completed, WGPU_TRUE);
    api_end(&api);
}

// ---------------------------------------------------------------- floating-point numbers

static WGPUTextureView make_target(struct api *api, WGPUTextureFormat format) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.size = (WGPUExtent3D){4, 4, 1};
    descriptor.format = format;
    descriptor.usage = WGPUTextureUsage_RenderAttachment;
    WGPUTexture texture = wgpuDeviceCreateTexture(api->device, &descriptor);
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    wgpuTextureRelease(texture);
    return view;
}

// What a render pass takes as numbers.
struct pass_numbers {
    double clear[4];
    double blend[4];
    float viewport[6];
    float depth_clear;
};

static void run_pass(struct api *api, const struct pass_numbers *numbers) {
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = make_target(api, WGPUTextureFormat_RGBA8Unorm);
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    color.clearValue = (WGPUColor){
        numbers->clear[0], numbers->clear[1], numbers->clear[2], numbers->clear[3]};
    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.view = make_target(api, WGPUTextureFormat_Depth32Float);
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthStoreOp = WGPUStoreOp_Store;
    depth.depthClearValue = numbers->depth_clear;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    descriptor.depthStencilAttachment = &depth;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    WGPUColor blend = {numbers->blend[0], numbers->blend[1], numbers->blend[2], numbers->blend[3]};
    wgpuRenderPassEncoderSetBlendConstant(pass, &blend);
    const float *v = numbers->viewport;
    wgpuRenderPassEncoderSetViewport(pass, v[0], v[1], v[2], v[3], v[4], v[5]);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuCommandBufferRelease(wgpuCommandEncoderFinish(encoder, NULL));
    wgpuCommandEncoderRelease(encoder);
    wgpuTextureViewRelease(color.view);
    wgpuTextureViewRelease(depth.view);
}

TEST(numbers_must_be_finite) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const struct pass_numbers good = {{0.5, -7, 2, 1}, {0, -1e30, 0.5, 2}, {0, 0, 4, 4, 0, 1}, 1};
    push(&api);
    run_pass(&api, &good);
    pop_is_error(&api, false, "finite numbers");
    for (size_t i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            struct pass_numbers numbers = good;
            numbers.clear[j] = bad[i];
            push(&api);
            run_pass(&api, &numbers);
            pop_is_error(&api, true, "clear value");
            numbers = good;
            numbers.blend[j] = bad[i];
            push(&api);
            run_pass(&api, &numbers);
            pop_is_error(&api, true, "blend constant");
        }
        for (int j = 0; j < 6; j++) {
            struct pass_numbers numbers = good;
            numbers.viewport[j] = (float)bad[i];
            push(&api);
            run_pass(&api, &numbers);
            pop_is_error(&api, true, "viewport");
        }
        // NaN is the null value of a depth clear value, which clearing needs.
        struct pass_numbers numbers = good;
        numbers.depth_clear = (float)bad[i];
        push(&api);
        run_pass(&api, &numbers);
        pop_is_error(&api, true, "depth clear value");
        for (int j = 0; j < 2; j++) {
            WGPUSamplerDescriptor sampler = WGPU_SAMPLER_DESCRIPTOR_INIT;
            *(j == 0 ? &sampler.lodMinClamp : &sampler.lodMaxClamp) = (float)bad[i];
            push(&api);
            wgpuSamplerRelease(wgpuDeviceCreateSampler(api.device, &sampler));
            pop_is_error(&api, true, "a sampler's clamp");
        }
    }
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// A double is converted to the override's type, which must be able to hold it.
TEST(constants_are_converted_to_their_type) {
    static const struct {
        const char *type;
        double value;
        bool is_error;
    } cases[] = {
        {"bool", 0, false},
        {"bool", 2.5, false},
        {"bool", (double)NAN, true},
        {"bool", (double)INFINITY, true},
        {"i32", -2147483648.0, false},
        {"i32", 2147483647.0, false},
        {"i32", 2147483648.0, true},
        {"i32", -1.5, false},
        {"i32", (double)NAN, true},
        {"u32", 4294967295.0, false},
        {"u32", 4294967296.0, true},
        {"u32", -1, true},
        {"f32", 3.4028234663852886e38, false},
        {"f32", 1e39, true},
        {"f32", (double)INFINITY, true},
        {"f32", (double)NAN, true},
    };
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char code[128];
        char what[64];
        snprintf(code, sizeof(code),
            "override k: %s; @compute @workgroup_size(1) fn main() { _ = k; }", cases[i].type);
        snprintf(what, sizeof(what), "%s of %g", cases[i].type, cases[i].value);
        WGPUShaderModule module = api_shader(&api, code);
        WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
        constant.key = api_view("k");
        constant.value = cases[i].value;
        WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        descriptor.compute.module = module;
        descriptor.compute.constantCount = 1;
        descriptor.compute.constants = &constant;
        push(&api);
        wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(api.device, &descriptor));
        pop_is_error(&api, cases[i].is_error, what);
        wgpuShaderModuleRelease(module);
    }
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// ---------------------------------------------------------------- errors

TEST(enumerants_that_do_not_exist_are_device_errors) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUTextureDescriptor texture = WGPU_TEXTURE_DESCRIPTOR_INIT;
    texture.size = (WGPUExtent3D){4, 4, 1};
    texture.usage = WGPUTextureUsage_CopyDst;
    texture.format = (WGPUTextureFormat)0x4321;
    push(&api);
    wgpuTextureRelease(wgpuDeviceCreateTexture(api.device, &texture));
    pop_is_error(&api, true, "a format");
    texture.format = WGPUTextureFormat_BC1RGBAUnorm; // needs a feature
    push(&api);
    wgpuTextureRelease(wgpuDeviceCreateTexture(api.device, &texture));
    pop_is_error(&api, true, "a format of a feature");
    WGPUSamplerDescriptor sampler = WGPU_SAMPLER_DESCRIPTOR_INIT;
    sampler.compare = (WGPUCompareFunction)99;
    push(&api);
    wgpuSamplerRelease(wgpuDeviceCreateSampler(api.device, &sampler));
    pop_is_error(&api, true, "a compare function");
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

struct scope_thread {
    struct api *api;
    bool has_scope;
    struct api_scope_result result;
};

static void make_error(struct api *api) {
    wgpuBufferRelease(api_buffer(api, "bad", 16, 0));
}

static void run_scope_thread(void *argument) {
    struct scope_thread *thread = argument;
    if (thread->has_scope) {
        push(thread->api);
    }
    make_error(thread->api);
    thread->result = api_pop_scope(thread->api);
}

// Each thread has its own stack of scopes, at first empty.
TEST(error_scopes_belong_to_threads) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    push(&api); // of this thread: sees nothing of the others
    for (int has_scope = 0; has_scope < 2; has_scope++) {
        struct scope_thread job = {.api = &api, .has_scope = has_scope != 0};
        struct os_thread thread;
        if (!CHECK(os_thread_create(&thread, run_scope_thread, &job, "scope"))) {
            continue;
        }
        os_thread_join(&thread);
        CHECK_EQ(job.result.status,
            has_scope ? WGPUPopErrorScopeStatus_Success : WGPUPopErrorScopeStatus_Error);
        CHECK_EQ(job.result.type, has_scope ? WGPUErrorType_Validation : WGPUErrorType_NoError);
        CHECK_EQ(atomic_load(&api.error_count), 1); // of the thread without a scope: uncaptured
    }
    pop_is_error(&api, false, "this thread's scope");
    CHECK_EQ(api_pop_scope(&api).status, WGPUPopErrorScopeStatus_Error); // no more
    api_end(&api);
}

TEST(a_lost_device_reports_no_errors) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    wgpuDeviceDestroy(api.device);
    push(&api);
    make_error(&api);
    struct api_scope_result scope = api_pop_scope(&api);
    CHECK_EQ(scope.status, WGPUPopErrorScopeStatus_Success);
    CHECK_EQ(scope.type, WGPUErrorType_NoError);
    make_error(&api);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// ---------------------------------------------------------------- mapped ranges

TEST(mapped_ranges_are_aligned_and_const_ones_overlap) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer read = api_buffer(&api, "r", 256, WGPUBufferUsage_MapRead);
    CHECK_EQ(api_map(&api, read, WGPUMapMode_Read, 8, 248), WGPUMapAsyncStatus_Success);
    for (size_t offset = 8; offset < 64; offset += 8) {
        const void *range = wgpuBufferGetConstMappedRange(read, offset, 64);
        CHECK(range != NULL);
        CHECK_EQ((uintptr_t)range % 16, offset % 16);
    }
    CHECK(wgpuBufferGetMappedRange(read, 200, 8) == NULL); // not mapped for writing
    uint32_t word = 7;
    CHECK_EQ(wgpuBufferWriteMappedRange(read, 200, &word, 4), WGPUStatus_Error);
    CHECK_EQ(wgpuBufferReadMappedRange(read, 200, &word, 4), WGPUStatus_Success);
    CHECK_EQ(word, 0);
    CHECK_EQ(wgpuBufferReadMappedRange(read, 0, &word, 4), WGPUStatus_Error); // before the mapping
    wgpuBufferUnmap(read);
    CHECK(wgpuBufferGetConstMappedRange(read, 8, 8) == NULL);
    CHECK_EQ(wgpuBufferReadMappedRange(read, 8, &word, 4), WGPUStatus_Error);
    wgpuBufferRelease(read);
    WGPUBuffer write = api_buffer(&api, "w", 64, WGPUBufferUsage_MapWrite);
    CHECK_EQ(api_map(&api, write, WGPUMapMode_Write, 0, 64), WGPUMapAsyncStatus_Success);
    CHECK(wgpuBufferGetMappedRange(write, 0, 16) != NULL);
    CHECK(wgpuBufferGetMappedRange(write, 8, 16) == NULL);      // overlaps
    CHECK(wgpuBufferGetConstMappedRange(write, 8, 16) == NULL); // and this one, too
    wgpuBufferRelease(write);
    CHECK_EQ(atomic_load(&api.error_count), 0); // content errors go to the log
    api_end(&api);
}

// ---------------------------------------------------------------- asynchronous operations

TEST(futures_of_two_queues_do_not_mix_in_a_timed_wait) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    WGPUDevice other = api_request_device(&api, &descriptor, NULL);
    WGPUQueue other_queue = wgpuDeviceGetQueue(other);
    WGPUQueueWorkDoneStatus statuses[2] = {(WGPUQueueWorkDoneStatus)0, (WGPUQueueWorkDoneStatus)0};
    WGPUFutureWaitInfo waits[2];
    for (int i = 0; i < 2; i++) {
        WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_WaitAnyOnly;
        info.callback = api_on_done;
        info.userdata1 = &statuses[i];
        waits[i].future = wgpuQueueOnSubmittedWorkDone(i == 0 ? api.queue : other_queue, info);
        waits[i].completed = WGPU_FALSE;
    }
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 2, waits, 1), WGPUWaitStatus_Error);
    CHECK(statuses[0] == 0 && statuses[1] == 0);
    CHECK_EQ(api_wait(api.instance, waits[0].future), WGPUWaitStatus_Success);
    CHECK_EQ(api_wait(api.instance, waits[1].future), WGPUWaitStatus_Success);
    CHECK(statuses[0] == WGPUQueueWorkDoneStatus_Success &&
        statuses[1] == WGPUQueueWorkDoneStatus_Success);
    wgpuQueueRelease(other_queue);
    wgpuDeviceRelease(other);
    api_end(&api);
}

CHECK_MAIN(used_objects_may_be_released_at_once, references_are_the_program_s,
    releasing_the_device_does_what_destroying_does, null_and_empty_entry_points_differ,
    output_strings_are_sized, a_callback_gets_a_result_or_a_message,
    undefined_values_have_their_defaults, numbers_must_be_finite,
    constants_are_converted_to_their_type, enumerants_that_do_not_exist_are_device_errors,
    error_scopes_belong_to_threads, a_lost_device_reports_no_errors,
    mapped_ranges_are_aligned_and_const_ones_overlap,
    futures_of_two_queues_do_not_mix_in_a_timed_wait)
