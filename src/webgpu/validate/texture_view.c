// SPDX-License-Identifier: MIT
//
// Rules of texture views. RENDER_ATTACHMENT needs no row of its own: a view's format differs from
// its texture's in sRGB or aspect alone, and is renderable where the texture's is.
#include <string.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/texture.h"
#include "webgpu/validate/words.h"

// What a descriptor becomes when its defaults are filled in.
struct resolved_view {
    WGPUTextureFormat format;
    WGPUTextureViewDimension dimension;
    WGPUTextureAspect aspect;
    uint32_t base_mip_level;
    uint32_t mip_level_count;
    uint32_t base_array_layer;
    uint32_t array_layer_count;
    WGPUTextureUsage usage;
    WGPUComponentSwizzle swizzle[4];
};

static WGPUTextureFormat format_of_aspect(WGPUTextureFormat format, WGPUTextureAspect aspect) {
    if (aspect == WGPUTextureAspect_All) {
        return format;
    }
    return (WGPUTextureFormat)texture_format_get_aspect(format,
        aspect == WGPUTextureAspect_DepthOnly ? TEXTURE_ASPECT_DEPTH : TEXTURE_ASPECT_STENCIL);
}

static WGPUTextureViewDimension default_dimension(const struct WGPUTextureImpl *texture) {
    switch ((uint32_t)texture->dimension) {
    case WGPUTextureDimension_1D:
        return WGPUTextureViewDimension_1D;
    case WGPUTextureDimension_3D:
        return WGPUTextureViewDimension_3D;
    default:
        return gpu_texture_layer_count(texture) == 1 ? WGPUTextureViewDimension_2D
                                                     : WGPUTextureViewDimension_2DArray;
    }
}

static uint32_t rest(uint32_t count, uint32_t base) {
    return base < count ? count - base : 0;
}

static uint32_t default_layer_count(
    const struct WGPUTextureImpl *texture, const struct resolved_view *view) {
    switch ((uint32_t)view->dimension) {
    case WGPUTextureViewDimension_Cube:
        return 6;
    case WGPUTextureViewDimension_2DArray:
    case WGPUTextureViewDimension_CubeArray:
        return rest(gpu_texture_layer_count(texture), view->base_array_layer);
    default:
        return 1;
    }
}

// WebGPU "resolving GPUTextureViewDescriptor defaults". Counts that would be negative become 0.
static void resolve(const struct WGPUTextureImpl *texture,
    const WGPUTextureViewDescriptor *descriptor, struct resolved_view *out_view) {
    struct resolved_view *view = out_view;
    view->aspect = descriptor->aspect != WGPUTextureAspect_Undefined ? descriptor->aspect
                                                                     : WGPUTextureAspect_All;
    view->format = descriptor->format;
    if (view->format == WGPUTextureFormat_Undefined) {
        view->format = format_of_aspect(texture->format, view->aspect);
        if (view->format == WGPUTextureFormat_Undefined) {
            view->format = texture->format;
        }
    }
    view->base_mip_level = descriptor->baseMipLevel;
    view->mip_level_count = descriptor->mipLevelCount != WGPU_MIP_LEVEL_COUNT_UNDEFINED
        ? descriptor->mipLevelCount
        : rest(texture->mip_level_count, descriptor->baseMipLevel);
    view->dimension = descriptor->dimension != WGPUTextureViewDimension_Undefined
        ? descriptor->dimension
        : default_dimension(texture);
    view->base_array_layer = descriptor->baseArrayLayer;
    view->array_layer_count = descriptor->arrayLayerCount != WGPU_ARRAY_LAYER_COUNT_UNDEFINED
        ? descriptor->arrayLayerCount
        : default_layer_count(texture, view);
    view->usage = descriptor->usage != WGPUTextureUsage_None ? descriptor->usage : texture->usage;
}

static void resolve_swizzle(
    const WGPUTextureComponentSwizzle *given, WGPUComponentSwizzle out_swizzle[4]) {
    static const WGPUComponentSwizzle defaults[4] = {WGPUComponentSwizzle_R, WGPUComponentSwizzle_G,
        WGPUComponentSwizzle_B, WGPUComponentSwizzle_A};
    memcpy(out_swizzle, defaults, sizeof(defaults));
    if (given != NULL) {
        const WGPUComponentSwizzle words[4] = {given->r, given->g, given->b, given->a};
        for (int i = 0; i < 4; i++) {
            if (words[i] != WGPUComponentSwizzle_Undefined) {
                out_swizzle[i] = words[i];
            }
        }
    }
}

