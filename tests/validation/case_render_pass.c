// SPDX-License-Identifier: MIT
//
// Rasterisation state, occlusion queries and bundles of render passes.
#include "validation.h"

#include <math.h>

// A pass on one attachment of 8 x 4; end_pass ends, finishes and releases all.
struct open_pass {
    WGPUCommandEncoder encoder;
    WGPURenderPassEncoder pass;
    WGPUTextureView view;
};

static struct open_pass open_with(
    struct validation *v, WGPUQuerySet occlusion_set, WGPUChainedStruct *chain) {
    struct open_pass open;
    open.view = make_target(v, WGPUTextureFormat_RGBA8Unorm, 8, 4, 1);
    open.encoder = begin_encoder(v);
    WGPURenderPassColorAttachment color = color_attachment(open.view);
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.nextInChain = chain;
    descriptor.label = api_view("pass");
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    descriptor.occlusionQuerySet = occlusion_set;
    open.pass = wgpuCommandEncoderBeginRenderPass(open.encoder, &descriptor);
    return open;
}

static struct open_pass open_pass(struct validation *v) {
    return open_with(v, NULL, NULL);
}

static void end_pass(struct open_pass open) {
    finish_render_pass_and_release(open.encoder, open.pass);
    wgpuTextureViewRelease(open.view);
}

// The encoder's rules of compute passes hold for render passes.
static void run_RENDER_ENDED(struct validation *v, bool is_broken) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderEnd(open.pass);
    if (is_broken) {
        wgpuRenderPassEncoderSetVertexBuffer(open.pass, 0, NULL, 0, 0);
    }
    finish_and_release(open.encoder);
    wgpuRenderPassEncoderRelease(open.pass);
    wgpuTextureViewRelease(open.view);
}
static void run_RENDER_DEBUG_GROUPS(struct validation *v, bool is_broken) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderPushDebugGroup(open.pass, api_view("group"));
    wgpuRenderPassEncoderInsertDebugMarker(open.pass, api_view("marker"));
    if (!is_broken) {
        wgpuRenderPassEncoderPopDebugGroup(open.pass);
    }
    end_pass(open);
}

// ---------------------------------------------------------------- rasterisation state

static void set_viewport(struct validation *v, float x, float y, float width, float height,
    float min_depth, float max_depth) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetViewport(open.pass, x, y, width, height, min_depth, max_depth);
    end_pass(open);
}

CASE(VIEWPORT_ORIGIN) {
    set_viewport(v, -16384, is_broken ? -16385 : -16384, 1, 1, 0, 1);
}
CASE(VIEWPORT_SIZE) {
    set_viewport(v, 0, 0, 8192, is_broken ? 8193 : 8192, 0, 1);
}
CASE(VIEWPORT_END) {
    set_viewport(v, 16382, is_broken ? 16383 : 16382, 1, 1, 0, 1);
}
CASE(VIEWPORT_DEPTH) {
    set_viewport(v, 0, 0, 1, 1, is_broken ? 0.75f : 0.5f, 0.5f);
}
CASE(BLEND_CONSTANT_FINITE) {
    struct open_pass open = open_pass(v);
    WGPUColor color = {0.25, -1e30, is_broken ? (double)INFINITY : 1e300, 1};
    wgpuRenderPassEncoderSetBlendConstant(open.pass, &color);
    end_pass(open);
}
CASE(SCISSOR_RANGE) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetScissorRect(open.pass, 2, 1, 6, is_broken ? 4 : 3);
    end_pass(open);
}

// ---------------------------------------------------------------- queries

static WGPUQuerySet make_set(struct validation *v, WGPUQueryType type, uint32_t count) {
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.label = api_view("set");
    descriptor.type = type;
    descriptor.count = count;
    return wgpuDeviceCreateQuerySet(v->api.device, &descriptor);
}

