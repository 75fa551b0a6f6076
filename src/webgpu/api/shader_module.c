// SPDX-License-Identifier: MIT
//
// Shader modules: compilation and its information.
#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/object/instance.h"
#include "webgpu/object/shader_module.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/shader_module.h"

WGPUShaderModule wgpuDeviceCreateShaderModule(
    WGPUDevice device, const WGPUShaderModuleDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_SHADER_MODULE, label);
    struct validate_error error = {0};
    WGPUStringView code = {NULL, 0};
    struct compile_module *module = NULL;
    bool is_lost = atomic_load(&device->is_lost);
    bool ok = validate_shader_source(descriptor, name.text, &code, &error);
    if (ok && !is_lost) {
        struct compile_options options = {0};
        options.enabled_extensions = validate_get_extensions(device->features);
        module = compile_module_create(view_label(code), label, &options);
        if (module == NULL) {
            error_report_format(device, WGPUErrorType_OutOfMemory, "%s: out of memory", name.text);
            ok = false;
        } else {
            ok = validate_shader_module(module, name.text, &error);
        }
    }
    if (error.rule != RULE_NONE) {
        api_report(device, &error);
    }
    struct WGPUShaderModuleImpl *shader = gpu_shader_module_create(
        device, label, module, ok && !is_lost);
    if (shader == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return shader;
}

// ---------------------------------------------------------------- compilation information

struct info_event {
    struct event event;
    struct WGPUShaderModuleImpl *shader; // an internal reference
    WGPUCompilationInfoCallbackInfo info;
    WGPUCompilationMessage *messages;
    size_t message_count;
    struct arena texts; // what messages say beyond the diagnostics' own words
};

static void fire_info(struct event *event, bool is_cancelled) {
    struct info_event *request = (struct info_event *)event;
    struct WGPUShaderModuleImpl *shader = request->shader;
    WGPUCompilationInfo info = {NULL, request->message_count, request->messages};
    if (request->info.callback != NULL && is_cancelled) {
        request->info.callback(WGPUCompilationInfoRequestStatus_CallbackCancelled, NULL,
            request->info.userdata1, request->info.userdata2);
    } else if (request->info.callback != NULL) {
        request->info.callback(WGPUCompilationInfoRequestStatus_Success, &info,
            request->info.userdata1, request->info.userdata2);
    }
    arena_finish(&request->texts);
    memory_free(request->messages);
    memory_free(request);
    GPU_UNREF(shader);
}

static WGPUCompilationMessageType get_message_type(enum diagnostic_severity severity) {
    switch (severity) {
    case DIAGNOSTIC_ERROR:
        return WGPUCompilationMessageType_Error;
    case DIAGNOSTIC_WARNING:
        return WGPUCompilationMessageType_Warning;
    case DIAGNOSTIC_INFO:
    case DIAGNOSTIC_OFF:
        break;
    }
    return WGPUCompilationMessageType_Info;
}

static WGPUCompilationMessage make_message(const struct source *source,
    WGPUCompilationMessageType type, struct source_span span, struct text text) {
    struct source_location place = source_locate(source, span.begin);
    WGPUCompilationMessage message = WGPU_COMPILATION_MESSAGE_INIT;
    message.message = view_from_text(text);
    message.type = type;
    message.lineNum = place.line;
    message.linePos = place.column_bytes;
    message.offset = span.begin;
    message.length = span.end - span.begin;
    return message;
}

static size_t count_messages(const struct diagnostic_list *list) {
    size_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        count++;
        for (const struct diagnostic_note *note = list->items[i]->first_note; note != NULL;
             note = note->next) {
            count++;
        }
        for (const struct diagnostic_fix *fix = list->items[i]->first_fix; fix != NULL;
             fix = fix->next) {
            count++;
        }
    }
    return count;
}

// The message with its code and the section of the specification.
static struct text get_whole_message(struct arena *arena, const struct diagnostic *item) {
    char *whole = text_format(arena, "%.*s [%s, WGSL §%s]", TEXT_ARGS(item->message),
        diagnostic_code_id(item->code), diagnostic_code_section(item->code));
    return whole != NULL ? text_from_string(whole) : (struct text){NULL, 0};
}

static struct text get_fix_message(
    struct arena *arena, const struct source *source, const struct diagnostic_fix *fix) {
    struct text_buffer words = {0};
    text_buffer_append_string(&words, "fix: ");
    diagnostic_print_fix(&words, source, fix);
    char *copy = words.has_failed ? NULL : text_copy(arena, text_buffer_get(&words));
    text_buffer_finish(&words);
    return copy != NULL ? text_from_string(copy) : (struct text){NULL, 0};
}

// Notes and fixes follow their diagnostic, as information. False: out of memory.
static bool fill_messages(struct info_event *request, const struct compile_module *module) {
    const struct diagnostic_list *list = &module->diagnostics;
    const struct source *source = &module->source;
    size_t count = count_messages(list);
    request->messages = memory_allocate(MEMORY_EVENT, count * sizeof(*request->messages));
    if (request->messages == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const struct diagnostic *item = list->items[i];
        request->messages[request->message_count++] = make_message(source,
            get_message_type(item->severity), item->span, get_whole_message(&request->texts, item));
        for (const struct diagnostic_note *note = item->first_note; note != NULL;
             note = note->next) {
            request->messages[request->message_count++] = make_message(source,
                WGPUCompilationMessageType_Info, note->has_span ? note->span : item->span,
                note->message);
        }
        for (const struct diagnostic_fix *fix = item->first_fix; fix != NULL; fix = fix->next) {
            request->messages[request->message_count++] = make_message(source,
                WGPUCompilationMessageType_Info, fix->span,
                get_fix_message(&request->texts, source, fix));
        }
    }
    return !request->texts.has_failed;
}

WGPUFuture wgpuShaderModuleGetCompilationInfo(
    WGPUShaderModule shaderModule, WGPUCompilationInfoCallbackInfo callbackInfo) {
    if (API_IS_NULL(shaderModule) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct info_event *request = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*request));
    if (request != NULL) {
        arena_init(&request->texts, MEMORY_EVENT);
    }
    if (request == NULL ||
        (shaderModule->module != NULL && !fill_messages(request, shaderModule->module))) {
        if (request != NULL) {
            arena_finish(&request->texts);
            memory_free(request->messages);
        }
        memory_free(request);
        if (callbackInfo.callback != NULL) {
            WGPUCompilationInfo none = WGPU_COMPILATION_INFO_INIT;
            callbackInfo.callback(WGPUCompilationInfoRequestStatus_Success, &none,
                callbackInfo.userdata1, callbackInfo.userdata2);
        }
        return (WGPUFuture){0};
    }
    request->event.mode = callbackInfo.mode;
    request->event.fire = fire_info;
    request->event.is_ready = true;
    request->info = callbackInfo;
    request->shader = shaderModule;
    GPU_REF(shaderModule);
    return event_add(shaderModule->object.device->instance->events, &request->event);
}
