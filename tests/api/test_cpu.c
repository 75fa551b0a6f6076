// SPDX-License-Identifier: MIT
//
// Whole programs on the CPU adapter through the public API: what shaders compute, in what order, and
// what happens to one that never ends.
#include "api_helper.h"

static WGPUInstance create_cpu_instance(void) {
    static const WGPUInstanceFeatureName features[] = {
        WGPUInstanceFeatureName_TimedWaitAny, WGPUInstanceFeatureName_MultipleDevicesPerAdapter};
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_CPU;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    descriptor.requiredFeatureCount = 2;
    descriptor.requiredFeatures = features;
    return wgpuCreateInstance(&descriptor);
}

static bool begin(struct api *api, uint64_t watchdog_ms) {
    memset(api, 0, sizeof(*api));
    api->instance = create_cpu_instance();
    api->adapter = api_request_adapter(api->instance);
    if (!CHECK(api->adapter != NULL)) {
        return false;
    }
    AlbaDeviceOptions options = ALBA_DEVICE_OPTIONS_INIT;
    options.watchdogMilliseconds = watchdog_ms;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    api->device = api_request_device(api, &descriptor, NULL);
    if (!CHECK(api->device != NULL)) {
        return false;
    }
    api->queue = wgpuDeviceGetQueue(api->device);
    return true;
}

#define STORAGE_ALL (WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst)

static WGPUComputePipeline compile(struct api *api, const char *code) {
    WGPUShaderModule module = api_shader(api, code);
    WGPUComputePipeline pipeline = api_pipeline(api, module, NULL);
    wgpuShaderModuleRelease(module);
    if (!CHECK_EQ(atomic_load(&api->error_count), 0)) {
        fprintf(stderr, "    %s\n", api->error_message);
    }
    return pipeline;
}

