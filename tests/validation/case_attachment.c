// SPDX-License-Identifier: MIT
//
// Attachments of render passes.
#include "validation.h"

#define FORMAT WGPUTextureFormat_RGBA8Unorm

// A pass of these attachments; nothing in it.
static void render(struct validation *v, const WGPURenderPassColorAttachment *colors,
    size_t color_count, const WGPURenderPassDepthStencilAttachment *depth_stencil) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPURenderPassEncoder pass = begin_render_pass(encoder, colors, color_count, depth_stencil);
    finish_render_pass_and_release(encoder, pass);
}

// A pass of one color attachment, whose views are released.
static void render_one(struct validation *v, WGPURenderPassColorAttachment color) {
    render(v, &color, 1, NULL);
    if (color.view != NULL) {
        wgpuTextureViewRelease(color.view);
    }
    if (color.resolveTarget != NULL) {
        wgpuTextureViewRelease(color.resolveTarget);
    }
}

// A view of a texture "t" with usage RenderAttachment beside the descriptor's.
static WGPUTextureView make_special(struct validation *v, WGPUTextureDescriptor texture_descriptor,
    WGPUTextureViewDescriptor view_descriptor) {
    texture_descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    WGPUTexture texture = make_texture(v, &texture_descriptor);
    view_descriptor.label = api_view("view");
    WGPUTextureView view = wgpuTextureCreateView(texture, &view_descriptor);
    wgpuTextureRelease(texture);
    return view;
}

static WGPUTextureViewDescriptor default_view(void) {
    WGPUTextureViewDescriptor descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    return descriptor;
}

// ---------------------------------------------------------------- the pass as a whole

CASE(ATTACH_COUNT) {
    WGPUTextureView view = make_target(v, WGPUTextureFormat_R8Unorm, 4, 4, 1);
    WGPURenderPassColorAttachment colors[9];
    for (int i = 0; i < 9; i++) {
        colors[i] = color_attachment(i == 0 ? view : NULL);
    }
    render(v, colors, is_broken ? 9 : 8, NULL);
    wgpuTextureViewRelease(view);
}
CASE(ATTACH_NONE) {
    WGPUTextureView view = make_target(v, FORMAT, 4, 4, 1);
    WGPURenderPassColorAttachment colors[2] = {
        color_attachment(NULL), color_attachment(is_broken ? NULL : view)};
    render(v, colors, 2, NULL);
    wgpuTextureViewRelease(view);
}
CASE(ATTACH_BYTES) {
    // rgba32float takes 16 bytes, r8unorm 1.
    WGPUTextureView wide = make_target(v, WGPUTextureFormat_RGBA32Float, 4, 4, 1);
    WGPUTextureView other = make_target(v, WGPUTextureFormat_RGBA32Float, 4, 4, 1);
    WGPUTextureView narrow = make_target(v, WGPUTextureFormat_R8Unorm, 4, 4, 1);
    WGPURenderPassColorAttachment colors[3] = {
        color_attachment(wide), color_attachment(other), color_attachment(narrow)};
    render(v, colors, is_broken ? 3 : 2, NULL);
    wgpuTextureViewRelease(wide);
    wgpuTextureViewRelease(other);
    wgpuTextureViewRelease(narrow);
}

static void render_two(struct validation *v, WGPUTextureView first, WGPUTextureView second) {
    WGPURenderPassColorAttachment colors[2] = {color_attachment(first), color_attachment(second)};
    render(v, colors, 2, NULL);
    wgpuTextureViewRelease(first);
    wgpuTextureViewRelease(second);
}

CASE(ATTACH_SAMPLES) {
    render_two(v, make_target(v, FORMAT, 4, 4, 4), make_target(v, FORMAT, 4, 4, is_broken ? 1 : 4));
}
CASE(ATTACH_SIZE) {
    render_two(v, make_target(v, FORMAT, 4, 4, 1), make_target(v, FORMAT, 4, is_broken ? 5 : 4, 1));
}
CASE(ATTACH_OVERLAP) {
    // Two layers of one texture, or one of them twice through different views.
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 4, 4, 2);
    descriptor.usage = WGPUTextureUsage_RenderAttachment;
    WGPUTexture texture = make_texture(v, &descriptor);
    WGPUTextureViewDescriptor view = default_view();
    view.dimension = WGPUTextureViewDimension_2D;
    view.baseArrayLayer = 1;
    WGPUTextureView first = wgpuTextureCreateView(texture, &view);
    view.baseArrayLayer = is_broken ? 1 : 0;
    render_two(v, first, wgpuTextureCreateView(texture, &view));
    wgpuTextureRelease(texture);
}
// Slices of a 3D texture are apart.
static void run_ATTACH_OVERLAP_SLICE(struct validation *v, bool is_broken) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 4, 4, 4);
    descriptor.dimension = WGPUTextureDimension_3D;
    WGPUTextureView view = make_special(v, descriptor, default_view());
    WGPURenderPassColorAttachment colors[2] = {color_attachment(view), color_attachment(view)};
    colors[0].depthSlice = 2;
    colors[1].depthSlice = is_broken ? 2 : 3;
    render(v, colors, 2, NULL);
    wgpuTextureViewRelease(view);
}

