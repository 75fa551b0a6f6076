// SPDX-License-Identifier: MIT
//
// Textures, views, samplers, query sets and the copies of texels: not built yet. Each call gives an
// error object whose getters tell what was asked for.
#include "webgpu/api/api_priv.h"
#include "webgpu/encode/encoder.h"
#include "webgpu/object/placeholder.h"

// An error object of that class; a device without memory for it is lost.
static void *create_placeholder(const char *function, struct WGPUDeviceImpl *device,
    const struct gpu_object_class *class_of, size_t size_bytes, WGPUStringView label) {
    void *object = gpu_object_create(class_of, size_bytes, device, view_label(label), false);
    if (object == NULL) {
        api_lose_for_memory(device, function);
    }
    return object;
}

static void fail_command(WGPUCommandEncoder encoder, enum not_implemented function) {
    const char *message = not_implemented_message(function);
    if (encoder_accepts(encoder, message)) {
        encoder_fail_text(&encoder->error, WGPUErrorType_Internal, message);
    }
}

// ---------------------------------------------------------------- textures

WGPUTexture wgpuDeviceCreateTexture(WGPUDevice device, const WGPUTextureDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuDeviceCreateTexture);
    struct WGPUTextureImpl *texture = create_placeholder(
        __func__, device, &gpu_texture_class, sizeof(*texture), descriptor->label);
    if (texture != NULL) {
        texture->descriptor = *descriptor;
        texture->descriptor.nextInChain = NULL;
        texture->descriptor.label = (WGPUStringView){NULL, 0};
        texture->descriptor.viewFormatCount = 0;
        texture->descriptor.viewFormats = NULL;
        if (descriptor->dimension == WGPUTextureDimension_Undefined) {
            texture->descriptor.dimension = WGPUTextureDimension_2D;
        }
    }
    return texture;
}

void wgpuTextureDestroy(WGPUTexture texture) {
    (void)API_IS_NULL(texture);
}

uint32_t wgpuTextureGetWidth(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->descriptor.size.width;
}

uint32_t wgpuTextureGetHeight(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->descriptor.size.height;
}

uint32_t wgpuTextureGetDepthOrArrayLayers(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->descriptor.size.depthOrArrayLayers;
}

uint32_t wgpuTextureGetMipLevelCount(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->descriptor.mipLevelCount;
}

uint32_t wgpuTextureGetSampleCount(WGPUTexture texture) {
    return API_IS_NULL(texture) ? 0 : texture->descriptor.sampleCount;
}

WGPUTextureDimension wgpuTextureGetDimension(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureDimension_Undefined : texture->descriptor.dimension;
}

WGPUTextureFormat wgpuTextureGetFormat(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureFormat_Undefined : texture->descriptor.format;
}

WGPUTextureUsage wgpuTextureGetUsage(WGPUTexture texture) {
    return API_IS_NULL(texture) ? WGPUTextureUsage_None : texture->descriptor.usage;
}

WGPUTextureViewDimension wgpuTextureGetTextureBindingViewDimension(WGPUTexture texture) {
    (void)API_IS_NULL(texture);
    return WGPUTextureViewDimension_Undefined;
}

WGPUTextureView wgpuTextureCreateView(
    WGPUTexture texture, const WGPUTextureViewDescriptor *descriptor) {
    if (API_IS_NULL(texture)) {
        return NULL;
    }
    WGPUStringView label = descriptor != NULL ? descriptor->label : (WGPUStringView){NULL, 0};
    not_implemented_report(texture->object.device, NOT_IMPLEMENTED_wgpuTextureCreateView);
    return create_placeholder(__func__, texture->object.device, &gpu_texture_view_class,
        sizeof(struct WGPUTextureViewImpl), label);
}

WGPUSampler wgpuDeviceCreateSampler(WGPUDevice device, const WGPUSamplerDescriptor *descriptor) {
    if (API_IS_NULL(device)) {
        return NULL;
    }
    WGPUStringView label = descriptor != NULL ? descriptor->label : (WGPUStringView){NULL, 0};
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuDeviceCreateSampler);
    return create_placeholder(
        __func__, device, &gpu_sampler_class, sizeof(struct WGPUSamplerImpl), label);
}

// ---------------------------------------------------------------- copies of texels

void wgpuCommandEncoderCopyBufferToTexture(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyBufferInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) {
    (void)source;
    (void)destination;
    (void)copySize;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderCopyBufferToTexture);
    }
}

void wgpuCommandEncoderCopyTextureToBuffer(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyBufferInfo *destination,
    const WGPUExtent3D *copySize) {
    (void)source;
    (void)destination;
    (void)copySize;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderCopyTextureToBuffer);
    }
}

void wgpuCommandEncoderCopyTextureToTexture(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) {
    (void)source;
    (void)destination;
    (void)copySize;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderCopyTextureToTexture);
    }
}

void wgpuQueueWriteTexture(WGPUQueue queue, const WGPUTexelCopyTextureInfo *destination,
    const void *data, size_t dataSize, const WGPUTexelCopyBufferLayout *dataLayout,
    const WGPUExtent3D *writeSize) {
    (void)destination;
    (void)data;
    (void)dataSize;
    (void)dataLayout;
    (void)writeSize;
    if (!API_IS_NULL(queue)) {
        not_implemented_report(queue->object.device, NOT_IMPLEMENTED_wgpuQueueWriteTexture);
    }
}

// ---------------------------------------------------------------- query sets

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuDeviceCreateQuerySet);
    struct WGPUQuerySetImpl *set = create_placeholder(
        __func__, device, &gpu_query_set_class, sizeof(*set), descriptor->label);
    if (set != NULL) {
        set->type = descriptor->type;
        set->count = descriptor->count;
    }
    return set;
}

void wgpuQuerySetDestroy(WGPUQuerySet querySet) {
    (void)API_IS_NULL(querySet);
}

uint32_t wgpuQuerySetGetCount(WGPUQuerySet querySet) {
    return API_IS_NULL(querySet) ? 0 : querySet->count;
}

WGPUQueryType wgpuQuerySetGetType(WGPUQuerySet querySet) {
    return API_IS_NULL(querySet) ? (WGPUQueryType)0 : querySet->type;
}

void wgpuCommandEncoderWriteTimestamp(
    WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet, uint32_t queryIndex) {
    (void)querySet;
    (void)queryIndex;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderWriteTimestamp);
    }
}

void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet,
    uint32_t firstQuery, uint32_t queryCount, WGPUBuffer destination, uint64_t destinationOffset) {
    (void)querySet;
    (void)firstQuery;
    (void)queryCount;
    (void)destination;
    (void)destinationOffset;
    if (!API_IS_NULL(commandEncoder)) {
        fail_command(commandEncoder, NOT_IMPLEMENTED_wgpuCommandEncoderResolveQuerySet);
    }
}
