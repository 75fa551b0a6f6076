// SPDX-License-Identifier: MIT
//
// The configuration of surfaces.
#include "validation.h"

static WGPUSurface make_surface(struct validation *v, const WGPUChainedStruct *chain) {
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.label = api_view("w");
    descriptor.nextInChain = (WGPUChainedStruct *)(uintptr_t)chain;
    return wgpuInstanceCreateSurface(v->api.instance, &descriptor);
}

static WGPUSurface make_headless(struct validation *v) {
    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    return make_surface(v, &source.chain);
}

static WGPUSurfaceConfiguration configuration(struct validation *v) {
    WGPUSurfaceConfiguration config = WGPU_SURFACE_CONFIGURATION_INIT;
    config.device = v->api.device;
    config.format = WGPUTextureFormat_BGRA8Unorm;
    config.width = 8;
    config.height = 4;
    return config;
}

static void configure(struct validation *v, const WGPUSurfaceConfiguration *config) {
    WGPUSurface surface = make_headless(v);
    wgpuSurfaceConfigure(surface, config);
    wgpuSurfaceRelease(surface);
}

CASE(SURFACE_ERROR) {
    WGPUSurface surface = is_broken ? make_surface(v, NULL) : make_headless(v);
    WGPUSurfaceConfiguration config = configuration(v);
    wgpuSurfaceConfigure(surface, &config);
    wgpuSurfaceRelease(surface);
}
CASE(SURFACE_INSTANCE) {
    WGPUInstance instance = is_broken ? api_create_instance() : v->api.instance;
    AlbaSurfaceSourceHeadless source = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    WGPUSurfaceDescriptor descriptor = WGPU_SURFACE_DESCRIPTOR_INIT;
    descriptor.label = api_view("w");
    descriptor.nextInChain = &source.chain;
    WGPUSurface surface = wgpuInstanceCreateSurface(instance, &descriptor);
    WGPUSurfaceConfiguration config = configuration(v);
    wgpuSurfaceConfigure(surface, &config);
    wgpuSurfaceRelease(surface);
    if (is_broken) {
        wgpuInstanceRelease(instance);
    }
}
CASE(SURFACE_COLOR) {
    WGPUSurfaceColorManagement color = WGPU_SURFACE_COLOR_MANAGEMENT_INIT;
    color.colorSpace = is_broken ? WGPUPredefinedColorSpace_DisplayP3
                                 : WGPUPredefinedColorSpace_SRGB;
    color.toneMappingMode = WGPUToneMappingMode_Standard;
    WGPUSurfaceConfiguration config = configuration(v);
    config.nextInChain = &color.chain;
    configure(v, &config);
}
CASE(SURFACE_PRESENT_MODE) {
    WGPUSurfaceConfiguration config = configuration(v);
    config.presentMode = is_broken ? WGPUPresentMode_FifoRelaxed : WGPUPresentMode_Mailbox;
    configure(v, &config);
}
CASE(SURFACE_ALPHA_MODE) {
    WGPUSurfaceConfiguration config = configuration(v);
    config.alphaMode = is_broken ? WGPUCompositeAlphaMode_Inherit
                                 : WGPUCompositeAlphaMode_Premultiplied;
    configure(v, &config);
}
CASE(SURFACE_FORMAT) {
    WGPUSurfaceConfiguration config = configuration(v);
    config.format = is_broken ? WGPUTextureFormat_R8Unorm : WGPUTextureFormat_RGBA16Float;
    configure(v, &config);
}
CASE(SURFACE_USAGE) {
    WGPUSurfaceConfiguration config = configuration(v);
    config.usage = is_broken
        ? WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TransientAttachment
        : WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc;
    configure(v, &config);
}
// The frames' textures are held to the rules of textures.
CASE(TEXTURE_SIZE_ZERO) {
    WGPUSurfaceConfiguration config = configuration(v);
    config.height = is_broken ? 0 : 1;
    configure(v, &config);
}

#define SURFACE "surface \"w\""

static const struct validation_case cases[] = {
    ROW(SURFACE_ERROR, SURFACE " is an error surface and cannot be configured"),
    ROW(SURFACE_INSTANCE, SURFACE " and device \"the device\" are of different instances"),
    ROW(SURFACE_COLOR,
        SURFACE ": colorSpace 2 and toneMappingMode 1 must be SRGB and Standard, the only ones of "
                "this surface"),
    ROW(SURFACE_PRESENT_MODE,
        SURFACE ": presentMode 2 is not among those of the surface: Fifo, Immediate and Mailbox"),
    ROW(SURFACE_ALPHA_MODE,
        SURFACE ": alphaMode 4 is neither Auto nor among those of the surface: Opaque, "
                "Premultiplied and Unpremultiplied"),
    ROW(SURFACE_FORMAT,
        SURFACE ": format r8unorm is not among those of the surface: bgra8unorm, bgra8unorm-srgb, "
                "rgba8unorm, rgba8unorm-srgb, rgba16float"),
    ROW(SURFACE_USAGE,
        SURFACE ": usage RenderAttachment|TransientAttachment is not a subset of the surface's: "
                "CopySrc|CopyDst|TextureBinding|StorageBinding|RenderAttachment"),
    ROW(TEXTURE_SIZE_ZERO, SURFACE ": size 8 x 0 x 1 must not be 0 in any direction"),
};
TABLE(surface_table, cases);
