// SPDX-License-Identifier: MIT
//
// The encoders of commands inside passes and bundles: GPUComputePassEncoder, GPURenderPassEncoder,
// GPURenderBundleEncoder, and the mixins that they share.

#include "dictionary.h"
#include "method.h"

//
// Mixins. What differs between the encoders is the libalba function.
//

napi_value commands_push_debug_group(struct call *call) {
    WGPUStringView label;
    if (!argument_string(call, 0, "groupLabel", &label)) {
        return NULL;
    }
    void *encoder = call->self->handle;
    switch ((int)call->self->interface->id) {
    case INTERFACE_command_encoder:
        wgpuCommandEncoderPushDebugGroup(encoder, label);
        break;
    case INTERFACE_compute_pass:
        wgpuComputePassEncoderPushDebugGroup(encoder, label);
        break;
    case INTERFACE_render_pass:
        wgpuRenderPassEncoderPushDebugGroup(encoder, label);
        break;
    default:
        wgpuRenderBundleEncoderPushDebugGroup(encoder, label);
        break;
    }
    return NULL;
}

napi_value commands_pop_debug_group(struct call *call) {
    void *encoder = call->self->handle;
    switch ((int)call->self->interface->id) {
    case INTERFACE_command_encoder:
        wgpuCommandEncoderPopDebugGroup(encoder);
        break;
    case INTERFACE_compute_pass:
        wgpuComputePassEncoderPopDebugGroup(encoder);
        break;
    case INTERFACE_render_pass:
        wgpuRenderPassEncoderPopDebugGroup(encoder);
        break;
    default:
        wgpuRenderBundleEncoderPopDebugGroup(encoder);
        break;
    }
    return NULL;
}

napi_value commands_insert_debug_marker(struct call *call) {
    WGPUStringView label;
    if (!argument_string(call, 0, "markerLabel", &label)) {
        return NULL;
    }
    void *encoder = call->self->handle;
    switch ((int)call->self->interface->id) {
    case INTERFACE_command_encoder:
        wgpuCommandEncoderInsertDebugMarker(encoder, label);
        break;
    case INTERFACE_compute_pass:
        wgpuComputePassEncoderInsertDebugMarker(encoder, label);
        break;
    case INTERFACE_render_pass:
        wgpuRenderPassEncoderInsertDebugMarker(encoder, label);
        break;
    default:
        wgpuRenderBundleEncoderInsertDebugMarker(encoder, label);
        break;
    }
    return NULL;
}

// setBindGroup(index, group, Uint32Array, start, length): the overload of five arguments.
static bool get_offset_data(struct call *call, size_t *out_length, void **out_data) {
    bool is_typed_array = false;
    napi_typedarray_type type = napi_int8_array;
    napi_value buffer;
    size_t byte_offset;
    if (napi_is_typedarray(call->env, call->argv[2], &is_typed_array) != napi_ok ||
        !is_typed_array ||
        napi_get_typedarray_info(call->env, call->argv[2], &type, out_length, out_data, &buffer,
            &byte_offset) != napi_ok ||
        type != napi_uint32_array) {
        return fail_type(call, "dynamicOffsetsData is not a Uint32Array");
    }
    return true;
}

static bool convert_offset_range(struct call *call, size_t *out_count, const void **out_offsets) {
    size_t length = 0;
    void *data = NULL;
    uint64_t start;
    uint32_t count;
    // Converting the numbers may run the program's code, which may take the array away.
    if (!get_offset_data(call, &length, &data) ||
        !argument_u64(call, 3, "dynamicOffsetsDataStart", &start) ||
        !argument_u32(call, 4, "dynamicOffsetsDataLength", &count) ||
        !get_offset_data(call, &length, &data)) {
        return false;
    }
    if (start > length || count > length - start) {
        return fail_range(call, "the dynamic offsets are beyond the end of the array");
    }
    *out_count = count;
    *out_offsets = count == 0 ? NULL : (uint32_t *)data + start;
    return true;
}

