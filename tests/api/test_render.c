// SPDX-License-Identifier: MIT
//
// Render passes through the public API, on the null and the CPU adapter: what clears, loads, stores,
// discards and resolves leave behind, byte for byte; occlusion queries, bundles, draws.
#include "api_helper.h"

static AlbaBackends backends;

static bool begin(struct api *api) {
    static const WGPUInstanceFeatureName instance_features[] = {
        WGPUInstanceFeatureName_TimedWaitAny};
    memset(api, 0, sizeof(*api));
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = backends;
    WGPUInstanceDescriptor instance = WGPU_INSTANCE_DESCRIPTOR_INIT;
    instance.nextInChain = &options.chain;
    instance.requiredFeatureCount = 1;
    instance.requiredFeatures = instance_features;
    api->instance = wgpuCreateInstance(&instance);
    api->adapter = api_request_adapter(api->instance);
    if (!CHECK(api->adapter != NULL)) {
        return false;
    }
    static const WGPUFeatureName wanted[] = {
        WGPUFeatureName_TextureFormatsTier1, WGPUFeatureName_RG11B10UfloatRenderable};
    WGPUFeatureName features[2];
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatures = features;
    for (int i = 0; i < 2; i++) {
        if (wgpuAdapterHasFeature(api->adapter, wanted[i])) {
            features[descriptor.requiredFeatureCount++] = wanted[i];
        }
    }
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
}

// ---------------------------------------------------------------- textures and passes

static WGPUTextureDescriptor describe(
    WGPUTextureFormat format, uint32_t width, uint32_t height, uint32_t layers) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc;
    descriptor.format = format;
    descriptor.size = (WGPUExtent3D){width, height, layers};
    return descriptor;
}

static WGPUTexture create(
    struct api *api, WGPUTextureFormat format, uint32_t width, uint32_t height, uint32_t samples) {
    WGPUTextureDescriptor descriptor = describe(format, width, height, 1);
    descriptor.sampleCount = samples;
    return wgpuDeviceCreateTexture(api->device, &descriptor);
}

static WGPURenderPassColorAttachment color_of(WGPUTextureView view, WGPULoadOp load_op) {
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = view;
    color.loadOp = load_op;
    color.storeOp = WGPUStoreOp_Store;
    return color;
}

static void submit(struct api *api, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

// Submits a pass without draws.
static void pass(struct api *api, const WGPURenderPassColorAttachment *colors, size_t count,
    const WGPURenderPassDepthStencilAttachment *depth_stencil) {
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = count;
    descriptor.colorAttachments = colors;
    descriptor.depthStencilAttachment = depth_stencil;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPURenderPassEncoder render = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderEnd(render);
    wgpuRenderPassEncoderRelease(render);
    submit(api, encoder);
}

static void pass_on(struct api *api, WGPUTexture texture, WGPULoadOp load_op, WGPUColor value,
    WGPUStoreOp store_op) {
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    WGPURenderPassColorAttachment color = color_of(view, load_op);
    color.clearValue = value;
    color.storeOp = store_op;
    pass(api, &color, 1, NULL);
    wgpuTextureViewRelease(view);
}

// One image of one level, rows 256 bytes apart; at most 16 rows.
#define ROW 256
#define ROWS 16
static unsigned char image[ROW * ROWS];

static void read_image(struct api *api, WGPUTexture texture, WGPUTextureAspect aspect,
    uint32_t level, uint32_t layer, uint32_t width, uint32_t height) {
    memset(image, 0xee, sizeof(image));
    WGPUBuffer back = api_buffer(
        api, "back", sizeof(image), WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = texture;
    from.mipLevel = level;
    from.origin.z = layer;
    from.aspect = aspect;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = back;
    to.layout = (WGPUTexelCopyBufferLayout){0, ROW, height};
    WGPUExtent3D size = {width, height, 1};
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
    submit(api, encoder);
    CHECK_EQ(api_map(api, back, WGPUMapMode_Read, 0, sizeof(image)), WGPUMapAsyncStatus_Success);
    const void *data = wgpuBufferGetConstMappedRange(back, 0, sizeof(image));
    if (CHECK(data != NULL)) {
        memcpy(image, data, sizeof(image));
    }
    wgpuBufferRelease(back);
}

// True when each texel of what was read is these bytes.
static bool is_filled(
    uint32_t width, uint32_t height, const unsigned char *texel, size_t texel_bytes) {
    bool is_equal = true;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            is_equal = is_equal &&
                memcmp(&image[y * ROW + x * texel_bytes], texel, texel_bytes) == 0;
        }
    }
    return is_equal;
}

