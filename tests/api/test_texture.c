// SPDX-License-Identifier: MIT
//
// Textures through the public API: texels written, copied and read back, byte for byte, in formats
// with blocks, layers, levels and aspects; getters; memory; what the ledger counts.
#include "api_helper.h"

#include "base/memory.h"

#define ALL_COPIES (WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst)

static WGPUTexture create(struct api *api, WGPUTextureFormat format, WGPUExtent3D size,
    WGPUTextureDimension dimension, uint32_t levels) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.label = api_view("texels");
    descriptor.usage = ALL_COPIES;
    descriptor.dimension = dimension;
    descriptor.format = format;
    descriptor.size = size;
    descriptor.mipLevelCount = levels;
    return wgpuDeviceCreateTexture(api->device, &descriptor);
}

static WGPUTexelCopyTextureInfo place(
    WGPUTexture texture, uint32_t level, uint32_t x, uint32_t y, uint32_t z) {
    WGPUTexelCopyTextureInfo info = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    info.texture = texture;
    info.mipLevel = level;
    info.origin = (WGPUOrigin3D){x, y, z};
    return info;
}

static WGPUTexelCopyBufferInfo bytes_of(
    WGPUBuffer buffer, uint64_t offset, uint32_t pitch, uint32_t rows) {
    WGPUTexelCopyBufferInfo info = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    info.buffer = buffer;
    info.layout = (WGPUTexelCopyBufferLayout){offset, pitch, rows};
    return info;
}

static void submit(struct api *api, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

// Copies a box of texels into a new buffer with rows `pitch` apart and reads `size_bytes` of it.
static void read_back(struct api *api, const WGPUTexelCopyTextureInfo *from, WGPUExtent3D size,
    uint32_t pitch, uint32_t rows, void *out, size_t size_bytes) {
    WGPUBuffer buffer = api_buffer(
        api, "back", size_bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUTexelCopyBufferInfo to = bytes_of(buffer, 0, pitch, rows);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, from, &to, &size);
    submit(api, encoder);
    CHECK_EQ(api_map(api, buffer, WGPUMapMode_Read, 0, size_bytes), WGPUMapAsyncStatus_Success);
    const void *data = wgpuBufferGetConstMappedRange(buffer, 0, size_bytes);
    if (CHECK(data != NULL)) {
        memcpy(out, data, size_bytes);
    }
    wgpuBufferRelease(buffer);
}

static unsigned char pattern(size_t i) {
    return (unsigned char)(i * 37 + i / 251 + 1);
}

static void fill(unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bytes[i] = pattern(i);
    }
}

// Writes all of a 5 x 3 texture with an odd pitch and offset and reads it back; 0 is what was never
// written.
static void round_trip(struct api *api, WGPUTextureFormat format, uint32_t texel_bytes) {
    static unsigned char data[2048];
    static unsigned char back[1024];
    uint32_t row = 5 * texel_bytes;
    uint32_t pitch = row + 3;
    fill(data, sizeof(data));
    memset(back, 0xee, sizeof(back));
    WGPUExtent3D size = {5, 3, 1};
    WGPUTexture texture = create(api, format, size, WGPUTextureDimension_2D, 1);
    WGPUTexelCopyTextureInfo all = place(texture, 0, 0, 0, 0);
    WGPUTexelCopyBufferLayout layout = {7, pitch, WGPU_COPY_STRIDE_UNDEFINED};
    wgpuQueueWriteTexture(api->queue, &all, data, 7 + 2 * pitch + row, &layout, &size);
    read_back(api, &all, size, 256, 3, back, 2 * 256 + 128);
    for (uint32_t y = 0; y < 3; y++) {
        CHECK_BYTES(back + 256 * y, data + 7 + pitch * y, row);
        CHECK_EQ(back[256 * y + row], 0); // the buffer's own zero
    }
    wgpuTextureRelease(texture);
}

