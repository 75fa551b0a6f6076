// SPDX-License-Identifier: MIT
//
// See buffer.h.

#include "buffer.h"

#include "convert.h"
#include "method.h"
#include "operation.h"

#include <stdlib.h>
#include <string.h>

//
// State
//

static void link_mapped(struct buffer *buffer) {
    struct device *device = buffer->object.device;
    buffer->previous = NULL;
    buffer->next = device->mapped;
    if (buffer->next != NULL) {
        buffer->next->previous = buffer;
    }
    device->mapped = buffer;
}

static void unlink_mapped(struct buffer *buffer) {
    struct device *device = buffer->object.device;
    if (buffer->previous != NULL) {
        buffer->previous->next = buffer->next;
    } else {
        device->mapped = buffer->next;
    }
    if (buffer->next != NULL) {
        buffer->next->previous = buffer->previous;
    }
    buffer->next = NULL;
    buffer->previous = NULL;
}

static void detach(struct node_env *node, napi_value array_buffer) {
    napi_value result = node_env_call_hook(node, HOOK_detach, 1, &array_buffer);
    bool is_done = true;
    if (result != NULL && napi_get_value_bool(node->env, result, &is_done) == napi_ok && !is_done) {
        napi_detach_arraybuffer(node->env, array_buffer);
    }
}

static void end_view(struct buffer *buffer, struct mapped_view *view) {
    napi_env env = buffer->object.node->env;
    napi_value array_buffer = NULL;
    void *data = NULL;
    size_t length = 0;
    if (napi_get_reference_value(env, view->array_buffer, &array_buffer) == napi_ok &&
        array_buffer != NULL &&
        napi_get_arraybuffer_info(env, array_buffer, &data, &length) == napi_ok) {
        // One that the program transferred away has no bytes to hand over.
        if (buffer->state == MAP_WRITE && view->memory != NULL && length == view->size_bytes &&
            length > 0) {
            memcpy(view->memory, data, length);
        }
        detach(buffer->object.node, array_buffer);
    }
    napi_delete_reference(env, view->array_buffer);
    free(view);
}

void buffer_end_mapping(struct buffer *buffer) {
    if (buffer->state == MAP_NONE) {
        return;
    }
    napi_handle_scope scope;
    if (napi_open_handle_scope(buffer->object.node->env, &scope) != napi_ok) {
        return;
    }
    if (buffer->state == MAP_PENDING) {
        operation_reject_dom(
            buffer->pending, "AbortError", "the buffer was unmapped before the mapping was ready");
        buffer->pending = NULL;
    }
    while (buffer->views != NULL) {
        struct mapped_view *view = buffer->views;
        buffer->views = view->next;
        end_view(buffer, view);
    }
    napi_close_handle_scope(buffer->object.node->env, scope);
    buffer->state = MAP_NONE;
    buffer->is_new = false;
    unlink_mapped(buffer);
    wgpuBufferUnmap(buffer->object.handle);
}

static void finish_buffer(struct object *object) {
    struct buffer *buffer = (struct buffer *)object;
    if (buffer->state != MAP_NONE) {
        unlink_mapped(buffer);
    }
    while (buffer->views != NULL) {
        struct mapped_view *view = buffer->views;
        buffer->views = view->next;
        drop_reference(object->node, &view->array_buffer);
        free(view);
    }
}

void buffer_start(struct object *object, const WGPUBufferDescriptor *descriptor) {
    struct buffer *buffer = (struct buffer *)object;
    buffer->size_bytes = descriptor->size;
    buffer->usage = (uint32_t)descriptor->usage;
    object->finish = finish_buffer;
    if (descriptor->mappedAtCreation) {
        buffer->state = MAP_WRITE;
        buffer->is_new = true;
        buffer->map_end = buffer->size_bytes;
        link_mapped(buffer);
    }
}

//
// Attributes and methods
//

napi_value buffer_get_size(struct call *call) {
    return result_u64(call, ((struct buffer *)call->self)->size_bytes);
}

napi_value buffer_get_usage(struct call *call) {
    return result_u32(call, ((struct buffer *)call->self)->usage);
}

