// SPDX-License-Identifier: MIT
//
// The codec of each format.
#include "backend/cpu/texel.h"

#include "backend/cpu/texel_block_priv.h"

#include <webgpu/webgpu.h>

// clang-format off
static const struct cpu_texel_codec *const codecs[] = {
    [WGPUTextureFormat_R8Unorm]              = &cpu_texel_unorm8x1,
    [WGPUTextureFormat_R8Snorm]              = &cpu_texel_snorm8x1,
    [WGPUTextureFormat_R8Uint]               = &cpu_texel_uint8x1,
    [WGPUTextureFormat_R8Sint]               = &cpu_texel_sint8x1,
    [WGPUTextureFormat_R16Unorm]             = &cpu_texel_unorm16x1,
    [WGPUTextureFormat_R16Snorm]             = &cpu_texel_snorm16x1,
    [WGPUTextureFormat_R16Uint]              = &cpu_texel_uint16x1,
    [WGPUTextureFormat_R16Sint]              = &cpu_texel_sint16x1,
    [WGPUTextureFormat_R16Float]             = &cpu_texel_float16x1,
    [WGPUTextureFormat_RG8Unorm]             = &cpu_texel_unorm8x2,
    [WGPUTextureFormat_RG8Snorm]             = &cpu_texel_snorm8x2,
    [WGPUTextureFormat_RG8Uint]              = &cpu_texel_uint8x2,
    [WGPUTextureFormat_RG8Sint]              = &cpu_texel_sint8x2,
    [WGPUTextureFormat_R32Float]             = &cpu_texel_float32x1,
    [WGPUTextureFormat_R32Uint]              = &cpu_texel_uint32x1,
    [WGPUTextureFormat_R32Sint]              = &cpu_texel_sint32x1,
    [WGPUTextureFormat_RG16Unorm]            = &cpu_texel_unorm16x2,
    [WGPUTextureFormat_RG16Snorm]            = &cpu_texel_snorm16x2,
    [WGPUTextureFormat_RG16Uint]             = &cpu_texel_uint16x2,
    [WGPUTextureFormat_RG16Sint]             = &cpu_texel_sint16x2,
    [WGPUTextureFormat_RG16Float]            = &cpu_texel_float16x2,
    [WGPUTextureFormat_RGBA8Unorm]           = &cpu_texel_unorm8x4,
    [WGPUTextureFormat_RGBA8UnormSrgb]       = &cpu_texel_srgb8,
    [WGPUTextureFormat_RGBA8Snorm]           = &cpu_texel_snorm8x4,
    [WGPUTextureFormat_RGBA8Uint]            = &cpu_texel_uint8x4,
    [WGPUTextureFormat_RGBA8Sint]            = &cpu_texel_sint8x4,
    [WGPUTextureFormat_BGRA8Unorm]           = &cpu_texel_bgra8,
    [WGPUTextureFormat_BGRA8UnormSrgb]       = &cpu_texel_bgra8_srgb,
    [WGPUTextureFormat_RGB10A2Uint]          = &cpu_texel_uint10_2,
    [WGPUTextureFormat_RGB10A2Unorm]         = &cpu_texel_unorm10_2,
    [WGPUTextureFormat_RG11B10Ufloat]        = &cpu_texel_ufloat11_10,
    [WGPUTextureFormat_RGB9E5Ufloat]         = &cpu_texel_ufloat9_5,
    [WGPUTextureFormat_RG32Float]            = &cpu_texel_float32x2,
    [WGPUTextureFormat_RG32Uint]             = &cpu_texel_uint32x2,
    [WGPUTextureFormat_RG32Sint]             = &cpu_texel_sint32x2,
    [WGPUTextureFormat_RGBA16Unorm]          = &cpu_texel_unorm16x4,
    [WGPUTextureFormat_RGBA16Snorm]          = &cpu_texel_snorm16x4,
    [WGPUTextureFormat_RGBA16Uint]           = &cpu_texel_uint16x4,
    [WGPUTextureFormat_RGBA16Sint]           = &cpu_texel_sint16x4,
    [WGPUTextureFormat_RGBA16Float]          = &cpu_texel_float16x4,
    [WGPUTextureFormat_RGBA32Float]          = &cpu_texel_float32x4,
    [WGPUTextureFormat_RGBA32Uint]           = &cpu_texel_uint32x4,
    [WGPUTextureFormat_RGBA32Sint]           = &cpu_texel_sint32x4,
    [WGPUTextureFormat_Stencil8]             = &cpu_texel_uint8x1,
    [WGPUTextureFormat_Depth16Unorm]         = &cpu_texel_unorm16x1,
    [WGPUTextureFormat_Depth24Plus]          = &cpu_texel_float32x1,
    [WGPUTextureFormat_Depth32Float]         = &cpu_texel_float32x1,
    [WGPUTextureFormat_BC1RGBAUnorm]         = &cpu_texel_bc1,
    [WGPUTextureFormat_BC1RGBAUnormSrgb]     = &cpu_texel_bc1_srgb,
    [WGPUTextureFormat_BC2RGBAUnorm]         = &cpu_texel_bc2,
    [WGPUTextureFormat_BC2RGBAUnormSrgb]     = &cpu_texel_bc2_srgb,
    [WGPUTextureFormat_BC3RGBAUnorm]         = &cpu_texel_bc3,
    [WGPUTextureFormat_BC3RGBAUnormSrgb]     = &cpu_texel_bc3_srgb,
    [WGPUTextureFormat_BC4RUnorm]            = &cpu_texel_bc4_unorm,
    [WGPUTextureFormat_BC4RSnorm]            = &cpu_texel_bc4_snorm,
    [WGPUTextureFormat_BC5RGUnorm]           = &cpu_texel_bc5_unorm,
    [WGPUTextureFormat_BC5RGSnorm]           = &cpu_texel_bc5_snorm,
    [WGPUTextureFormat_BC6HRGBUfloat]        = &cpu_texel_bc6h_ufloat,
    [WGPUTextureFormat_BC6HRGBFloat]         = &cpu_texel_bc6h_float,
    [WGPUTextureFormat_BC7RGBAUnorm]         = &cpu_texel_bc7,
    [WGPUTextureFormat_BC7RGBAUnormSrgb]     = &cpu_texel_bc7_srgb,
};
// clang-format on

const struct cpu_texel_codec *cpu_texel_codec_get(uint32_t format) {
    return format < sizeof(codecs) / sizeof(codecs[0]) ? codecs[format] : NULL;
}