// ---------------------------------------------------------------- clear values

// What a clear value becomes, computed by hand.
struct clear {
    WGPUTextureFormat format;
    double value[4];
    size_t size;
    unsigned char bytes[16];
};

static const struct clear clears[] = {
    // 0.2 * 255 = 51, 0.6 * 255 = 153; what is outside 0 to 1 is clamped.
    {WGPUTextureFormat_R8Unorm, {0.2}, 1, {51}},
    {WGPUTextureFormat_RG8Unorm, {0.6, -1}, 2, {153, 0}},
    {WGPUTextureFormat_RGBA8Unorm, {1, 0.2, 0.6, 7}, 4, {255, 51, 153, 255}},
    {WGPUTextureFormat_BGRA8Unorm, {1, 0.2, 0.6, 0}, 4, {153, 51, 255, 0}},
    // 0.5 is 0.73536 in sRGB, 187.5 of 255 and a little more; alpha is linear.
    {WGPUTextureFormat_RGBA8UnormSrgb, {0.5, 0, 1, 0.2}, 4, {188, 0, 255, 51}},
    {WGPUTextureFormat_BGRA8UnormSrgb, {0.5, 0, 1, 0.2}, 4, {255, 0, 188, 51}},
    // -0.25 * 127 = -31.75.
    {WGPUTextureFormat_R8Snorm, {-0.25}, 1, {0xe0}},
    {WGPUTextureFormat_RG8Snorm, {-2, 1}, 2, {0x81, 0x7f}},
    {WGPUTextureFormat_RGBA8Snorm, {0, 1, -1, -0.25}, 4, {0, 0x7f, 0x81, 0xe0}},
    {WGPUTextureFormat_RGBA8Uint, {1, 2.9, 255, 0}, 4, {1, 2, 255, 0}},
    {WGPUTextureFormat_RGBA8Sint, {-1, -128, 127, -2.9}, 4, {0xff, 0x80, 0x7f, 0xfe}},
    // 0.6 * 65535 = 39321 = 0x9999; -0.25 * 32767 = -8191.75.
    {WGPUTextureFormat_R16Unorm, {0.6}, 2, {0x99, 0x99}},
    {WGPUTextureFormat_RG16Snorm, {-0.25, 1}, 4, {0x00, 0xe0, 0xff, 0x7f}},
    {WGPUTextureFormat_RGBA16Uint, {1, 65535, 258, 0}, 8, {1, 0, 0xff, 0xff, 2, 1, 0, 0}},
    {WGPUTextureFormat_RG16Sint, {-2, 32767}, 4, {0xfe, 0xff, 0xff, 0x7f}},
    // 1 + 2^-10, -2, the largest finite half, and what rounds to infinity.
    {WGPUTextureFormat_RGBA16Float, {1.0009765625, -2, 65519, 65520}, 8,
        {0x01, 0x3c, 0x00, 0xc0, 0xff, 0x7b, 0x00, 0x7c}},
    {WGPUTextureFormat_R16Float, {0}, 2, {0, 0}},
    // Half of the smallest half goes to even, 0; three halves to 2.
    {WGPUTextureFormat_RG16Float, {0x1p-25, 0x3p-25}, 4, {0, 0, 2, 0}},
    {WGPUTextureFormat_R32Float, {-1.5}, 4, {0x00, 0x00, 0xc0, 0xbf}},
    {WGPUTextureFormat_RG32Uint, {4294967295.0, 7}, 8, {0xff, 0xff, 0xff, 0xff, 7, 0, 0, 0}},
    {WGPUTextureFormat_R32Sint, {-2147483648.0}, 4, {0, 0, 0, 0x80}},
    {WGPUTextureFormat_RGBA32Float, {1, 2, 0, -1}, 16,
        {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0x80, 0xbf}},
    // 1023, 0, 341 and 3 in 10, 10, 10 and 2 bits.
    {WGPUTextureFormat_RGB10A2Unorm, {1, 0, 1 / 3.0, 1}, 4, {0xff, 0x03, 0x50, 0xd5}},
    {WGPUTextureFormat_RGB10A2Uint, {1, 2, 3, 1}, 4, {0x01, 0x08, 0x30, 0x40}},
    // 1, 0.5 and 2 have exponents 15, 14 and 16 over 6, 6 and 5 bits: 0x3c0, 0x380, 0x200.
    {WGPUTextureFormat_RG11B10Ufloat, {0, 0, 0, 0}, 4, {0, 0, 0, 0}},
    {WGPUTextureFormat_RG11B10Ufloat, {1, 0.5, 2, 0}, 4, {0xc0, 0x03, 0x1c, 0x80}},
};

