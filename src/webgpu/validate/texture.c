// SPDX-License-Identifier: MIT
//
// Rules of textures, in the order of the specification.
#include "webgpu/validate/texture.h"

#include <string.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/words.h"

#define ALL_USAGES \
    (WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding | \
        WGPUTextureUsage_StorageBinding | WGPUTextureUsage_RenderAttachment | \
        WGPUTextureUsage_TransientAttachment)

bool validate_can_be_storage(const struct WGPUDeviceImpl *device, WGPUTextureFormat format) {
    const struct texture_format_info *info = texture_format_get_info(format);
    return texture_format_can(info, TEXTURE_CAPABILITY_STORAGE_WRITE, device->features) ||
        texture_format_can(info, TEXTURE_CAPABILITY_STORAGE_READ, device->features) ||
        texture_format_can(info, TEXTURE_CAPABILITY_STORAGE_READ_WRITE, device->features);
}

bool validate_find_aspect(
    WGPUTextureFormat format, WGPUTextureAspect aspect, enum texture_aspect *out_aspect) {
    enum texture_aspect all = texture_format_get_info(format)->aspect;
    switch ((uint32_t)aspect) {
    case WGPUTextureAspect_DepthOnly:
        *out_aspect = TEXTURE_ASPECT_DEPTH;
        return all == TEXTURE_ASPECT_DEPTH || all == TEXTURE_ASPECT_DEPTH_STENCIL;
    case WGPUTextureAspect_StencilOnly:
        *out_aspect = TEXTURE_ASPECT_STENCIL;
        return all == TEXTURE_ASPECT_STENCIL || all == TEXTURE_ASPECT_DEPTH_STENCIL;
    default:
        *out_aspect = all;
        return true;
    }
}

// ---------------------------------------------------------------- size

static bool validate_extent(const struct WGPUDeviceImpl *device, const char *name, const char *what,
    uint32_t extent, enum limit_name limit, struct validate_error *error) {
    uint64_t most = device->limits.values[limit];
    if (extent > most) {
        return BROKEN(
            error, TEXTURE_SIZE_LIMIT, name, what, extent, limit_get_info(limit)->name, ULL(most));
    }
    return true;
}

static bool validate_1d(const struct WGPUDeviceImpl *device,
    const struct gpu_texture_properties *texture, const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    TRY(validate_extent(
        device, name, "width", texture->size.width, LIMIT_maxTextureDimension1D, error));
    if (texture->size.height != 1 || texture->size.depthOrArrayLayers != 1) {
        return BROKEN(error, TEXTURE_1D_SIZE, name, texture->size.width, texture->size.height,
            texture->size.depthOrArrayLayers);
    }
    if (info->aspect != TEXTURE_ASPECT_COLOR || texture_format_is_compressed(info)) {
        return BROKEN(error, TEXTURE_1D_FORMAT, name, info->word);
    }
    return true;
}

static bool validate_2d(const struct WGPUDeviceImpl *device, const WGPUExtent3D *size,
    const char *name, struct validate_error *error) {
    TRY(validate_extent(device, name, "width", size->width, LIMIT_maxTextureDimension2D, error));
    TRY(validate_extent(device, name, "height", size->height, LIMIT_maxTextureDimension2D, error));
    return validate_extent(device, name, "depthOrArrayLayers", size->depthOrArrayLayers,
        LIMIT_maxTextureArrayLayers, error);
}

static bool validate_3d(const struct WGPUDeviceImpl *device,
    const struct gpu_texture_properties *texture, const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    const WGPUExtent3D *size = &texture->size;
    TRY(validate_extent(device, name, "width", size->width, LIMIT_maxTextureDimension3D, error));
    TRY(validate_extent(device, name, "height", size->height, LIMIT_maxTextureDimension3D, error));
    TRY(validate_extent(device, name, "depthOrArrayLayers", size->depthOrArrayLayers,
        LIMIT_maxTextureDimension3D, error));
    if (!texture_format_can_be_3d(info, device->features)) {
        uint32_t needed = info->needs[TEXTURE_CAPABILITY_FORMAT];
        const char *hint = needed == WGPUFeatureName_TextureCompressionBC
            ? " without the feature texture-compression-bc-sliced-3d"
            : needed == WGPUFeatureName_TextureCompressionASTC
            ? " without the feature texture-compression-astc-sliced-3d"
            : "";
        return BROKEN(error, TEXTURE_3D_FORMAT, name, info->word, hint);
    }
    return true;
}

static uint32_t get_most_levels(const struct gpu_texture_properties *texture) {
    uint32_t extent = texture->size.width;
    if (texture->dimension == WGPUTextureDimension_1D) {
        return 1;
    }
    if (texture->size.height > extent) {
        extent = texture->size.height;
    }
    if (texture->dimension == WGPUTextureDimension_3D &&
        texture->size.depthOrArrayLayers > extent) {
        extent = texture->size.depthOrArrayLayers;
    }
    uint32_t count = 0;
    while (extent != 0) {
        count++;
        extent >>= 1;
    }
    return count;
}

