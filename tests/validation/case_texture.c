// SPDX-License-Identifier: MIT
//
// Textures and samplers.
#include "validation.h"

#include <math.h>

#define RENDER WGPUTextureUsage_RenderAttachment
#define STORAGE WGPUTextureUsage_StorageBinding

static WGPUTextureDescriptor plain(void) {
    return texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
}

static void try_texture(struct validation *v, const WGPUTextureDescriptor *descriptor) {
    wgpuTextureRelease(make_texture(v, descriptor));
}

// Four samples, renderable: valid.
static WGPUTextureDescriptor multisampled(void) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.sampleCount = 4;
    descriptor.usage = RENDER | WGPUTextureUsage_TextureBinding;
    return descriptor;
}

static WGPUTextureDescriptor transient(void) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.usage = RENDER | WGPUTextureUsage_TransientAttachment;
    return descriptor;
}

CASE(TEXTURE_USAGE_NONE) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.usage = is_broken ? 0 : WGPUTextureUsage_CopyDst;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_USAGE_UNKNOWN) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.usage = is_broken ? 0x41 : 0x01;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_ENUM) {
    WGPUTextureDescriptor descriptor = plain();
    if (is_broken) {
        descriptor.format = (WGPUTextureFormat)999;
    }
    try_texture(v, &descriptor);
}
CASE(TEXTURE_FORMAT_FEATURE) {
    WGPUFeatureName feature = WGPUFeatureName_TextureCompressionBC;
    begin_device(v, true, &feature, is_broken ? 0 : 1);
    WGPUTextureDescriptor descriptor = plain();
    descriptor.format = WGPUTextureFormat_BC1RGBAUnorm;
    try_texture(v, &descriptor);
    end_device(v);
}
CASE(TEXTURE_SIZE_ZERO) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.size.height = is_broken ? 0 : 1;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_MIP_COUNT_ZERO) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.mipLevelCount = is_broken ? 0 : 1;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SAMPLE_COUNT) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.sampleCount = is_broken ? 2 : 4;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SIZE_LIMIT) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.size.width = is_broken ? 8193 : 8192;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_1D_SIZE) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.dimension = WGPUTextureDimension_1D;
    descriptor.size.height = is_broken ? 2 : 1;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_1D_FORMAT) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.dimension = WGPUTextureDimension_1D;
    descriptor.size.height = 1;
    descriptor.format = is_broken ? WGPUTextureFormat_Depth16Unorm : WGPUTextureFormat_R16Uint;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SAMPLES_DIMENSION) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.dimension = is_broken ? WGPUTextureDimension_3D : WGPUTextureDimension_2D;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_3D_FORMAT) {
    WGPUFeatureName features[] = {
        WGPUFeatureName_TextureCompressionBC, WGPUFeatureName_TextureCompressionBCSliced3D};
    begin_device(v, true, features, is_broken ? 1 : 2);
    WGPUTextureDescriptor descriptor = plain();
    descriptor.dimension = WGPUTextureDimension_3D;
    descriptor.format = WGPUTextureFormat_BC1RGBAUnorm;
    try_texture(v, &descriptor);
    end_device(v);
}
CASE(TEXTURE_COMPATIBILITY_DIMENSION) {
    begin_device(v, false, NULL, 0);
    WGPUTextureBindingViewDimension dimension = WGPU_TEXTURE_BINDING_VIEW_DIMENSION_INIT;
    dimension.textureBindingViewDimension = WGPUTextureViewDimension_Cube;
    WGPUTextureDescriptor descriptor = plain();
    descriptor.nextInChain = &dimension.chain;
    descriptor.size.depthOrArrayLayers = is_broken ? 5 : 6;
    try_texture(v, &descriptor);
    end_device(v);
}
CASE(TEXTURE_BLOCKS) {
    WGPUFeatureName feature = WGPUFeatureName_TextureCompressionBC;
    begin_device(v, true, &feature, 1);
    WGPUTextureDescriptor descriptor = plain();
    descriptor.format = WGPUTextureFormat_BC1RGBAUnorm;
    descriptor.size.width = is_broken ? 6 : 8;
    try_texture(v, &descriptor);
    end_device(v);
}
CASE(TEXTURE_SAMPLES_MIPS) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.mipLevelCount = is_broken ? 2 : 1;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SAMPLES_LAYERS) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.size.depthOrArrayLayers = is_broken ? 2 : 1;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SAMPLES_STORAGE) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.usage = is_broken ? RENDER | STORAGE : RENDER;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SAMPLES_RENDER) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.usage = is_broken ? WGPUTextureUsage_TextureBinding : RENDER;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_SAMPLES_FORMAT) {
    WGPUTextureDescriptor descriptor = multisampled();
    descriptor.format = is_broken ? WGPUTextureFormat_R32Uint : WGPUTextureFormat_R16Uint;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_MIP_COUNT) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.size.width = 5;
    descriptor.size.height = 31;
    descriptor.mipLevelCount = is_broken ? 6 : 5;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_RENDER_FORMAT) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.usage = RENDER;
    descriptor.format = is_broken ? WGPUTextureFormat_RGB9E5Ufloat : WGPUTextureFormat_RGBA8Unorm;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_RENDER_DIMENSION) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.size.height = 1;
    descriptor.usage = RENDER;
    descriptor.dimension = is_broken ? WGPUTextureDimension_1D : WGPUTextureDimension_3D;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_STORAGE_FORMAT) {
    WGPUTextureDescriptor descriptor = plain();
    descriptor.usage = STORAGE;
    descriptor.format = is_broken ? WGPUTextureFormat_R8Unorm : WGPUTextureFormat_R32Float;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_TRANSIENT_USAGE) {
    WGPUTextureDescriptor descriptor = transient();
    if (is_broken) {
        descriptor.usage |= WGPUTextureUsage_CopySrc;
    }
    try_texture(v, &descriptor);
}
CASE(TEXTURE_TRANSIENT_FORMATS) {
    WGPUTextureDescriptor descriptor = transient();
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.viewFormatCount = is_broken ? 1 : 0;
    descriptor.viewFormats = &format;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_TRANSIENT_SHAPE) {
    WGPUTextureDescriptor descriptor = transient();
    descriptor.mipLevelCount = is_broken ? 2 : 1;
    try_texture(v, &descriptor);
}
CASE(TEXTURE_VIEW_FORMAT) {
    WGPUTextureDescriptor descriptor = plain();
    WGPUTextureFormat formats[] = {WGPUTextureFormat_RGBA8UnormSrgb,
        is_broken ? WGPUTextureFormat_BGRA8Unorm : WGPUTextureFormat_RGBA8Unorm};
    descriptor.viewFormatCount = 2;
    descriptor.viewFormats = formats;
    try_texture(v, &descriptor);
}