TEST(written_texels_come_back) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    round_trip(&api, WGPUTextureFormat_R8Unorm, 1);
    round_trip(&api, WGPUTextureFormat_RG8Sint, 2);
    round_trip(&api, WGPUTextureFormat_RGBA8UnormSrgb, 4);
    round_trip(&api, WGPUTextureFormat_RGB9E5Ufloat, 4);
    round_trip(&api, WGPUTextureFormat_RGBA16Float, 8);
    round_trip(&api, WGPUTextureFormat_RGBA32Uint, 16);
    round_trip(&api, WGPUTextureFormat_Depth16Unorm, 2);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(textures_begin_as_zero_and_keep_levels_apart) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    // 16 x 8, three layers, level 1 is 8 x 4: its layer 2 is written, all else stays 0.
    WGPUExtent3D size = {16, 8, 3};
    WGPUTexture texture = create(&api, WGPUTextureFormat_R8Uint, size, WGPUTextureDimension_2D, 3);
    static unsigned char data[32];
    static unsigned char back[256 * 4 * 3];
    fill(data, sizeof(data));
    WGPUTexelCopyTextureInfo level = place(texture, 1, 0, 0, 2);
    WGPUExtent3D level_size = {8, 4, 1};
    WGPUTexelCopyBufferLayout layout = {0, 8, 4};
    wgpuQueueWriteTexture(api.queue, &level, data, sizeof(data), &layout, &level_size);
    WGPUTexelCopyTextureInfo from = place(texture, 1, 0, 0, 0);
    level_size.depthOrArrayLayers = 3;
    read_back(&api, &from, level_size, 256, 4, back, sizeof(back));
    for (uint32_t layer = 0; layer < 3; layer++) {
        for (uint32_t i = 0; i < 32; i++) {
            unsigned char got = back[256 * (4 * layer + i / 8) + i % 8];
            CHECK_EQ(got, layer == 2 ? data[i] : 0);
        }
    }
    from = place(texture, 0, 0, 0, 2);
    WGPUExtent3D top = {16, 4, 1};
    memset(back, 0xee, sizeof(back));
    read_back(&api, &from, top, 256, 4, back, 256 * 3 + 16);
    CHECK_EQ(back[0], 0);
    CHECK_EQ(back[256 * 3 + 15], 0);
    wgpuTextureRelease(texture);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(copies_between_buffers_and_textures_of_three_dimensions) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUExtent3D size = {4, 4, 4};
    WGPUTexture first = create(&api, WGPUTextureFormat_R32Uint, size, WGPUTextureDimension_3D, 1);
    WGPUTexture second = create(&api, WGPUTextureFormat_R32Uint, size, WGPUTextureDimension_3D, 1);
    // Two slices of two rows of two texels, images 3 rows apart, from byte 16 on.
    static unsigned char data[256 * 6];
    static unsigned char back[256 * 16];
    fill(data, sizeof(data));
    WGPUBuffer buffer = api_buffer(
        &api, "in", sizeof(data), WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
    wgpuQueueWriteBuffer(api.queue, buffer, 0, data, sizeof(data));
    WGPUTexelCopyBufferInfo in = bytes_of(buffer, 16, 256, 3);
    WGPUTexelCopyTextureInfo middle = place(first, 0, 1, 2, 1);
    WGPUTexelCopyTextureInfo corner = place(second, 0, 2, 0, 2);
    WGPUExtent3D box = {2, 2, 2};
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderCopyBufferToTexture(encoder, &in, &middle, &box);
    wgpuCommandEncoderCopyTextureToTexture(encoder, &middle, &corner, &box);
    submit(&api, encoder);
    WGPUTexelCopyTextureInfo all = place(second, 0, 0, 0, 0);
    read_back(&api, &all, size, 256, 4, back, 256 * 15 + 16);
    for (uint32_t z = 0; z < 4; z++) {
        for (uint32_t y = 0; y < 4; y++) {
            unsigned char expected[16] = {0};
            if (z >= 2 && y < 2) {
                memcpy(expected + 8, data + 16 + 256 * (3 * (z - 2) + y), 8);
            }
            CHECK_BYTES(back + 256 * (4 * z + y), expected, 16);
        }
    }
    wgpuBufferRelease(buffer);
    wgpuTextureRelease(first);
    wgpuTextureRelease(second);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(aspects_are_apart_and_go_together) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUExtent3D size = {4, 2, 1};
    WGPUTexture first = create(
        &api, WGPUTextureFormat_Depth24PlusStencil8, size, WGPUTextureDimension_2D, 1);
    WGPUTexture second = create(
        &api, WGPUTextureFormat_Depth24PlusStencil8, size, WGPUTextureDimension_2D, 1);
    static const unsigned char stencil[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned char back[256 + 4];
    WGPUTexelCopyTextureInfo from = place(first, 0, 0, 0, 0);
    from.aspect = WGPUTextureAspect_StencilOnly;
    WGPUTexelCopyBufferLayout layout = {0, 4, 2};
    wgpuQueueWriteTexture(api.queue, &from, stencil, sizeof(stencil), &layout, &size);
    WGPUTexelCopyTextureInfo whole = place(first, 0, 0, 0, 0);
    WGPUTexelCopyTextureInfo to = place(second, 0, 0, 0, 0);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    wgpuCommandEncoderCopyTextureToTexture(encoder, &whole, &to, &size);
    submit(&api, encoder);
    to.aspect = WGPUTextureAspect_StencilOnly;
    read_back(&api, &to, size, 256, 2, back, sizeof(back));
    CHECK_BYTES(back, stencil, 4);
    CHECK_BYTES(back + 256, stencil + 4, 4);
    wgpuTextureRelease(first);
    wgpuTextureRelease(second);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(compressed_blocks_of_small_levels) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUFeatureName feature = WGPUFeatureName_TextureCompressionBC;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    struct api with = api;
    with.device = api_request_device(&with, &descriptor, NULL);
    with.queue = wgpuDeviceGetQueue(with.device);
    // 8 x 4 has levels of 8 x 4, 4 x 2, 2 x 1 and 1 x 1 texels: the last three are one block.
    WGPUExtent3D size = {8, 4, 1};
    WGPUTexture texture = create(
        &with, WGPUTextureFormat_BC1RGBAUnorm, size, WGPUTextureDimension_2D, 4);
    unsigned char block[8];
    unsigned char back[8];
    fill(block, sizeof(block));
    WGPUTexelCopyTextureInfo level = place(texture, 2, 0, 0, 0);
    WGPUExtent3D one = {4, 4, 1};
    WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    wgpuQueueWriteTexture(with.queue, &level, block, sizeof(block), &layout, &one);
    read_back(&with, &level, one, WGPU_COPY_STRIDE_UNDEFINED, WGPU_COPY_STRIDE_UNDEFINED, back, 8);
    CHECK_BYTES(back, block, 8);
    level.mipLevel = 3;
    read_back(&with, &level, one, WGPU_COPY_STRIDE_UNDEFINED, WGPU_COPY_STRIDE_UNDEFINED, back, 8);
    CHECK_EQ(back[0] | back[7], 0);
    CHECK_EQ(atomic_load(&with.error_count), 0);
    wgpuTextureRelease(texture);
    wgpuQueueRelease(with.queue);
    wgpuDeviceRelease(with.device);
    api_end(&api);
}

TEST(getters_tell_what_was_asked_for) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUExtent3D size = {16, 8, 2};
    WGPUTexture texture = create(
        &api, WGPUTextureFormat_RGBA8Unorm, size, WGPUTextureDimension_Undefined, 3);
    CHECK_EQ(wgpuTextureGetWidth(texture), 16);
    CHECK_EQ(wgpuTextureGetHeight(texture), 8);
    CHECK_EQ(wgpuTextureGetDepthOrArrayLayers(texture), 2);
    CHECK_EQ(wgpuTextureGetMipLevelCount(texture), 3);
    CHECK_EQ(wgpuTextureGetSampleCount(texture), 1);
    CHECK_EQ(wgpuTextureGetDimension(texture), WGPUTextureDimension_2D);
    CHECK_EQ(wgpuTextureGetFormat(texture), WGPUTextureFormat_RGBA8Unorm);
    CHECK_EQ(wgpuTextureGetUsage(texture), ALL_COPIES);
    CHECK_EQ(wgpuTextureGetTextureBindingViewDimension(texture), 0);
    wgpuTextureDestroy(texture);
    wgpuTextureDestroy(texture);
    CHECK_EQ(wgpuTextureGetWidth(texture), 16);
    // A view of a destroyed texture is valid; its use is not.
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(texture);
    api_end(&api);
}