static bool validate_size(const struct WGPUDeviceImpl *device,
    const struct gpu_texture_properties *texture, const char *name, struct validate_error *error) {
    const WGPUExtent3D *size = &texture->size;
    if (size->width == 0 || size->height == 0 || size->depthOrArrayLayers == 0) {
        return BROKEN(
            error, TEXTURE_SIZE_ZERO, name, size->width, size->height, size->depthOrArrayLayers);
    }
    if (texture->mip_level_count == 0) {
        return BROKEN(error, TEXTURE_MIP_COUNT_ZERO, name);
    }
    if (texture->sample_count != 1 && texture->sample_count != 4) {
        return BROKEN(error, TEXTURE_SAMPLE_COUNT, name, texture->sample_count);
    }
    if (texture->dimension != WGPUTextureDimension_2D && texture->sample_count != 1) {
        return BROKEN(error, TEXTURE_SAMPLES_DIMENSION, name,
            words_for_texture_dimension(texture->dimension));
    }
    if (texture->dimension == WGPUTextureDimension_1D) {
        return validate_1d(device, texture, name, error);
    }
    return texture->dimension == WGPUTextureDimension_2D
        ? validate_2d(device, size, name, error)
        : validate_3d(device, texture, name, error);
}

// ---------------------------------------------------------------- uses

static bool validate_samples(const struct WGPUDeviceImpl *device,
    const struct gpu_texture_properties *texture, const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    if (texture->mip_level_count != 1) {
        return BROKEN(error, TEXTURE_SAMPLES_MIPS, name, texture->mip_level_count);
    }
    if (texture->size.depthOrArrayLayers != 1) {
        return BROKEN(error, TEXTURE_SAMPLES_LAYERS, name, texture->size.depthOrArrayLayers);
    }
    if ((texture->usage & WGPUTextureUsage_StorageBinding) != 0) {
        return BROKEN(
            error, TEXTURE_SAMPLES_STORAGE, name, rule_describe_texture_usage(texture->usage).text);
    }
    if ((texture->usage & WGPUTextureUsage_RenderAttachment) == 0) {
        return BROKEN(
            error, TEXTURE_SAMPLES_RENDER, name, rule_describe_texture_usage(texture->usage).text);
    }
    if (!texture_format_can(info, TEXTURE_CAPABILITY_MULTISAMPLE, device->features)) {
        return BROKEN(error, TEXTURE_SAMPLES_FORMAT, name, info->word);
    }
    return true;
}

static bool validate_transient(const struct gpu_texture_properties *texture,
    const WGPUTextureDescriptor *descriptor, const char *name, struct validate_error *error) {
    if (texture->usage !=
        (WGPUTextureUsage_TransientAttachment | WGPUTextureUsage_RenderAttachment)) {
        return BROKEN(
            error, TEXTURE_TRANSIENT_USAGE, name, rule_describe_texture_usage(texture->usage).text);
    }
    if (descriptor->viewFormatCount != 0) {
        return BROKEN(error, TEXTURE_TRANSIENT_FORMATS, name, ULL(descriptor->viewFormatCount));
    }
    if (texture->dimension != WGPUTextureDimension_2D || texture->mip_level_count != 1 ||
        texture->size.depthOrArrayLayers != 1) {
        return BROKEN(error, TEXTURE_TRANSIENT_SHAPE, name,
            words_for_texture_dimension(texture->dimension), texture->mip_level_count,
            texture->size.depthOrArrayLayers);
    }
    return true;
}

static bool validate_uses(const struct WGPUDeviceImpl *device,
    const struct gpu_texture_properties *texture, const WGPUTextureDescriptor *descriptor,
    const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    if ((texture->usage & WGPUTextureUsage_RenderAttachment) != 0) {
        if (!texture_format_can(info, TEXTURE_CAPABILITY_RENDER, device->features)) {
            return BROKEN(error, TEXTURE_RENDER_FORMAT, name, info->word);
        }
        if (texture->dimension == WGPUTextureDimension_1D) {
            return BROKEN(error, TEXTURE_RENDER_DIMENSION, name);
        }
    }
    if ((texture->usage & WGPUTextureUsage_StorageBinding) != 0 &&
        !validate_can_be_storage(device, texture->format)) {
        return BROKEN(error, TEXTURE_STORAGE_FORMAT, name, info->word);
    }
    if ((texture->usage & WGPUTextureUsage_TransientAttachment) != 0) {
        return validate_transient(texture, descriptor, name, error);
    }
    return true;
}

static bool validate_view_formats(const struct WGPUDeviceImpl *device,
    struct gpu_texture_properties *texture, const WGPUTextureDescriptor *descriptor,
    const char *name, struct validate_error *error) {
    uint32_t twin = descriptor->viewFormatCount != 0 ? texture_format_get_srgb_twin(texture->format)
                                                     : 0;
    for (size_t i = 0; i < descriptor->viewFormatCount; i++) {
        WGPUTextureFormat format = descriptor->viewFormats[i];
        if (format == texture->format) {
            continue;
        }
        if (twin == 0 || (uint32_t)format != twin || !device->is_core) {
            return BROKEN(error, TEXTURE_VIEW_FORMAT, name, (unsigned)i, words_for_format(format),
                words_for_format(texture->format),
                twin != 0 && (uint32_t)format == twin ? ", or the device is in compatibility mode"
                                                      : "");
        }
        texture->other_view_format = format;
    }
    return true;
}