TEST(clear_values_become_texels_of_each_format) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    int done = 0;
    for (size_t i = 0; i < sizeof(clears) / sizeof(clears[0]); i++) {
        const struct clear *clear = &clears[i];
        wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
        WGPUTexture texture = create(&api, clear->format, 5, 3, 1);
        if (api_pop_scope(&api).type != WGPUErrorType_NoError) {
            wgpuTextureRelease(texture); // a feature that the adapter lacks
            continue;
        }
        WGPUColor value = {clear->value[0], clear->value[1], clear->value[2], clear->value[3]};
        pass_on(&api, texture, WGPULoadOp_Clear, value, WGPUStoreOp_Store);
        read_image(&api, texture, WGPUTextureAspect_All, 0, 0, 5, 3);
        if (!CHECK(is_filled(5, 3, clear->bytes, clear->size))) {
            fprintf(stderr, "    row %zu: %02x %02x %02x %02x\n", i, image[0], image[1], image[2],
                image[3]);
        }
        wgpuTextureRelease(texture);
        done++;
    }
    CHECK(done >= 15);
    end(&api);
}

// ---------------------------------------------------------------- depth and stencil

static WGPURenderPassDepthStencilAttachment depth_of(WGPUTextureView view) {
    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.view = view;
    return depth;
}

TEST(depth_and_stencil_are_cleared_apart) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    WGPUTexture depth16 = create(&api, WGPUTextureFormat_Depth16Unorm, 4, 4, 1);
    WGPUTextureView view = wgpuTextureCreateView(depth16, NULL);
    WGPURenderPassDepthStencilAttachment depth = depth_of(view);
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthStoreOp = WGPUStoreOp_Store;
    depth.depthClearValue = 0.25f; // 16383.75 of 65535
    pass(&api, NULL, 0, &depth);
    read_image(&api, depth16, WGPUTextureAspect_DepthOnly, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, (const unsigned char[]){0x00, 0x40}, 2));
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(depth16);

    WGPUTexture both = create(&api, WGPUTextureFormat_Depth24PlusStencil8, 4, 4, 1);
    view = wgpuTextureCreateView(both, NULL);
    depth = depth_of(view);
    depth.depthReadOnly = WGPU_TRUE;
    depth.stencilLoadOp = WGPULoadOp_Clear;
    depth.stencilStoreOp = WGPUStoreOp_Store;
    depth.stencilClearValue = 0x1a7; // the lowest 8 bits count
    pass(&api, NULL, 0, &depth);
    read_image(&api, both, WGPUTextureAspect_StencilOnly, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, (const unsigned char[]){0xa7}, 1));
    // Depth is discarded, stencil is read-only and stays.
    depth = depth_of(view);
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthClearValue = 1;
    depth.depthStoreOp = WGPUStoreOp_Discard;
    depth.stencilReadOnly = WGPU_TRUE;
    pass(&api, NULL, 0, &depth);
    read_image(&api, both, WGPUTextureAspect_StencilOnly, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, (const unsigned char[]){0xa7}, 1));
    depth = depth_of(view);
    depth.depthReadOnly = WGPU_TRUE;
    depth.stencilLoadOp = WGPULoadOp_Load;
    depth.stencilStoreOp = WGPUStoreOp_Discard;
    pass(&api, NULL, 0, &depth);
    read_image(&api, both, WGPUTextureAspect_StencilOnly, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, (const unsigned char[]){0}, 1));
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(both);

    WGPUTexture depth32 = create(&api, WGPUTextureFormat_Depth32Float, 4, 4, 1);
    view = wgpuTextureCreateView(depth32, NULL);
    depth = depth_of(view);
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthClearValue = 0.75f;
    depth.depthStoreOp = WGPUStoreOp_Store;
    pass(&api, NULL, 0, &depth);
    read_image(&api, depth32, WGPUTextureAspect_All, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, (const unsigned char[]){0x00, 0x00, 0x40, 0x3f}, 4));
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(depth32);
    end(&api);
}

