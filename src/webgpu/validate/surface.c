// SPDX-License-Identifier: MIT
//
// What a headless surface can do, and the rules of its configuration.
#include "webgpu/validate/surface.h"

#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/texture.h"
#include "webgpu/validate/words.h"

#define SURFACE_USAGES \
    (WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | \
        WGPUTextureUsage_TextureBinding | WGPUTextureUsage_StorageBinding)

static const WGPUTextureFormat formats[] = {WGPUTextureFormat_BGRA8Unorm,
    WGPUTextureFormat_BGRA8UnormSrgb, WGPUTextureFormat_RGBA8Unorm,
    WGPUTextureFormat_RGBA8UnormSrgb, WGPUTextureFormat_RGBA16Float};
_Static_assert(sizeof(formats) / sizeof(formats[0]) <= SURFACE_FORMAT_CAPACITY, "all fit");

// There is no screen to wait for, so that all of these are the same here.
const WGPUPresentMode surface_present_modes[] = {
    WGPUPresentMode_Fifo, WGPUPresentMode_Immediate, WGPUPresentMode_Mailbox};
const uint32_t surface_present_mode_count = sizeof(surface_present_modes) /
    sizeof(surface_present_modes[0]);
const WGPUCompositeAlphaMode surface_alpha_modes[] = {WGPUCompositeAlphaMode_Opaque,
    WGPUCompositeAlphaMode_Premultiplied, WGPUCompositeAlphaMode_Unpremultiplied};
const uint32_t surface_alpha_mode_count = sizeof(surface_alpha_modes) /
    sizeof(surface_alpha_modes[0]);

void surface_get_capabilities(
    const struct WGPUAdapterImpl *adapter, struct surface_capabilities *out_capabilities) {
    out_capabilities->usages = SURFACE_USAGES;
    out_capabilities->format_count = 0;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (texture_format_can(texture_format_get_info(formats[i]), TEXTURE_CAPABILITY_FORMAT,
                adapter->info.features)) {
            out_capabilities->formats[out_capabilities->format_count++] = formats[i];
        }
    }
}

static bool validate_format(const struct WGPUAdapterImpl *adapter, WGPUTextureFormat format,
    const char *name, struct validate_error *error) {
    struct surface_capabilities capabilities;
    surface_get_capabilities(adapter, &capabilities);
    struct rule_words list = {""};
    size_t length = 0;
    for (uint32_t i = 0; i < capabilities.format_count; i++) {
        if (capabilities.formats[i] == format) {
            return true;
        }
        int written = snprintf(list.text + length, sizeof(list.text) - length, "%s%s",
            i == 0 ? "" : ", ", words_for_format(capabilities.formats[i]));
        length += written > 0 ? (size_t)written : 0;
    }
    return BROKEN(error, SURFACE_FORMAT, name, words_for_format(format), list.text);
}

static bool validate_color(
    const WGPUSurfaceColorManagement *color, const char *name, struct validate_error *error) {
    if (color != NULL &&
        (color->colorSpace != WGPUPredefinedColorSpace_SRGB ||
            color->toneMappingMode != WGPUToneMappingMode_Standard)) {
        return BROKEN(error, SURFACE_COLOR, name, (unsigned)color->colorSpace,
            (unsigned)color->toneMappingMode);
    }
    return true;
}

static bool validate_modes(
    const WGPUSurfaceConfiguration *config, const char *name, struct validate_error *error) {
    bool is_found = config->presentMode == WGPUPresentMode_Undefined;
    for (uint32_t i = 0; i < surface_present_mode_count; i++) {
        is_found = is_found || surface_present_modes[i] == config->presentMode;
    }
    if (!is_found) {
        return BROKEN(error, SURFACE_PRESENT_MODE, name, (unsigned)config->presentMode);
    }
    is_found = config->alphaMode == WGPUCompositeAlphaMode_Auto;
    for (uint32_t i = 0; i < surface_alpha_mode_count; i++) {
        is_found = is_found || surface_alpha_modes[i] == config->alphaMode;
    }
    if (!is_found) {
        return BROKEN(error, SURFACE_ALPHA_MODE, name, (unsigned)config->alphaMode);
    }
    return true;
}

bool validate_surface_configure(struct WGPUSurfaceImpl *surface,
    const WGPUSurfaceConfiguration *config, struct gpu_texture_properties *out_properties,
    struct validate_error *error) {
    const struct WGPUDeviceImpl *device = config->device;
    struct gpu_name name = gpu_object_get_name(&surface->object, GPU_SURFACE);
    struct validate_chain chain = {1, {WGPUSType_SurfaceColorManagement}, {NULL}};
    TRY(validate_chain(config->nextInChain, &chain, name.text, error));
    if (!surface->object.is_valid) {
        return BROKEN(error, SURFACE_ERROR, name.text);
    }
    if (device->instance != surface->instance) {
        return BROKEN(error, SURFACE_INSTANCE, name.text,
            gpu_object_get_name((struct gpu_object *)(uintptr_t)&device->object, GPU_DEVICE).text);
    }
    TRY(validate_color(
        (const WGPUSurfaceColorManagement *)(const void *)chain.found[0], name.text, error));
    TRY(validate_modes(config, name.text, error));
    TRY(validate_format(device->adapter, config->format, name.text, error));
    if ((config->usage & ~SURFACE_USAGES) != 0) {
        return BROKEN(error, SURFACE_USAGE, name.text,
            rule_describe_texture_usage(config->usage).text,
            rule_describe_texture_usage(SURFACE_USAGES).text);
    }
    WGPUTextureDescriptor texture = WGPU_TEXTURE_DESCRIPTOR_INIT;
    texture.size = (WGPUExtent3D){config->width, config->height, 1};
    texture.usage = config->usage;
    texture.format = config->format;
    texture.viewFormatCount = config->viewFormatCount;
    texture.viewFormats = config->viewFormats;
    return validate_texture_create(device, &texture, name.text, out_properties, error);
}