TEST(too_much_is_out_of_memory) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxTextureArrayLayers = 2048;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredLimits = &limits;
    struct api with = api;
    with.device = api_request_device(&with, &descriptor, NULL);
    // 2 TiB.
    WGPUExtent3D size = {8192, 8192, 2048};
    size_t live_bytes = memory_live_bytes(MEMORY_BUFFER);
    wgpuDevicePushErrorScope(with.device, WGPUErrorFilter_OutOfMemory);
    WGPUTexture texture = create(
        &with, WGPUTextureFormat_RGBA32Float, size, WGPUTextureDimension_2D, 1);
    struct api_scope_result scope = api_pop_scope(&with);
    CHECK_EQ(scope.type, WGPUErrorType_OutOfMemory);
    CHECK_STR(scope.message,
        "texture \"texels\": out of memory for 8192 x 8192 x 2048 texels of format rgba32float");
    CHECK_EQ(wgpuTextureGetWidth(texture), 8192);
    CHECK_EQ(memory_live_bytes(MEMORY_BUFFER), live_bytes);
    wgpuTextureRelease(texture);
    wgpuDeviceRelease(with.device);
    api_end(&api);
}

TEST(memory_of_textures_is_given_back) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    size_t live_bytes = memory_live_bytes(MEMORY_BUFFER);
    WGPUExtent3D size = {64, 64, 1};
    WGPUTexture texture = create(
        &api, WGPUTextureFormat_RGBA8Unorm, size, WGPUTextureDimension_2D, 1);
    CHECK(memory_live_bytes(MEMORY_BUFFER) >= live_bytes + 64 * 64 * 4);
    static unsigned char data[64 * 64 * 4];
    WGPUTexelCopyTextureInfo all = place(texture, 0, 0, 0, 0);
    WGPUTexelCopyBufferLayout layout = {0, 256, 64};
    wgpuQueueWriteTexture(api.queue, &all, data, sizeof(data), &layout, &size);
    wgpuTextureDestroy(texture); // with the write still pending
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    wgpuTextureRelease(texture);
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    // One that lives when its device is destroyed loses its memory then.
    texture = create(&api, WGPUTextureFormat_RGBA8Unorm, size, WGPUTextureDimension_2D, 1);
    wgpuDeviceDestroy(api.device);
    CHECK_EQ(memory_live_bytes(MEMORY_BUFFER), live_bytes);
    wgpuTextureRelease(texture);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(the_ledger_counts_texels) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUExtent3D size = {4, 4, 1};
    WGPUTexture texture = create(
        &api, WGPUTextureFormat_RGBA8Unorm, size, WGPUTextureDimension_2D, 1);
    static const unsigned char data[256];
    WGPUTexelCopyTextureInfo all = place(texture, 0, 0, 0, 0);
    WGPUTexelCopyBufferLayout layout = {0, 60, 4};
    albaDeviceResetLedger(api.device);
    wgpuQueueWriteTexture(api.queue, &all, data, sizeof(data), &layout, &size);
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    albaDeviceGetLedgerTotals(api.device, &totals);
    // The texels alone, not the bytes between rows: 4 x 4 x 4.
    CHECK_EQ(totals.crossed.hostToStaging, 64);
    CHECK_EQ(totals.crossed.stagingToDevice, 64);
    unsigned char back[256 * 3 + 16];
    read_back(&api, &all, size, 256, 4, back, sizeof(back));
    albaDeviceGetLedgerTotals(api.device, &totals);
    CHECK_EQ(totals.crossed.deviceToStaging, 64);
    CHECK_EQ(totals.crossed.hostToStaging, 64);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuTextureRelease(texture);
    api_end(&api);
}

CHECK_MAIN(written_texels_come_back, textures_begin_as_zero_and_keep_levels_apart,
    copies_between_buffers_and_textures_of_three_dimensions, aspects_are_apart_and_go_together,
    compressed_blocks_of_small_levels, getters_tell_what_was_asked_for, too_much_is_out_of_memory,
    memory_of_textures_is_given_back, the_ledger_counts_texels)
