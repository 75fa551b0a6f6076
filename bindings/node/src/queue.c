// SPDX-License-Identifier: MIT
//
// GPUQueue.

#include "dictionary.h"
#include "method.h"
#include "operation.h"

napi_value queue_submit(struct call *call) {
    size_t count;
    const void *commands;
    struct path path = {.name = "commandBuffers"};
    call->path = &path;
    if (convert_sequence(call, call->argv[0],
            (struct idl_kind){.type = IDL_OBJECT, .interface = &interface_command_buffer}, false,
            &count, &commands)) {
        wgpuQueueSubmit(call->self->handle, count, commands);
    }
    return NULL;
}

static void settle_work_done(struct operation *operation, napi_env env) {
    napi_value undefined;
    if (napi_get_undefined(env, &undefined) == napi_ok) {
        operation_resolve(operation, undefined);
    }
}

static void work_done_callback(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation_post(operation, message);
}

napi_value queue_on_submitted_work_done(struct call *call) {
    napi_value promise;
    struct operation *operation = operation_create(call, settle_work_done, NULL, &promise);
    if (operation == NULL) {
        return NULL;
    }
    wgpuQueueOnSubmittedWorkDone(call->self->handle,
        (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = work_done_callback,
            .userdata1 = operation});
    return promise;
}

napi_value queue_write_buffer(struct call *call) {
    WGPUBuffer buffer;
    uint64_t offset;
    struct byte_range range;
    if (argument_object(call, 0, "buffer", &interface_buffer, &buffer) &&
        argument_u64(call, 1, "bufferOffset", &offset) && argument_bytes_part(call, 2, 3, &range)) {
        wgpuQueueWriteBuffer(call->self->handle, buffer, offset, range.data, range.size_bytes);
    }
    return NULL;
}

napi_value queue_write_texture(struct call *call) {
    WGPUTexelCopyTextureInfo destination;
    WGPUTexelCopyBufferLayout layout;
    WGPUExtent3D size;
    struct byte_range range;
    if (argument_dictionary(
            call, 0, "destination", &dictionary_texel_copy_texture_info, &destination) &&
        argument_bytes(call, 1, "data", &range) &&
        argument_dictionary(call, 2, "dataLayout", &dictionary_texel_copy_buffer_layout, &layout) &&
        argument_union(call, 3, "size", convert_extent_3d, &size) &&
        argument_bytes(call, 1, "data", &range)) {
        wgpuQueueWriteTexture(
            call->self->handle, &destination, range.data, range.size_bytes, &layout, &size);
    }
    return NULL;
}

// There are no images outside a browser: the conversion of source.source always fails.
napi_value queue_copy_external_image_to_texture(struct call *call) {
    struct label_descriptor source;
    argument_dictionary(call, 0, "source", &dictionary_external_image_source, &source);
    return NULL;
}