// ---------------------------------------------------------------- views

CASE(ATTACH_VIEW) {
    WGPUTexture texture = make_foreign_texture(v);
    WGPUTextureView foreign = wgpuTextureCreateView(texture, NULL);
    WGPUTextureView view = make_target(v, FORMAT, 8, 8, 1);
    WGPURenderPassColorAttachment color = color_attachment(is_broken ? foreign : view);
    render(v, &color, 1, NULL);
    wgpuTextureViewRelease(view);
    wgpuTextureViewRelease(foreign);
    wgpuTextureRelease(texture);
}
CASE(ATTACH_FORMAT) {
    WGPUTextureDescriptor descriptor = texture_descriptor(
        is_broken ? WGPUTextureFormat_RGB9E5Ufloat : FORMAT, 4, 4, 1);
    descriptor.usage |= is_broken ? 0 : WGPUTextureUsage_RenderAttachment;
    WGPUTexture texture = make_texture(v, &descriptor);
    render_one(v, color_attachment(make_view(texture)));
    wgpuTextureRelease(texture);
}
CASE(ATTACH_USAGE) {
    WGPUTextureViewDescriptor view = default_view();
    view.usage = is_broken ? WGPUTextureUsage_TextureBinding : WGPUTextureUsage_RenderAttachment;
    render_one(v, color_attachment(make_special(v, texture_descriptor(FORMAT, 4, 4, 1), view)));
}
CASE(ATTACH_DIMENSION) {
    WGPUTextureViewDescriptor view = default_view();
    view.dimension = is_broken ? WGPUTextureViewDimension_Cube : WGPUTextureViewDimension_2DArray;
    view.arrayLayerCount = is_broken ? 6 : 1;
    render_one(v, color_attachment(make_special(v, texture_descriptor(FORMAT, 4, 4, 6), view)));
}
CASE(ATTACH_RANGE) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 4, 4, 1);
    descriptor.mipLevelCount = 2;
    WGPUTextureViewDescriptor view = default_view();
    view.mipLevelCount = is_broken ? 2 : 1;
    render_one(v, color_attachment(make_special(v, descriptor, view)));
}
CASE(ATTACH_SWIZZLE) {
    WGPUFeatureName feature = WGPUFeatureName_TextureComponentSwizzle;
    begin_device(v, true, &feature, 1);
    WGPUTextureComponentSwizzleDescriptor swizzle = WGPU_TEXTURE_COMPONENT_SWIZZLE_DESCRIPTOR_INIT;
    swizzle.swizzle.a = is_broken ? WGPUComponentSwizzle_One : WGPUComponentSwizzle_A;
    WGPUTextureViewDescriptor view = default_view();
    view.nextInChain = &swizzle.chain;
    render_one(v, color_attachment(make_special(v, texture_descriptor(FORMAT, 4, 4, 1), view)));
    end_device(v);
}

static void render_slice(
    struct validation *v, WGPUTextureDimension dimension, uint32_t mip_level, uint32_t slice) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 8, 8, 1);
    descriptor.dimension = dimension;
    descriptor.size.depthOrArrayLayers = dimension == WGPUTextureDimension_3D ? 4 : 1;
    descriptor.mipLevelCount = 2;
    WGPUTextureViewDescriptor view = default_view();
    view.baseMipLevel = mip_level;
    view.mipLevelCount = 1;
    WGPURenderPassColorAttachment color = color_attachment(make_special(v, descriptor, view));
    color.depthSlice = slice;
    render_one(v, color);
}

CASE(ATTACH_SLICE_MISSING) {
    render_slice(v, WGPUTextureDimension_3D, 0, is_broken ? WGPU_DEPTH_SLICE_UNDEFINED : 0);
}
CASE(ATTACH_SLICE_RANGE) {
    // Level 1 of 4 slices has 2.
    render_slice(v, WGPUTextureDimension_3D, 1, is_broken ? 2 : 1);
}
CASE(ATTACH_SLICE_EXTRA) {
    render_slice(v, WGPUTextureDimension_2D, 0, is_broken ? 0 : WGPU_DEPTH_SLICE_UNDEFINED);
}

