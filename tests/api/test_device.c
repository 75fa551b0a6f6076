// SPDX-License-Identifier: MIT
//
// Adapters and devices through the public API: info, limits, features, requests that fail, error
// scopes, loss, release, functions by name.
#define _POSIX_C_SOURCE 200809L // setenv
#include "api_helper.h"

TEST(adapter_options_choose) {
    WGPUInstance instance = api_create_instance();
    static const struct {
        WGPUBackendType type;
        bool is_found;
    } rows[] = {{WGPUBackendType_Undefined, true}, {WGPUBackendType_Null, true},
        {WGPUBackendType_Metal, false}, {WGPUBackendType_D3D12, false},
        {WGPUBackendType_Vulkan, false}, {(WGPUBackendType)77, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        WGPUAdapter adapter = NULL;
        WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
        options.backendType = rows[i].type;
        WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_AllowSpontaneous;
        info.callback = api_on_adapter;
        info.userdata1 = &adapter;
        wgpuInstanceRequestAdapter(instance, &options, info);
        CHECK_EQ(adapter != NULL, rows[i].is_found);
        if (adapter != NULL) {
            wgpuAdapterRelease(adapter);
        }
    }
    wgpuInstanceRelease(instance);
}

TEST(the_environment_chooses) {
    // Read when the instance is made; a chained struct would win.
    setenv("ALBA_BACKEND", "null", 1);
    WGPUInstance instance = wgpuCreateInstance(NULL);
    unsetenv("ALBA_BACKEND");
    WGPUAdapter adapter = NULL;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowSpontaneous;
    info.callback = api_on_adapter;
    info.userdata1 = &adapter;
    wgpuInstanceRequestAdapter(instance, NULL, info);
    if (CHECK(adapter != NULL)) {
        WGPUAdapterInfo about = WGPU_ADAPTER_INFO_INIT;
        CHECK_EQ(wgpuAdapterGetInfo(adapter, &about), WGPUStatus_Success);
        CHECK_EQ(about.backendType, WGPUBackendType_Null);
        wgpuAdapterInfoFreeMembers(about);
        wgpuAdapterRelease(adapter);
    }
    wgpuInstanceRelease(instance);
}

TEST(the_cpu_adapter_says_that_it_is_one) {
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_CPU | AlbaBackends_Null;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    WGPUInstance instance = wgpuCreateInstance(&descriptor);
    WGPUAdapter adapter = NULL;
    WGPURequestAdapterOptions request = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    request.forceFallbackAdapter = WGPU_TRUE;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowSpontaneous;
    info.callback = api_on_adapter;
    info.userdata1 = &adapter;
    wgpuInstanceRequestAdapter(instance, &request, info);
    if (CHECK(adapter != NULL)) {
        WGPUAdapterInfo about = WGPU_ADAPTER_INFO_INIT;
        wgpuAdapterGetInfo(adapter, &about);
        CHECK_EQ(about.adapterType, WGPUAdapterType_CPU);
        CHECK_EQ(about.backendType, WGPUBackendType_Undefined);
        wgpuAdapterInfoFreeMembers(about);
        wgpuAdapterRelease(adapter);
    }
    wgpuInstanceRelease(instance);
}

TEST(adapter_tells_of_itself) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    CHECK_EQ(wgpuAdapterGetInfo(api.adapter, &info), WGPUStatus_Success);
    CHECK(info.description.length > 0);
    CHECK_EQ(info.backendType, WGPUBackendType_Null);
    wgpuAdapterInfoFreeMembers(info);
    CHECK_EQ(wgpuDeviceGetAdapterInfo(api.device, &info), WGPUStatus_Success);
    wgpuAdapterInfoFreeMembers(info);
    WGPUChainedStruct unknown = {NULL, (WGPUSType)12345};
    info.nextInChain = &unknown;
    CHECK_EQ(wgpuAdapterGetInfo(api.adapter, &info), WGPUStatus_Error);

    WGPUSupportedFeatures features = WGPU_SUPPORTED_FEATURES_INIT;
    wgpuAdapterGetFeatures(api.adapter, &features);
    bool has_core = false;
    for (size_t i = 0; i < features.featureCount; i++) {
        CHECK(wgpuAdapterHasFeature(api.adapter, features.features[i]));
        has_core |= features.features[i] == WGPUFeatureName_CoreFeaturesAndLimits;
    }
    CHECK(has_core);
    wgpuSupportedFeaturesFreeMembers(features);
    CHECK(!wgpuAdapterHasFeature(api.adapter, (WGPUFeatureName)1000));

    WGPULimits limits = WGPU_LIMITS_INIT;
    WGPUCompatibilityModeLimits compatibility = WGPU_COMPATIBILITY_MODE_LIMITS_INIT;
    limits.nextInChain = &compatibility.chain;
    CHECK_EQ(wgpuDeviceGetLimits(api.device, &limits), WGPUStatus_Success);
    // WebGPU §"Limits", the defaults of a core device.
    CHECK_EQ(limits.maxBindGroups, 4);
    CHECK_EQ(limits.maxUniformBufferBindingSize, 65536);
    CHECK_EQ(limits.maxStorageBufferBindingSize, 134217728);
    CHECK_EQ(limits.maxBufferSize, 268435456);
    CHECK_EQ(limits.maxComputeWorkgroupStorageSize, 16384);
    CHECK_EQ(limits.maxComputeInvocationsPerWorkgroup, 256);
    CHECK_EQ(limits.minStorageBufferOffsetAlignment, 256);
    CHECK_EQ(compatibility.maxStorageBuffersInVertexStage, 8);
    CHECK_EQ(compatibility.maxStorageTexturesInFragmentStage, 4);
    CHECK_EQ(limits.maxImmediateSize, 64);
    api_end(&api);
}

