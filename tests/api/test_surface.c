// SPDX-License-Identifier: MIT
//
// Surfaces: error surfaces, capabilities, the life of a headless surface's frames, and what is read
// of them.
#include "api_freed.h"

#include "base/memory.h"

static WGPUSurface create(WGPUInstance instance, uint32_t width, uint32_t height) {
    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    source.width = width;
    source.height = height;
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = api_view("window");
    return wgpuInstanceCreateSurface(instance, &descriptor);
}

static void configure(struct api *api, WGPUSurface surface, uint32_t width, uint32_t height) {
    WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
    config.device = api->device;
    config.format = WGPUTextureFormat_RGBA8Unorm;
    config.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopyDst;
    config.width = width;
    config.height = height;
    wgpuSurfaceConfigure(surface, &config);
}

static WGPUSurfaceTexture begin(WGPUSurface surface) {
    WGPUSurfaceTexture current = WGPU_SURFACE_TEXTURE_INIT;
    wgpuSurfaceGetCurrentTexture(surface, &current);
    return current;
}

// Fills a frame of 5 x 3 texels with bytes that count up from `first`.
static void write_frame(struct api *api, WGPUTexture texture, unsigned char first) {
    unsigned char bytes[5 * 3 * 4];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)(first + i);
    }
    WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    to.texture = texture;
    WGPUTexelCopyBufferLayout layout = {0, 20, 3};
    WGPUExtent3D size = {5, 3, 1};
    wgpuQueueWriteTexture(api->queue, &to, bytes, sizeof(bytes), &layout, &size);
}

TEST(frames_are_presented_and_read) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurface surface = create(api.instance, 0, 0);
    configure(&api, surface, 5, 3);
    AlbaFrame frame = ALBA_FRAME_INIT;
    CHECK_EQ(albaSurfaceReadFrame(surface, &frame), WGPUStatus_Error); // none was presented
    CHECK(frame.data == NULL);
    for (unsigned i = 1; i <= 3; i++) {
        WGPUSurfaceTexture current = begin(surface);
        CHECK_EQ(current.status, WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal);
        CHECK_EQ(wgpuTextureGetWidth(current.texture), 5);
        CHECK_EQ(wgpuTextureGetHeight(current.texture), 3);
        CHECK_EQ(wgpuTextureGetFormat(current.texture), WGPUTextureFormat_RGBA8Unorm);
        if (i != 3) { // the last one is left as it is made: zero
            write_frame(&api, current.texture, (unsigned char)(i * 60));
        }
        CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Success);
        // Not the program's any more: a write is an error.
        wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
        write_frame(&api, current.texture, 0);
        struct api_scope_result popped = api_pop_scope(&api);
        CHECK_EQ(popped.type, WGPUErrorType_Validation);
        CHECK(strstr(popped.message, "get the next frame by wgpuSurfaceGetCurrentTexture") != NULL);
        CHECK(strstr(popped.message, "wgpuTextureDestroy") == NULL);
        wgpuTextureRelease(current.texture);
        if (CHECK_EQ(albaSurfaceReadFrame(surface, &frame), WGPUStatus_Success)) {
            CHECK_EQ(frame.number, i);
            CHECK_EQ(frame.format, WGPUTextureFormat_RGBA8Unorm);
            CHECK_EQ(frame.width, 5);
            CHECK_EQ(frame.height, 3);
            CHECK_EQ(frame.bytesPerRow, 20);
            CHECK_EQ(frame.size, 60);
            for (size_t j = 0; j < frame.size; j++) {
                unsigned char expected = i == 3 ? 0 : (unsigned char)(i * 60 + j);
                CHECK_EQ(((unsigned char *)frame.data)[j], expected);
            }
        }
        albaFrameFreeMembers(frame);
    }
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    albaDeviceGetLedgerTotals(api.device, &totals);
    CHECK_EQ(totals.frameCount, 3);
    CHECK_EQ(totals.crossed.deviceToStaging, 180); // three frames of 60 bytes were read
    CHECK_EQ(totals.crossed.stagingToHost, 180);
    wgpuSurfaceRelease(surface);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// Reading submits: writes that still wait, to a texture that is gone, must go before it.