// ---------------------------------------------------------------- operations

CASE(ATTACH_OP) {
    WGPURenderPassColorAttachment color = color_attachment(make_target(v, FORMAT, 4, 4, 1));
    color.storeOp = is_broken ? WGPUStoreOp_Undefined : WGPUStoreOp_Discard;
    render_one(v, color);
}
static void run_ATTACH_OP_ENUM(struct validation *v, bool is_broken) {
    WGPURenderPassColorAttachment color = color_attachment(make_target(v, FORMAT, 4, 4, 1));
    color.loadOp = is_broken ? (WGPULoadOp)3 : WGPULoadOp_Clear;
    render_one(v, color);
}
CASE(ATTACH_TRANSIENT) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 4, 4, 1);
    descriptor.usage = WGPUTextureUsage_TransientAttachment;
    WGPURenderPassColorAttachment color = color_attachment(
        make_special(v, descriptor, default_view()));
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = is_broken ? WGPUStoreOp_Store : WGPUStoreOp_Discard;
    render_one(v, color);
}
CASE(ATTACH_CLEAR_VALUE) {
    // 2^32 - 1 is the largest u32, though not the largest of rgba8uint.
    WGPURenderPassColorAttachment color = color_attachment(
        make_target(v, WGPUTextureFormat_RGBA8Uint, 4, 4, 1));
    color.loadOp = WGPULoadOp_Clear;
    color.clearValue.g = is_broken ? 4294967296.0 : 4294967295.0;
    render_one(v, color);
}

// ---------------------------------------------------------------- resolve targets

static void resolve(struct validation *v, WGPUTextureView view, WGPUTextureView target) {
    WGPURenderPassColorAttachment color = color_attachment(view);
    color.resolveTarget = target;
    render_one(v, color);
}

CASE(RESOLVE_SOURCE) {
    resolve(v, make_target(v, FORMAT, 4, 4, is_broken ? 1 : 4), make_target(v, FORMAT, 4, 4, 1));
}
CASE(RESOLVE_SAMPLES) {
    resolve(v, make_target(v, FORMAT, 4, 4, 4), make_target(v, FORMAT, 4, 4, is_broken ? 4 : 1));
}
CASE(RESOLVE_SIZE) {
    resolve(v, make_target(v, FORMAT, 4, 4, 4), make_target(v, FORMAT, 4, is_broken ? 8 : 4, 1));
}
CASE(RESOLVE_FORMAT) {
    resolve(v, make_target(v, FORMAT, 4, 4, 4),
        make_target(v, is_broken ? WGPUTextureFormat_BGRA8Unorm : FORMAT, 4, 4, 1));
}
CASE(RESOLVE_SUPPORT) {
    // rgba8uint can be multisampled, but not resolved.
    WGPUTextureFormat format = is_broken ? WGPUTextureFormat_RGBA8Uint : FORMAT;
    resolve(v, make_target(v, format, 4, 4, 4), make_target(v, format, 4, 4, 1));
}
CASE(RESOLVE_TRANSIENT) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 4, 4, 1);
    descriptor.usage = is_broken ? WGPUTextureUsage_TransientAttachment : 0;
    resolve(v, make_target(v, FORMAT, 4, 4, 4), make_special(v, descriptor, default_view()));
}
// A resolve target has no slices.
static void run_RESOLVE_DIMENSION(struct validation *v, bool is_broken) {
    WGPUTextureDescriptor descriptor = texture_descriptor(FORMAT, 4, 4, 1);
    descriptor.dimension = is_broken ? WGPUTextureDimension_3D : WGPUTextureDimension_2D;
    resolve(v, make_target(v, FORMAT, 4, 4, 4), make_special(v, descriptor, default_view()));
}

// ---------------------------------------------------------------- depth and stencil

static WGPURenderPassDepthStencilAttachment depth_stencil(WGPUTextureView view) {
    WGPURenderPassDepthStencilAttachment attachment =
        WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    attachment.view = view;
    attachment.depthLoadOp = WGPULoadOp_Load;
    attachment.depthStoreOp = WGPUStoreOp_Store;
    attachment.stencilLoadOp = WGPULoadOp_Load;
    attachment.stencilStoreOp = WGPUStoreOp_Store;
    return attachment;
}

static void render_depth(struct validation *v, WGPURenderPassDepthStencilAttachment attachment) {
    render(v, NULL, 0, &attachment);
    wgpuTextureViewRelease(attachment.view);
}