CASE(OCCLUSION_SET) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUQuerySet set = make_set(v, WGPUQueryType_Occlusion, is_broken ? 4097 : 4096);
    api_pop_scope(&v->api);
    end_pass(open_with(v, set, NULL));
    wgpuQuerySetRelease(set);
}
CASE(OCCLUSION_SET_TYPE) {
    WGPUFeatureName feature = WGPUFeatureName_TimestampQuery;
    begin_device(v, true, &feature, 1);
    WGPUQuerySet set = make_set(
        v, is_broken ? WGPUQueryType_Timestamp : WGPUQueryType_Occlusion, 2);
    end_pass(open_with(v, set, NULL));
    wgpuQuerySetRelease(set);
    end_device(v);
}
CASE(OCCLUSION_NO_SET) {
    WGPUQuerySet set = make_set(v, WGPUQueryType_Occlusion, 2);
    struct open_pass open = open_with(v, is_broken ? NULL : set, NULL);
    wgpuRenderPassEncoderBeginOcclusionQuery(open.pass, 0);
    wgpuRenderPassEncoderEndOcclusionQuery(open.pass);
    end_pass(open);
    wgpuQuerySetRelease(set);
}

// Begins and ends queries of a set "set" of 2: each number begins one, -1 ends one.
static void query(struct validation *v, const int *steps, size_t count) {
    WGPUQuerySet set = make_set(v, WGPUQueryType_Occlusion, 2);
    struct open_pass open = open_with(v, set, NULL);
    for (size_t i = 0; i < count; i++) {
        if (steps[i] < 0) {
            wgpuRenderPassEncoderEndOcclusionQuery(open.pass);
        } else {
            wgpuRenderPassEncoderBeginOcclusionQuery(open.pass, (uint32_t)steps[i]);
        }
    }
    end_pass(open);
    wgpuQuerySetRelease(set);
}

CASE(OCCLUSION_INDEX) {
    query(v, (int[]){is_broken ? 2 : 1, -1}, 2);
}
CASE(OCCLUSION_TWICE) {
    query(v, (int[]){0, -1, is_broken ? 0 : 1, -1}, 4);
}
CASE(OCCLUSION_NESTED) {
    query(v, is_broken ? (int[]){0, 1, -1, -1} : (int[]){0, -1, 1, -1}, 4);
}
CASE(OCCLUSION_NOT_ACTIVE) {
    query(v, (int[]){0, -1, -1}, is_broken ? 3 : 2);
}
CASE(OCCLUSION_OPEN) {
    query(v, (int[]){0, -1, 1, -1}, is_broken ? 3 : 4);
}

// ---------------------------------------------------------------- bundles

// A bundle "bundle" for these formats, without commands.
static WGPURenderBundle make_bundle(struct validation *v, WGPUTextureFormat color,
    WGPUTextureFormat depth_stencil, WGPUBool is_depth_read_only, WGPUBool is_stencil_read_only) {
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &color;
    descriptor.depthStencilFormat = depth_stencil;
    descriptor.depthReadOnly = is_depth_read_only;
    descriptor.stencilReadOnly = is_stencil_read_only;
    WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(
        v->api.device, &descriptor);
    WGPURenderBundleDescriptor bundle_descriptor = WGPU_RENDER_BUNDLE_DESCRIPTOR_INIT;
    bundle_descriptor.label = api_view("bundle");
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, &bundle_descriptor);
    wgpuRenderBundleEncoderRelease(encoder);
    return bundle;
}

static void execute(struct validation *v, WGPURenderBundle bundle) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderExecuteBundles(open.pass, 1, &bundle);
    end_pass(open);
    wgpuRenderBundleRelease(bundle);
}