static bool validate_enums(
    const struct resolved_view *view, const char *name, struct validate_error *error) {
    if ((uint32_t)view->aspect > WGPUTextureAspect_DepthOnly) {
        return BROKEN(error, VIEW_ENUM, name, "texture aspect", (unsigned)view->aspect);
    }
    if (texture_format_get_info(view->format) == NULL) {
        return BROKEN(error, VIEW_ENUM, name, "texture format", (unsigned)view->format);
    }
    if ((uint32_t)view->dimension > WGPUTextureViewDimension_3D) {
        return BROKEN(error, VIEW_ENUM, name, "texture view dimension", (unsigned)view->dimension);
    }
    for (int i = 0; i < 4; i++) {
        if ((uint32_t)view->swizzle[i] > WGPUComponentSwizzle_A) {
            return BROKEN(error, VIEW_ENUM, name, "component swizzle", (unsigned)view->swizzle[i]);
        }
    }
    return true;
}

static bool validate_format(struct WGPUTextureImpl *texture, const struct resolved_view *view,
    const char *name, struct validate_error *error) {
    enum texture_aspect aspect;
    if (!validate_find_aspect(texture->format, view->aspect, &aspect)) {
        return BROKEN(error, VIEW_ASPECT, name, words_for_aspect(view->aspect),
            words_for_format(texture->format), GPU_NAME(texture, TEXTURE));
    }
    if (view->aspect == WGPUTextureAspect_All) {
        if (view->format != texture->format && view->format != texture->other_view_format) {
            return BROKEN(error, VIEW_FORMAT, name, words_for_format(view->format),
                GPU_NAME(texture, TEXTURE), words_for_format(texture->format));
        }
        return true;
    }
    WGPUTextureFormat needed = format_of_aspect(texture->format, view->aspect);
    if (view->format != needed) {
        return BROKEN(error, VIEW_FORMAT_ASPECT, name, words_for_format(view->format),
            words_for_aspect(view->aspect), GPU_NAME(texture, TEXTURE), words_for_format(needed));
    }
    return true;
}

static bool validate_swizzle(const struct WGPUDeviceImpl *device, const struct resolved_view *view,
    const char *name, struct validate_error *error) {
    static const char letters[] = "?01rgba";
    char text[5] = {0};
    for (int i = 0; i < 4; i++) {
        text[i] = letters[view->swizzle[i]];
    }
    if (strcmp(text, "rgba") != 0 &&
        !feature_set_has(device->features, WGPUFeatureName_TextureComponentSwizzle)) {
        return BROKEN(error, VIEW_SWIZZLE, name, text);
    }
    return true;
}

static bool validate_usage(struct WGPUTextureImpl *texture, const struct resolved_view *view,
    const char *name, struct validate_error *error) {
    if ((view->usage & ~texture->usage) != 0) {
        return BROKEN(error, VIEW_USAGE, name, rule_describe_texture_usage(view->usage).text,
            GPU_NAME(texture, TEXTURE), rule_describe_texture_usage(texture->usage).text);
    }
    if ((texture->usage & WGPUTextureUsage_TransientAttachment) != 0 &&
        view->usage != texture->usage) {
        return BROKEN(error, VIEW_TRANSIENT, name, GPU_NAME(texture, TEXTURE),
            rule_describe_texture_usage(texture->usage).text);
    }
    if ((view->usage & WGPUTextureUsage_StorageBinding) != 0 &&
        !validate_can_be_storage(texture->object.device, view->format)) {
        return BROKEN(error, VIEW_STORAGE, name, words_for_format(view->format));
    }
    return true;
}

static bool is_within(uint32_t base, uint32_t count, uint32_t limit) {
    return base <= limit && count <= limit - base;
}

static bool validate_ranges(struct WGPUTextureImpl *texture, const struct resolved_view *view,
    const char *name, struct validate_error *error) {
    if (view->base_mip_level >= texture->mip_level_count) {
        return BROKEN(error, VIEW_MIPS_BASE, name, view->base_mip_level, GPU_NAME(texture, TEXTURE),
            texture->mip_level_count);
    }
    if (!is_within(view->base_mip_level, view->mip_level_count, texture->mip_level_count)) {
        return BROKEN(error, VIEW_MIPS, name, view->base_mip_level, view->mip_level_count,
            texture->mip_level_count, GPU_NAME(texture, TEXTURE));
    }
    if (view->mip_level_count == 0) {
        return BROKEN(error, VIEW_MIPS_EMPTY, name);
    }
    uint32_t layers = gpu_texture_layer_count(texture);
    if (view->base_array_layer >= layers) {
        return BROKEN(error, VIEW_LAYERS_BASE, name, view->base_array_layer,
            GPU_NAME(texture, TEXTURE), layers);
    }
    if (!is_within(view->base_array_layer, view->array_layer_count, layers)) {
        return BROKEN(error, VIEW_LAYERS, name, view->base_array_layer, view->array_layer_count,
            layers, GPU_NAME(texture, TEXTURE));
    }
    if (view->array_layer_count == 0) {
        return BROKEN(error, VIEW_LAYERS_EMPTY, name);
    }
    return true;
}

