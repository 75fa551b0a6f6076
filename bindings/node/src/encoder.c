// SPDX-License-Identifier: MIT
//
// GPUCommandEncoder.

#include "dictionary.h"
#include "method.h"

napi_value command_encoder_begin_render_pass(struct call *call) {
    WGPURenderPassDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_render_pass_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_render_pass,
        wgpuCommandEncoderBeginRenderPass(call->self->handle, &descriptor), descriptor.label);
}

napi_value command_encoder_begin_compute_pass(struct call *call) {
    WGPUComputePassDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_compute_pass_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_compute_pass,
        wgpuCommandEncoderBeginComputePass(call->self->handle, &descriptor), descriptor.label);
}

// The rest of a buffer from `offset` on, where no size is given.
static uint64_t rest_of(WGPUBuffer buffer, uint64_t offset) {
    uint64_t size = wgpuBufferGetSize(buffer);
    return offset < size ? size - offset : 0;
}

// Two overloads, told apart by the second argument: a buffer, or an offset.
napi_value command_encoder_copy_buffer_to_buffer(struct call *call) {
    WGPUBuffer source;
    WGPUBuffer destination;
    uint64_t source_offset = 0;
    uint64_t destination_offset = 0;
    uint64_t size = UINT64_MAX;
    bool is_short = call->argc < 4 && is_object(call, call->argv[1]);
    if (call->argc < 4 && !is_short && call->argc > 2) {
        fail_type(call, "4 arguments required where sourceOffset is given");
        return NULL;
    }
    if (!argument_object(call, 0, "source", &interface_buffer, &source)) {
        return NULL;
    }
    if (call->argc < 4) {
        if (!argument_object(call, 1, "destination", &interface_buffer, &destination) ||
            !optional_u64(call, 2, "size", &size)) {
            return NULL;
        }
    } else if (!argument_u64(call, 1, "sourceOffset", &source_offset) ||
        !argument_object(call, 2, "destination", &interface_buffer, &destination) ||
        !argument_u64(call, 3, "destinationOffset", &destination_offset) ||
        !optional_u64(call, 4, "size", &size)) {
        return NULL;
    }
    if (size == UINT64_MAX) {
        size = rest_of(source, source_offset);
    }
    wgpuCommandEncoderCopyBufferToBuffer(
        call->self->handle, source, source_offset, destination, destination_offset, size);
    return NULL;
}

napi_value command_encoder_copy_buffer_to_texture(struct call *call) {
    WGPUTexelCopyBufferInfo source;
    WGPUTexelCopyTextureInfo destination;
    WGPUExtent3D size;
    if (argument_dictionary(call, 0, "source", &dictionary_texel_copy_buffer_info, &source) &&
        argument_dictionary(
            call, 1, "destination", &dictionary_texel_copy_texture_info, &destination) &&
        argument_union(call, 2, "copySize", convert_extent_3d, &size)) {
        wgpuCommandEncoderCopyBufferToTexture(call->self->handle, &source, &destination, &size);
    }
    return NULL;
}

napi_value command_encoder_copy_texture_to_buffer(struct call *call) {
    WGPUTexelCopyTextureInfo source;
    WGPUTexelCopyBufferInfo destination;
    WGPUExtent3D size;
    if (argument_dictionary(call, 0, "source", &dictionary_texel_copy_texture_info, &source) &&
        argument_dictionary(
            call, 1, "destination", &dictionary_texel_copy_buffer_info, &destination) &&
        argument_union(call, 2, "copySize", convert_extent_3d, &size)) {
        wgpuCommandEncoderCopyTextureToBuffer(call->self->handle, &source, &destination, &size);
    }
    return NULL;
}

napi_value command_encoder_copy_texture_to_texture(struct call *call) {
    WGPUTexelCopyTextureInfo source;
    WGPUTexelCopyTextureInfo destination;
    WGPUExtent3D size;
    if (argument_dictionary(call, 0, "source", &dictionary_texel_copy_texture_info, &source) &&
        argument_dictionary(
            call, 1, "destination", &dictionary_texel_copy_texture_info, &destination) &&
        argument_union(call, 2, "copySize", convert_extent_3d, &size)) {
        wgpuCommandEncoderCopyTextureToTexture(call->self->handle, &source, &destination, &size);
    }
    return NULL;
}

napi_value command_encoder_clear_buffer(struct call *call) {
    WGPUBuffer buffer;
    uint64_t offset = 0;
    uint64_t size = WGPU_WHOLE_SIZE;
    if (argument_object(call, 0, "buffer", &interface_buffer, &buffer) &&
        optional_u64(call, 1, "offset", &offset) && optional_u64(call, 2, "size", &size)) {
        wgpuCommandEncoderClearBuffer(call->self->handle, buffer, offset, size);
    }
    return NULL;
}

napi_value command_encoder_resolve_query_set(struct call *call) {
    WGPUQuerySet query_set;
    uint32_t first;
    uint32_t count;
    WGPUBuffer destination;
    uint64_t offset;
    if (argument_object(call, 0, "querySet", &interface_query_set, &query_set) &&
        argument_u32(call, 1, "firstQuery", &first) &&
        argument_u32(call, 2, "queryCount", &count) &&
        argument_object(call, 3, "destination", &interface_buffer, &destination) &&
        argument_u64(call, 4, "destinationOffset", &offset)) {
        wgpuCommandEncoderResolveQuerySet(
            call->self->handle, query_set, first, count, destination, offset);
    }
    return NULL;
}

napi_value command_encoder_finish(struct call *call) {
    WGPUCommandBufferDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_command_buffer_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_command_buffer,
        wgpuCommandEncoderFinish(call->self->handle, &descriptor), descriptor.label);
}