static WGPUTextureView make_depth_stencil(struct validation *v) {
    return make_target(v, WGPUTextureFormat_Depth24PlusStencil8, 4, 4, 1);
}

CASE(ATTACH_ASPECT) {
    WGPUTextureViewDescriptor view = default_view();
    view.aspect = is_broken ? WGPUTextureAspect_DepthOnly : WGPUTextureAspect_All;
    WGPURenderPassDepthStencilAttachment attachment = depth_stencil(
        make_special(v, texture_descriptor(WGPUTextureFormat_Depth24PlusStencil8, 4, 4, 1), view));
    render_depth(v, attachment);
}
CASE(DEPTH_ATTACH_FORMAT) {
    render_depth(
        v, depth_stencil(is_broken ? make_target(v, FORMAT, 4, 4, 1) : make_depth_stencil(v)));
}
CASE(DEPTH_ATTACH_CLEAR) {
    WGPURenderPassDepthStencilAttachment attachment = depth_stencil(make_depth_stencil(v));
    attachment.depthLoadOp = WGPULoadOp_Clear;
    attachment.depthClearValue = is_broken ? 1.5f : 1.0f;
    render_depth(v, attachment);
}
CASE(DEPTH_ATTACH_OP_MISSING) {
    WGPURenderPassDepthStencilAttachment attachment = depth_stencil(make_depth_stencil(v));
    attachment.depthLoadOp = WGPULoadOp_Undefined;
    attachment.depthStoreOp = WGPUStoreOp_Undefined;
    attachment.depthReadOnly = is_broken ? WGPU_FALSE : WGPU_TRUE;
    render_depth(v, attachment);
}
CASE(DEPTH_ATTACH_OP_EXTRA) {
    WGPURenderPassDepthStencilAttachment attachment = depth_stencil(
        make_target(v, WGPUTextureFormat_Depth16Unorm, 4, 4, 1));
    attachment.stencilLoadOp = WGPULoadOp_Undefined;
    attachment.stencilStoreOp = is_broken ? WGPUStoreOp_Store : WGPUStoreOp_Undefined;
    render_depth(v, attachment);
}
static void run_DEPTH_ATTACH_OP_READ_ONLY(struct validation *v, bool is_broken) {
    WGPURenderPassDepthStencilAttachment attachment = depth_stencil(make_depth_stencil(v));
    attachment.stencilReadOnly = WGPU_TRUE;
    attachment.stencilLoadOp = is_broken ? WGPULoadOp_Clear : WGPULoadOp_Undefined;
    attachment.stencilStoreOp = WGPUStoreOp_Undefined;
    render_depth(v, attachment);
}
static void run_DEPTH_TRANSIENT(struct validation *v, bool is_broken) {
    WGPUTextureDescriptor descriptor = texture_descriptor(
        WGPUTextureFormat_Depth24PlusStencil8, 4, 4, 1);
    descriptor.usage = WGPUTextureUsage_TransientAttachment;
    WGPURenderPassDepthStencilAttachment attachment = depth_stencil(
        make_special(v, descriptor, default_view()));
    attachment.depthLoadOp = WGPULoadOp_Clear;
    attachment.depthClearValue = 0;
    attachment.depthStoreOp = WGPUStoreOp_Discard;
    attachment.stencilLoadOp = is_broken ? WGPULoadOp_Load : WGPULoadOp_Clear;
    attachment.stencilStoreOp = WGPUStoreOp_Discard;
    render_depth(v, attachment);
}

#define PASS "render pass encoder \"pass\": "
#define FIRST PASS "color attachment 0, texture view \"view\", "
#define TARGET PASS "the resolve target of color attachment 0, texture view \"view\", "
#define DEPTH PASS "the depth-stencil attachment, texture view \"view\", "

