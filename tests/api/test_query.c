// SPDX-License-Identifier: MIT
//
// Query sets through the public API: what resolves write, and where; timestamps of encoders and
// passes in their order; getters, destruction.
#include "api_helper.h"

#include "base/os_clock.h"

// The device is replaced by one with timestamp-query.
static bool begin_timestamps(struct api *api) {
    static const WGPUFeatureName feature = WGPUFeatureName_TimestampQuery;
    if (!api_begin(api)) {
        return false;
    }
    wgpuQueueRelease(api->queue);
    wgpuDeviceRelease(api->device);
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    api->device = api_request_device(api, &descriptor, NULL);
    if (!CHECK(api->device != NULL)) {
        return false;
    }
    api->queue = wgpuDeviceGetQueue(api->device);
    return true;
}

static WGPUQuerySet create(struct api *api, WGPUQueryType type, uint32_t count) {
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.label = api_view("queries");
    descriptor.type = type;
    descriptor.count = count;
    return wgpuDeviceCreateQuerySet(api->device, &descriptor);
}

// Submits, then reads the first `count` results of `buffer`.
static void submit_and_read(
    struct api *api, WGPUCommandEncoder encoder, WGPUBuffer buffer, size_t count, uint64_t *out) {
    size_t size = count * sizeof(*out);
    WGPUBuffer back = api_buffer(
        api, "back", size, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, back, 0, size);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    CHECK_EQ(api_map(api, back, WGPUMapMode_Read, 0, size), WGPUMapAsyncStatus_Success);
    const void *data = wgpuBufferGetConstMappedRange(back, 0, size);
    if (CHECK(data != NULL)) {
        memcpy(out, data, size);
    }
    wgpuBufferRelease(back);
}

static WGPUBuffer create_results(struct api *api, size_t count) {
    return api_buffer(api, "results", count * 8,
        WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
}

TEST(queries_that_were_never_written_are_zero) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUQuerySet set = create(&api, WGPUQueryType_Occlusion, 8);
    CHECK_EQ(wgpuQuerySetGetCount(set), 8);
    CHECK_EQ(wgpuQuerySetGetType(set), WGPUQueryType_Occlusion);
    WGPUBuffer buffer = create_results(&api, 40);
    static const uint64_t marks[40] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};
    wgpuQueueWriteBuffer(api.queue, buffer, 0, marks, sizeof(marks));
    // 3 results from byte 256, which is the 32nd number; none from byte 0.
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 5, 3, buffer, 256);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 7, 0, buffer, 0);
    uint64_t got[40];
    submit_and_read(&api, encoder, buffer, 40, got);
    for (uint64_t i = 0; i < 40; i++) {
        CHECK_EQ(got[i], i >= 32 && i < 35 ? 0 : i + 1);
    }
    // Resolves are counted, and cross nothing: the write of 320 bytes and their copy back did.
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    albaDeviceGetLedgerTotals(api.device, &totals);
    CHECK_EQ(totals.crossed.hostToStaging, 320);
    CHECK_EQ(totals.crossed.stagingToDevice, 320);
    CHECK_EQ(totals.crossed.deviceToStaging, 320);
    AlbaText json = albaDeviceGetLedgerJSON(api.device);
    CHECK(strstr(json.data, "\"wgpuCommandEncoderResolveQuerySet\":1,") != NULL ||
        strstr(json.data, "\"wgpuCommandEncoderResolveQuerySet\":1}") != NULL);
    albaTextFreeMembers(json);
    wgpuBufferRelease(buffer);
    wgpuQuerySetRelease(set);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(timestamps_come_in_the_order_of_their_commands) {
    struct api api;
    if (!begin_timestamps(&api)) {
        return;
    }
    uint64_t before = os_clock_monotonic_ns();
    WGPUQuerySet set = create(&api, WGPUQueryType_Timestamp, 6);
    CHECK_EQ(wgpuQuerySetGetType(set), WGPUQueryType_Timestamp);
    WGPUBuffer buffer = create_results(&api, 6);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderWriteTimestamp(encoder, set, 3);
    WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    writes.querySet = set;
    writes.beginningOfPassWriteIndex = 5;
    writes.endOfPassWriteIndex = 0;
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    descriptor.timestampWrites = &writes;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    writes.beginningOfPassWriteIndex = WGPU_QUERY_SET_INDEX_UNDEFINED;
    writes.endOfPassWriteIndex = 2;
    pass = wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 6, buffer, 0);
    uint64_t got[6];
    submit_and_read(&api, encoder, buffer, 6, got);
    uint64_t after = os_clock_monotonic_ns();
    CHECK(before <= got[3] && got[3] <= got[5] && got[5] <= got[0] && got[0] <= got[2] &&
        got[2] <= after);
    CHECK_EQ(got[1], 0);
    CHECK_EQ(got[4], 0);
    wgpuBufferRelease(buffer);
    wgpuQuerySetRelease(set);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(a_released_set_lives_as_long_as_its_commands) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUQuerySet set = create(&api, WGPUQueryType_Occlusion, 4096);
    WGPUBuffer buffer = create_results(&api, 4096);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 4096, buffer, 0);
    wgpuQuerySetRelease(set);
    static uint64_t got[4096];
    memset(got, 0xff, sizeof(got));
    submit_and_read(&api, encoder, buffer, 4096, got);
    for (size_t i = 0; i < 4096; i++) {
        CHECK_EQ(got[i], 0);
    }
    wgpuBufferRelease(buffer);
    // Destroying twice is no error, nor are the getters afterwards.
    set = create(&api, WGPUQueryType_Occlusion, 1);
    wgpuQuerySetDestroy(set);
    wgpuQuerySetDestroy(set);
    CHECK_EQ(wgpuQuerySetGetCount(set), 1);
    wgpuQuerySetRelease(set);
    // An invalid one tells what was asked for.
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    set = create(&api, WGPUQueryType_Timestamp, 16);
    CHECK_EQ(api_pop_scope(&api).type, WGPUErrorType_Validation);
    CHECK_EQ(wgpuQuerySetGetCount(set), 16);
    CHECK_EQ(wgpuQuerySetGetType(set), WGPUQueryType_Timestamp);
    wgpuQuerySetRelease(set);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

CHECK_MAIN(queries_that_were_never_written_are_zero, timestamps_come_in_the_order_of_their_commands,
    a_released_set_lives_as_long_as_its_commands)