// ---------------------------------------------------------------- operations

TEST(loads_keep_and_discards_zero) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    static const unsigned char red[4] = {255, 0, 0, 255};
    WGPUTexture texture = create(&api, WGPUTextureFormat_RGBA8Unorm, 5, 3, 1);
    pass_on(&api, texture, WGPULoadOp_Clear, (WGPUColor){1, 0, 0, 1}, WGPUStoreOp_Store);
    pass_on(&api, texture, WGPULoadOp_Load, (WGPUColor){0, 1, 0, 1}, WGPUStoreOp_Store);
    read_image(&api, texture, WGPUTextureAspect_All, 0, 0, 5, 3);
    CHECK(is_filled(5, 3, red, 4));
    pass_on(&api, texture, WGPULoadOp_Load, (WGPUColor){0, 1, 0, 1}, WGPUStoreOp_Discard);
    read_image(&api, texture, WGPUTextureAspect_All, 0, 0, 5, 3);
    CHECK(is_filled(5, 3, (const unsigned char[4]){0}, 4));
    wgpuTextureRelease(texture);
    end(&api);
}

TEST(only_the_attached_part_changes) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    static const unsigned char filled[1] = {255};
    static const unsigned char empty[1] = {0};
    WGPUTextureDescriptor descriptor = describe(WGPUTextureFormat_R8Unorm, 8, 8, 3);
    descriptor.mipLevelCount = 2;
    WGPUTexture layers = wgpuDeviceCreateTexture(api.device, &descriptor);
    WGPUTextureViewDescriptor part = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    part.dimension = WGPUTextureViewDimension_2D;
    part.baseMipLevel = 1;
    part.mipLevelCount = 1;
    part.baseArrayLayer = 2;
    part.arrayLayerCount = 1;
    WGPUTextureView view = wgpuTextureCreateView(layers, &part);
    WGPURenderPassColorAttachment color = color_of(view, WGPULoadOp_Clear);
    color.clearValue.r = 1;
    pass(&api, &color, 1, NULL);
    for (uint32_t level = 0; level < 2; level++) {
        for (uint32_t layer = 0; layer < 3; layer++) {
            read_image(&api, layers, WGPUTextureAspect_All, level, layer, 8 >> level, 8 >> level);
            CHECK(is_filled(8 >> level, 8 >> level, level == 1 && layer == 2 ? filled : empty, 1));
        }
    }
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(layers);

    descriptor.dimension = WGPUTextureDimension_3D;
    descriptor.size.depthOrArrayLayers = 4;
    WGPUTexture volume = wgpuDeviceCreateTexture(api.device, &descriptor);
    WGPUTextureViewDescriptor whole = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    whole.mipLevelCount = 1;
    view = wgpuTextureCreateView(volume, &whole);
    // Two slices of one texture, and a hole between them.
    WGPURenderPassColorAttachment colors[3] = {color_of(view, WGPULoadOp_Clear),
        color_of(NULL, WGPULoadOp_Undefined), color_of(view, WGPULoadOp_Clear)};
    colors[0].depthSlice = 3;
    colors[0].clearValue.r = 1;
    colors[2].depthSlice = 1;
    colors[2].clearValue.r = 1;
    pass(&api, colors, 3, NULL);
    for (uint32_t slice = 0; slice < 4; slice++) {
        read_image(&api, volume, WGPUTextureAspect_All, 0, slice, 8, 8);
        CHECK(is_filled(8, 8, slice == 1 || slice == 3 ? filled : empty, 1));
    }
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(volume);
    end(&api);
}