static const struct validation_case cases[] = {
    ROW(ATTACH_COUNT, PASS "9 color attachments are over the limit maxColorAttachments, 8"),
    ROW(ATTACH_NONE,
        "render pass encoder \"pass\" has neither a color attachment with a view nor a depth-stencil attachment; it needs one of them"),
    ROW(ATTACH_BYTES,
        PASS
        "the color attachments take 33 bytes a sample, over the limit maxColorAttachmentBytesPerSample, 32"),
    ROW(ATTACH_SAMPLES,
        PASS
        "color attachment 1 has 1 samples, but color attachment 0 has 4; all attachments must have the same number"),
    ROW(ATTACH_SIZE,
        PASS
        "color attachment 1 is 4 x 5, but color attachment 0 is 4 x 4; all attachments must have the same size"),
    ROW(ATTACH_OVERLAP,
        PASS
        "color attachment 0 and color attachment 1 are both mip level 0, layer or slice 1 of texture \"t\"; attachments must not overlap"),
    {RULE_ATTACH_OVERLAP, run_ATTACH_OVERLAP_SLICE,
        PASS
        "color attachment 0 and color attachment 1 are both mip level 0, layer or slice 2 of texture \"t\"; attachments must not overlap"},
    ROW(ATTACH_VIEW, PASS "color attachment 0, texture view (no label), is of another device"),
    ROW(ATTACH_FORMAT,
        FIRST "has format rgb9e5ufloat, which cannot be a color attachment on this device"),
    ROW(ATTACH_USAGE, FIRST "must have usage RenderAttachment, but its usage is TextureBinding"),
    ROW(ATTACH_DIMENSION, FIRST "has dimension Cube; it must be 2D, 2DArray or 3D"),
    {RULE_ATTACH_DIMENSION, run_RESOLVE_DIMENSION,
        TARGET "has dimension 3D; it must be 2D or 2DArray"},
    ROW(ATTACH_RANGE, FIRST "must have one mip level and one array layer, but it has 2 and 1"),
    ROW(ATTACH_ASPECT,
        DEPTH "must have all aspects of format depth24plus-stencil8 of texture \"t\""),
    ROW(ATTACH_SWIZZLE, FIRST "must not be swizzled, but its swizzle is rgb1"),
    ROW(ATTACH_SLICE_MISSING, FIRST "has dimension 3D: its depthSlice must be given"),
    ROW(ATTACH_SLICE_RANGE,
        PASS
        "the depthSlice 2 of color attachment 0 must be below 2, the depth of mip level 1 of texture \"t\""),
    ROW(ATTACH_SLICE_EXTRA,
        PASS
        "a depthSlice of 0 is given for color attachment 0, texture view \"view\", whose dimension is 2D, not 3D"),
    ROW(ATTACH_OP,
        PASS "the storeOp of color attachment 0 must be Store or Discard, but it is Undefined"),
    {RULE_ATTACH_OP, run_ATTACH_OP_ENUM,
        PASS "the loadOp of color attachment 0 must be Load or Clear, but it is no WGPULoadOp"},
    ROW(ATTACH_TRANSIENT,
        PASS
        "the storeOp of color attachment 0 must be Discard, because texture view \"view\" has usage TransientAttachment, but it is Store"),
    {RULE_ATTACH_TRANSIENT, run_DEPTH_TRANSIENT,
        PASS
        "the stencilLoadOp of the depth-stencil attachment must be Clear, because texture view \"view\" has usage TransientAttachment, but it is Load"},
    ROW(ATTACH_CLEAR_VALUE,
        PASS
        "the clearValue (0, 4.29497e+09, 0, 0) of color attachment 0 does not fit u32, the type of the components of format rgba8uint"),
    ROW(RESOLVE_SOURCE,
        PASS
        "color attachment 0 has a resolve target, but texture view \"view\" has one sample; only a multisampled attachment is resolved"),
    ROW(RESOLVE_SAMPLES, TARGET "must have one sample, but it has 4"),
    ROW(RESOLVE_SIZE,
        PASS "the resolve target of color attachment 0 is 4 x 8, but the attachment is 4 x 4"),
    ROW(RESOLVE_FORMAT,
        PASS
        "the resolve target of color attachment 0 has format bgra8unorm, but the attachment has rgba8unorm"),
    ROW(RESOLVE_SUPPORT,
        PASS
        "the resolve target of color attachment 0 has format rgba8uint, which cannot be resolved on this device"),
    ROW(RESOLVE_TRANSIENT, TARGET "must not have usage TransientAttachment"),
    ROW(DEPTH_ATTACH_FORMAT, DEPTH "has format rgba8unorm, which has neither depth nor stencil"),
    ROW(DEPTH_ATTACH_CLEAR,
        PASS
        "the depthClearValue 1.5 must be given and be from 0 to 1, because depthLoadOp is Clear"),
    ROW(DEPTH_ATTACH_OP_MISSING,
        PASS
        "the depthLoadOp of the depth-stencil attachment must be given: format depth24plus-stencil8 has depth, and it is not read-only"),
    ROW(DEPTH_ATTACH_OP_EXTRA,
        PASS
        "the stencilStoreOp of the depth-stencil attachment must not be given, but it is Store: depth16unorm has no stencil"),
    {RULE_DEPTH_ATTACH_OP_EXTRA, run_DEPTH_ATTACH_OP_READ_ONLY,
        PASS
        "the stencilLoadOp of the depth-stencil attachment must not be given, but it is Clear: stencil is read-only"},
};
TABLE(attachment_table, cases);
