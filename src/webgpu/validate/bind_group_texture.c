// SPDX-License-Identifier: MIT
//
// Rules of samplers and texture views in bind groups.
#include "webgpu/validate/bind_group_texture.h"

#include "base/try.h"
#include "webgpu/validate/words.h"

bool validate_sampler_binding(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, struct WGPUSamplerImpl *sampler, const char *name,
    struct gpu_binding *out_binding, struct validate_error *error) {
    if (!gpu_is_usable(&sampler->object, device)) {
        return BROKEN(error, GROUP_BUFFER, name, entry->binding, GPU_NAME(sampler, SAMPLER),
            rule_describe_unusable(&sampler->object, device));
    }
    bool wants_comparison = entry->type == WGPUSamplerBindingType_Comparison;
    const char *wrong = NULL;
    if (sampler->is_comparison != wants_comparison) {
        wrong = sampler->is_comparison ? "compares" : "does not compare";
    } else if (entry->type == WGPUSamplerBindingType_NonFiltering && sampler->is_filtering) {
        wrong = "filters";
    }
    if (wrong != NULL) {
        return BROKEN(error, GROUP_SAMPLER_TYPE, name, entry->binding,
            words_for_sampler_type(entry->type), GPU_NAME(sampler, SAMPLER), wrong);
    }
    out_binding->sampler = sampler;
    return true;
}

// ---------------------------------------------------------------- views

static bool validate_view_usage(const struct gpu_binding_layout *entry,
    struct WGPUTextureViewImpl *view, const char *name, struct validate_error *error) {
    bool is_storage = entry->kind == GPU_BINDING_STORAGE_TEXTURE;
    WGPUTextureUsage needed = is_storage ? WGPUTextureUsage_StorageBinding
                                         : WGPUTextureUsage_TextureBinding;
    if ((view->usage & needed) == 0) {
        return BROKEN(error, GROUP_VIEW_USAGE, name, entry->binding,
            rule_describe_texture_usage(needed).text, GPU_NAME(view, TEXTURE_VIEW),
            rule_describe_texture_usage(view->usage).text);
    }
    return true;
}

static bool validate_view_dimension(const struct gpu_binding_layout *entry,
    struct WGPUTextureViewImpl *view, const char *name, struct validate_error *error) {
    uint32_t needed = entry->kind == GPU_BINDING_EXTERNAL_TEXTURE ? WGPUTextureViewDimension_2D
                                                                  : entry->dimension;
    if (view->view.dimension != needed) {
        return BROKEN(error, GROUP_VIEW_DIMENSION, name, entry->binding,
            words_for_dimension(needed), GPU_NAME(view, TEXTURE_VIEW),
            words_for_dimension(view->view.dimension));
    }
    return true;
}

// WebGPU §"Texture Format Capabilities". A view of two aspects gives no type.
static bool can_give(
    const struct WGPUDeviceImpl *device, uint32_t format, uint32_t texture_sample_type) {
    const struct texture_format_info *info = texture_format_get_info(format);
    if (info->aspect == TEXTURE_ASPECT_DEPTH_STENCIL) {
        return false;
    }
    switch (info->sample) {
    case TEXTURE_SAMPLE_FLOAT:
        return texture_sample_type == WGPUTextureSampleType_Float ||
            texture_sample_type == WGPUTextureSampleType_UnfilterableFloat;
    case TEXTURE_SAMPLE_FLOAT32:
        return texture_sample_type == WGPUTextureSampleType_UnfilterableFloat ||
            (texture_sample_type == WGPUTextureSampleType_Float &&
                feature_set_has(device->features, WGPUFeatureName_Float32Filterable));
    case TEXTURE_SAMPLE_UNFILTERABLE:
        return texture_sample_type == WGPUTextureSampleType_UnfilterableFloat;
    case TEXTURE_SAMPLE_UINT:
        return texture_sample_type == WGPUTextureSampleType_Uint;
    case TEXTURE_SAMPLE_SINT:
        return texture_sample_type == WGPUTextureSampleType_Sint;
    case TEXTURE_SAMPLE_DEPTH:
        break;
    }
    return texture_sample_type == WGPUTextureSampleType_Depth ||
        texture_sample_type == WGPUTextureSampleType_UnfilterableFloat;
}

static bool validate_sampled(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, struct WGPUTextureViewImpl *view, const char *name,
    struct validate_error *error) {
    if (!can_give(device, view->view.format, entry->type)) {
        return BROKEN(error, GROUP_SAMPLE_TYPE, name, entry->binding,
            words_for_sample_type(entry->type), words_for_format(view->view.format),
            GPU_NAME(view, TEXTURE_VIEW));
    }
    uint32_t samples = view->texture->sample_count;
    if ((samples > 1) != (entry->is_multisampled != 0)) {
        return BROKEN(error, GROUP_MULTISAMPLED, name, entry->binding,
            entry->is_multisampled ? "multisampled" : "not multisampled",
            GPU_NAME(view->texture, TEXTURE), samples);
    }
    return true;
}