TEST(samples_are_resolved_before_they_are_discarded) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    static const unsigned char expected[4] = {255, 51, 153, 0};
    WGPUTexture many = create(&api, WGPUTextureFormat_RGBA8Unorm, 5, 3, 4);
    WGPUTexture one = create(&api, WGPUTextureFormat_RGBA8Unorm, 5, 3, 1);
    WGPUTextureView view = wgpuTextureCreateView(many, NULL);
    WGPUTextureView target = wgpuTextureCreateView(one, NULL);
    WGPURenderPassColorAttachment color = color_of(view, WGPULoadOp_Clear);
    color.clearValue = (WGPUColor){1, 0.2, 0.6, 0};
    color.resolveTarget = target;
    pass(&api, &color, 1, NULL);
    read_image(&api, one, WGPUTextureAspect_All, 0, 0, 5, 3);
    CHECK(is_filled(5, 3, expected, 4));
    // What was stored is resolved anew, then thrown away.
    pass_on(&api, one, WGPULoadOp_Clear, (WGPUColor){1, 1, 1, 1}, WGPUStoreOp_Store);
    color.loadOp = WGPULoadOp_Load;
    color.storeOp = WGPUStoreOp_Discard;
    pass(&api, &color, 1, NULL);
    read_image(&api, one, WGPUTextureAspect_All, 0, 0, 5, 3);
    CHECK(is_filled(5, 3, expected, 4));
    pass(&api, &color, 1, NULL);
    read_image(&api, one, WGPUTextureAspect_All, 0, 0, 5, 3);
    CHECK(is_filled(5, 3, (const unsigned char[4]){0}, 4));
    wgpuTextureViewRelease(target);
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(one);
    wgpuTextureRelease(many);
    end(&api);
}

// ---------------------------------------------------------------- queries

TEST(occlusion_queries_without_draws_are_zero) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    WGPUQuerySetDescriptor set_descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    set_descriptor.type = WGPUQueryType_Occlusion;
    set_descriptor.count = 2;
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(api.device, &set_descriptor);
    WGPUBuffer results = api_buffer(&api, "results", 16,
        WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
    WGPUBuffer back = api_buffer(
        &api, "back", 16, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    static const uint64_t ones[2] = {1, 1};
    wgpuQueueWriteBuffer(api.queue, results, 0, ones, sizeof(ones));
    WGPUTexture texture = create(&api, WGPUTextureFormat_R8Unorm, 4, 4, 1);
    WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    WGPURenderPassColorAttachment color = color_of(view, WGPULoadOp_Load);
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    descriptor.occlusionQuerySet = set;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPURenderPassEncoder render = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderBeginOcclusionQuery(render, 1);
    wgpuRenderPassEncoderEndOcclusionQuery(render);
    wgpuRenderPassEncoderEnd(render);
    wgpuRenderPassEncoderRelease(render);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 2, results, 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, results, 0, back, 0, 16);
    submit(&api, encoder);
    CHECK_EQ(api_map(&api, back, WGPUMapMode_Read, 0, 16), WGPUMapAsyncStatus_Success);
    const uint64_t *values = wgpuBufferGetConstMappedRange(back, 0, 16);
    if (CHECK(values != NULL)) {
        CHECK_EQ(values[0], 0);
        CHECK_EQ(values[1], 0);
    }
    wgpuBufferRelease(back);
    wgpuBufferRelease(results);
    // A destroyed set is refused with its pass.
    encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    render = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderEnd(render);
    wgpuRenderPassEncoderRelease(render);
    wgpuQuerySetDestroy(set);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    submit(&api, encoder);
    CHECK(
        strstr(api_pop_scope(&api).message, "which was destroyed by wgpuQuerySetDestroy") != NULL);
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(texture);
    wgpuQuerySetRelease(set);
    end(&api);
}

