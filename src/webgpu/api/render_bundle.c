// SPDX-License-Identifier: MIT
//
// Render bundles: not built yet.
#include "webgpu/api/api_priv.h"
#include "webgpu/object/placeholder.h"

#define UNUSED(x) (void)(x);

WGPURenderBundleEncoder wgpuDeviceCreateRenderBundleEncoder(
    WGPUDevice device, const WGPURenderBundleEncoderDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuDeviceCreateRenderBundleEncoder);
    struct WGPURenderBundleEncoderImpl *encoder = gpu_object_create(
        &gpu_render_bundle_encoder_class, sizeof(*encoder), device, view_label(descriptor->label),
        false);
    if (encoder == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return encoder;
}

WGPURenderBundle wgpuRenderBundleEncoderFinish(
    WGPURenderBundleEncoder encoder, const WGPURenderBundleDescriptor *descriptor) {
    if (API_IS_NULL(encoder)) {
        return NULL;
    }
    struct WGPUDeviceImpl *device = encoder->object.device;
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuRenderBundleEncoderFinish);
    struct WGPURenderBundleImpl *bundle = gpu_object_create(&gpu_render_bundle_class,
        sizeof(*bundle), device,
        descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL(""), false);
    if (bundle == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return bundle;
}

// A bundle encoder is invalid from the start and has reported so: its commands have no effect.
#define BUNDLE_COMMAND(name, parameters, uses) \
    void wgpuRenderBundleEncoder##name parameters { \
        uses(void) API_IS_NULL(encoder); \
    }

// clang-format off
BUNDLE_COMMAND(Draw, (WGPURenderBundleEncoder encoder, uint32_t a, uint32_t b, uint32_t c, uint32_t d),
               UNUSED(a) UNUSED(b) UNUSED(c) UNUSED(d))
BUNDLE_COMMAND(DrawIndexed, (WGPURenderBundleEncoder encoder, uint32_t a, uint32_t b, uint32_t c, int32_t d, uint32_t e),
               UNUSED(a) UNUSED(b) UNUSED(c) UNUSED(d) UNUSED(e))
BUNDLE_COMMAND(DrawIndirect, (WGPURenderBundleEncoder encoder, WGPUBuffer buffer, uint64_t offset), UNUSED(buffer) UNUSED(offset))
BUNDLE_COMMAND(DrawIndexedIndirect, (WGPURenderBundleEncoder encoder, WGPUBuffer buffer, uint64_t offset), UNUSED(buffer) UNUSED(offset))
BUNDLE_COMMAND(PushDebugGroup, (WGPURenderBundleEncoder encoder, WGPUStringView label), UNUSED(label))
BUNDLE_COMMAND(PopDebugGroup, (WGPURenderBundleEncoder encoder), )
BUNDLE_COMMAND(InsertDebugMarker, (WGPURenderBundleEncoder encoder, WGPUStringView label), UNUSED(label))
BUNDLE_COMMAND(SetBindGroup, (WGPURenderBundleEncoder encoder, uint32_t index, WGPUBindGroup group, size_t count, const uint32_t *offsets),
               UNUSED(index) UNUSED(group) UNUSED(count) UNUSED(offsets))
BUNDLE_COMMAND(SetImmediates, (WGPURenderBundleEncoder encoder, uint32_t offset, const void *data, size_t size), UNUSED(offset) UNUSED(data) UNUSED(size))
BUNDLE_COMMAND(SetIndexBuffer, (WGPURenderBundleEncoder encoder, WGPUBuffer buffer, WGPUIndexFormat format, uint64_t offset, uint64_t size),
               UNUSED(buffer) UNUSED(format) UNUSED(offset) UNUSED(size))
BUNDLE_COMMAND(SetPipeline, (WGPURenderBundleEncoder encoder, WGPURenderPipeline pipeline), UNUSED(pipeline))
BUNDLE_COMMAND(SetVertexBuffer, (WGPURenderBundleEncoder encoder, uint32_t slot, WGPUBuffer buffer, uint64_t offset, uint64_t size),
               UNUSED(slot) UNUSED(buffer) UNUSED(offset) UNUSED(size))
// clang-format on