static bool validate_one_level(const struct gpu_binding_layout *entry,
    struct WGPUTextureViewImpl *view, const char *name, struct validate_error *error) {
    if (view->view.mip_level_count != 1) {
        return BROKEN(error, GROUP_ONE_LEVEL, name, entry->binding, GPU_NAME(view, TEXTURE_VIEW),
            view->view.mip_level_count);
    }
    return true;
}

static bool validate_storage(const struct gpu_binding_layout *entry,
    struct WGPUTextureViewImpl *view, const char *name, struct validate_error *error) {
    if (view->view.format != entry->format) {
        return BROKEN(error, GROUP_STORAGE_FORMAT, name, entry->binding,
            words_for_format(entry->format), GPU_NAME(view, TEXTURE_VIEW),
            words_for_format(view->view.format));
    }
    TRY(validate_one_level(entry, view, name, error));
    static const char letters[] = "?01rgba";
    char swizzle[5] = {0};
    bool is_identity = true;
    for (int i = 0; i < 4; i++) {
        swizzle[i] = letters[view->view.swizzle[i]];
        is_identity = is_identity && view->view.swizzle[i] == WGPUComponentSwizzle_R + i;
    }
    if (!is_identity) {
        return BROKEN(error, GROUP_STORAGE_SWIZZLE, name, entry->binding,
            GPU_NAME(view, TEXTURE_VIEW), swizzle);
    }
    return true;
}

static bool validate_external(const struct gpu_binding_layout *entry,
    struct WGPUTextureViewImpl *view, const char *name, struct validate_error *error) {
    TRY(validate_one_level(entry, view, name, error));
    if (view->view.format != WGPUTextureFormat_RGBA8Unorm &&
        view->view.format != WGPUTextureFormat_BGRA8Unorm &&
        view->view.format != WGPUTextureFormat_RGBA16Float) {
        return BROKEN(error, GROUP_EXTERNAL_FORMAT, name, entry->binding,
            GPU_NAME(view, TEXTURE_VIEW), words_for_format(view->view.format));
    }
    if (view->texture->sample_count != 1) {
        return BROKEN(error, GROUP_MULTISAMPLED, name, entry->binding, "not multisampled",
            GPU_NAME(view->texture, TEXTURE), view->texture->sample_count);
    }
    return true;
}

static bool validate_compatibility(const struct gpu_binding_layout *entry,
    struct WGPUTextureViewImpl *view, const char *name, struct validate_error *error) {
    struct WGPUTextureImpl *texture = view->texture;
    if (entry->kind != GPU_BINDING_EXTERNAL_TEXTURE &&
        view->view.dimension != (uint32_t)texture->binding_view_dimension) {
        return BROKEN(error, GROUP_COMPATIBILITY_DIMENSION, name, entry->binding,
            GPU_NAME(view, TEXTURE_VIEW), words_for_dimension(view->view.dimension),
            GPU_NAME(texture, TEXTURE), words_for_dimension(texture->binding_view_dimension));
    }
    uint32_t layers = gpu_texture_layer_count(texture);
    if (view->view.base_array_layer != 0 || view->view.array_layer_count != layers) {
        return BROKEN(error, GROUP_COMPATIBILITY_LAYERS, name, entry->binding,
            GPU_NAME(view, TEXTURE_VIEW), layers, GPU_NAME(texture, TEXTURE));
    }
    return true;
}

bool validate_view_binding(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, struct WGPUTextureViewImpl *view, const char *name,
    struct gpu_binding *out_binding, struct validate_error *error) {
    if (!gpu_is_usable(&view->object, device)) {
        return BROKEN(error, GROUP_BUFFER, name, entry->binding, GPU_NAME(view, TEXTURE_VIEW),
            rule_describe_unusable(&view->object, device));
    }
    TRY(validate_view_dimension(entry, view, name, error));
    TRY(validate_view_usage(entry, view, name, error));
    if (entry->kind == GPU_BINDING_TEXTURE) {
        TRY(validate_sampled(device, entry, view, name, error));
    } else if (entry->kind == GPU_BINDING_STORAGE_TEXTURE) {
        TRY(validate_storage(entry, view, name, error));
    } else {
        TRY(validate_external(entry, view, name, error));
    }
    if (!device->is_core) {
        TRY(validate_compatibility(entry, view, name, error));
    }
    out_binding->view = view;
    return true;
}