// ---------------------------------------------------------------- draws and bundles

static WGPURenderPipeline create_pipeline(struct api *api) {
    WGPUShaderModule module = api_shader(api,
        "@vertex fn vs(@location(0) p: vec2f) -> @builtin(position) vec4f {\n"
        "    return vec4f(p, 0, 1);\n"
        "}\n"
        "@fragment fn fs() -> @location(0) vec4f { return vec4f(1); }\n");
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    attribute.format = WGPUVertexFormat_Float32x2;
    WGPUVertexBufferLayout layout = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    layout.stepMode = WGPUVertexStepMode_Vertex;
    layout.arrayStride = 8;
    layout.attributeCount = 1;
    layout.attributes = &attribute;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = 1;
    descriptor.vertex.buffers = &layout;
    descriptor.fragment = &fragment;
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

struct scene {
    WGPURenderPipeline pipeline;
    WGPUBuffer vertices; // of one triangle
    WGPUTexture texture;
    WGPUTextureView view;
};

static struct scene create_scene(struct api *api) {
    struct scene scene;
    scene.pipeline = create_pipeline(api);
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    scene.vertices = api_buffer(
        api, "vertices", sizeof(corners), WGPUBufferUsage_Vertex | WGPUBufferUsage_CopyDst);
    wgpuQueueWriteBuffer(api->queue, scene.vertices, 0, corners, sizeof(corners));
    scene.texture = create(api, WGPUTextureFormat_RGBA8Unorm, 4, 4, 1);
    scene.view = wgpuTextureCreateView(scene.texture, NULL);
    return scene;
}

static void release_scene(struct scene *scene) {
    wgpuTextureViewRelease(scene->view);
    wgpuTextureRelease(scene->texture);
    wgpuBufferRelease(scene->vertices);
    wgpuRenderPipelineRelease(scene->pipeline);
}

static WGPURenderPassEncoder begin_scene(WGPUCommandEncoder encoder, const struct scene *scene) {
    WGPURenderPassColorAttachment color = color_of(scene->view, WGPULoadOp_Clear);
    color.clearValue = (WGPUColor){0, 1, 0, 1};
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.label = api_view("picture");
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

static WGPUCommandBuffer finish_scene(WGPUCommandEncoder encoder, WGPURenderPassEncoder render) {
    wgpuRenderPassEncoderEnd(render);
    wgpuRenderPassEncoderRelease(render);
    WGPUCommandBufferDescriptor descriptor = WGPU_COMMAND_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = api_view("frame");
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, &descriptor);
    wgpuCommandEncoderRelease(encoder);
    return commands;
}

// Many draws and one bundle; `is_drawn`: else nothing is drawn.
static WGPUCommandBuffer record(
    struct api *api, const struct scene *scene, WGPURenderBundle bundle, bool is_drawn) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPURenderPassEncoder render = begin_scene(encoder, scene);
    wgpuRenderPassEncoderSetPipeline(render, scene->pipeline);
    for (int i = 0; i < 10000; i++) {
        wgpuRenderPassEncoderSetVertexBuffer(render, 0, scene->vertices, 0, WGPU_WHOLE_SIZE);
        if (is_drawn) {
            wgpuRenderPassEncoderDraw(render, 3, 1, 0, 0);
        }
    }
    if (bundle != NULL) {
        wgpuRenderPassEncoderExecuteBundles(render, 1, &bundle);
    }
    return finish_scene(encoder, render);
}

