// SPDX-License-Identifier: MIT
//
// Texture views.
#include "validation.h"

static WGPUTextureViewDescriptor defaults(void) {
    WGPUTextureViewDescriptor descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    descriptor.label = api_view("view");
    return descriptor;
}

static void try_view(struct validation *v, const WGPUTextureDescriptor *texture,
    const WGPUTextureViewDescriptor *view) {
    WGPUTexture object = make_texture(v, texture);
    wgpuTextureViewRelease(wgpuTextureCreateView(object, view));
    wgpuTextureRelease(object);
}

static WGPUTextureDescriptor plain(uint32_t layers) {
    return texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, layers);
}

CASE(VIEW_TEXTURE) {
    WGPUTextureDescriptor texture = plain(1);
    texture.usage = is_broken ? 0 : WGPUTextureUsage_CopyDst;
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUTexture object = make_texture(v, &texture);
    api_pop_scope(&v->api);
    wgpuTextureViewRelease(make_view(object));
    wgpuTextureRelease(object);
}
CASE(VIEW_ENUM) {
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureViewDescriptor view = defaults();
    view.dimension = is_broken ? (WGPUTextureViewDimension)7 : WGPUTextureViewDimension_2D;
    try_view(v, &texture, &view);
}
CASE(VIEW_ASPECT) {
    WGPUTextureDescriptor texture = texture_descriptor(WGPUTextureFormat_Depth16Unorm, 8, 8, 1);
    WGPUTextureViewDescriptor view = defaults();
    view.aspect = is_broken ? WGPUTextureAspect_StencilOnly : WGPUTextureAspect_DepthOnly;
    try_view(v, &texture, &view);
}
CASE(VIEW_FORMAT) {
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8UnormSrgb;
    texture.viewFormatCount = is_broken ? 0 : 1;
    texture.viewFormats = &format;
    WGPUTextureViewDescriptor view = defaults();
    view.format = format;
    try_view(v, &texture, &view);
}
CASE(VIEW_FORMAT_ASPECT) {
    WGPUTextureDescriptor texture = texture_descriptor(
        WGPUTextureFormat_Depth24PlusStencil8, 8, 8, 1);
    WGPUTextureViewDescriptor view = defaults();
    view.aspect = WGPUTextureAspect_DepthOnly;
    view.format = is_broken ? WGPUTextureFormat_Depth24PlusStencil8 : WGPUTextureFormat_Depth24Plus;
    try_view(v, &texture, &view);
}
CASE(VIEW_SWIZZLE) {
    WGPUFeatureName feature = WGPUFeatureName_TextureComponentSwizzle;
    begin_device(v, true, &feature, is_broken ? 0 : 1);
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureComponentSwizzleDescriptor swizzle = WGPU_TEXTURE_COMPONENT_SWIZZLE_DESCRIPTOR_INIT;
    swizzle.swizzle.r = WGPUComponentSwizzle_B;
    swizzle.swizzle.a = WGPUComponentSwizzle_One;
    WGPUTextureViewDescriptor view = defaults();
    view.nextInChain = &swizzle.chain;
    try_view(v, &texture, &view);
    end_device(v);
}
CASE(VIEW_USAGE) {
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureViewDescriptor view = defaults();
    view.usage = is_broken ? WGPUTextureUsage_StorageBinding : WGPUTextureUsage_TextureBinding;
    try_view(v, &texture, &view);
}
CASE(VIEW_TRANSIENT) {
    WGPUTextureDescriptor texture = plain(1);
    texture.usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TransientAttachment;
    WGPUTextureViewDescriptor view = defaults();
    view.usage = is_broken ? WGPUTextureUsage_RenderAttachment : texture.usage;
    try_view(v, &texture, &view);
}
CASE(VIEW_STORAGE) {
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8UnormSrgb;
    texture.usage = WGPUTextureUsage_StorageBinding | WGPUTextureUsage_TextureBinding;
    texture.viewFormatCount = 1;
    texture.viewFormats = &format;
    WGPUTextureViewDescriptor view = defaults();
    view.format = format;
    view.usage = is_broken ? WGPUTextureUsage_None : WGPUTextureUsage_TextureBinding;
    try_view(v, &texture, &view);
}
CASE(VIEW_MIPS_BASE) {
    WGPUTextureDescriptor texture = plain(1);
    texture.mipLevelCount = 4;
    WGPUTextureViewDescriptor view = defaults();
    view.baseMipLevel = is_broken ? 4 : 3; // the count is the rest
    try_view(v, &texture, &view);
}
CASE(VIEW_LAYERS_BASE) {
    WGPUTextureDescriptor texture = plain(3);
    WGPUTextureViewDescriptor view = defaults();
    view.baseArrayLayer = is_broken ? 3 : 2;
    try_view(v, &texture, &view);
}
CASE(VIEW_MIPS_EMPTY) {
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureViewDescriptor view = defaults();
    view.mipLevelCount = is_broken ? 0 : 1;
    try_view(v, &texture, &view);
}
CASE(VIEW_MIPS) {
    WGPUTextureDescriptor texture = plain(1);
    texture.mipLevelCount = 4;
    WGPUTextureViewDescriptor view = defaults();
    view.baseMipLevel = 2;
    view.mipLevelCount = is_broken ? 3 : 2;
    try_view(v, &texture, &view);
}
CASE(VIEW_LAYERS_EMPTY) {
    WGPUTextureDescriptor texture = plain(2);
    WGPUTextureViewDescriptor view = defaults();
    view.arrayLayerCount = is_broken ? 0 : 1;
    try_view(v, &texture, &view);
}
CASE(VIEW_LAYERS) {
    WGPUTextureDescriptor texture = plain(3);
    WGPUTextureViewDescriptor view = defaults();
    view.baseArrayLayer = 1;
    view.arrayLayerCount = is_broken ? 3 : 2;
    try_view(v, &texture, &view);
}
CASE(VIEW_MULTISAMPLED) {
    WGPUTextureDescriptor texture = plain(1);
    texture.sampleCount = 4;
    texture.usage = WGPUTextureUsage_RenderAttachment;
    WGPUTextureViewDescriptor view = defaults();
    view.dimension = is_broken ? WGPUTextureViewDimension_2DArray : WGPUTextureViewDimension_2D;
    try_view(v, &texture, &view);
}
CASE(VIEW_DIMENSION) {
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureViewDescriptor view = defaults();
    view.dimension = is_broken ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2DArray;
    try_view(v, &texture, &view);
}
CASE(VIEW_LAYER_COUNT) {
    WGPUTextureDescriptor texture = plain(12);
    WGPUTextureViewDescriptor view = defaults();
    view.dimension = WGPUTextureViewDimension_CubeArray;
    view.arrayLayerCount = is_broken ? 8 : 12;
    try_view(v, &texture, &view);
}
CASE(VIEW_CUBE_SIZE) {
    WGPUTextureDescriptor texture = plain(6);
    texture.size.height = is_broken ? 4 : 8;
    WGPUTextureViewDescriptor view = defaults();
    view.dimension = WGPUTextureViewDimension_Cube;
    try_view(v, &texture, &view);
}
CASE(VIEW_CUBE_ARRAY) {
    begin_device(v, !is_broken, NULL, 0);
    WGPUTextureDescriptor texture = plain(6);
    WGPUTextureViewDescriptor view = defaults();
    view.dimension = WGPUTextureViewDimension_CubeArray;
    try_view(v, &texture, &view);
    end_device(v);
}