// A group of whole buffers at bindings 0, 1, ...
static WGPUBindGroup bind(
    struct api *api, WGPUComputePipeline pipeline, const WGPUBuffer *buffers, size_t count) {
    WGPUBindGroupEntry entries[4];
    for (size_t i = 0; i < count; i++) {
        static const WGPUBindGroupEntry none = {.size = WGPU_WHOLE_SIZE};
        entries[i] = none;
        entries[i].binding = (uint32_t)i;
        entries[i].buffer = buffers[i];
    }
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = count;
    descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api->device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

static WGPUComputePassEncoder begin_pass(
    WGPUCommandEncoder encoder, WGPUComputePipeline pipeline, WGPUBindGroup group) {
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    return pass;
}

static void end_pass(WGPUComputePassEncoder pass) {
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

static void submit(struct api *api, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

// Copies the buffer's first bytes out.
static void read_back(struct api *api, WGPUBuffer buffer, void *out, size_t size) {
    WGPUBuffer staging = api_buffer(
        api, "staging", size, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, size);
    submit(api, encoder);
    CHECK_EQ(api_map(api, staging, WGPUMapMode_Read, 0, size), WGPUMapAsyncStatus_Success);
    CHECK_EQ(wgpuBufferReadMappedRange(staging, 0, out, size), WGPUStatus_Success);
    wgpuBufferRelease(staging);
}

TEST(steps_of_one_pass_see_each_other) {
    enum { COUNT = 1000, STEPS = 7 };
    struct api api;
    static uint32_t values[COUNT];
    static uint32_t expected[2][COUNT];
    if (!begin(&api, ALBA_WATCHDOG_DEFAULT)) {
        return;
    }
    WGPUComputePipeline pipeline = compile(&api,
        "@group(0) @binding(0) var<storage> src: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> dst: array<u32>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
        "    let n = arrayLength(&src);\n"
        "    if (id.x < n) { dst[id.x] = src[id.x] * 3u + src[(id.x + 1u) % n]; }\n"
        "}\n");
    WGPUBuffer buffers[2] = {api_buffer(&api, "a", sizeof(values), STORAGE_ALL),
        api_buffer(&api, "b", sizeof(values), STORAGE_ALL)};
    WGPUBuffer swapped[2] = {buffers[1], buffers[0]};
    WGPUBindGroup groups[2] = {bind(&api, pipeline, buffers, 2), bind(&api, pipeline, swapped, 2)};
    for (uint32_t i = 0; i < COUNT; i++) {
        values[i] = expected[0][i] = i * i;
    }
    wgpuQueueWriteBuffer(api.queue, buffers[0], 0, values, sizeof(values));
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = begin_pass(encoder, pipeline, groups[0]);
    for (int step = 0; step < STEPS; step++) {
        wgpuComputePassEncoderSetBindGroup(pass, 0, groups[step % 2], 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, (COUNT + 63) / 64, 1, 1);
        for (uint32_t i = 0; i < COUNT; i++) {
            expected[(step + 1) % 2][i] = expected[step % 2][i] * 3u +
                expected[step % 2][(i + 1) % COUNT];
        }
    }
    end_pass(pass);
    submit(&api, encoder);
    read_back(&api, buffers[STEPS % 2], values, sizeof(values));
    CHECK_BYTES(values, expected[STEPS % 2], sizeof(values));
    CHECK_EQ(atomic_load(&api.error_count), 0);
    for (int i = 0; i < 2; i++) {
        wgpuBindGroupRelease(groups[i]);
        wgpuBufferRelease(buffers[i]);
    }
    wgpuComputePipelineRelease(pipeline);
    api_end(&api);
}

TEST(indirect_dispatches_read_their_counts) {
    struct api api;
    uint32_t counts[8] = {0, 3, 2, 1, 70000, 1, 1, 0}; // at 4: 3 x 2 x 1; at 16: over the limit
    if (!begin(&api, ALBA_WATCHDOG_DEFAULT)) {
        return;
    }
    WGPUComputePipeline pipeline = compile(&api,
        "@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;\n"
        "@compute @workgroup_size(4) fn main() { atomicAdd(&n, 1u); }\n");
    WGPUBuffer counter = api_buffer(&api, "counter", 4, STORAGE_ALL);
    WGPUBuffer indirect = api_buffer(
        &api, "indirect", sizeof(counts), WGPUBufferUsage_Indirect | WGPUBufferUsage_CopyDst);
    wgpuQueueWriteBuffer(api.queue, indirect, 0, counts, sizeof(counts));
    WGPUBindGroup group = bind(&api, pipeline, &counter, 1);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = begin_pass(encoder, pipeline, group);
    wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, indirect, 4);
    wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, indirect, 16);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 0, 5, 5);
    end_pass(pass);
    submit(&api, encoder);
    uint32_t result = 0;
    read_back(&api, counter, &result, 4);
    CHECK_EQ(result, 3 * 2 * 4);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(counter);
    wgpuBufferRelease(indirect);
    wgpuComputePipelineRelease(pipeline);
    api_end(&api);
}