// ---------------------------------------------------------------- samplers

static WGPUSamplerDescriptor linear(void) {
    WGPUSamplerDescriptor descriptor = WGPU_SAMPLER_DESCRIPTOR_INIT;
    descriptor.label = api_view("s");
    descriptor.magFilter = WGPUFilterMode_Linear;
    descriptor.minFilter = WGPUFilterMode_Linear;
    descriptor.mipmapFilter = WGPUMipmapFilterMode_Linear;
    return descriptor;
}

static void try_sampler(struct validation *v, const WGPUSamplerDescriptor *descriptor) {
    wgpuSamplerRelease(wgpuDeviceCreateSampler(v->api.device, descriptor));
}

CASE(SAMPLER_ENUM) {
    WGPUSamplerDescriptor descriptor = linear();
    descriptor.addressModeW = is_broken ? (WGPUAddressMode)4 : WGPUAddressMode_MirrorRepeat;
    try_sampler(v, &descriptor);
}
CASE(SAMPLER_LOD_MIN) {
    WGPUSamplerDescriptor descriptor = linear();
    descriptor.lodMinClamp = is_broken ? -0.5f : 0;
    try_sampler(v, &descriptor);
}
CASE(SAMPLER_LOD_MAX) {
    WGPUSamplerDescriptor descriptor = linear();
    descriptor.lodMinClamp = 2;
    descriptor.lodMaxClamp = is_broken ? 1.5f : 2;
    try_sampler(v, &descriptor);
}
CASE(SAMPLER_LOD_FINITE) {
    WGPUSamplerDescriptor descriptor = linear();
    descriptor.lodMaxClamp = is_broken ? INFINITY : 3e38f;
    try_sampler(v, &descriptor);
}
CASE(SAMPLER_ANISOTROPY) {
    WGPUSamplerDescriptor descriptor = linear();
    descriptor.maxAnisotropy = is_broken ? 0 : 1;
    try_sampler(v, &descriptor);
}
CASE(SAMPLER_ANISOTROPY_FILTER) {
    WGPUSamplerDescriptor descriptor = linear();
    descriptor.maxAnisotropy = 40;
    descriptor.mipmapFilter = is_broken ? WGPUMipmapFilterMode_Undefined
                                        : WGPUMipmapFilterMode_Linear;
    try_sampler(v, &descriptor);
}

