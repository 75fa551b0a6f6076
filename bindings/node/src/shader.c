// SPDX-License-Identifier: MIT
//
// GPUShaderModule, GPUComputePipeline and GPURenderPipeline.

#include "shader.h"

#include "dictionary.h"
#include "method.h"
#include "operation.h"

#include <stdlib.h>
#include <string.h>

//
// Shader modules
//

static void finish_shader_module(struct object *object) {
    free(((struct shader_module *)object)->source);
}

static bool is_ascii(WGPUStringView text) {
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)text.data[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

napi_value device_create_shader_module(struct call *call) {
    struct shader_module_descriptor given;
    if (!argument_dictionary(call, 0, "descriptor", &dictionary_shader_module_descriptor, &given)) {
        return NULL;
    }
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = given.code;
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = given.label;
    WGPUShaderModule handle = wgpuDeviceCreateShaderModule(call->self->handle, &descriptor);
    struct object *object = NULL;
    if (handle == NULL) {
        fail_memory(call);
        return NULL;
    }
    napi_value value = object_create(
        call->node, &interface_shader_module, call->self->device, handle, given.label, &object);
    if (value == NULL) {
        return NULL;
    }
    struct shader_module *module = (struct shader_module *)object;
    object->finish = finish_shader_module;
    if (!is_ascii(given.code)) {
        module->source = malloc(given.code.length);
        if (module->source == NULL) {
            fail_memory(call);
            return NULL;
        }
        memcpy(module->source, given.code.data, given.code.length);
        module->source_length = given.code.length;
    }
    return value;
}

// A copy of a message, in one list for operation->extra.
struct message {
    uint32_t type;
    uint64_t line_number;
    uint64_t line_position;
    uint64_t offset;
    uint64_t length;
    char *text; // behind the list
    size_t text_length;
};

struct message_list {
    size_t count;
    struct message messages[];
};

// UTF-16 code units of bytes [begin, end) of a UTF-8 text.
static uint64_t count_utf16(const struct shader_module *module, uint64_t begin, uint64_t end) {
    uint64_t count = 0;
    for (uint64_t i = begin; i < end && i < module->source_length; i++) {
        unsigned char byte = (unsigned char)module->source[i];
        if ((byte & 0xC0) != 0x80) {
            count += byte >= 0xF0 ? 2 : 1;
        }
    }
    return count;
}

static void to_utf16(const struct shader_module *module, struct message *message) {
    if (module->source == NULL || message->line_number == 0) {
        return;
    }
    uint64_t line_start = message->offset - (message->line_position - 1);
    uint64_t begin = message->offset;
    message->line_position = count_utf16(module, line_start, begin) + 1;
    message->length = count_utf16(module, begin, begin + message->length);
    message->offset = count_utf16(module, 0, begin);
}

static bool set_number(napi_env env, napi_value array, uint32_t index, uint64_t number) {
    napi_value value;
    return napi_create_double(env, (double)number, &value) == napi_ok &&
        napi_set_element(env, array, index, value) == napi_ok;
}

static bool set_text(
    napi_env env, napi_value array, uint32_t index, const char *text, size_t length) {
    napi_value value;
    return napi_create_string_utf8(env, text, length, &value) == napi_ok &&
        napi_set_element(env, array, index, value) == napi_ok;
}

static bool create_message(napi_env env, const struct message *message, napi_value *out) {
    const char *type = enum_find_word(&enum_compilation_message_type, message->type);
    return napi_create_array(env, out) == napi_ok &&
        set_text(env, *out, 0, message->text, message->text_length) &&
        set_text(env, *out, 1, type == NULL ? "info" : type, NAPI_AUTO_LENGTH) &&
        set_number(env, *out, 2, message->line_number) &&
        set_number(env, *out, 3, message->line_position) &&
        set_number(env, *out, 4, message->offset) && set_number(env, *out, 5, message->length);
}

static void settle_compilation_info(struct operation *operation, napi_env env) {
    const struct shader_module *module = (const struct shader_module *)operation->object;
    struct message_list *list = operation->extra;
    napi_value array;
    if (napi_create_array(env, &array) != napi_ok) {
        return;
    }
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        napi_value message;
        to_utf16(module, &list->messages[i]);
        if (!create_message(env, &list->messages[i], &message) ||
            napi_set_element(env, array, (uint32_t)i, message) != napi_ok) {
            return;
        }
    }
    operation_resolve(
        operation, node_env_call_hook(operation->node, HOOK_createCompilationInfo, 1, &array));
}

static struct message_list *copy_messages(const WGPUCompilationInfo *info) {
    size_t size = sizeof(struct message_list) + info->messageCount * sizeof(struct message);
    size_t text_size = 0;
    for (size_t i = 0; i < info->messageCount; i++) {
        text_size += info->messages[i].message.length;
    }
    struct message_list *list = malloc(size + text_size);
    if (list == NULL) {
        return NULL;
    }
    char *text = (char *)list + size;
    list->count = info->messageCount;
    for (size_t i = 0; i < info->messageCount; i++) {
        const WGPUCompilationMessage *from = &info->messages[i];
        list->messages[i] = (struct message){from->type, from->lineNum, from->linePos, from->offset,
            from->length, text, from->message.length};
        if (from->message.length > 0) {
            memcpy(text, from->message.data, from->message.length);
            text += from->message.length;
        }
    }
    return list;
}

static void compilation_info_callback(WGPUCompilationInfoRequestStatus status,
    const WGPUCompilationInfo *info, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    if (info != NULL) {
        operation->extra = copy_messages(info);
    }
    operation_post(operation, (WGPUStringView){NULL, 0});
}