static WGPURenderBundle create_bundle(struct api *api, const struct scene *scene, bool is_drawn) {
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(api->device, &descriptor);
    wgpuRenderBundleEncoderSetPipeline(encoder, scene->pipeline);
    wgpuRenderBundleEncoderSetVertexBuffer(encoder, 0, scene->vertices, 0, WGPU_WHOLE_SIZE);
    if (is_drawn) {
        wgpuRenderBundleEncoderDraw(encoder, 3, 1, 0, 0);
    }
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
    wgpuRenderBundleEncoderRelease(encoder);
    return bundle;
}

// The null adapter draws nothing, and says nothing.
static void submit_draws(struct api *api, const struct scene *scene, WGPUCommandBuffer commands) {
    static const unsigned char green[4] = {0, 255, 0, 255};
    static const unsigned char white[4] = {255, 255, 255, 255};
    bool is_drawn = backends == AlbaBackends_CPU;
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    CHECK_EQ(api_finish_queue(api), WGPUQueueWorkDoneStatus_Success);
    read_image(api, scene->texture, WGPUTextureAspect_All, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, is_drawn ? white : green, 4));
    CHECK_EQ(atomic_load(&api->lost_count), 0);
    pass_on(api, scene->texture, WGPULoadOp_Load, (WGPUColor){0, 0, 0, 0}, WGPUStoreOp_Discard);
}

TEST(passes_and_bundles_draw) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    struct scene scene = create_scene(&api);
    submit_draws(&api, &scene, record(&api, &scene, NULL, true));
    WGPURenderBundle bundle = create_bundle(&api, &scene, true);
    submit_draws(&api, &scene, record(&api, &scene, bundle, false));
    wgpuRenderBundleRelease(bundle);
    release_scene(&scene);
    end(&api);
}

TEST(bundles_without_draws_keep_what_they_use) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    struct scene scene = create_scene(&api);
    WGPURenderBundle bundle = create_bundle(&api, &scene, false);
    WGPUCommandBuffer first = record(&api, &scene, bundle, false);
    WGPUCommandBuffer second = record(&api, &scene, bundle, false);
    // The pass itself holds the buffer too; without it the bundle alone keeps it.
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPURenderPassEncoder render = begin_scene(encoder, &scene);
    wgpuRenderPassEncoderExecuteBundles(render, 1, &bundle);
    WGPUCommandBuffer third = finish_scene(encoder, render);
    wgpuRenderBundleRelease(bundle);
    wgpuQueueSubmit(api.queue, 1, &first);
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    read_image(&api, scene.texture, WGPUTextureAspect_All, 0, 0, 4, 4);
    CHECK(is_filled(4, 4, (const unsigned char[4]){0, 255, 0, 255}, 4));
    wgpuQueueSubmit(api.queue, 1, &second);
    wgpuBufferDestroy(scene.vertices);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    wgpuQueueSubmit(api.queue, 1, &third);
    CHECK(strstr(api_pop_scope(&api).message,
              "uses buffer \"vertices\", which was destroyed by wgpuBufferDestroy") != NULL);
    wgpuCommandBufferRelease(first);
    wgpuCommandBufferRelease(second);
    wgpuCommandBufferRelease(third);
    release_scene(&scene);
    end(&api);
}

static uint64_t count_crossed(const AlbaLedgerTotals *totals) {
    return totals->crossed.hostToStaging + totals->crossed.stagingToDevice +
        totals->crossed.deviceToStaging + totals->crossed.stagingToHost;
}