TEST(required_limits_and_features_are_checked) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    char message[1024];
    struct api other = {.instance = api.instance, .adapter = api.adapter};
    WGPULimits best = WGPU_LIMITS_INIT;
    wgpuAdapterGetLimits(api.adapter, &best);

    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBindGroups = best.maxBindGroups + 1;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredLimits = &limits;
    CHECK(api_request_device(&other, &descriptor, message) == NULL);
    CHECK(strstr(message, "maxBindGroups") != NULL);
    CHECK_EQ(atomic_load(&other.lost_count), 1);
    CHECK_EQ(other.lost_reason, WGPUDeviceLostReason_FailedCreation);
    CHECK_EQ(other.has_lost_handle, 0);

    limits.maxBindGroups = 1; // worse than the default: raised to it
    limits.minUniformBufferOffsetAlignment = 100;
    CHECK(api_request_device(&other, &descriptor, message) == NULL);
    CHECK(strstr(message, "power of two") != NULL);
    limits.minUniformBufferOffsetAlignment = 512; // also worse
    WGPUDevice device = api_request_device(&other, &descriptor, message);
    if (CHECK(device != NULL)) {
        WGPULimits given = WGPU_LIMITS_INIT;
        wgpuDeviceGetLimits(device, &given);
        CHECK_EQ(given.maxBindGroups, 4);
        CHECK_EQ(given.minUniformBufferOffsetAlignment, 256);
        wgpuDeviceRelease(device);
    }
    WGPUFeatureName feature = (WGPUFeatureName)999;
    WGPUDeviceDescriptor with_feature = WGPU_DEVICE_DESCRIPTOR_INIT;
    with_feature.requiredFeatureCount = 1;
    with_feature.requiredFeatures = &feature;
    CHECK(api_request_device(&other, &with_feature, message) == NULL);
    with_feature.requiredFeatures = NULL; // but a count of 1
    CHECK(api_request_device(&other, &with_feature, message) == NULL);
    CHECK(strstr(message, "requiredFeatureCount is 1, but requiredFeatures is NULL") != NULL);
    WGPUInstanceDescriptor no_features = WGPU_INSTANCE_DESCRIPTOR_INIT;
    no_features.requiredFeatureCount = 1;
    CHECK(wgpuCreateInstance(&no_features) == NULL);
    with_feature.requiredFeatures = &feature;
    feature = WGPUFeatureName_TextureFormatsTier2; // implies tier 1, which implies one more
    if (wgpuAdapterHasFeature(api.adapter, feature)) {
        device = api_request_device(&other, &with_feature, message);
        if (CHECK(device != NULL)) {
            CHECK(wgpuDeviceHasFeature(device, WGPUFeatureName_TextureFormatsTier1));
            CHECK(wgpuDeviceHasFeature(device, WGPUFeatureName_RG11B10UfloatRenderable));
            CHECK(!wgpuDeviceHasFeature(device, WGPUFeatureName_ShaderF16));
            wgpuDeviceRelease(device);
        }
    }
    api_end(&api);
}

