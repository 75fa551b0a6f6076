// SPDX-License-Identifier: MIT
//
// Buffers through the public API: copies, clears, queue writes, and every kind of mapping.
#include "api_helper.h"

static const WGPUBufferUsage read_back = 0x0001 |
    0x0008; // MapRead, CopyDst: no constant expressions in the standard's flags

TEST(maps_at_creation_and_reads_back) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = WGPUBufferUsage_CopySrc;
    descriptor.size = 64;
    descriptor.mappedAtCreation = WGPU_TRUE;
    WGPUBuffer source = wgpuDeviceCreateBuffer(api.device, &descriptor);
    WGPUBuffer target = api_buffer(&api, "target", 64, read_back);
    CHECK_EQ(wgpuBufferGetMapState(source), WGPUBufferMapState_Mapped);
    uint32_t *words = wgpuBufferGetMappedRange(source, 0, WGPU_WHOLE_MAP_SIZE);
    if (CHECK(words != NULL)) {
        CHECK_EQ((uintptr_t)words % 16, 0);
        for (uint32_t i = 0; i < 16; i++) {
            CHECK_EQ(words[i], 0);
            words[i] = i * i;
        }
    }
    wgpuBufferUnmap(source);
    CHECK_EQ(wgpuBufferGetMapState(source), WGPUBufferMapState_Unmapped);

    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, WGPU_WHOLE_SIZE);
    wgpuCommandEncoderClearBuffer(encoder, target, 8, 8);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api.queue, 1, &commands);
    CHECK_EQ(api_map(&api, target, WGPUMapMode_Read, 0, WGPU_WHOLE_MAP_SIZE),
        WGPUMapAsyncStatus_Success);
    const uint32_t *result = wgpuBufferGetConstMappedRange(target, 0, 64);
    for (uint32_t i = 0; result != NULL && i < 16; i++) {
        CHECK_EQ(result[i], i == 2 || i == 3 ? 0 : i * i);
    }
    CHECK(result != NULL);
    uint32_t copied[2] = {0, 0};
    CHECK_EQ(wgpuBufferReadMappedRange(target, 16, copied, 8), WGPUStatus_Success);
    CHECK_EQ(copied[0], 16);
    CHECK_EQ(copied[1], 25);
    CHECK_EQ(wgpuBufferWriteMappedRange(target, 16, copied, 8), WGPUStatus_Error);
    CHECK(wgpuBufferGetMappedRange(target, 0, 8) == NULL);
    wgpuBufferUnmap(target);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuBufferRelease(source);
    wgpuBufferRelease(target);
    api_end(&api);
}

TEST(writes_are_seen_by_later_maps_in_order) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    // A small write lies in the stream, a large one in a block of its own.
    size_t size = (size_t)3 << 20;
    WGPUBuffer middle = api_buffer(
        &api, "middle", size, WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
    WGPUBuffer target = api_buffer(&api, "target", size, read_back);
    unsigned char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(i * 7 + (i >> 8));
    }
    wgpuQueueWriteBuffer(api.queue, middle, 0, bytes, size);
    memset(bytes, 0xEE, 16); // the source may be reused at once
    wgpuQueueWriteBuffer(api.queue, middle, 4, "abcdefgh", 8);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, middle, 0, target, 0, size);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api.queue, 1, &commands);
    wgpuQueueWriteBuffer(api.queue, target, 8, "WXYZ", 4);
    CHECK_EQ(api_map(&api, target, WGPUMapMode_Read, 0, size), WGPUMapAsyncStatus_Success);
    const unsigned char *result = wgpuBufferGetConstMappedRange(target, 0, size);
    if (CHECK(result != NULL)) {
        CHECK_EQ(result[1], 7);
        CHECK(memcmp(result + 4, "abcdWXYZ", 8) == 0);
        size_t wrong = 0;
        for (size_t i = 12; i < size; i++) {
            wrong += result[i] != (unsigned char)(i * 7 + (i >> 8));
        }
        CHECK_EQ(wrong, 0);
    }
    free(bytes);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuBufferRelease(middle);
    wgpuBufferRelease(target);
    api_end(&api);
}