// ---------------------------------------------------------------- all

// In compatibility mode alone; on a core device the chained struct says nothing.
static bool validate_binding_dimension(struct gpu_texture_properties *texture,
    WGPUTextureViewDimension given, const char *name, struct validate_error *error) {
    uint32_t layers = texture->size.depthOrArrayLayers;
    texture->binding_view_dimension = given;
    if (given == WGPUTextureViewDimension_Undefined) {
        texture->binding_view_dimension = texture->dimension == WGPUTextureDimension_1D
            ? WGPUTextureViewDimension_1D
            : texture->dimension == WGPUTextureDimension_3D ? WGPUTextureViewDimension_3D
            : layers == 1                                   ? WGPUTextureViewDimension_2D
                                                            : WGPUTextureViewDimension_2DArray;
        return true;
    }
    if ((given == WGPUTextureViewDimension_2D && layers != 1) ||
        (given == WGPUTextureViewDimension_Cube && layers != 6) ||
        given == WGPUTextureViewDimension_CubeArray) {
        return BROKEN(
            error, TEXTURE_COMPATIBILITY_DIMENSION, name, words_for_dimension(given), layers);
    }
    return true;
}

static bool validate_format(const struct WGPUDeviceImpl *device, WGPUTextureFormat format,
    const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(format);
    if (info == NULL) {
        return BROKEN(error, TEXTURE_ENUM, name, "texture format", (unsigned)format);
    }
    if (!texture_format_can(info, TEXTURE_CAPABILITY_FORMAT, device->features)) {
        return BROKEN(error, TEXTURE_FORMAT_FEATURE, name, info->word,
            feature_get_info(info->needs[TEXTURE_CAPABILITY_FORMAT])->word);
    }
    return true;
}

bool validate_texture_create(const struct WGPUDeviceImpl *device,
    const WGPUTextureDescriptor *descriptor, const char *name,
    struct gpu_texture_properties *out_properties, struct validate_error *error) {
    struct gpu_texture_properties *texture = out_properties;
    memset(texture, 0, sizeof(*texture));
    texture->usage = descriptor->usage;
    texture->dimension = descriptor->dimension != WGPUTextureDimension_Undefined
        ? descriptor->dimension
        : WGPUTextureDimension_2D;
    texture->format = descriptor->format;
    texture->size = descriptor->size;
    texture->mip_level_count = descriptor->mipLevelCount;
    texture->sample_count = descriptor->sampleCount;
    struct validate_chain chain = {1, {WGPUSType_TextureBindingViewDimension}, {NULL}};
    TRY(validate_chain(descriptor->nextInChain, &chain, name, error));
    const WGPUTextureBindingViewDimension *binding = (const WGPUTextureBindingViewDimension *)
                                                         chain.found[0];
    TRY(validate_format(device, texture->format, name, error));
    for (size_t i = 0; i < descriptor->viewFormatCount; i++) {
        TRY(validate_format(device, descriptor->viewFormats[i], name, error));
    }
    if ((uint32_t)texture->dimension > WGPUTextureDimension_3D) {
        return BROKEN(
            error, TEXTURE_ENUM, name, "texture dimension", (unsigned)descriptor->dimension);
    }
    if (texture->usage == WGPUTextureUsage_None) {
        return BROKEN(error, TEXTURE_USAGE_NONE, name);
    }
    if ((texture->usage & ~ALL_USAGES) != 0) {
        return BROKEN(error, TEXTURE_USAGE_UNKNOWN, name, ULL(texture->usage),
            ULL(texture->usage & ~ALL_USAGES));
    }
    TRY(validate_size(device, texture, name, error));
    if (!device->is_core) {
        TRY(validate_binding_dimension(texture,
            binding != NULL ? binding->textureBindingViewDimension
                            : WGPUTextureViewDimension_Undefined,
            name, error));
    }
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    if (texture->size.width % info->block_width != 0 ||
        texture->size.height % info->block_height != 0) {
        return BROKEN(error, TEXTURE_BLOCKS, name, texture->size.width, texture->size.height,
            info->block_width, info->block_height, info->word);
    }
    if (texture->sample_count > 1) {
        TRY(validate_samples(device, texture, name, error));
    }
    uint32_t most = get_most_levels(texture);
    if (texture->mip_level_count > most) {
        return BROKEN(error, TEXTURE_MIP_COUNT, name, texture->mip_level_count, most,
            texture->size.width, texture->size.height, texture->size.depthOrArrayLayers,
            words_for_texture_dimension(texture->dimension));
    }
    TRY(validate_uses(device, texture, descriptor, name, error));
    return validate_view_formats(device, texture, descriptor, name, error);
}