static bool convert_offsets(struct call *call, size_t *out_count, const void **out_offsets) {
    *out_count = 0;
    *out_offsets = NULL;
    if (call->argc < 3 || (call->argc < 5 && is_missing(call, call->argv[2]))) {
        return true;
    }
    if (call->argc == 4) {
        return fail_type(call, "5 arguments required where a range of offsets is given");
    }
    if (call->argc >= 5) {
        return convert_offset_range(call, out_count, out_offsets);
    }
    struct path path = {.name = "dynamicOffsets"};
    call->path = &path;
    bool is_done = convert_sequence(
        call, call->argv[2], (struct idl_kind){.type = IDL_U32}, false, out_count, out_offsets);
    call->path = NULL;
    return is_done;
}

napi_value commands_set_bind_group(struct call *call) {
    uint32_t index;
    WGPUBindGroup group = NULL;
    size_t count;
    const void *offsets;
    if (!argument_u32(call, 0, "index", &index)) {
        return NULL;
    }
    struct object *object = object_find(call->node, call->argv[1], &interface_bind_group);
    if (object != NULL) {
        group = object->handle;
    } else if (!is_nullish(call, call->argv[1])) {
        fail_type(call, "bindGroup is not a GPUBindGroup");
        return NULL;
    }
    if (!convert_offsets(call, &count, &offsets)) {
        return NULL;
    }
    void *encoder = call->self->handle;
    switch ((int)call->self->interface->id) {
    case INTERFACE_compute_pass:
        wgpuComputePassEncoderSetBindGroup(encoder, index, group, count, offsets);
        break;
    case INTERFACE_render_pass:
        wgpuRenderPassEncoderSetBindGroup(encoder, index, group, count, offsets);
        break;
    default:
        wgpuRenderBundleEncoderSetBindGroup(encoder, index, group, count, offsets);
        break;
    }
    return NULL;
}

napi_value commands_set_immediates(struct call *call) {
    uint32_t offset;
    struct byte_range range;
    if (!argument_u32(call, 0, "rangeOffset", &offset) ||
        !argument_bytes_part(call, 1, 2, &range)) {
        return NULL;
    }
    void *encoder = call->self->handle;
    switch ((int)call->self->interface->id) {
    case INTERFACE_compute_pass:
        wgpuComputePassEncoderSetImmediates(encoder, offset, range.data, range.size_bytes);
        break;
    case INTERFACE_render_pass:
        wgpuRenderPassEncoderSetImmediates(encoder, offset, range.data, range.size_bytes);
        break;
    default:
        wgpuRenderBundleEncoderSetImmediates(encoder, offset, range.data, range.size_bytes);
        break;
    }
    return NULL;
}

static bool is_bundle(const struct call *call) {
    return call->self->interface->id == INTERFACE_render_bundle_encoder;
}

napi_value render_set_pipeline(struct call *call) {
    WGPURenderPipeline pipeline;
    if (argument_object(call, 0, "pipeline", &interface_render_pipeline, &pipeline)) {
        if (is_bundle(call)) {
            wgpuRenderBundleEncoderSetPipeline(call->self->handle, pipeline);
        } else {
            wgpuRenderPassEncoderSetPipeline(call->self->handle, pipeline);
        }
    }
    return NULL;
}

napi_value render_set_index_buffer(struct call *call) {
    WGPUBuffer buffer;
    uint32_t format;
    uint64_t offset = 0;
    uint64_t size = WGPU_WHOLE_SIZE;
    if (argument_object(call, 0, "buffer", &interface_buffer, &buffer) &&
        argument_enum(call, 1, "indexFormat", &enum_index_format, &format) &&
        optional_u64(call, 2, "offset", &offset) && optional_u64(call, 3, "size", &size)) {
        if (is_bundle(call)) {
            wgpuRenderBundleEncoderSetIndexBuffer(
                call->self->handle, buffer, (WGPUIndexFormat)format, offset, size);
        } else {
            wgpuRenderPassEncoderSetIndexBuffer(
                call->self->handle, buffer, (WGPUIndexFormat)format, offset, size);
        }
    }
    return NULL;
}