static const struct validation_case cases[] = {
    ROW(VIEW_TEXTURE, "texture view \"view\": texture \"t\" is invalid"),
    ROW(VIEW_ENUM,
        "texture view \"view\" has a texture view dimension of 7, which is no value of that enumeration"),
    ROW(VIEW_ASPECT,
        "texture view \"view\": aspect StencilOnly is not in format depth16unorm of texture \"t\""),
    ROW(VIEW_FORMAT,
        "texture view \"view\": format rgba8unorm-srgb is neither that of texture \"t\", rgba8unorm, nor in its viewFormats"),
    ROW(VIEW_FORMAT_ASPECT,
        "texture view \"view\": format depth24plus-stencil8 must be that of aspect DepthOnly of texture \"t\": depth24plus"),
    ROW(VIEW_SWIZZLE,
        "texture view \"view\": swizzle bgb1 needs the feature texture-component-swizzle"),
    ROW(VIEW_USAGE,
        "texture view \"view\": usage StorageBinding is not among those of texture \"t\": CopySrc|CopyDst|TextureBinding"),
    ROW(VIEW_TRANSIENT,
        "texture view \"view\": usage must be exactly that of texture \"t\", which has TransientAttachment: RenderAttachment|TransientAttachment"),
    ROW(VIEW_STORAGE,
        "texture view \"view\": usage StorageBinding, but format rgba8unorm-srgb cannot be a storage texture on this device; give a usage without it"),
    ROW(VIEW_MIPS_BASE,
        "texture view \"view\": baseMipLevel 4 must be below the number of mip levels of texture \"t\", 4"),
    ROW(VIEW_LAYERS_BASE,
        "texture view \"view\": baseArrayLayer 3 must be below the number of array layers of texture \"t\", 3"),
    ROW(VIEW_MIPS_EMPTY, "texture view \"view\": mipLevelCount must be at least 1"),
    ROW(VIEW_MIPS,
        "texture view \"view\": baseMipLevel 2 and mipLevelCount 3 reach beyond the 4 mip levels of texture \"t\""),
    ROW(VIEW_LAYERS_EMPTY, "texture view \"view\": arrayLayerCount must be at least 1"),
    ROW(VIEW_LAYERS,
        "texture view \"view\": baseArrayLayer 1 and arrayLayerCount 3 reach beyond the 3 array layers of texture \"t\""),
    ROW(VIEW_MULTISAMPLED,
        "texture view \"view\": a view of texture \"t\", which is multisampled, must have dimension 2D, not 2DArray"),
    ROW(VIEW_DIMENSION,
        "texture view \"view\": dimension 3D does not fit texture \"t\", whose dimension is 2D"),
    ROW(VIEW_LAYER_COUNT,
        "texture view \"view\": arrayLayerCount 8 does not fit dimension CubeArray, which takes a multiple of 6"),
    ROW(VIEW_CUBE_SIZE,
        "texture view \"view\": dimension Cube needs a square texture, but texture \"t\" is 8 x 4"),
    ROW(VIEW_CUBE_ARRAY,
        "texture view \"view\": dimension CubeArray needs the feature core-features-and-limits, which a device in compatibility mode lacks"),
};
TABLE(view_table, cases);