TEST(reading_a_frame_keeps_the_memory_of_waiting_writes) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurface surface = create(api.instance, 0, 0);
    configure(&api, surface, 5, 3);
    wgpuTextureRelease(begin(surface).texture);
    wgpuSurfacePresent(surface);
    for (int i = 0; i < 20; i++) {
        WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
        descriptor.size = (WGPUExtent3D){5, 3, 1};
        descriptor.format = WGPUTextureFormat_RGBA8Unorm;
        descriptor.usage = WGPUTextureUsage_CopyDst;
        WGPUTexture texture = wgpuDeviceCreateTexture(api.device, &descriptor);
        write_frame(&api, texture, 1);
        wgpuTextureDestroy(texture);
        AlbaFrame frame = ALBA_FRAME_INIT;
        CHECK_EQ(albaSurfaceReadFrame(surface, &frame), WGPUStatus_Success);
        albaFrameFreeMembers(frame);
        wgpuTextureRelease(texture);
    }
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuSurfaceRelease(surface);
    api_end(&api);
}

TEST(a_frame_is_begun_once_and_ended_by_configuring) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurface surface = create(api.instance, 0, 0);
    CHECK_EQ(begin(surface).status, WGPUSurfaceGetCurrentTextureStatus_Error); // not configured
    CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Error);
    configure(&api, surface, 5, 3);
    WGPUSurfaceTexture first = begin(surface);
    WGPUSurfaceTexture again = begin(surface);
    CHECK_EQ(again.status, WGPUSurfaceGetCurrentTextureStatus_Error);
    CHECK(again.texture == NULL);
    configure(&api, surface, 7, 2);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    write_frame(&api, first.texture, 0); // its time is over
    struct api_scope_result popped = api_pop_scope(&api);
    CHECK_EQ(popped.type, WGPUErrorType_Validation);
    CHECK(strstr(popped.message, "get the next frame by wgpuSurfaceGetCurrentTexture") != NULL);
    wgpuTextureRelease(first.texture);
    WGPUSurfaceTexture second = begin(surface);
    CHECK_EQ(wgpuTextureGetWidth(second.texture), 7);
    CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Success);
    CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Error); // one frame, presented once
    wgpuTextureRelease(second.texture);
    // A wrong configuration leaves the surface unconfigured.
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    configure(&api, surface, 0, 2);
    CHECK_EQ(api_pop_scope(&api).type, WGPUErrorType_Validation);
    CHECK_EQ(begin(surface).status, WGPUSurfaceGetCurrentTextureStatus_Error);
    configure(&api, surface, 5, 3);
    wgpuSurfaceUnconfigure(surface);
    CHECK_EQ(begin(surface).status, WGPUSurfaceGetCurrentTextureStatus_Error);
    // Without a device: a line in the log alone.
    WGPUSurfaceConfiguration none = WGPU_SURFACE_CONFIGURATION_INIT;
    wgpuSurfaceConfigure(surface, &none);
    CHECK_EQ(begin(surface).status, WGPUSurfaceGetCurrentTextureStatus_Error);
    // A chained struct that nobody knows.
    configure(&api, surface, 5, 3);
    WGPUChainedStruct unknown = {NULL, (WGPUSType)0x1234};
    WGPUSurfaceTexture chained = WGPU_SURFACE_TEXTURE_INIT;
    chained.nextInChain = &unknown;
    wgpuSurfaceGetCurrentTexture(surface, &chained);
    CHECK_EQ(chained.status, WGPUSurfaceGetCurrentTextureStatus_Error);
    AlbaFrame frame = ALBA_FRAME_INIT;
    frame.nextInChain = &unknown;
    CHECK_EQ(albaSurfaceReadFrame(surface, &frame), WGPUStatus_Error);
    wgpuSurfaceRelease(surface);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(a_resized_window_makes_frames_suboptimal) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurface surface = create(api.instance, 5, 3);
    configure(&api, surface, 5, 3);
    WGPUSurfaceTexture current = begin(surface);
    CHECK_EQ(current.status, WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal);
    wgpuTextureRelease(current.texture);
    wgpuSurfacePresent(surface);
    albaSurfaceResize(surface, 6, 3);
    current = begin(surface);
    CHECK_EQ(current.status, WGPUSurfaceGetCurrentTextureStatus_SuccessSuboptimal);
    CHECK_EQ(wgpuTextureGetWidth(current.texture), 5);
    wgpuTextureRelease(current.texture);
    configure(&api, surface, 6, 3);
    current = begin(surface);
    CHECK_EQ(current.status, WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal);
    wgpuTextureRelease(current.texture);
    wgpuSurfaceRelease(surface);
    api_end(&api);
}