napi_value render_set_vertex_buffer(struct call *call) {
    uint32_t slot;
    WGPUBuffer buffer = NULL;
    uint64_t offset = 0;
    uint64_t size = WGPU_WHOLE_SIZE;
    if (!argument_u32(call, 0, "slot", &slot) ||
        (!is_nullish(call, call->argv[1]) &&
            !argument_object(call, 1, "buffer", &interface_buffer, &buffer)) ||
        !optional_u64(call, 2, "offset", &offset) || !optional_u64(call, 3, "size", &size)) {
        return NULL;
    }
    if (is_bundle(call)) {
        wgpuRenderBundleEncoderSetVertexBuffer(call->self->handle, slot, buffer, offset, size);
    } else {
        wgpuRenderPassEncoderSetVertexBuffer(call->self->handle, slot, buffer, offset, size);
    }
    return NULL;
}

napi_value render_draw(struct call *call) {
    uint32_t vertex_count;
    uint32_t instance_count = 1;
    uint32_t first_vertex = 0;
    uint32_t first_instance = 0;
    if (argument_u32(call, 0, "vertexCount", &vertex_count) &&
        optional_u32(call, 1, "instanceCount", &instance_count) &&
        optional_u32(call, 2, "firstVertex", &first_vertex) &&
        optional_u32(call, 3, "firstInstance", &first_instance)) {
        if (is_bundle(call)) {
            wgpuRenderBundleEncoderDraw(
                call->self->handle, vertex_count, instance_count, first_vertex, first_instance);
        } else {
            wgpuRenderPassEncoderDraw(
                call->self->handle, vertex_count, instance_count, first_vertex, first_instance);
        }
    }
    return NULL;
}

napi_value render_draw_indexed(struct call *call) {
    uint32_t index_count;
    uint32_t instance_count = 1;
    uint32_t first_index = 0;
    int32_t base_vertex = 0;
    uint32_t first_instance = 0;
    if (argument_u32(call, 0, "indexCount", &index_count) &&
        optional_u32(call, 1, "instanceCount", &instance_count) &&
        optional_u32(call, 2, "firstIndex", &first_index) &&
        optional_i32(call, 3, "baseVertex", &base_vertex) &&
        optional_u32(call, 4, "firstInstance", &first_instance)) {
        if (is_bundle(call)) {
            wgpuRenderBundleEncoderDrawIndexed(call->self->handle, index_count, instance_count,
                first_index, base_vertex, first_instance);
        } else {
            wgpuRenderPassEncoderDrawIndexed(call->self->handle, index_count, instance_count,
                first_index, base_vertex, first_instance);
        }
    }
    return NULL;
}

static bool convert_indirect(struct call *call, WGPUBuffer *out_buffer, uint64_t *out_offset) {
    return argument_object(call, 0, "indirectBuffer", &interface_buffer, out_buffer) &&
        argument_u64(call, 1, "indirectOffset", out_offset);
}

napi_value render_draw_indirect(struct call *call) {
    WGPUBuffer buffer;
    uint64_t offset;
    if (convert_indirect(call, &buffer, &offset)) {
        if (is_bundle(call)) {
            wgpuRenderBundleEncoderDrawIndirect(call->self->handle, buffer, offset);
        } else {
            wgpuRenderPassEncoderDrawIndirect(call->self->handle, buffer, offset);
        }
    }
    return NULL;
}

napi_value render_draw_indexed_indirect(struct call *call) {
    WGPUBuffer buffer;
    uint64_t offset;
    if (convert_indirect(call, &buffer, &offset)) {
        if (is_bundle(call)) {
            wgpuRenderBundleEncoderDrawIndexedIndirect(call->self->handle, buffer, offset);
        } else {
            wgpuRenderPassEncoderDrawIndexedIndirect(call->self->handle, buffer, offset);
        }
    }
    return NULL;
}

//
// GPUComputePassEncoder
//