// What each view dimension asks for.
struct dimension_needs {
    WGPUTextureDimension texture;
    bool is_cube;
    const char *layers; // in words; NULL: any count
};

static const struct dimension_needs needs[] = {
    [WGPUTextureViewDimension_1D] = {WGPUTextureDimension_1D, false, "1"},
    [WGPUTextureViewDimension_2D] = {WGPUTextureDimension_2D, false, "1"},
    [WGPUTextureViewDimension_2DArray] = {WGPUTextureDimension_2D, false, NULL},
    [WGPUTextureViewDimension_Cube] = {WGPUTextureDimension_2D, true, "6"},
    [WGPUTextureViewDimension_CubeArray] = {WGPUTextureDimension_2D, true, "a multiple of 6"},
    [WGPUTextureViewDimension_3D] = {WGPUTextureDimension_3D, false, "1"},
};

static bool does_count_fit(WGPUTextureViewDimension dimension, uint32_t count) {
    switch ((uint32_t)dimension) {
    case WGPUTextureViewDimension_2DArray:
        return true;
    case WGPUTextureViewDimension_Cube:
        return count == 6;
    case WGPUTextureViewDimension_CubeArray:
        return count % 6 == 0;
    default:
        return count == 1;
    }
}

static bool validate_dimension(struct WGPUTextureImpl *texture, const struct resolved_view *view,
    const char *name, struct validate_error *error) {
    const struct dimension_needs *need = &needs[view->dimension];
    const char *word = words_for_dimension(view->dimension);
    if (texture->sample_count > 1 && view->dimension != WGPUTextureViewDimension_2D) {
        return BROKEN(error, VIEW_MULTISAMPLED, name, GPU_NAME(texture, TEXTURE), word);
    }
    if (texture->dimension != need->texture) {
        return BROKEN(error, VIEW_DIMENSION, name, word, GPU_NAME(texture, TEXTURE),
            words_for_texture_dimension(texture->dimension));
    }
    if (!does_count_fit(view->dimension, view->array_layer_count)) {
        return BROKEN(error, VIEW_LAYER_COUNT, name, view->array_layer_count, word, need->layers);
    }
    if (need->is_cube && texture->size.width != texture->size.height) {
        return BROKEN(error, VIEW_CUBE_SIZE, name, word, GPU_NAME(texture, TEXTURE),
            texture->size.width, texture->size.height);
    }
    if (view->dimension == WGPUTextureViewDimension_CubeArray && !texture->object.device->is_core) {
        return BROKEN(error, VIEW_CUBE_ARRAY, name);
    }
    return true;
}

bool validate_texture_view(struct WGPUTextureImpl *texture,
    const WGPUTextureViewDescriptor *descriptor, const char *name,
    struct backend_texture_view *out_view, WGPUTextureUsage *out_usage,
    struct validate_error *error) {
    const struct WGPUDeviceImpl *device = texture->object.device;
    WGPUTextureViewDescriptor defaults = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    descriptor = descriptor != NULL ? descriptor : &defaults;
    struct validate_chain chain = {1, {WGPUSType_TextureComponentSwizzleDescriptor}, {NULL}};
    TRY(validate_chain(descriptor->nextInChain, &chain, name, error));
    if (!texture->object.is_valid) {
        return BROKEN(error, VIEW_TEXTURE, name, GPU_NAME(texture, TEXTURE),
            rule_describe_unusable(&texture->object, device));
    }
    const WGPUTextureComponentSwizzleDescriptor *swizzle =
        (const WGPUTextureComponentSwizzleDescriptor *)chain.found[0];
    struct resolved_view view;
    resolve(texture, descriptor, &view);
    resolve_swizzle(swizzle != NULL ? &swizzle->swizzle : NULL, view.swizzle);
    TRY(validate_enums(&view, name, error));
    TRY(validate_format(texture, &view, name, error));
    TRY(validate_swizzle(device, &view, name, error));
    TRY(validate_usage(texture, &view, name, error));
    TRY(validate_ranges(texture, &view, name, error));
    TRY(validate_dimension(texture, &view, name, error));
    *out_view = (struct backend_texture_view){
        .format = view.format,
        .dimension = view.dimension,
        .base_mip_level = view.base_mip_level,
        .mip_level_count = view.mip_level_count,
        .base_array_layer = view.base_array_layer,
        .array_layer_count = view.array_layer_count,
    };
    validate_find_aspect(texture->format, view.aspect, &out_view->aspect);
    for (int i = 0; i < 4; i++) {
        out_view->swizzle[i] = (uint8_t)view.swizzle[i];
    }
    *out_usage = view.usage;
    return true;
}
