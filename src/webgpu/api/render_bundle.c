// SPDX-License-Identifier: MIT
//
// Render bundles and their encoders: the arguments unpacked, then the call.
#include "webgpu/encode/render_bundle.h"

#include "webgpu/api/api_priv.h"
#include "webgpu/encode/pass.h"
#include "webgpu/encode/render_commands.h"
#include "webgpu/validate/render_commands.h"

WGPURenderBundleEncoder wgpuDeviceCreateRenderBundleEncoder(
    WGPUDevice device, const WGPURenderBundleEncoderDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor) ||
        (descriptor->colorFormatCount != 0 && API_IS_NULL(descriptor->colorFormats))) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct validate_error error = {0};
    struct gpu_render_layout layout;
    bool ok = validate_bundle_encoder(device, descriptor,
        gpu_name_of_label(GPU_RENDER_BUNDLE_ENCODER, label).text, &layout, &error);
    if (!ok) {
        api_report(device, &error);
    }
    struct WGPURenderBundleEncoderImpl *encoder = gpu_render_bundle_encoder_create(
        device, label, ok && !atomic_load(&device->is_lost));
    if (encoder == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    encoder->commands.layout = layout;
    encoder->commands.is_depth_read_only = descriptor->depthReadOnly != WGPU_FALSE;
    encoder->commands.is_stencil_read_only = descriptor->stencilReadOnly != WGPU_FALSE;
    // An invalid encoder takes commands, which have no effect.
    encoder->commands.pass.is_detached = !encoder->object.is_valid;
    return encoder;
}

WGPURenderBundle wgpuRenderBundleEncoderFinish(
    WGPURenderBundleEncoder renderBundleEncoder, const WGPURenderBundleDescriptor *descriptor) {
    if (API_IS_NULL(renderBundleEncoder)) {
        return NULL;
    }
    struct text label = descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL("");
    struct WGPURenderBundleImpl *bundle = render_bundle_finish(
        renderBundleEncoder, descriptor, label);
    if (bundle == NULL) {
        api_lose_for_memory(renderBundleEncoder->object.device, __func__);
    }
    return bundle;
}

#define ENCODER renderBundleEncoder
#define RENDER(name) wgpuRenderBundleEncoder##name
#define RENDER_HANDLE WGPURenderBundleEncoder
#include "webgpu/api/render_function.def"