// A compute pass writes what a render pass of the same command buffer draws: no byte crosses.
TEST(storage_is_drawn_from_without_a_copy) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    struct scene scene = create_scene(&api);
    WGPUShaderModule module = api_shader(&api,
        "@group(0) @binding(0) var<storage, read_write> v: array<f32>;\n"
        "@compute @workgroup_size(1) fn main() { v[0] = 1; }\n");
    WGPUComputePipeline pipeline = api_pipeline(&api, module, NULL);
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBuffer particles = api_buffer(
        &api, "particles", 24, WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex);
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = particles;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &descriptor);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder compute = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(compute, pipeline);
    wgpuComputePassEncoderSetBindGroup(compute, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(compute, 1, 1, 1);
    wgpuComputePassEncoderEnd(compute);
    wgpuComputePassEncoderRelease(compute);
    WGPURenderPassEncoder render = begin_scene(encoder, &scene);
    wgpuRenderPassEncoderSetPipeline(render, scene.pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(render, 0, particles, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDraw(render, 3, 1, 0, 0);
    WGPUCommandBuffer commands = finish_scene(encoder, render);
    AlbaLedgerTotals before = ALBA_LEDGER_TOTALS_INIT; // the scene's vertices were written
    CHECK_EQ(albaDeviceGetLedgerTotals(api.device, &before), WGPUStatus_Success);
    wgpuQueueSubmit(api.queue, 1, &commands);
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    CHECK_EQ(albaDeviceGetLedgerTotals(api.device, &totals), WGPUStatus_Success);
    CHECK_EQ(totals.submitCount, before.submitCount + 1);
    CHECK_EQ(totals.entryCount, before.entryCount);
    CHECK_EQ(count_crossed(&totals), count_crossed(&before));
    wgpuCommandBufferRelease(commands);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(particles);
    wgpuBindGroupLayoutRelease(layout);
    wgpuComputePipelineRelease(pipeline);
    wgpuShaderModuleRelease(module);
    release_scene(&scene);
    end(&api);
}

TEST(destroyed_attachments_are_refused) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    struct scene scene = create_scene(&api);
    WGPUCommandBuffer commands = record(&api, &scene, NULL, false);
    wgpuTextureDestroy(scene.texture);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    wgpuQueueSubmit(api.queue, 1, &commands);
    CHECK(strstr(api_pop_scope(&api).message, "which was destroyed by wgpuTextureDestroy") != NULL);
    wgpuCommandBufferRelease(commands);
    release_scene(&scene);
    end(&api);
}

TEST(null_where_something_must_be_is_no_crash) {
    struct api api;
    if (!begin(&api)) {
        return;
    }
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    CHECK(wgpuCommandEncoderBeginRenderPass(encoder, &descriptor) == NULL);
    CHECK(wgpuCommandEncoderBeginRenderPass(encoder, NULL) == NULL);
    WGPURenderBundleEncoderDescriptor bundle = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    bundle.colorFormatCount = 1;
    CHECK(wgpuDeviceCreateRenderBundleEncoder(api.device, &bundle) == NULL);
    CHECK(wgpuRenderBundleEncoderFinish(NULL, NULL) == NULL);
    wgpuRenderPassEncoderDraw(NULL, 1, 1, 0, 0);
    wgpuRenderBundleEncoderSetPipeline(NULL, NULL);
    wgpuRenderPassEncoderSetBlendConstant(NULL, NULL);
    // The encoder is as it was.
    CHECK(wgpuCommandEncoderBeginRenderPass(NULL, &descriptor) == NULL);
    submit(&api, encoder);
    end(&api);
}

static void run_all(void) {
    check_test const tests[] = {clear_values_become_texels_of_each_format,
        depth_and_stencil_are_cleared_apart, loads_keep_and_discards_zero,
        only_the_attached_part_changes, samples_are_resolved_before_they_are_discarded,
        occlusion_queries_without_draws_are_zero, null_where_something_must_be_is_no_crash};
    check_test const tests_with_pipelines[] = {passes_and_bundles_draw,
        bundles_without_draws_keep_what_they_use, storage_is_drawn_from_without_a_copy,
        destroyed_attachments_are_refused};
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        tests[i]();
    }
    // The CPU adapter's need the code generator, which is not always there.
    size_t count = TEST_HAS_CODE_GENERATOR || backends == AlbaBackends_Null
        ? sizeof(tests_with_pipelines) / sizeof(tests_with_pipelines[0])
        : 0;
    for (size_t i = 0; i < count; i++) {
        tests_with_pipelines[i]();
    }
}

TEST(on_the_null_adapter) {
    backends = AlbaBackends_Null;
    run_all();
}

TEST(on_the_cpu_adapter) {
    backends = AlbaBackends_CPU;
    run_all();
}

CHECK_MAIN(on_the_null_adapter, on_the_cpu_adapter)