napi_value shader_module_get_compilation_info(struct call *call) {
    napi_value promise;
    struct operation *operation = operation_create(
        call, settle_compilation_info, call->self_value, &promise);
    if (operation == NULL) {
        return NULL;
    }
    wgpuShaderModuleGetCompilationInfo(call->self->handle,
        (WGPUCompilationInfoCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = compilation_info_callback,
            .userdata1 = operation});
    return promise;
}

//
// Pipelines
//

napi_value device_create_compute_pipeline(struct call *call) {
    WGPUComputePipelineDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_compute_pipeline_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_compute_pipeline,
        wgpuDeviceCreateComputePipeline(call->self->handle, &descriptor), descriptor.label);
}

napi_value device_create_render_pipeline(struct call *call) {
    WGPURenderPipelineDescriptor descriptor;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_render_pipeline_descriptor, &descriptor)) {
        return NULL;
    }
    return object_return(call, &interface_render_pipeline,
        wgpuDeviceCreateRenderPipeline(call->self->handle, &descriptor), descriptor.label);
}

static void settle_pipeline(struct operation *operation, const struct interface *interface) {
    napi_env env = operation->node->env;
    WGPUStringView label = {operation->label, operation->label_length};
    void *handle = operation->handle;
    if (operation->status == WGPUCreatePipelineAsyncStatus_Success) {
        operation->handle = NULL;
        operation_resolve(operation,
            object_create(operation->node, interface, operation->device, handle, label, NULL));
        return;
    }
    const char *reason = operation->status == WGPUCreatePipelineAsyncStatus_ValidationError
        ? "validation"
        : "internal";
    napi_value argv[2] = {operation_message(operation, "the pipeline could not be made"), NULL};
    if (argv[0] != NULL &&
        napi_create_string_utf8(env, reason, NAPI_AUTO_LENGTH, &argv[1]) == napi_ok) {
        operation_reject(
            operation, node_env_call_hook(operation->node, HOOK_createPipelineError, 2, argv));
    }
}

static void settle_compute_pipeline(struct operation *operation, napi_env env) {
    (void)env;
    settle_pipeline(operation, &interface_compute_pipeline);
}

static void settle_render_pipeline(struct operation *operation, napi_env env) {
    (void)env;
    settle_pipeline(operation, &interface_render_pipeline);
}

static void compute_pipeline_callback(WGPUCreatePipelineAsyncStatus status,
    WGPUComputePipeline pipeline, WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation->handle = pipeline;
    operation->release = interface_compute_pipeline.release;
    operation_post(operation, message);
}

static void render_pipeline_callback(WGPUCreatePipelineAsyncStatus status,
    WGPURenderPipeline pipeline, WGPUStringView message, void *userdata1, void *userdata2) {
    struct operation *operation = userdata1;
    (void)userdata2;
    operation->status = status;
    operation->handle = pipeline;
    operation->release = interface_render_pipeline.release;
    operation_post(operation, message);
}

static void keep_label(struct operation *operation, WGPUStringView label) {
    operation->label = label.data == NULL || label.length == 0 ? NULL : malloc(label.length);
    if (operation->label != NULL) {
        memcpy(operation->label, label.data, label.length);
        operation->label_length = label.length;
    }
}

napi_value device_create_compute_pipeline_async(struct call *call) {
    WGPUComputePipelineDescriptor descriptor;
    napi_value promise;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_compute_pipeline_descriptor, &descriptor)) {
        return NULL;
    }
    struct operation *operation = operation_create(call, settle_compute_pipeline, NULL, &promise);
    if (operation == NULL) {
        return NULL;
    }
    keep_label(operation, descriptor.label);
    wgpuDeviceCreateComputePipelineAsync(call->self->handle, &descriptor,
        (WGPUCreateComputePipelineAsyncCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = compute_pipeline_callback,
            .userdata1 = operation});
    return promise;
}

napi_value device_create_render_pipeline_async(struct call *call) {
    WGPURenderPipelineDescriptor descriptor;
    napi_value promise;
    if (!argument_dictionary(
            call, 0, "descriptor", &dictionary_render_pipeline_descriptor, &descriptor)) {
        return NULL;
    }
    struct operation *operation = operation_create(call, settle_render_pipeline, NULL, &promise);
    if (operation == NULL) {
        return NULL;
    }
    keep_label(operation, descriptor.label);
    wgpuDeviceCreateRenderPipelineAsync(call->self->handle, &descriptor,
        (WGPUCreateRenderPipelineAsyncCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
            .callback = render_pipeline_callback,
            .userdata1 = operation});
    return promise;
}

// `unsigned long` without [EnforceRange]: any number is taken modulo 2^32.
static bool argument_index(struct call *call, uint32_t *out) {
    napi_value number;
    return napi_coerce_to_number(call->env, call->argv[0], &number) == napi_ok &&
        napi_get_value_uint32(call->env, number, out) == napi_ok;
}

napi_value compute_pipeline_get_bind_group_layout(struct call *call) {
    uint32_t index;
    if (!argument_index(call, &index)) {
        return NULL;
    }
    return object_return(call, &interface_bind_group_layout,
        wgpuComputePipelineGetBindGroupLayout(call->self->handle, index),
        (WGPUStringView){NULL, 0});
}

napi_value render_pipeline_get_bind_group_layout(struct call *call) {
    uint32_t index;
    if (!argument_index(call, &index)) {
        return NULL;
    }
    return object_return(call, &interface_bind_group_layout,
        wgpuRenderPipelineGetBindGroupLayout(call->self->handle, index), (WGPUStringView){NULL, 0});
}
