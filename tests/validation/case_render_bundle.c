// SPDX-License-Identifier: MIT
//
// Render bundle encoders: their creation and finish.
#include "validation.h"

static WGPURenderBundleEncoder make_encoder(struct validation *v, const WGPUTextureFormat *colors,
    size_t count, WGPUTextureFormat depth_stencil) {
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.label = api_view("enc");
    descriptor.colorFormatCount = count;
    descriptor.colorFormats = colors;
    descriptor.depthStencilFormat = depth_stencil;
    return wgpuDeviceCreateRenderBundleEncoder(v->api.device, &descriptor);
}

static void finish(WGPURenderBundleEncoder encoder) {
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
    wgpuRenderBundleRelease(bundle);
    wgpuRenderBundleEncoderRelease(encoder);
}

static void make(struct validation *v, const WGPUTextureFormat *colors, size_t count,
    WGPUTextureFormat depth_stencil) {
    wgpuRenderBundleEncoderRelease(make_encoder(v, colors, count, depth_stencil));
}

CASE(BUNDLE_COLOR_COUNT) {
    WGPUTextureFormat colors[9] = {WGPUTextureFormat_R8Unorm};
    make(v, colors, is_broken ? 9 : 8, WGPUTextureFormat_Undefined);
}
CASE(BUNDLE_FORMAT) {
    WGPUTextureFormat color = is_broken ? WGPUTextureFormat_RGB9E5Ufloat
                                        : WGPUTextureFormat_RGB10A2Unorm;
    make(v, &color, 1, WGPUTextureFormat_Undefined);
}
static void run_BUNDLE_DEPTH_FORMAT(struct validation *v, bool is_broken) {
    make(v, NULL, 0, is_broken ? WGPUTextureFormat_R8Unorm : WGPUTextureFormat_Stencil8);
}
CASE(BUNDLE_FORMAT_FEATURE) {
    make(v, NULL, 0,
        is_broken ? WGPUTextureFormat_Depth32FloatStencil8 : WGPUTextureFormat_Depth32Float);
}
CASE(BUNDLE_ENUM) {
    WGPUTextureFormat color = is_broken ? (WGPUTextureFormat)0x7fff : WGPUTextureFormat_R8Unorm;
    make(v, &color, 1, WGPUTextureFormat_Undefined);
}
CASE(BUNDLE_BYTES) {
    // 16 + 1, rounded up to the next one's alignment of 4: 20 + 16.
    WGPUTextureFormat colors[3] = {WGPUTextureFormat_RGBA32Float,
        is_broken ? WGPUTextureFormat_R8Unorm : WGPUTextureFormat_Undefined,
        WGPUTextureFormat_RGBA32Float};
    make(v, colors, 3, WGPUTextureFormat_Undefined);
}
CASE(BUNDLE_NO_ATTACHMENT) {
    WGPUTextureFormat colors[2] = {WGPUTextureFormat_Undefined,
        is_broken ? WGPUTextureFormat_Undefined : WGPUTextureFormat_R8Unorm};
    make(v, colors, 2, WGPUTextureFormat_Undefined);
}
CASE(BUNDLE_INVALID) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPURenderBundleEncoder encoder = make_encoder(
        v, NULL, 0, is_broken ? WGPUTextureFormat_Undefined : WGPUTextureFormat_Depth16Unorm);
    api_pop_scope(&v->api);
    wgpuRenderBundleEncoderSetVertexBuffer(encoder, is_broken ? 99 : 0, NULL, 0, 0);
    finish(encoder);
}
CASE(BUNDLE_DEBUG_GROUPS) {
    WGPURenderBundleEncoder encoder = make_encoder(v, NULL, 0, WGPUTextureFormat_Depth16Unorm);
    wgpuRenderBundleEncoderPushDebugGroup(encoder, api_view("group"));
    wgpuRenderBundleEncoderInsertDebugMarker(encoder, api_view("marker"));
    if (!is_broken) {
        wgpuRenderBundleEncoderPopDebugGroup(encoder);
    }
    finish(encoder);
}
static void run_BUNDLE_ENDED(struct validation *v, bool is_broken) {
    WGPURenderBundleEncoder encoder = make_encoder(v, NULL, 0, WGPUTextureFormat_Depth16Unorm);
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
    wgpuRenderBundleRelease(bundle);
    if (is_broken) {
        bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
        wgpuRenderBundleRelease(bundle);
    }
    wgpuRenderBundleEncoderRelease(encoder);
}

#define ENCODER "render bundle encoder \"enc\": "

static const struct validation_case cases[] = {
    ROW(BUNDLE_COLOR_COUNT, ENCODER "9 color formats are over the limit maxColorAttachments, 8"),
    ROW(BUNDLE_FORMAT,
        ENCODER
        "colorFormats[0] has format rgb9e5ufloat, which cannot be a color attachment on this device"),
    {RULE_BUNDLE_FORMAT, run_BUNDLE_DEPTH_FORMAT,
        ENCODER
        "depthStencilFormat has format r8unorm, which cannot be a depth-stencil attachment on this device"},
    ROW(BUNDLE_FORMAT_FEATURE,
        ENCODER
        "depthStencilFormat has format depth32float-stencil8, which needs the feature depth32float-stencil8"),
    ROW(BUNDLE_ENUM, ENCODER "colorFormats[0] has format 32767, which is no WGPUTextureFormat"),
    ROW(BUNDLE_BYTES,
        ENCODER
        "the color formats take 36 bytes a sample, over the limit maxColorAttachmentBytesPerSample, 32"),
    ROW(BUNDLE_NO_ATTACHMENT,
        "render bundle encoder \"enc\" has neither a color format nor a depthStencilFormat; it needs one of them"),
    ROW(BUNDLE_INVALID,
        ENCODER "wgpuRenderBundleEncoderFinish, but the encoder is invalid since its creation"),
    ROW(BUNDLE_DEBUG_GROUPS,
        ENCODER "wgpuRenderBundleEncoderFinish with 1 debug groups that were not popped"),
    {RULE_PASS_ENDED, run_BUNDLE_ENDED,
        ENCODER "wgpuRenderBundleEncoderFinish after wgpuRenderBundleEncoderFinish"},
};
TABLE(render_bundle_table, cases);