napi_value compute_pass_set_pipeline(struct call *call) {
    WGPUComputePipeline pipeline;
    if (argument_object(call, 0, "pipeline", &interface_compute_pipeline, &pipeline)) {
        wgpuComputePassEncoderSetPipeline(call->self->handle, pipeline);
    }
    return NULL;
}

napi_value compute_pass_dispatch_workgroups(struct call *call) {
    uint32_t x;
    uint32_t y = 1;
    uint32_t z = 1;
    if (argument_u32(call, 0, "workgroupCountX", &x) &&
        optional_u32(call, 1, "workgroupCountY", &y) &&
        optional_u32(call, 2, "workgroupCountZ", &z)) {
        wgpuComputePassEncoderDispatchWorkgroups(call->self->handle, x, y, z);
    }
    return NULL;
}

napi_value compute_pass_dispatch_workgroups_indirect(struct call *call) {
    WGPUBuffer buffer;
    uint64_t offset;
    if (convert_indirect(call, &buffer, &offset)) {
        wgpuComputePassEncoderDispatchWorkgroupsIndirect(call->self->handle, buffer, offset);
    }
    return NULL;
}

napi_value compute_pass_end(struct call *call) {
    wgpuComputePassEncoderEnd(call->self->handle);
    return NULL;
}

//
// GPURenderPassEncoder
//

napi_value render_pass_set_viewport(struct call *call) {
    static const char *const names[6] = {"x", "y", "width", "height", "minDepth", "maxDepth"};
    float values[6];
    for (uint32_t i = 0; i < 6; i++) {
        if (!argument_float(call, i, names[i], &values[i])) {
            return NULL;
        }
    }
    wgpuRenderPassEncoderSetViewport(
        call->self->handle, values[0], values[1], values[2], values[3], values[4], values[5]);
    return NULL;
}

napi_value render_pass_set_scissor_rect(struct call *call) {
    static const char *const names[4] = {"x", "y", "width", "height"};
    uint32_t values[4];
    for (uint32_t i = 0; i < 4; i++) {
        if (!argument_u32(call, i, names[i], &values[i])) {
            return NULL;
        }
    }
    wgpuRenderPassEncoderSetScissorRect(
        call->self->handle, values[0], values[1], values[2], values[3]);
    return NULL;
}

napi_value render_pass_set_blend_constant(struct call *call) {
    WGPUColor color;
    if (argument_union(call, 0, "color", convert_color, &color)) {
        wgpuRenderPassEncoderSetBlendConstant(call->self->handle, &color);
    }
    return NULL;
}

napi_value render_pass_set_stencil_reference(struct call *call) {
    uint32_t reference;
    if (argument_u32(call, 0, "reference", &reference)) {
        wgpuRenderPassEncoderSetStencilReference(call->self->handle, reference);
    }
    return NULL;
}

napi_value render_pass_begin_occlusion_query(struct call *call) {
    uint32_t index;
    if (argument_u32(call, 0, "queryIndex", &index)) {
        wgpuRenderPassEncoderBeginOcclusionQuery(call->self->handle, index);
    }
    return NULL;
}

napi_value render_pass_end_occlusion_query(struct call *call) {
    wgpuRenderPassEncoderEndOcclusionQuery(call->self->handle);
    return NULL;
}

napi_value render_pass_execute_bundles(struct call *call) {
    size_t count;
    const void *bundles;
    struct path path = {.name = "bundles"};
    call->path = &path;
    if (convert_sequence(call, call->argv[0],
            (struct idl_kind){.type = IDL_OBJECT, .interface = &interface_render_bundle}, false,
            &count, &bundles)) {
        wgpuRenderPassEncoderExecuteBundles(call->self->handle, count, bundles);
    }
    return NULL;
}

napi_value render_pass_end(struct call *call) {
    wgpuRenderPassEncoderEnd(call->self->handle);
    return NULL;
}

//
// GPURenderBundleEncoder
//

napi_value render_bundle_encoder_finish(struct call *call) {
    WGPURenderBundleDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_render_bundle_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_render_bundle,
        wgpuRenderBundleEncoderFinish(call->self->handle, &descriptor), descriptor.label);
}