TEST(compatibility_level_has_its_defaults) {
    struct api api = {.instance = api_create_instance()};
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.featureLevel = WGPUFeatureLevel_Compatibility;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowSpontaneous;
    info.callback = api_on_adapter;
    info.userdata1 = &api.adapter;
    wgpuInstanceRequestAdapter(api.instance, &options, info);
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    WGPUDevice device = api_request_device(&api, &descriptor, NULL);
    if (CHECK(device != NULL)) {
        WGPULimits limits = WGPU_LIMITS_INIT;
        WGPUCompatibilityModeLimits compatibility = WGPU_COMPATIBILITY_MODE_LIMITS_INIT;
        limits.nextInChain = &compatibility.chain;
        wgpuDeviceGetLimits(device, &limits);
        CHECK(!wgpuDeviceHasFeature(device, WGPUFeatureName_CoreFeaturesAndLimits));
        CHECK_EQ(limits.maxUniformBufferBindingSize, 16384);
        CHECK_EQ(limits.maxComputeInvocationsPerWorkgroup, 128);
        CHECK_EQ(compatibility.maxStorageBuffersInVertexStage, 0);
        CHECK_EQ(compatibility.maxStorageBuffersInFragmentStage, 4);
        wgpuDeviceRelease(device);
    }
    wgpuAdapterRelease(api.adapter);
    wgpuInstanceRelease(api.instance);
}

TEST(an_adapter_makes_one_device_by_default) {
    static const WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_Null;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    struct api api = {.instance = wgpuCreateInstance(&descriptor)};
    api.adapter = api_request_adapter(api.instance);
    WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
    char message[1024] = "";
    WGPUDevice first = api_request_device(&api, &device, NULL);
    CHECK(first != NULL);
    CHECK(api_request_device(&api, &device, message) == NULL);
    CHECK(strstr(message, "MultipleDevicesPerAdapter") != NULL);
    wgpuDeviceRelease(first);
    wgpuAdapterRelease(api.adapter);
    wgpuInstanceRelease(api.instance);
}

TEST(error_scopes_nest_and_filter) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_OutOfMemory);
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Internal);
    wgpuBufferRelease(api_buffer(&api, "first", 4, 0)); // validation: the outermost takes it
    wgpuBufferRelease(api_buffer(&api, "second", 4, 0));
    CHECK_EQ(api_pop_scope(&api).type, WGPUErrorType_NoError);
    CHECK_EQ(api_pop_scope(&api).type, WGPUErrorType_NoError);
    struct api_scope_result outer = api_pop_scope(&api);
    CHECK_EQ(outer.status, WGPUPopErrorScopeStatus_Success);
    CHECK_EQ(outer.type, WGPUErrorType_Validation);
    CHECK(strstr(outer.message, "first") != NULL);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    struct api_scope_result none = api_pop_scope(&api);
    CHECK_EQ(none.status, WGPUPopErrorScopeStatus_Error);
    CHECK_EQ(none.type, WGPUErrorType_NoError);
    wgpuBufferRelease(api_buffer(&api, "third", 4, 0));
    CHECK_EQ(atomic_load(&api.error_count), 1);
    api_end(&api);
}