TEST(unmap_destroy_and_release_abort_a_pending_map) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (int way = 0; way < 4; way++) {
        WGPUBuffer buffer = api_buffer(&api, "pending", 16, read_back);
        struct api_map_result result;
        WGPUBufferMapCallbackInfo info = api_map_info(&result, WGPUCallbackMode_AllowProcessEvents);
        WGPUFuture future = wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, info);
        CHECK_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Pending);
        if (way == 0) {
            wgpuBufferUnmap(buffer);
        } else if (way == 1) {
            wgpuBufferDestroy(buffer);
        } else if (way == 2) {
            wgpuBufferRelease(buffer);
        } else {
            // A second request is refused at once and does not disturb the first.
            struct api_map_result second;
            WGPUBufferMapCallbackInfo second_info = api_map_info(
                &second, WGPUCallbackMode_WaitAnyOnly);
            api_wait(
                api.instance, wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, second_info));
            CHECK_EQ(second.status, WGPUMapAsyncStatus_Error);
            CHECK(strstr(second.message, "waiting to be mapped") != NULL);
            CHECK_EQ(atomic_load(&api.error_count), 1);
        }
        CHECK_EQ(api_wait(api.instance, future), WGPUWaitStatus_Success);
        CHECK_EQ(atomic_load(&result.call_count), 1);
        CHECK_EQ(result.status, way == 3 ? WGPUMapAsyncStatus_Success : WGPUMapAsyncStatus_Aborted);
        CHECK_EQ(strstr(result.message, "buffer \"pending\": ") != NULL, way != 3);
        if (way != 2) {
            wgpuBufferRelease(buffer);
        }
    }
    api_end(&api);
}

TEST(error_buffers_are_callable) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = api_view("wrong");
    descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage;
    descriptor.size = 32;
    descriptor.mappedAtCreation = WGPU_TRUE;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(api.device, &descriptor);
    CHECK_EQ(atomic_load(&api.error_count), 1);
    CHECK_EQ(api.error_type, WGPUErrorType_Validation);
    CHECK(strstr(api.error_message, "buffer \"wrong\"") != NULL);
    if (CHECK(buffer != NULL)) {
        CHECK_EQ(wgpuBufferGetSize(buffer), 32);
        CHECK_EQ(wgpuBufferGetUsage(buffer), descriptor.usage);
        void *range = wgpuBufferGetMappedRange(buffer, 0, 32);
        if (CHECK(range != NULL)) {
            memset(range, 1, 32);
        }
        CHECK(wgpuBufferGetMappedRange(buffer, 8, 8) == NULL); // overlaps
        wgpuBufferUnmap(buffer);
        CHECK_EQ(api_map(&api, buffer, WGPUMapMode_Read, 0, 32), WGPUMapAsyncStatus_Aborted);
        wgpuBufferDestroy(buffer);
        wgpuBufferDestroy(buffer);
        wgpuBufferRelease(buffer);
    }
    CHECK_EQ(atomic_load(&api.error_count), 1);
    api_end(&api);
}

TEST(sizes_without_bytes_work) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "empty", 0, read_back);
    CHECK_EQ(api_map(&api, buffer, WGPUMapMode_Read, 0, WGPU_WHOLE_MAP_SIZE),
        WGPUMapAsyncStatus_Success);
    CHECK(wgpuBufferGetConstMappedRange(buffer, 0, 0) != NULL);
    wgpuBufferUnmap(buffer);
    wgpuQueueWriteBuffer(api.queue, buffer, 0, NULL, 0);
    wgpuQueueSubmit(api.queue, 0, NULL);
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuBufferRelease(buffer);
    api_end(&api);
}

TEST(too_large_is_out_of_memory_not_a_crash) {
    struct api api;
    memset(&api, 0, sizeof(api));
    api.instance = api_create_instance();
    api.adapter = api_request_adapter(api.instance);
    WGPULimits limits = WGPU_LIMITS_INIT;
    CHECK_EQ(wgpuAdapterGetLimits(api.adapter, &limits), WGPUStatus_Success);
    WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
    device.requiredLimits = &limits;
    api.device = api_request_device(&api, &device, NULL);
    if (!CHECK(api.device != NULL)) {
        return;
    }
    api.queue = wgpuDeviceGetQueue(api.device);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_OutOfMemory);
    WGPUBuffer buffer = api_buffer(&api, "huge", limits.maxBufferSize, WGPUBufferUsage_Storage);
    struct api_scope_result result = api_pop_scope(&api);
    CHECK_EQ(result.type, WGPUErrorType_OutOfMemory);
    CHECK(strstr(result.message, "huge") != NULL);
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = WGPUBufferUsage_Storage;
    descriptor.size = limits.maxBufferSize & ~(uint64_t)3;
    descriptor.mappedAtCreation = WGPU_TRUE;
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_OutOfMemory);
    CHECK(wgpuDeviceCreateBuffer(api.device, &descriptor) == NULL);
    CHECK_EQ(api_pop_scope(&api).type, WGPUErrorType_OutOfMemory);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    if (buffer != NULL) {
        wgpuBufferRelease(buffer);
    }
    api_end(&api);
}

CHECK_MAIN(maps_at_creation_and_reads_back, writes_are_seen_by_later_maps_in_order,
    unmap_destroy_and_release_abort_a_pending_map, error_buffers_are_callable,
    sizes_without_bytes_work, too_large_is_out_of_memory_not_a_crash)
