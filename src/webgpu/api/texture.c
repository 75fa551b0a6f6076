// SPDX-License-Identifier: MIT
//
// Textures, views and samplers: creation and getters.
#include "webgpu/validate/texture.h"

#include "webgpu/api/api_priv.h"

// ---------------------------------------------------------------- textures

WGPUTexture wgpuDeviceCreateTexture(WGPUDevice device, const WGPUTextureDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor) ||
        (descriptor->viewFormatCount != 0 && API_IS_NULL(descriptor->viewFormats))) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_TEXTURE, label);
    struct validate_error error = {0};
    struct gpu_texture_properties properties;
    enum backend_status status = BACKEND_OK;
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = validate_texture_create(device, descriptor, name.text, &properties, &error);
    if (!is_valid) {
        api_report(device, &error);
    }
    WGPUTexture texture = gpu_texture_create(
        device, label, &properties, is_valid && !is_lost, &status);
    if (texture == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    if (status == BACKEND_OUT_OF_MEMORY) {
        error_report_format(device, WGPUErrorType_OutOfMemory,
            "%s: out of memory for %u x %u x %u texels of format %s", name.text,
            properties.size.width, properties.size.height, properties.size.depthOrArrayLayers,
            texture_format_get_info(properties.format)->word);
    } else {
        error_report_status(device, status, name.text);
    }
    return texture;
}

void wgpuTextureDestroy(WGPUTexture texture) {
    if (!API_IS_NULL(texture)) {
        struct WGPUDeviceImpl *device = texture->object.device;
        os_mutex_lock(&device->mutex);
        gpu_texture_destroy_locked(texture);
        os_mutex_unlock(&device->mutex);
    }
}

uint32_t wgpuTextureGetWidth(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->size.width;
}

uint32_t wgpuTextureGetHeight(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->size.height;
}

uint32_t wgpuTextureGetDepthOrArrayLayers(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->size.depthOrArrayLayers;
}

uint32_t wgpuTextureGetMipLevelCount(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->mip_level_count;
}

uint32_t wgpuTextureGetSampleCount(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->sample_count;
}

WGPUTextureDimension wgpuTextureGetDimension(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureDimension_Undefined : texture->dimension;
}

WGPUTextureFormat wgpuTextureGetFormat(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureFormat_Undefined : texture->format;
}

WGPUTextureUsage wgpuTextureGetUsage(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureUsage_None : texture->usage;
}

WGPUTextureViewDimension wgpuTextureGetTextureBindingViewDimension(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureViewDimension_Undefined
                                : texture->binding_view_dimension;
}

WGPUTextureView wgpuTextureCreateView(
    WGPUTexture texture, const WGPUTextureViewDescriptor *descriptor) {
    if (API_IS_NULL(texture)) {
        return NULL;
    }
    struct WGPUDeviceImpl *device = texture->object.device;
    struct text label = descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL("");
    struct gpu_name name = gpu_name_of_label(GPU_TEXTURE_VIEW, label);
    struct validate_error error = {0};
    struct backend_texture_view view = {0};
    WGPUTextureUsage usage = WGPUTextureUsage_None;
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = validate_texture_view(texture, descriptor, name.text, &view, &usage, &error);
    if (!is_valid) {
        api_report(device, &error);
    }
    WGPUTextureView object = gpu_texture_view_create(
        texture, label, &view, usage, is_valid && !is_lost);
    if (object == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return object;
}

// ---------------------------------------------------------------- samplers

WGPUSampler wgpuDeviceCreateSampler(WGPUDevice device, const WGPUSamplerDescriptor *descriptor) {
    if (API_IS_NULL(device)) {
        return NULL;
    }
    struct text label = descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL("");
    struct gpu_name name = gpu_name_of_label(GPU_SAMPLER, label);
    struct validate_error error = {0};
    struct backend_sampler properties;
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = validate_sampler(descriptor, name.text, &properties, &error);
    if (!is_valid) {
        api_report(device, &error);
    }
    WGPUSampler sampler = gpu_sampler_create(device, label, &properties, is_valid && !is_lost);
    if (sampler == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return sampler;
}