TEST(capabilities_have_what_the_standard_promises) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurface surface = create(api.instance, 0, 0);
    WGPUSurfaceCapabilities got = WGPU_SURFACE_CAPABILITIES_INIT;
    CHECK_EQ(wgpuSurfaceGetCapabilities(surface, api.adapter, &got), WGPUStatus_Success);
    CHECK((got.usages & WGPUTextureUsage_RenderAttachment) != 0);
    int fifo_count = 0;
    for (size_t i = 0; i < got.presentModeCount; i++) {
        fifo_count += got.presentModes[i] == WGPUPresentMode_Fifo;
        CHECK(got.presentModes[i] != WGPUPresentMode_Undefined);
    }
    CHECK_EQ(fifo_count, 1);
    CHECK(got.formatCount > 0 && got.alphaModeCount > 0);
    for (size_t i = 0; i < got.alphaModeCount; i++) {
        CHECK(got.alphaModes[i] != WGPUCompositeAlphaMode_Auto);
    }
    // Each combination of what is listed can be configured, and gives a frame.
    for (size_t i = 0; i < got.formatCount; i++) {
        WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
        config.device = api.device;
        config.width = 4;
        config.height = 4;
        config.format = got.formats[i];
        config.presentMode = got.presentModes[i % got.presentModeCount];
        config.alphaMode = got.alphaModes[i % got.alphaModeCount];
        wgpuSurfaceConfigure(surface, &config);
        WGPUSurfaceTexture current = begin(surface);
        CHECK_EQ(current.status, WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal);
        CHECK_EQ(wgpuTextureGetFormat(current.texture), got.formats[i]);
        wgpuTextureRelease(current.texture);
    }
    wgpuSurfaceCapabilitiesFreeMembers(got);
    // Errors leave the struct as it was.
    got = (WGPUSurfaceCapabilities){.formatCount = 77};
    WGPUInstance other = api_create_instance();
    WGPUAdapter foreign = api_request_adapter(other);
    CHECK_EQ(wgpuSurfaceGetCapabilities(surface, foreign, &got), WGPUStatus_Error);
    CHECK_EQ(got.formatCount, 77);
    wgpuAdapterRelease(foreign);
    wgpuInstanceRelease(other);
    wgpuSurfaceRelease(surface);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(a_wrong_chain_makes_an_error_surface) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurfaceSourceXlibWindow window = WGPU_SURFACE_SOURCE_XLIB_WINDOW_INIT;
    AlbaSurfaceSourceHeadless two[2] = {
        ALBA_SURFACE_SOURCE_HEADLESS_INIT, ALBA_SURFACE_SOURCE_HEADLESS_INIT};
    two[0].chain.next = &two[1].chain;
    WGPUChainedStruct *chains[] = {NULL, &window.chain, &two[0].chain};
    for (size_t i = 0; i < 3; i++) {
        WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
        descriptor.nextInChain = chains[i];
        WGPUSurface surface = wgpuInstanceCreateSurface(api.instance, &descriptor);
        if (!CHECK(surface != NULL)) {
            continue;
        }
        WGPUSurfaceCapabilities got = WGPU_SURFACE_CAPABILITIES_INIT;
        CHECK_EQ(wgpuSurfaceGetCapabilities(surface, api.adapter, &got), WGPUStatus_Error);
        CHECK_EQ(begin(surface).status, WGPUSurfaceGetCurrentTextureStatus_Error);
        CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Error);
        wgpuSurfaceUnconfigure(surface);
        wgpuSurfaceSetLabel(surface, api_view("error"));
        wgpuSurfaceAddRef(surface);
        wgpuSurfaceRelease(surface);
        wgpuSurfaceRelease(surface);
    }
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