napi_value buffer_get_map_state(struct call *call) {
    switch (((struct buffer *)call->self)->state) {
    case MAP_NONE:
        return result_text(call, "unmapped");
    case MAP_PENDING:
        return result_text(call, "pending");
    case MAP_READ:
    case MAP_WRITE:
        return result_text(call, "mapped");
    }
    return NULL;
}

// What the map's completion needs to know; operation->extra.
struct map_request {
    enum map_state state;
    uint64_t offset;
    uint64_t end;
};

static void settle_map(struct operation *operation, napi_env env) {
    struct buffer *buffer = (struct buffer *)operation->object;
    const struct map_request *request = operation->extra;
    napi_value undefined;
    if (buffer->pending != operation) {
        return; // cancelled, and rejected then
    }
    buffer->pending = NULL;
    buffer->state = MAP_NONE;
    unlink_mapped(buffer);
    switch ((WGPUMapAsyncStatus)operation->status) {
    case WGPUMapAsyncStatus_Success:
        buffer->state = request->state;
        buffer->map_offset = request->offset;
        buffer->map_end = request->end;
        link_mapped(buffer);
        if (napi_get_undefined(env, &undefined) == napi_ok) {
            operation_resolve(operation, undefined);
        }
        return;
    case WGPUMapAsyncStatus_Error:
        operation_reject_dom(operation, "OperationError", "the buffer cannot be mapped so");
        return;
    default:
        operation_reject_dom(operation, "AbortError", "the mapping was cancelled");
        return;
    }
}

static void map_callback(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation_post(operation, message);
}

static void ignore_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    (void)status;
    (void)message;
    (void)userdata1;
    (void)userdata2;
}

// Sizes beyond size_t do not exist on the machines that alba runs on; the whole-size value does.
static size_t map_size(uint64_t size) {
    return size >= WGPU_WHOLE_MAP_SIZE ? WGPU_WHOLE_MAP_SIZE - 1 : (size_t)size;
}

napi_value buffer_map_async(struct call *call) {
    struct buffer *buffer = (struct buffer *)call->self;
    uint32_t mode;
    uint64_t offset = 0;
    uint64_t size = UINT64_MAX;
    if (!argument_u32(call, 0, "mode", &mode) || !optional_u64(call, 1, "offset", &offset) ||
        !optional_u64(call, 2, "size", &size)) {
        return NULL;
    }
    if (size == UINT64_MAX) {
        size = offset < buffer->size_bytes ? buffer->size_bytes - offset : 0;
    }
    if (buffer->state != MAP_NONE) {
        // The device has to know of the error too.
        wgpuBufferMapAsync(buffer->object.handle, mode, map_size(offset), map_size(size),
            (WGPUBufferMapCallbackInfo){
                .mode = WGPUCallbackMode_AllowSpontaneous, .callback = ignore_map});
        fail_dom(call, "OperationError", "the buffer is mapped already, or about to be");
        return NULL;
    }
    napi_value promise;
    struct map_request *request = malloc(sizeof *request);
    struct operation *operation = request == NULL
        ? NULL
        : operation_create(call, settle_map, call->self_value, &promise);
    if (operation == NULL) {
        free(request);
        return NULL;
    }
    *request = (struct map_request){
        mode == WGPUMapMode_Write ? MAP_WRITE : MAP_READ, offset, offset + size};
    operation->extra = request;
    buffer->state = MAP_PENDING;
    buffer->pending = operation;
    link_mapped(buffer);
    wgpuBufferMapAsync(buffer->object.handle, mode, map_size(offset), map_size(size),
        (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = map_callback,
            .userdata1 = operation});
    return promise;
}

// WebGPU §"getMappedRange".
static bool check_range(struct call *call, uint64_t offset, uint64_t size) {
    struct buffer *buffer = (struct buffer *)call->self;
    if (buffer->state != MAP_READ && buffer->state != MAP_WRITE) {
        return fail_dom(call, "OperationError", "the buffer is not mapped");
    }
    if (offset % 8 != 0) {
        return fail_dom(call, "OperationError", "offset is not a multiple of 8");
    }
    if (size % 4 != 0) {
        return fail_dom(call, "OperationError", "size is not a multiple of 4");
    }
    if (offset < buffer->map_offset || offset > buffer->map_end ||
        size > buffer->map_end - offset) {
        return fail_dom(call, "OperationError", "the range is not inside the mapped one");
    }
    for (struct mapped_view *view = buffer->views; view != NULL; view = view->next) {
        if (offset < view->offset + view->size_bytes && view->offset < offset + size) {
            return fail_dom(
                call, "OperationError", "the range overlaps one that was handed out before");
        }
    }
    return true;
}