CASE(EXECUTE_BUNDLE) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPURenderBundle bundle = make_bundle(v,
        is_broken ? WGPUTextureFormat_RGB9E5Ufloat : WGPUTextureFormat_RGBA8Unorm,
        WGPUTextureFormat_Undefined, WGPU_FALSE, WGPU_FALSE);
    api_pop_scope(&v->api);
    execute(v, bundle);
}
CASE(EXECUTE_LAYOUT) {
    execute(v,
        make_bundle(v, WGPUTextureFormat_RGBA8Unorm,
            is_broken ? WGPUTextureFormat_Depth16Unorm : WGPUTextureFormat_Undefined, WGPU_FALSE,
            WGPU_FALSE));
}
CASE(EXECUTE_READ_ONLY) {
    WGPUTextureView color = make_target(v, WGPUTextureFormat_RGBA8Unorm, 8, 4, 1);
    WGPUTextureView depth = make_target(v, WGPUTextureFormat_Depth24PlusStencil8, 8, 4, 1);
    WGPURenderPassColorAttachment attachment = color_attachment(color);
    WGPURenderPassDepthStencilAttachment depth_stencil =
        WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth_stencil.view = depth;
    depth_stencil.depthReadOnly = WGPU_TRUE;
    depth_stencil.stencilReadOnly = WGPU_TRUE;
    WGPURenderBundle bundle = make_bundle(v, WGPUTextureFormat_RGBA8Unorm,
        WGPUTextureFormat_Depth24PlusStencil8, WGPU_TRUE, is_broken ? WGPU_FALSE : WGPU_TRUE);
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPURenderPassEncoder pass = begin_render_pass(encoder, &attachment, 1, &depth_stencil);
    wgpuRenderPassEncoderExecuteBundles(pass, 1, &bundle);
    finish_render_pass_and_release(encoder, pass);
    wgpuRenderBundleRelease(bundle);
    wgpuTextureViewRelease(depth);
    wgpuTextureViewRelease(color);
}

#define PASS "render pass encoder \"pass\": "

static const struct validation_case cases[] = {
    {RULE_PASS_ENDED, run_RENDER_ENDED,
        PASS "wgpuRenderPassEncoderSetVertexBuffer after the pass was ended"},
    {RULE_PASS_DEBUG_GROUPS, run_RENDER_DEBUG_GROUPS,
        PASS "ended with 1 debug groups that were not popped"},
    ROW(VIEWPORT_ORIGIN,
        PASS
        "the viewport's x -16384 and y -16385 must be at least -16384, twice the limit maxTextureDimension2D below 0"),
    ROW(VIEWPORT_SIZE,
        PASS
        "the viewport's width 8192 and height 8193 must be from 0 to the limit maxTextureDimension2D, 8192"),
    ROW(VIEWPORT_END,
        PASS
        "the viewport's x + width, 16383, and y + height, 16384, must be at most 16383, twice the limit maxTextureDimension2D less 1"),
    ROW(VIEWPORT_DEPTH,
        PASS
        "the viewport's minDepth 0.75 and maxDepth 0.5 must be from 0 to 1, and in this order"),
    ROW(BLEND_CONSTANT_FINITE, PASS "the blend constant (0.25, -1e+30, inf, 1) must be finite"),
    ROW(SCISSOR_RANGE,
        PASS
        "the scissor rectangle's x 2 + width 6 and y 1 + height 4 reach beyond the attachments' 8 x 4"),
    ROW(OCCLUSION_SET, PASS "the occlusion query set, query set \"set\", is invalid"),
    ROW(OCCLUSION_SET_TYPE,
        PASS "the occlusion query set, query set \"set\", must have type Occlusion, not Timestamp"),
    ROW(OCCLUSION_NO_SET,
        "render pass encoder \"pass\" was begun without an occlusionQuerySet: it can have no occlusion queries"),
    ROW(OCCLUSION_INDEX, PASS "occlusion query 2 must be below 2, the count of query set \"set\""),
    ROW(OCCLUSION_TWICE,
        PASS
        "occlusion query 0 of query set \"set\" was begun before in this pass; each may be written once"),
    ROW(OCCLUSION_NESTED,
        PASS "occlusion query 1 is begun while another one is active; end that first"),
    ROW(OCCLUSION_NOT_ACTIVE, PASS "an occlusion query is ended, but none is active"),
    ROW(OCCLUSION_OPEN, PASS "ended with an occlusion query that was not ended"),
    ROW(EXECUTE_BUNDLE, PASS "bundle 0, render bundle \"bundle\", is invalid"),
    ROW(EXECUTE_LAYOUT,
        PASS
        "bundle 0, render bundle \"bundle\", was made for color formats [rgba8unorm], depth-stencil format depth16unorm and 1 sample, but the pass has color formats [rgba8unorm], no depth-stencil format and 1 sample"),
    ROW(EXECUTE_READ_ONLY,
        PASS
        "bundle 0, render bundle \"bundle\", was not made with stencilReadOnly, but stencil of the pass is read-only"),
};
TABLE(render_pass_table, cases);