TEST(dynamic_offsets_move_the_binding) {
    struct api api;
    uint32_t words[256];
    if (!begin(&api, ALBA_WATCHDOG_DEFAULT)) {
        return;
    }
    WGPUBindGroupLayoutEntry entries[2];
    memset(entries, 0, sizeof(entries));
    for (uint32_t i = 0; i < 2; i++) {
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type = i == 0 ? WGPUBufferBindingType_ReadOnlyStorage
                                        : WGPUBufferBindingType_Storage;
        entries[i].buffer.hasDynamicOffset = i == 0;
    }
    WGPUBindGroupLayoutDescriptor layout_descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.entryCount = 2;
    layout_descriptor.entries = entries;
    WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(api.device, &layout_descriptor);
    WGPUPipelineLayoutDescriptor pipeline_descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    pipeline_descriptor.bindGroupLayoutCount = 1;
    pipeline_descriptor.bindGroupLayouts = &layout;
    pipeline_descriptor.immediateSize = 4;
    WGPUPipelineLayout pipeline_layout = wgpuDeviceCreatePipelineLayout(
        api.device, &pipeline_descriptor);
    WGPUShaderModule module = api_shader(&api,
        "requires immediate_address_space;\n"
        "@group(0) @binding(0) var<storage> src: array<u32, 4>;\n"
        "@group(0) @binding(1) var<storage, read_write> dst: array<u32>;\n"
        "var<immediate> at: u32;\n"
        "@compute @workgroup_size(1) fn main() { dst[at] = src[1]; }\n");
    WGPUComputePipeline pipeline = api_pipeline(&api, module, pipeline_layout);
    WGPUBuffer from = api_buffer(&api, "from", sizeof(words), STORAGE_ALL);
    WGPUBuffer to = api_buffer(&api, "to", 16, STORAGE_ALL);
    for (uint32_t i = 0; i < 256; i++) {
        words[i] = i;
    }
    wgpuQueueWriteBuffer(api.queue, from, 0, words, sizeof(words));
    WGPUBindGroupEntry bindings[2];
    memset(bindings, 0, sizeof(bindings));
    bindings[0].buffer = from;
    bindings[0].size = 16;
    bindings[1].binding = 1;
    bindings[1].buffer = to;
    bindings[1].size = 16;
    WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group_descriptor.layout = layout;
    group_descriptor.entryCount = 2;
    group_descriptor.entries = bindings;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &group_descriptor);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t offset = i * 256;
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 1, &offset);
        wgpuComputePassEncoderSetImmediates(pass, 0, &i, 4);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    }
    end_pass(pass);
    submit(&api, encoder);
    uint32_t result[4] = {0};
    read_back(&api, to, result, 16);
    CHECK_EQ(result[0], 1);
    CHECK_EQ(result[1], 65);
    CHECK_EQ(result[2], 129);
    CHECK_EQ(result[3], 0);
    if (!CHECK_EQ(atomic_load(&api.error_count), 0)) {
        fprintf(stderr, "    %s\n", api.error_message);
    }
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(from);
    wgpuBufferRelease(to);
    wgpuComputePipelineRelease(pipeline);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
    api_end(&api);
}

TEST(a_histogram_counts_every_invocation) {
    struct api api;
    if (!begin(&api, ALBA_WATCHDOG_DEFAULT)) {
        return;
    }
    WGPUComputePipeline pipeline = compile(&api,
        "@group(0) @binding(0) var<storage, read_write> h: array<atomic<u32>, 16>;\n"
        "var<workgroup> local: array<atomic<u32>, 16>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u,\n"
        "        @builtin(local_invocation_index) i: u32) {\n"
        "    atomicAdd(&local[id.x % 16u], 1u);\n"
        "    workgroupBarrier();\n"
        "    if (i < 16u) { atomicAdd(&h[i], atomicLoad(&local[i])); }\n"
        "}\n");
    WGPUBuffer histogram = api_buffer(&api, "h", 64, STORAGE_ALL);
    WGPUBindGroup group = bind(&api, pipeline, &histogram, 1);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = begin_pass(encoder, pipeline, group);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 100, 1, 1);
    end_pass(pass);
    submit(&api, encoder);
    uint32_t result[16] = {0};
    read_back(&api, histogram, result, 64);
    for (int i = 0; i < 16; i++) {
        CHECK_EQ(result[i], 100 * 64 / 16);
    }
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(histogram);
    wgpuComputePipelineRelease(pipeline);
    api_end(&api);
}

TEST(an_endless_shader_loses_the_device) {
    struct api api;
    if (!begin(&api, 300)) {
        return;
    }
    WGPUComputePipeline pipeline = compile(&api,
        "@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>, 4>;\n"
        "@compute @workgroup_size(1) fn main() {\n"
        "    while (atomicLoad(&n[1]) == 0u) { atomicAdd(&n[0], 1u); }\n"
        "}\n");
    WGPUBuffer buffer = api_buffer(&api, "n", 16, STORAGE_ALL);
    WGPUBuffer staging = api_buffer(
        &api, "staging", 16, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUBindGroup group = bind(&api, pipeline, &buffer, 1);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = begin_pass(encoder, pipeline, group);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    end_pass(pass);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, 16);
    submit(&api, encoder);
    CHECK_EQ(api_map(&api, staging, WGPUMapMode_Read, 0, 16), WGPUMapAsyncStatus_Aborted);
    CHECK_EQ(api_wait(api.instance, wgpuDeviceGetLostFuture(api.device)), WGPUWaitStatus_Success);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
    CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_Unknown);
    CHECK_EQ(api.has_lost_handle, 1);
    // Nothing more is reported, and a wait for work does not hang.
    wgpuBufferRelease(api_buffer(&api, "late", 4, 0));
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuBufferRelease(staging);
    wgpuComputePipelineRelease(pipeline);
    api_end(&api);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
}

