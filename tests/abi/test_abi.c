// SPDX-License-Identifier: MIT
//
// Holds include/webgpu/webgpu.h against webgpu-abi.tsv, every row of it: sizes, offsets,
// enumerants, flags, constants, INIT macros, function and WGPUProc signatures. abi_checks.awk makes
// abi_checks.inc from the table; it is included twice, once for what the compiler decides and once
// to run the rest and to count the rows, so that no row can be lost on the way. Compiled as C17
// and, where there is a compiler, as C++17. Then the defaults that the INIT macros set, by hand
// from the WebGPU specification.

#include <webgpu/webgpu.h>

#include "check.h"

#if defined(__cplusplus)
#include <type_traits>
#define ABI_ASSERT(condition, text) static_assert(condition, text);
#define ABI_SAME_EXPRESSION(expression, expected) \
    std::is_same<std::decay_t<decltype(expression)>, expected>::value
#define ABI_SAME_FUNCTION(name, proc, result, arguments) \
    (std::is_same<decltype(&name), result(*) arguments>::value && \
        std::is_same<proc, decltype(&name)>::value)
#else
#define ABI_ASSERT(condition, text) _Static_assert(condition, text);
#define ABI_SAME_EXPRESSION(expression, type) _Generic((expression), type : 1, default : 0)
#define ABI_SAME_FUNCTION(name, proc, result, arguments) \
    (_Generic(&name, result(*) arguments : 1, default : 0) && \
        _Generic((proc)0, result(*) arguments : 1, default : 0))
#endif