static const struct validation_case cases[] = {
    ROW(TEXTURE_USAGE_NONE, "texture \"t\": usage is 0; it must name at least one use"),
    ROW(TEXTURE_USAGE_UNKNOWN,
        "texture \"t\": usage 0x41 has bits that are no WGPUTextureUsage: 0x40"),
    ROW(TEXTURE_ENUM,
        "texture \"t\" has a texture format of 999, which is no value of that enumeration"),
    ROW(TEXTURE_FORMAT_FEATURE,
        "texture \"t\": format bc1-rgba-unorm needs the feature texture-compression-bc"),
    ROW(TEXTURE_SIZE_ZERO, "texture \"t\": size 8 x 0 x 1 must not be 0 in any direction"),
    ROW(TEXTURE_MIP_COUNT_ZERO, "texture \"t\": mipLevelCount is 0; it must be at least 1"),
    ROW(TEXTURE_SAMPLE_COUNT, "texture \"t\": sampleCount 2 must be 1 or 4"),
    ROW(TEXTURE_SIZE_LIMIT,
        "texture \"t\": width 8193 is over the limit maxTextureDimension2D, 8192"),
    ROW(TEXTURE_1D_SIZE,
        "texture \"t\": a texture of dimension 1D must have height and depthOrArrayLayers 1, but its size is 8 x 2 x 1"),
    ROW(TEXTURE_1D_FORMAT,
        "texture \"t\": a texture of dimension 1D cannot have format depth16unorm, which is a compressed, depth or stencil format"),
    ROW(TEXTURE_SAMPLES_DIMENSION,
        "texture \"t\": a multisampled texture must have dimension 2D, but this one has 3D"),
    ROW(TEXTURE_3D_FORMAT,
        "texture \"t\": a texture of dimension 3D cannot have format bc1-rgba-unorm without the feature texture-compression-bc-sliced-3d"),
    ROW(TEXTURE_COMPATIBILITY_DIMENSION,
        "texture \"t\": textureBindingViewDimension Cube does not fit 5 layers, on a device in compatibility mode"),
    ROW(TEXTURE_BLOCKS,
        "texture \"t\": size 6 x 8 must be a multiple of the 4 x 4 texels of a block of format bc1-rgba-unorm"),
    ROW(TEXTURE_SAMPLES_MIPS,
        "texture \"t\": a multisampled texture must have mipLevelCount 1, but it is 2"),
    ROW(TEXTURE_SAMPLES_LAYERS,
        "texture \"t\": a multisampled texture must have depthOrArrayLayers 1, but it is 2"),
    ROW(TEXTURE_SAMPLES_STORAGE,
        "texture \"t\": a multisampled texture cannot have usage StorageBinding; usage is StorageBinding|RenderAttachment"),
    ROW(TEXTURE_SAMPLES_RENDER,
        "texture \"t\": a multisampled texture must have usage RenderAttachment, but usage is TextureBinding"),
    ROW(TEXTURE_SAMPLES_FORMAT,
        "texture \"t\": format r32uint cannot be multisampled on this device"),
    ROW(TEXTURE_MIP_COUNT,
        "texture \"t\": mipLevelCount 6 is over 5, the most for a size of 5 x 31 x 1 and dimension 2D"),
    ROW(TEXTURE_RENDER_FORMAT,
        "texture \"t\": usage RenderAttachment, but format rgb9e5ufloat is not renderable on this device"),
    ROW(TEXTURE_RENDER_DIMENSION,
        "texture \"t\": usage RenderAttachment needs dimension 2D or 3D, not 1D"),
    ROW(TEXTURE_STORAGE_FORMAT,
        "texture \"t\": usage StorageBinding, but format r8unorm cannot be a storage texture on this device"),
    ROW(TEXTURE_TRANSIENT_USAGE,
        "texture \"t\": usage TransientAttachment allows RenderAttachment beside it, which it needs, and nothing else, but usage is CopySrc|RenderAttachment|TransientAttachment"),
    ROW(TEXTURE_TRANSIENT_FORMATS,
        "texture \"t\": a texture of usage TransientAttachment cannot have viewFormats (1 given)"),
    ROW(TEXTURE_TRANSIENT_SHAPE,
        "texture \"t\": a texture of usage TransientAttachment must have dimension 2D, one mip level and one layer, but has 2D, 2 and 1"),
    ROW(TEXTURE_VIEW_FORMAT,
        "texture \"t\": viewFormats[1], bgra8unorm, differs from format rgba8unorm in more than sRGB"),
    ROW(SAMPLER_ENUM,
        "sampler \"s\": its address mode is 4, which is no value of that enumeration"),
    ROW(SAMPLER_LOD_MIN, "sampler \"s\": lodMinClamp -0.5 must be at least 0"),
    ROW(SAMPLER_LOD_MAX, "sampler \"s\": lodMaxClamp 1.5 must be at least lodMinClamp, 2"),
    ROW(SAMPLER_LOD_FINITE, "sampler \"s\": lodMaxClamp inf must be finite"),
    ROW(SAMPLER_ANISOTROPY, "sampler \"s\": maxAnisotropy must be at least 1"),
    ROW(SAMPLER_ANISOTROPY_FILTER,
        "sampler \"s\": maxAnisotropy 40 needs magFilter, minFilter and mipmapFilter Linear, but they are Linear, Linear and Nearest"),
};
TABLE(texture_table, cases);
