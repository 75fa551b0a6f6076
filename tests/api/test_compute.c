// SPDX-License-Identifier: MIT
//
// Shader modules, pipelines (also asynchronous), passes and the ledger through the public API, on
// the null adapter: what a shader computes is the other adapters' matter.
#include "api_helper.h"

#define DOUBLE_IT \
    "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n" \
    "override size: u32 = 64;\n" \
    "@compute @workgroup_size(size) fn main(@builtin(global_invocation_id) id: vec3u) {\n" \
    "    if (id.x < arrayLength(&data)) { data[id.x] *= 2.0; }\n" \
    "}\n"

struct async_result {
    atomic_int count;
    WGPUCreatePipelineAsyncStatus status;
    WGPUComputePipeline pipeline;
    char message[512];
};

static void on_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct async_result *result = userdata1;
    UNUSED_PARAMETER(userdata2);
    result->status = status;
    result->pipeline = pipeline;
    api_copy_message(result->message, sizeof(result->message), message);
    atomic_fetch_add(&result->count, 1);
}

static WGPUFuture create_async(struct api *api, WGPUShaderModule module, double size,
    WGPUCallbackMode mode, struct async_result *result) {
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = api_view("size");
    constant.value = size;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("async");
    descriptor.compute.module = module;
    descriptor.compute.constantCount = 1;
    descriptor.compute.constants = &constant;
    WGPUCreateComputePipelineAsyncCallbackInfo info =
        WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
    memset(result, 0, sizeof(*result));
    info.mode = mode;
    info.callback = on_pipeline;
    info.userdata1 = result;
    return wgpuDeviceCreateComputePipelineAsync(api->device, &descriptor, info);
}

TEST(async_pipelines_come_and_fail) {
    struct api api;
    struct async_result result;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, DOUBLE_IT);
    api_wait(api.instance, create_async(&api, module, 32, WGPUCallbackMode_WaitAnyOnly, &result));
    CHECK_EQ(result.status, WGPUCreatePipelineAsyncStatus_Success);
    if (CHECK(result.pipeline != NULL)) {
        wgpuComputePipelineRelease(result.pipeline);
    }
    // It makes progress by itself.
    create_async(&api, module, 16, WGPUCallbackMode_AllowSpontaneous, &result);
    for (uint64_t i = 0; i < UINT64_C(8000000000) && atomic_load(&result.count) == 0; i++) {
    }
    CHECK_EQ(result.status, WGPUCreatePipelineAsyncStatus_Success);
    wgpuComputePipelineRelease(result.pipeline);
    // Over a limit; the error goes to the callback alone. The module may be gone meanwhile.
    WGPUFuture future = create_async(&api, module, 512, WGPUCallbackMode_WaitAnyOnly, &result);
    wgpuShaderModuleRelease(module);
    api_wait(api.instance, future);
    CHECK_EQ(result.status, WGPUCreatePipelineAsyncStatus_ValidationError);
    CHECK(result.pipeline == NULL);
    CHECK(strstr(result.message, "maxComputeWorkgroupSizeX") != NULL);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(overrides_are_checked) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api,
        "@id(7) override n: u32;\n"
        "@compute @workgroup_size(n) fn main() {}\n");
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("over");
    descriptor.compute.module = module;
    descriptor.compute.constants = &constant;
    static const struct {
        const char *key; // NULL: no constant
        double value;
        bool is_valid;
    } rows[] = {{NULL, 0, false}, {"n", 4, false}, {"7", 4, true}, {"7", 0, false},
        {"7", -1, false}, {"7", 1e300, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        descriptor.compute.constantCount = rows[i].key != NULL ? 1 : 0;
        constant.key = api_view(rows[i].key != NULL ? rows[i].key : "");
        constant.value = rows[i].value;
        int before = atomic_load(&api.error_count);
        wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(api.device, &descriptor));
        CHECK_EQ(atomic_load(&api.error_count) - before, rows[i].is_valid ? 0 : 1);
    }
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

struct info_result {
    int count;
    WGPUCompilationInfoRequestStatus status;
    size_t message_count;
    WGPUCompilationMessage first;
    char text[256];
};

static void on_info(WGPUCompilationInfoRequestStatus status, const WGPUCompilationInfo *info,
    void *userdata1, void *userdata2) {
    struct info_result *result = userdata1;
    UNUSED_PARAMETER(userdata2);
    result->count++;
    result->status = status;
    if (info != NULL) {
        result->message_count = info->messageCount;
        if (info->messageCount != 0) {
            result->first = info->messages[0];
            api_copy_message(result->text, sizeof(result->text), info->messages[0].message);
        }
    }
}

static struct info_result get_info(struct api *api, WGPUShaderModule module) {
    struct info_result result = {0};
    WGPUCompilationInfoCallbackInfo info = WGPU_COMPILATION_INFO_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowProcessEvents;
    info.callback = on_info;
    info.userdata1 = &result;
    wgpuShaderModuleGetCompilationInfo(module, info);
    wgpuInstanceProcessEvents(api->instance);
    return result;
}