// What the compiler decides.
#define ABI_ENUM(type, name, value) \
    ABI_ASSERT(name == value, #name) \
    ABI_ASSERT(sizeof(type) == 4, #type)
#define ABI_FLAG(type, name, value) ABI_ASSERT(sizeof(type) == 8 && sizeof(name) == 8, #name)
#define ABI_CONST(name, nothing, value) ABI_ASSERT(sizeof(name) == sizeof(value), #name)
#define ABI_SIZE(type, value) ABI_ASSERT(sizeof(type) == value, #type)
#define ABI_OFFSET(type, member, value) \
    ABI_ASSERT(offsetof(type, member) == value, #type "." #member)
#define ABI_INIT(name, type)
#define ABI_FUNC(name, proc, result, arguments) \
    ABI_ASSERT(ABI_SAME_FUNCTION(name, proc, result, arguments), #name)
#include "abi_checks.inc"
#undef ABI_ENUM
#undef ABI_FLAG
#undef ABI_CONST
#undef ABI_SIZE
#undef ABI_OFFSET
#undef ABI_INIT
#undef ABI_FUNC

// What is compared when the test runs; each row counts one. The INIT macros stand here because a
// compound literal inside another is no constant expression outside a function.
static uint64_t run_rows(void) {
    uint64_t row_count = 0;
#define ABI_ENUM(type, name, value) \
    row_count++; \
    CHECK_EQ(name, value);
#define ABI_FLAG(type, name, value) \
    row_count++; \
    CHECK_EQ(name, value);
#define ABI_CONST(name, nothing, value) \
    row_count++; \
    CHECK((name) == (value) || ((name) != (name) && (value) != (value)));
#define ABI_SIZE(type, value) row_count++;
#define ABI_OFFSET(type, member, value) row_count++;
#define ABI_INIT(name, type) \
    row_count++; \
    ABI_ASSERT(ABI_SAME_EXPRESSION(name, type), #name)
#define ABI_FUNC(name, proc, result, arguments) row_count++;
#include "abi_checks.inc"
    return row_count;
}

TEST(every_row_is_checked) {
    FILE *file = fopen(ABI_TABLE, "r");
    if (!CHECK(file != NULL)) {
        return;
    }
    uint64_t table_row_count = 0;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        table_row_count += c == '\n';
    }
    fclose(file);
    CHECK(table_row_count > 1000);
    CHECK_EQ(run_rows(), table_row_count);
}

static bool is_null_text(WGPUStringView text) {
    return text.data == NULL && text.length == WGPU_STRLEN;
}

TEST(defaults_of_objects) {
    WGPUStringView text = WGPU_STRING_VIEW_INIT;
    CHECK(is_null_text(text));
    WGPUBufferDescriptor buffer = WGPU_BUFFER_DESCRIPTOR_INIT;
    CHECK(buffer.nextInChain == NULL && is_null_text(buffer.label));
    CHECK(buffer.usage == 0 && buffer.size == 0 && !buffer.mappedAtCreation);
    WGPUTextureDescriptor texture = WGPU_TEXTURE_DESCRIPTOR_INIT;
    CHECK(texture.size.height == 1 && texture.size.depthOrArrayLayers == 1);
    CHECK(texture.mipLevelCount == 1 && texture.sampleCount == 1);
    CHECK_EQ(texture.dimension, WGPUTextureDimension_Undefined);
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    CHECK(view.mipLevelCount == WGPU_MIP_LEVEL_COUNT_UNDEFINED && view.baseMipLevel == 0);
    CHECK(view.arrayLayerCount == WGPU_ARRAY_LAYER_COUNT_UNDEFINED && view.baseArrayLayer == 0);
    CHECK(view.usage == WGPUTextureUsage_None);
    WGPUSamplerDescriptor sampler = WGPU_SAMPLER_DESCRIPTOR_INIT;
    CHECK(
        sampler.lodMinClamp == 0.0f && sampler.lodMaxClamp == 32.0f && sampler.maxAnisotropy == 1);
    WGPUQuerySetDescriptor queries = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    CHECK(queries.count == 0);
    WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
    CHECK(device.requiredLimits == NULL && device.requiredFeatureCount == 0);
    CHECK(device.deviceLostCallbackInfo.callback == NULL &&
        device.uncapturedErrorCallbackInfo.callback == NULL);
    CHECK(is_null_text(device.defaultQueue.label));
}

TEST(defaults_of_bindings) {
    // An entry starts with every kind "not used"; the kinds' own macros start at "undefined", which
    // is each kind's default.
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    CHECK_EQ(entry.buffer.type, WGPUBufferBindingType_BindingNotUsed);
    CHECK_EQ(entry.sampler.type, WGPUSamplerBindingType_BindingNotUsed);
    CHECK_EQ(entry.texture.sampleType, WGPUTextureSampleType_BindingNotUsed);
    CHECK_EQ(entry.storageTexture.access, WGPUStorageTextureAccess_BindingNotUsed);
    CHECK(entry.visibility == WGPUShaderStage_None && entry.bindingArraySize == 0);
    WGPUBufferBindingLayout layout = WGPU_BUFFER_BINDING_LAYOUT_INIT;
    CHECK_EQ(layout.type, WGPUBufferBindingType_Undefined);
    CHECK(layout.minBindingSize == 0 && !layout.hasDynamicOffset);
    WGPUBindGroupEntry binding = WGPU_BIND_GROUP_ENTRY_INIT;
    CHECK(binding.size == WGPU_WHOLE_SIZE && binding.offset == 0 && binding.buffer == NULL);
}

TEST(defaults_of_render_state) {
    WGPUMultisampleState multisample = WGPU_MULTISAMPLE_STATE_INIT;
    CHECK(multisample.count == 1 && multisample.mask == 0xFFFFFFFF &&
        !multisample.alphaToCoverageEnabled);
    WGPUDepthStencilState depth = WGPU_DEPTH_STENCIL_STATE_INIT;
    CHECK_EQ(depth.depthWriteEnabled, WGPUOptionalBool_Undefined);
    CHECK(depth.stencilReadMask == 0xFFFFFFFF && depth.stencilWriteMask == 0xFFFFFFFF);
    CHECK(
        depth.depthBias == 0 && depth.depthBiasSlopeScale == 0.0f && depth.depthBiasClamp == 0.0f);
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    CHECK(target.writeMask == WGPUColorWriteMask_All && target.blend == NULL);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    CHECK(color.depthSlice == WGPU_DEPTH_SLICE_UNDEFINED);
    CHECK(color.clearValue.r == 0 && color.clearValue.a == 0);
    WGPURenderPassDepthStencilAttachment attachment =
        WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    CHECK(attachment.depthClearValue != attachment.depthClearValue);
    CHECK(attachment.stencilClearValue == 0 && !attachment.depthReadOnly);
    WGPURenderBundleEncoderDescriptor bundle = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    CHECK(bundle.sampleCount == 1);
    WGPURenderPipelineDescriptor pipeline = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    CHECK(pipeline.multisample.count == 1 && pipeline.layout == NULL && pipeline.fragment == NULL);
    WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    CHECK(writes.beginningOfPassWriteIndex == WGPU_QUERY_SET_INDEX_UNDEFINED);
    CHECK(writes.endOfPassWriteIndex == WGPU_QUERY_SET_INDEX_UNDEFINED);
    WGPUTexelCopyBufferLayout copy = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    CHECK(copy.bytesPerRow == WGPU_COPY_STRIDE_UNDEFINED &&
        copy.rowsPerImage == WGPU_COPY_STRIDE_UNDEFINED);
    WGPUSurfaceConfiguration surface = WGPU_SURFACE_CONFIGURATION_INIT;
    CHECK(surface.usage == WGPUTextureUsage_RenderAttachment);
}

TEST(defaults_of_limits) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    CHECK(limits.nextInChain == NULL);
    CHECK(limits.maxUniformBufferBindingSize == WGPU_LIMIT_U64_UNDEFINED);
    CHECK(limits.maxStorageBufferBindingSize == WGPU_LIMIT_U64_UNDEFINED);
    CHECK(limits.maxBufferSize == WGPU_LIMIT_U64_UNDEFINED);
    CHECK(limits.maxTextureDimension1D == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxTextureDimension2D == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxTextureDimension3D == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxTextureArrayLayers == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxBindGroups == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxBindGroupsPlusVertexBuffers == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxBindingsPerBindGroup == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxDynamicUniformBuffersPerPipelineLayout == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxDynamicStorageBuffersPerPipelineLayout == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxSampledTexturesPerShaderStage == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxSamplersPerShaderStage == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxStorageBuffersPerShaderStage == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxStorageTexturesPerShaderStage == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxUniformBuffersPerShaderStage == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.minUniformBufferOffsetAlignment == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.minStorageBufferOffsetAlignment == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxVertexBuffers == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxVertexAttributes == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxVertexBufferArrayStride == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxInterStageShaderVariables == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxColorAttachments == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxColorAttachmentBytesPerSample == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxComputeWorkgroupStorageSize == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxComputeInvocationsPerWorkgroup == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxComputeWorkgroupSizeX == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxComputeWorkgroupSizeY == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxComputeWorkgroupSizeZ == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxComputeWorkgroupsPerDimension == WGPU_LIMIT_U32_UNDEFINED);
    CHECK(limits.maxImmediateSize == WGPU_LIMIT_U32_UNDEFINED);
}

TEST(chained_structs_name_themselves) {
#define CHECK_CHAIN(init, name) \
    do { \
        WGPU##name value = init; \
        CHECK_EQ(value.chain.sType, WGPUSType_##name); \
        CHECK(value.chain.next == NULL); \
    } while (0)
    CHECK_CHAIN(WGPU_SHADER_SOURCE_WGSL_INIT, ShaderSourceWGSL);
    CHECK_CHAIN(WGPU_SHADER_SOURCE_SPIRV_INIT, ShaderSourceSPIRV);
    CHECK_CHAIN(WGPU_RENDER_PASS_MAX_DRAW_COUNT_INIT, RenderPassMaxDrawCount);
    CHECK_CHAIN(WGPU_SURFACE_SOURCE_METAL_LAYER_INIT, SurfaceSourceMetalLayer);
    CHECK_CHAIN(WGPU_SURFACE_SOURCE_WINDOWS_HWND_INIT, SurfaceSourceWindowsHWND);
    CHECK_CHAIN(WGPU_SURFACE_SOURCE_XLIB_WINDOW_INIT, SurfaceSourceXlibWindow);
    CHECK_CHAIN(WGPU_SURFACE_SOURCE_WAYLAND_SURFACE_INIT, SurfaceSourceWaylandSurface);
    CHECK_CHAIN(WGPU_SURFACE_SOURCE_ANDROID_NATIVE_WINDOW_INIT, SurfaceSourceAndroidNativeWindow);
    CHECK_CHAIN(WGPU_SURFACE_SOURCE_XCB_WINDOW_INIT, SurfaceSourceXCBWindow);
    CHECK_CHAIN(WGPU_SURFACE_COLOR_MANAGEMENT_INIT, SurfaceColorManagement);
    CHECK_CHAIN(WGPU_REQUEST_ADAPTER_WEBXR_OPTIONS_INIT, RequestAdapterWebXROptions);
    CHECK_CHAIN(WGPU_TEXTURE_COMPONENT_SWIZZLE_DESCRIPTOR_INIT, TextureComponentSwizzleDescriptor);
    CHECK_CHAIN(WGPU_EXTERNAL_TEXTURE_BINDING_LAYOUT_INIT, ExternalTextureBindingLayout);
    CHECK_CHAIN(WGPU_EXTERNAL_TEXTURE_BINDING_ENTRY_INIT, ExternalTextureBindingEntry);
    CHECK_CHAIN(WGPU_COMPATIBILITY_MODE_LIMITS_INIT, CompatibilityModeLimits);
    CHECK_CHAIN(WGPU_TEXTURE_BINDING_VIEW_DIMENSION_INIT, TextureBindingViewDimension);
}

CHECK_MAIN(every_row_is_checked, defaults_of_objects, defaults_of_bindings,
    defaults_of_render_state, defaults_of_limits, chained_structs_name_themselves)
