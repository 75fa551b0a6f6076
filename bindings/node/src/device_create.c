// SPDX-License-Identifier: MIT
//
// What GPUDevice creates, but for shaders and pipelines (shader.c).

#include "buffer.h"
#include "dictionary.h"
#include "method.h"

napi_value device_create_buffer(struct call *call) {
    WGPUBufferDescriptor descriptor;
    if (!argument_dictionary(call, 0, "descriptor", &dictionary_buffer_descriptor, &descriptor)) {
        return NULL;
    }
    if (descriptor.mappedAtCreation && descriptor.size % 4 != 0) {
        fail_range(call, "descriptor.size is not a multiple of 4, which mappedAtCreation needs");
        return NULL;
    }
    WGPUBuffer handle = wgpuDeviceCreateBuffer(call->self->handle, &descriptor);
    if (handle == NULL) {
        fail_range(call, "there is no memory to map the buffer at its creation");
        return NULL;
    }
    struct object *object = NULL;
    napi_value value = object_create(
        call->node, &interface_buffer, call->self->device, handle, descriptor.label, &object);
    if (value != NULL) {
        buffer_start(object, &descriptor);
        // A size that no machine has is an error buffer's; V8 need not know of it.
        if (descriptor.size < UINT64_C(1) << 36) {
            object_set_external_bytes(object, (int64_t)descriptor.size);
        }
    }
    return value;
}

napi_value device_create_texture(struct call *call) {
    WGPUTextureDescriptor descriptor;
    if (!argument_dictionary(call, 0, "descriptor", &dictionary_texture_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_texture,
        wgpuDeviceCreateTexture(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_sampler(struct call *call) {
    WGPUSamplerDescriptor descriptor;
    if (!argument_dictionary(call, 0, "descriptor", &dictionary_sampler_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_sampler,
        wgpuDeviceCreateSampler(call->self->handle, &descriptor), descriptor.label);
}

// There is no video outside a browser: the conversion of `source` always fails.
napi_value device_import_external_texture(struct call *call) {
    struct external_texture_descriptor descriptor;
    argument_dictionary(
        call, 0, "descriptor", &dictionary_external_texture_descriptor, &descriptor);
    return NULL;
}

napi_value device_create_bind_group_layout(struct call *call) {
    WGPUBindGroupLayoutDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_bind_group_layout_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_bind_group_layout,
        wgpuDeviceCreateBindGroupLayout(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_pipeline_layout(struct call *call) {
    WGPUPipelineLayoutDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_pipeline_layout_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_pipeline_layout,
        wgpuDeviceCreatePipelineLayout(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_bind_group(struct call *call) {
    WGPUBindGroupDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_bind_group_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_bind_group,
        wgpuDeviceCreateBindGroup(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_command_encoder(struct call *call) {
    WGPUCommandEncoderDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_command_encoder_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_command_encoder,
        wgpuDeviceCreateCommandEncoder(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_render_bundle_encoder(struct call *call) {
    WGPURenderBundleEncoderDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_render_bundle_encoder_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_render_bundle_encoder,
        wgpuDeviceCreateRenderBundleEncoder(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_query_set(struct call *call) {
    WGPUQuerySetDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_query_set_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_query_set,
        wgpuDeviceCreateQuerySet(call->self->handle, &descriptor), descriptor.label);
}

//
// Query sets
//

napi_value query_set_destroy(struct call *call) {
    wgpuQuerySetDestroy(call->self->handle);
    return NULL;
}

napi_value query_set_get_type(struct call *call) {
    return result_text(
        call, enum_find_word(&enum_query_type, wgpuQuerySetGetType(call->self->handle)));
}

napi_value query_set_get_count(struct call *call) {
    return result_u32(call, wgpuQuerySetGetCount(call->self->handle));
}

//
// Textures
//

napi_value texture_create_view(struct call *call) {
    WGPUTextureViewDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_texture_view_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_texture_view,
        wgpuTextureCreateView(call->self->handle, &descriptor), descriptor.label);
}

napi_value texture_destroy(struct call *call) {
    wgpuTextureDestroy(call->self->handle);
    return NULL;
}

napi_value texture_get_width(struct call *call) {
    return result_u32(call, wgpuTextureGetWidth(call->self->handle));
}

napi_value texture_get_height(struct call *call) {
    return result_u32(call, wgpuTextureGetHeight(call->self->handle));
}

napi_value texture_get_depth_or_array_layers(struct call *call) {
    return result_u32(call, wgpuTextureGetDepthOrArrayLayers(call->self->handle));
}

napi_value texture_get_mip_level_count(struct call *call) {
    return result_u32(call, wgpuTextureGetMipLevelCount(call->self->handle));
}

napi_value texture_get_sample_count(struct call *call) {
    return result_u32(call, wgpuTextureGetSampleCount(call->self->handle));
}

napi_value texture_get_dimension(struct call *call) {
    return result_text(
        call, enum_find_word(&enum_texture_dimension, wgpuTextureGetDimension(call->self->handle)));
}

napi_value texture_get_format(struct call *call) {
    return result_text(
        call, enum_find_word(&enum_texture_format, wgpuTextureGetFormat(call->self->handle)));
}

napi_value texture_get_usage(struct call *call) {
    return result_u32(call, (uint32_t)wgpuTextureGetUsage(call->self->handle));
}

// Undefined on a core device.
napi_value texture_get_binding_view_dimension(struct call *call) {
    return result_text(call,
        enum_find_word(&enum_texture_view_dimension,
            wgpuTextureGetTextureBindingViewDimension(call->self->handle)));
}