TEST(compilation_info_counts_bytes) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule good = api_shader(&api, DOUBLE_IT);
    struct info_result none = get_info(&api, good);
    CHECK_EQ(none.count, 1);
    CHECK_EQ(none.status, WGPUCompilationInfoRequestStatus_Success);
    CHECK_EQ(none.message_count, 0);
    // The comment holds two characters of four bytes in all before the error on line 2.
    const char *code = "/* \xC3\xA9\n*/ fn f() { \xC3\xA9 = unknown; }\n";
    int before = atomic_load(&api.error_count);
    WGPUShaderModule bad = api_shader(&api, code);
    CHECK_EQ(atomic_load(&api.error_count), before + 1);
    struct info_result result = get_info(&api, bad);
    CHECK(result.message_count >= 1);
    CHECK_EQ(result.first.type, WGPUCompilationMessageType_Error);
    CHECK_EQ(result.first.lineNum, 2);
    // Line 2 starts after 6 bytes; a place on it is its column plus that.
    CHECK_EQ(result.first.offset, 6 + result.first.linePos - 1);
    CHECK(result.text[0] != 0);
    wgpuShaderModuleRelease(good);
    wgpuShaderModuleRelease(bad);
    api_end(&api);
}

TEST(automatic_layouts_belong_to_their_pipeline) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, DOUBLE_IT);
    WGPUComputePipeline first = api_pipeline(&api, module, NULL);
    WGPUComputePipeline second = api_pipeline(&api, module, NULL);
    WGPUBuffer buffer = api_buffer(&api, "data", 1024, WGPUBufferUsage_Storage);
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = buffer;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = wgpuComputePipelineGetBindGroupLayout(first, 0);
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &descriptor);
    for (int i = 0; i < 2; i++) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        wgpuComputePassEncoderSetPipeline(pass, i == 0 ? first : second);
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 4, 1, 1);
        wgpuComputePassEncoderEnd(pass);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        CHECK_EQ(atomic_load(&api.error_count), i);
        wgpuCommandBufferRelease(commands);
        wgpuComputePassEncoderRelease(pass);
        wgpuCommandEncoderRelease(encoder);
    }
    CHECK(strstr(api.error_message, "automatic layout") != NULL);
    // Groups that the shader does not use have an empty layout.
    WGPUBindGroupLayout empty = wgpuComputePipelineGetBindGroupLayout(first, 2);
    WGPUBindGroupDescriptor nothing = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    nothing.layout = empty;
    wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(api.device, &nothing));
    CHECK_EQ(atomic_load(&api.error_count), 1);
    wgpuBindGroupLayoutRelease(empty);
    wgpuBindGroupLayoutRelease(descriptor.layout);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuComputePipelineRelease(first);
    wgpuComputePipelineRelease(second);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

TEST(constants_change_no_layout) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api,
        "override is_used: bool = false;\n"
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
        "@group(0) @binding(3) var<storage> b: array<u32>;\n"
        "@compute @workgroup_size(1) fn main() { if (is_used) { a[0] = b[0]; } }\n");
    WGPUComputePipeline pipeline = api_pipeline(&api, module, NULL);
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBuffer buffers[2] = {api_buffer(&api, "a", 64, WGPUBufferUsage_Storage),
        api_buffer(&api, "b", 64, WGPUBufferUsage_Storage)};
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    entries[0].buffer = buffers[0];
    entries[1].binding = 3;
    entries[1].buffer = buffers[1];
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = 2;
    descriptor.entries = entries;
    wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(api.device, &descriptor));
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuBufferRelease(buffers[0]);
    wgpuBufferRelease(buffers[1]);
    wgpuBindGroupLayoutRelease(layout);
    wgpuComputePipelineRelease(pipeline);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

TEST(pipelines_take_textures) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api,
        "@group(0) @binding(0) var t: texture_2d<f32>;\n"
        "@group(0) @binding(1) var o: texture_storage_2d<rgba8unorm, write>;\n"
        "@compute @workgroup_size(1) fn main() {\n"
        "    let size = textureDimensions(t);\n"
        "    _ = size; _ = textureDimensions(o);\n"
        "}\n");
    wgpuComputePipelineRelease(api_pipeline(&api, module, NULL));
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

TEST(the_ledger_counts_what_crosses) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    static const unsigned char bytes[64];
    WGPUBuffer device = api_buffer(
        &api, "device", 256, WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
    WGPUBuffer staging = api_buffer(
        &api, "staging", 256, WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
    wgpuQueueWriteBuffer(api.queue, device, 0, bytes, 64);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderClearBuffer(encoder, device, 0, 256);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, device, 0, staging, 0, 128);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    albaDeviceGetLedgerTotals(api.device, &totals);
    CHECK_EQ(totals.crossed.deviceToStaging, 0); // recorded, not submitted
    wgpuQueueSubmit(api.queue, 1, &commands);
    CHECK_EQ(api_map(&api, staging, WGPUMapMode_Read, 0, 128), WGPUMapAsyncStatus_Success);
    CHECK(wgpuBufferGetConstMappedRange(staging, 0, 32) != NULL);
    CHECK_EQ(albaDeviceGetLedgerTotals(api.device, &totals), WGPUStatus_Success);
    CHECK_EQ(totals.crossed.hostToStaging, 64);
    CHECK_EQ(totals.crossed.stagingToDevice, 64);
    CHECK_EQ(totals.crossed.deviceToStaging, 128);
    CHECK_EQ(totals.crossed.stagingToHost, 32);
    CHECK_EQ(totals.submitCount, 1);
    AlbaText json = albaDeviceGetLedgerJSON(api.device);
    CHECK(json.data != NULL && json.length > 2);
    albaTextFreeMembers(json);
    albaDeviceResetLedger(api.device);
    albaDeviceGetLedgerTotals(api.device, &totals);
    CHECK_EQ(totals.crossed.hostToStaging, 0);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuBufferRelease(device);
    wgpuBufferRelease(staging);
    api_end(&api);
}

CHECK_MAIN(async_pipelines_come_and_fail, overrides_are_checked, compilation_info_counts_bytes,
    automatic_layouts_belong_to_their_pipeline, constants_change_no_layout, pipelines_take_textures,
    the_ledger_counts_what_crosses)
