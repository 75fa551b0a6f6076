// SPDX-License-Identifier: MIT
//
// Render pipelines: not built yet.
#include "webgpu/object/render_pipeline.h"

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/object/instance.h"

WGPURenderPipeline wgpuDeviceCreateRenderPipeline(
    WGPUDevice device, const WGPURenderPipelineDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuDeviceCreateRenderPipeline);
    struct WGPURenderPipelineImpl *pipeline = gpu_object_create(&gpu_render_pipeline_class,
        sizeof(*pipeline), device, view_label(descriptor->label), false);
    if (pipeline == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return pipeline;
}

struct render_pipeline_event {
    struct event event;
    WGPUCreateRenderPipelineAsyncCallbackInfo info;
};

static void fire_render_pipeline(struct event *event, bool is_cancelled) {
    struct render_pipeline_event *request = (struct render_pipeline_event *)event;
    if (request->info.callback != NULL) {
        const char *message = is_cancelled
            ? event_cancelled_message
            : not_implemented_message(NOT_IMPLEMENTED_wgpuDeviceCreateRenderPipelineAsync);
        request->info.callback(is_cancelled ? WGPUCreatePipelineAsyncStatus_CallbackCancelled
                                            : WGPUCreatePipelineAsyncStatus_InternalError,
            NULL, event_message(message), request->info.userdata1, request->info.userdata2);
    }
    memory_free(request);
}

WGPUFuture wgpuDeviceCreateRenderPipelineAsync(WGPUDevice device,
    const WGPURenderPipelineDescriptor *descriptor,
    WGPUCreateRenderPipelineAsyncCallbackInfo callbackInfo) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct render_pipeline_event *request = memory_allocate_zeroed(
        MEMORY_EVENT, 1, sizeof(*request));
    if (request == NULL) {
        if (callbackInfo.callback != NULL) {
            callbackInfo.callback(WGPUCreatePipelineAsyncStatus_InternalError, NULL,
                event_message("out of memory"), callbackInfo.userdata1, callbackInfo.userdata2);
        }
        return (WGPUFuture){0};
    }
    request->event.mode = callbackInfo.mode;
    request->event.fire = fire_render_pipeline;
    request->event.is_ready = true;
    request->info = callbackInfo;
    return event_add(device->instance->events, &request->event);
}

WGPUBindGroupLayout wgpuRenderPipelineGetBindGroupLayout(
    WGPURenderPipeline renderPipeline, uint32_t groupIndex) {
    (void)groupIndex;
    if (API_IS_NULL(renderPipeline)) {
        return NULL;
    }
    struct WGPUDeviceImpl *device = renderPipeline->object.device;
    not_implemented_report(device, NOT_IMPLEMENTED_wgpuRenderPipelineGetBindGroupLayout);
    struct WGPUBindGroupLayoutImpl *layout = gpu_bind_group_layout_create(
        device, TEXT_LITERAL(""), NULL, 0, 0, false);
    if (layout == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return layout;
}