TEST(a_device_goes_while_it_works) {
    struct api api;
    if (!begin(&api, 0)) { // no watchdog: only the release stops it
        return;
    }
    WGPUComputePipeline pipeline = compile(&api,
        "@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>, 4>;\n"
        "@compute @workgroup_size(1) fn main() {\n"
        "    while (atomicLoad(&n[1]) == 0u) { atomicAdd(&n[0], 1u); }\n"
        "}\n");
    WGPUBuffer buffer = api_buffer(&api, "n", 16, STORAGE_ALL);
    WGPUBindGroup group = bind(&api, pipeline, &buffer, 1);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = begin_pass(encoder, pipeline, group);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    end_pass(pass);
    submit(&api, encoder);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuComputePipelineRelease(pipeline);
    api_end(&api);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
    CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_Destroyed);
}

// The timestamps of a pass stand around what it runs; those of a second pass come later.
TEST(timestamps_stand_around_the_work) {
    static const WGPUFeatureName feature = WGPUFeatureName_TimestampQuery;
    struct api api;
    if (!begin(&api, 0)) {
        return;
    }
    wgpuQueueRelease(api.queue);
    wgpuDeviceRelease(api.device);
    WGPUDeviceDescriptor device_descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    device_descriptor.requiredFeatureCount = 1;
    device_descriptor.requiredFeatures = &feature;
    api.device = api_request_device(&api, &device_descriptor, NULL);
    if (!CHECK(api.device != NULL)) {
        return;
    }
    api.queue = wgpuDeviceGetQueue(api.device);
    WGPUComputePipeline pipeline = compile(&api,
        "@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>>;\n"
        "@compute @workgroup_size(64) fn main() {\n"
        "    for (var i = 0u; i < 1000u; i++) { atomicAdd(&n[0], 1u); }\n"
        "}\n");
    WGPUBuffer buffer = api_buffer(&api, "n", 16, STORAGE_ALL);
    WGPUBindGroup group = bind(&api, pipeline, &buffer, 1);
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.type = WGPUQueryType_Timestamp;
    descriptor.count = 4;
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(api.device, &descriptor);
    WGPUBuffer results = api_buffer(
        &api, "results", 32, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
    WGPUBuffer back = api_buffer(
        &api, "back", 48, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
        writes.querySet = set;
        writes.beginningOfPassWriteIndex = 2 * i;
        writes.endOfPassWriteIndex = 2 * i + 1;
        WGPUComputePassDescriptor pass_descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
        pass_descriptor.timestampWrites = &writes;
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &pass_descriptor);
        if (i == 0) {
            wgpuComputePassEncoderSetPipeline(pass, pipeline);
            wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
            wgpuComputePassEncoderDispatchWorkgroups(pass, 16, 1, 1);
        }
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
    }
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 4, results, 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, results, 0, back, 0, 32);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, back, 32, 16);
    submit(&api, encoder);
    CHECK_EQ(api_map(&api, back, WGPUMapMode_Read, 0, 48), WGPUMapAsyncStatus_Success);
    const uint64_t *got = wgpuBufferGetConstMappedRange(back, 0, 48);
    if (CHECK(got != NULL)) {
        CHECK(0 < got[0] && got[0] < got[1] && got[1] <= got[2] && got[2] <= got[3]);
        CHECK_EQ((uint32_t)got[4], 16u * 64u * 1000u);
    }
    wgpuBufferRelease(back);
    wgpuBufferRelease(results);
    wgpuQuerySetRelease(set);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuComputePipelineRelease(pipeline);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

CHECK_MAIN(steps_of_one_pass_see_each_other, indirect_dispatches_read_their_counts,
    dynamic_offsets_move_the_binding, a_histogram_counts_every_invocation,
    an_endless_shader_loses_the_device, a_device_goes_while_it_works,
    timestamps_stand_around_the_work)