TEST(destroy_loses_the_device_once) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer mapped = api_buffer(
        &api, "m", 16, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    struct api_map_result map;
    WGPUFuture future = wgpuBufferMapAsync(
        mapped, WGPUMapMode_Read, 0, 16, api_map_info(&map, WGPUCallbackMode_WaitAnyOnly));
    WGPUFuture lost = wgpuDeviceGetLostFuture(api.device);
    wgpuDeviceDestroy(api.device);
    wgpuDeviceDestroy(api.device);
    CHECK_EQ(api_wait(api.instance, lost), WGPUWaitStatus_Success);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
    CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_Destroyed);
    CHECK_EQ(api.has_lost_handle, 1);
    CHECK_EQ(api_wait(api.instance, future), WGPUWaitStatus_Success);
    CHECK_EQ(map.status, WGPUMapAsyncStatus_Aborted);
    // Everything can still be called, and reports nothing.
    WGPUBuffer late = api_buffer(&api, "late", 0, 0);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api.queue, 1, &commands);
    wgpuQueueWriteBuffer(api.queue, mapped, 0, "abcd", 4);
    CHECK_EQ(api_finish_queue(&api), WGPUQueueWorkDoneStatus_Success);
    CHECK_EQ(api_map(&api, mapped, WGPUMapMode_Read, 0, 16), WGPUMapAsyncStatus_Aborted);
    WGPUShaderModule module = api_shader(&api, "not wgsl");
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuShaderModuleRelease(module);
    wgpuBufferRelease(late);
    wgpuBufferRelease(mapped);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
    api_end(&api);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
}

TEST(releasing_the_device_loses_it_without_a_handle) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "survivor", 16, WGPUBufferUsage_CopyDst);
    wgpuDeviceRelease(api.device);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
    CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_Destroyed);
    CHECK_EQ(api.has_lost_handle, 0);
    // The queue and the buffer outlive the handle.
    wgpuQueueWriteBuffer(api.queue, buffer, 0, "abcd", 4);
    CHECK_EQ(wgpuBufferGetSize(buffer), 16);
    wgpuBufferRelease(buffer);
    wgpuQueueRelease(api.queue);
    wgpuAdapterRelease(api.adapter);
    wgpuInstanceRelease(api.instance);
}

TEST(functions_are_found_by_name) {
    static const char *const names[] = {"wgpuCreateInstance", "wgpuAdapterAddRef",
        "wgpuTextureViewSetLabel", "wgpuBufferGetMapState", "wgpuGetProcAddress"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CHECK(wgpuGetProcAddress(api_view(names[i])) != NULL);
    }
    CHECK(wgpuGetProcAddress(api_view("wgpuBufferGetMapState")) == (WGPUProc)wgpuBufferGetMapState);
    static const char *const wrong[] = {"", "wgpu", "wgpuBuffer", "wgpuBufferGetMapStateX", "zzz"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        CHECK(wgpuGetProcAddress(api_view(wrong[i])) == NULL);
    }
    WGPUStringView part = {"wgpuBufferGetSizeXYZ", 17}; // not zero-terminated where it ends
    CHECK(wgpuGetProcAddress(part) == (WGPUProc)wgpuBufferGetSize);
}

TEST(labels_may_be_anything) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "before", 4, WGPUBufferUsage_CopyDst);
    char huge[5000];
    memset(huge, 'x', sizeof(huge));
    wgpuBufferSetLabel(buffer, (WGPUStringView){huge, sizeof(huge)});
    wgpuQueueWriteBuffer(api.queue, buffer, 1, "abcd", 4);
    CHECK(strstr(api.error_message, "xxx...\"") != NULL ||
        strstr(api.error_message, "offset 1") != NULL);
    wgpuBufferSetLabel(buffer, (WGPUStringView){NULL, WGPU_STRLEN});
    wgpuBufferSetLabel(buffer, (WGPUStringView){"abc", 0});
    wgpuQueueWriteBuffer(api.queue, buffer, 0, "abcdefgh", 8);
    CHECK(strstr(api.error_message, "buffer (no label)") != NULL);
    wgpuBufferRelease(buffer);
    api_end(&api);
}

CHECK_MAIN(adapter_options_choose, the_environment_chooses, the_cpu_adapter_says_that_it_is_one,
    adapter_tells_of_itself, required_limits_and_features_are_checked,
    compatibility_level_has_its_defaults, an_adapter_makes_one_device_by_default,
    error_scopes_nest_and_filter, destroy_loses_the_device_once,
    releasing_the_device_loses_it_without_a_handle, functions_are_found_by_name,
    labels_may_be_anything)