// The last ArrayBuffer of this memory is gone, or the environment ends.
static void finalize_memory(napi_env env, void *data, void *hint) {
    int64_t ignored;
    napi_adjust_external_memory(env, -(int64_t)(uintptr_t)hint, &ignored);
    free(data);
}

// An ArrayBuffer of the addon's memory, zeroed; NULL where the runtime has none or there is no memory.
static napi_value create_external(napi_env env, uint64_t size, void **out_data) {
    napi_value array_buffer = NULL;
    int64_t ignored;
    void *data = size == 0 || size > SIZE_MAX / 2 ? NULL : calloc(1, (size_t)size);
    if (data == NULL) {
        return NULL;
    }
    if (napi_create_external_arraybuffer(env, data, (size_t)size, finalize_memory,
            (void *)(uintptr_t)size, &array_buffer) != napi_ok) {
        free(data);
        return NULL;
    }
    napi_adjust_external_memory(env, (int64_t)size, &ignored);
    *out_data = data;
    return array_buffer;
}

// One of JavaScript's memory, zeroed; NULL with an exception pending.
static napi_value create_own(struct call *call, uint64_t size, void **out_data) {
    napi_value length;
    napi_value array_buffer = NULL;
    size_t data_size = 0;
    if (napi_create_double(call->env, (double)size, &length) == napi_ok) {
        array_buffer = node_env_call_hook(call->node, HOOK_createArrayBuffer, 1, &length);
    }
    if (array_buffer == NULL ||
        napi_get_arraybuffer_info(call->env, array_buffer, out_data, &data_size) != napi_ok) {
        return NULL;
    }
    return array_buffer;
}

static napi_value create_view(struct call *call, uint64_t offset, uint64_t size) {
    struct buffer *buffer = (struct buffer *)call->self;
    void *data = NULL;
    napi_value array_buffer = buffer->object.device->has_own_mappings
        ? NULL
        : create_external(call->env, size, &data);
    if (array_buffer == NULL) {
        array_buffer = create_own(call, size, &data);
    }
    if (array_buffer == NULL) {
        return NULL;
    }
    struct mapped_view *view = calloc(1, sizeof *view);
    if (view == NULL) {
        fail_memory(call);
        return NULL;
    }
    view->offset = offset;
    view->size_bytes = size;
    if (buffer->state == MAP_WRITE) {
        view->memory = wgpuBufferGetMappedRange(
            buffer->object.handle, (size_t)offset, (size_t)size);
    } else {
        view->memory = (void *)wgpuBufferGetConstMappedRange(
            buffer->object.handle, (size_t)offset, (size_t)size);
    }
    // A buffer that is mapped at its creation is zero, as the new memory is.
    if (view->memory != NULL && size > 0 && !buffer->is_new) {
        memcpy(data, view->memory, (size_t)size);
    }
    if (napi_create_reference(call->env, array_buffer, 1, &view->array_buffer) != napi_ok) {
        free(view);
        return NULL;
    }
    view->next = buffer->views;
    buffer->views = view;
    return array_buffer;
}

napi_value buffer_get_mapped_range(struct call *call) {
    struct buffer *buffer = (struct buffer *)call->self;
    uint64_t offset = 0;
    uint64_t size = UINT64_MAX;
    if (!optional_u64(call, 0, "offset", &offset) || !optional_u64(call, 1, "size", &size)) {
        return NULL;
    }
    if (size == UINT64_MAX) {
        size = offset < buffer->size_bytes ? buffer->size_bytes - offset : 0;
    }
    return check_range(call, offset, size) ? create_view(call, offset, size) : NULL;
}

napi_value buffer_unmap(struct call *call) {
    buffer_end_mapping((struct buffer *)call->self);
    return NULL;
}

napi_value buffer_destroy(struct call *call) {
    buffer_end_mapping((struct buffer *)call->self);
    wgpuBufferDestroy(call->self->handle);
    object_set_external_bytes(call->self, 0);
    return NULL;
}