// The device of a configured surface goes, then the surface.
TEST(a_lost_device_still_gives_frames) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUSurface surface = create(api.instance, 0, 0);
    configure(&api, surface, 5, 3);
    WGPUSurfaceTexture current = begin(surface);
    wgpuTextureRelease(current.texture);
    wgpuDeviceDestroy(api.device);
    CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Success);
    AlbaFrame frame = ALBA_FRAME_INIT;
    CHECK_EQ(albaSurfaceReadFrame(surface, &frame), WGPUStatus_Error);
    albaFrameFreeMembers(frame);
    current = begin(surface);
    CHECK_EQ(current.status, WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal);
    CHECK(current.texture != NULL);
    wgpuTextureRelease(current.texture);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
    // The surface outlives them all.
    CHECK_EQ(wgpuSurfacePresent(surface), WGPUStatus_Success);
    wgpuSurfaceRelease(surface);
    CHECK(api_is_all_freed());
}

struct adapter_result {
    WGPURequestAdapterStatus status;
    bool has_adapter;
    char *message;
};

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
    void *userdata1, void *userdata2) {
    struct adapter_result *result = userdata1;
    UNUSED_PARAMETER(userdata2);
    result->status = status;
    result->has_adapter = adapter != NULL;
    api_copy_message(result->message, 1024, message);
    if (adapter != NULL) {
        wgpuAdapterRelease(adapter);
    }
}

static WGPURequestAdapterStatus request(WGPUInstance instance, WGPUSurface surface, char *message) {
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.compatibleSurface = surface;
    struct adapter_result result = {.message = message};
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = on_adapter;
    info.userdata1 = &result;
    api_wait(instance, wgpuInstanceRequestAdapter(instance, &options, info));
    CHECK_EQ(result.has_adapter, result.status == WGPURequestAdapterStatus_Success);
    return result.status;
}

TEST(an_adapter_is_found_for_a_surface) {
    char message[1024] = "";
    WGPUInstance instance = api_create_instance();
    WGPUInstance other = api_create_instance();
    WGPUSurface surface = create(instance, 4, 4);
    WGPUSurface of_nothing = wgpuInstanceCreateSurface(
        instance, &(WGPUSurfaceDescriptor){.label = api_view("no window")});
    CHECK_EQ(request(instance, surface, message), WGPURequestAdapterStatus_Success);
    CHECK_EQ(request(instance, of_nothing, message), WGPURequestAdapterStatus_Unavailable);
    CHECK(strstr(message, "surface \"no window\", which is an error surface") != NULL);
    CHECK_EQ(request(other, surface, message), WGPURequestAdapterStatus_Error);
    CHECK(strstr(message, "surface \"window\", is of another instance") != NULL);
    wgpuSurfaceRelease(of_nothing);
    wgpuSurfaceRelease(surface);
    wgpuInstanceRelease(other);
    wgpuInstanceRelease(instance);
}

CHECK_MAIN(frames_are_presented_and_read, reading_a_frame_keeps_the_memory_of_waiting_writes,
    a_frame_is_begun_once_and_ended_by_configuring, a_resized_window_makes_frames_suboptimal,
    capabilities_have_what_the_standard_promises, a_wrong_chain_makes_an_error_surface,
    a_lost_device_still_gives_frames, an_adapter_is_found_for_a_surface)
