// SPDX-License-Identifier: MIT
//
// Render pipelines: made at once, or on the compile thread.
#include <stdio.h>

#include "webgpu/object/render_pipeline.h"

#include "base/try.h"
#include "facts/vertex_format.h"
#include "webgpu/api/pipeline_build.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/pipeline.h"
#include "webgpu/validate/render_pipeline.h"

static bool compile(struct pipeline_build *build) {
    struct WGPURenderPipelineImpl *pipeline = (struct WGPURenderPipelineImpl *)build->pipeline;
    struct backend_device *backend = build->device->backend;
    const struct compile_program *vertex = build->stages[0].program;
    const struct compile_program *fragment = build->stage_count > 1 ? build->stages[1].program
                                                                    : NULL;
    struct backend_render_pipeline_description description = {
        .label = build->label,
        .vertex_module = vertex->ir,
        .vertex = &vertex->reflection->entry_points[0],
        .fragment_module = fragment != NULL ? fragment->ir : NULL,
        .fragment = fragment != NULL ? &fragment->reflection->entry_points[0] : NULL,
        .state = build->state,
    };
    struct text_buffer message = {0};
    enum backend_status status = backend->functions->render_pipeline_create(
        backend, &description, &pipeline->backend, &message);
    if (status != BACKEND_OK) {
        pipeline->backend = NULL;
    }
    return pipeline_build_check(build, status, &message);
}

// ---------------------------------------------------------------- what draws and passes ask

static bool does_write(const struct backend_stencil_face *face) {
    return face->pass_op != WGPUStencilOperation_Keep ||
        face->depth_fail_op != WGPUStencilOperation_Keep ||
        face->fail_op != WGPUStencilOperation_Keep;
}

static void fill_vertex_slots(
    struct WGPURenderPipelineImpl *pipeline, const struct backend_render_pipeline_state *state) {
    pipeline->vertex_slot_count = state->vertex_buffer_count;
    for (uint32_t i = 0; i < state->vertex_buffer_count; i++) {
        pipeline->vertex_slots[i] = (struct gpu_vertex_slot){
            .is_used = state->vertex_buffers[i].is_used,
            .is_per_instance = state->vertex_buffers[i].is_per_instance,
            .stride_bytes = state->vertex_buffers[i].stride_bytes,
        };
    }
    for (uint32_t i = 0; i < state->vertex_attribute_count; i++) {
        const struct backend_vertex_attribute *attribute = &state->vertex_attributes[i];
        struct gpu_vertex_slot *slot = &pipeline->vertex_slots[attribute->buffer];
        uint64_t end = attribute->offset_bytes +
            vertex_format_get_info(attribute->format)->size_bytes;
        if (slot->last_stride_bytes < end) {
            slot->last_stride_bytes = end;
        }
    }
}

static void fill(
    struct WGPURenderPipelineImpl *pipeline, const struct backend_render_pipeline_state *state) {
    for (uint32_t i = 0; i < state->target_count; i++) {
        pipeline->layout.color_formats[i] = (WGPUTextureFormat)state->targets[i].format;
        if (state->targets[i].format != WGPUTextureFormat_Undefined) {
            pipeline->layout.color_count = i + 1;
        }
    }
    pipeline->layout.depth_stencil_format = (WGPUTextureFormat)state->depth_stencil_format;
    pipeline->layout.sample_count = state->sample_count;
    pipeline->writes_depth = state->is_depth_write_enabled;
    bool has_stencil = state->depth_stencil_format != WGPUTextureFormat_Undefined &&
        state->stencil_write_mask != 0;
    pipeline->writes_stencil = has_stencil &&
        ((state->cull_mode != WGPUCullMode_Front && does_write(&state->stencil_front)) ||
            (state->cull_mode != WGPUCullMode_Back && does_write(&state->stencil_back)));
    pipeline->topology = (WGPUPrimitiveTopology)state->topology;
    pipeline->strip_index_format = (WGPUIndexFormat)state->strip_index_format;
    fill_vertex_slots(pipeline, state);
}

// ---------------------------------------------------------------- preparation

// The rules that no shader takes part in.
static bool validate_states(const struct WGPUDeviceImpl *device,
    const WGPURenderPipelineDescriptor *descriptor, const char *name,
    struct backend_render_pipeline_state *state, struct validate_error *broken) {
    TRY(validate_no_chain(descriptor->nextInChain, name, broken));
    TRY(validate_given_layout(device, descriptor->layout, name, broken));
    TRY(validate_vertex_state(device, &descriptor->vertex, name, state, broken));
    TRY(validate_primitive_state(device, &descriptor->primitive, name, state, broken));
    TRY(validate_depth_stencil_state(device, descriptor->depthStencil, name, state, broken));
    TRY(validate_color_targets(device, descriptor->fragment, name, state, broken));
    return validate_multisample_state(device, &descriptor->multisample, name, state, broken);
}

static bool validate_shaders(const struct pipeline_build *build,
    const WGPURenderPipelineDescriptor *descriptor,
    const struct backend_render_pipeline_state *state, struct validate_error *broken) {
    const struct WGPUDeviceImpl *device = build->device;
    const char *name = build->name.text;
    const struct reflect_entry_point *vertex = pipeline_stage_get_declared(&build->stages[0]);
    const struct reflect_entry_point *fragment = build->stage_count > 1
        ? pipeline_stage_get_declared(&build->stages[1])
        : NULL;
    TRY(validate_vertex_inputs(device, &descriptor->vertex, vertex, name, state, broken));
    TRY(fragment == NULL || validate_fragment_outputs(device, fragment, name, state, broken));
    TRY(validate_inter_stage(device, vertex, fragment, name, state, broken));
    return validate_render_slots(device, build->interface->layout, name, state, broken);
}

static bool prepare_stages(
    struct pipeline_build *build, const WGPURenderPipelineDescriptor *descriptor) {
    const WGPUVertexState *vertex = &descriptor->vertex;
    const WGPUFragmentState *fragment = descriptor->fragment;
    struct backend_render_pipeline_state *state = ARENA_NEW(
        &build->arena, struct backend_render_pipeline_state);
    if (state == NULL) {
        return pipeline_build_fail(build, WGPUErrorType_OutOfMemory, "out of memory");
    }
    struct validate_error broken = {0};
    if (!validate_states(build->device, descriptor, build->name.text, state, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    TRY(pipeline_build_add_stage(build, STAGE_VERTEX, vertex->module, vertex->entryPoint,
        vertex->constants, vertex->constantCount));
    TRY(fragment == NULL ||
        pipeline_build_add_stage(build, STAGE_FRAGMENT, fragment->module, fragment->entryPoint,
            fragment->constants, fragment->constantCount));
    TRY(pipeline_build_set_layout(build, descriptor->layout));
    if (!validate_shaders(build, descriptor, state, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    build->state = state;
    fill((struct WGPURenderPipelineImpl *)build->pipeline, state);
    return true;
}

static bool prepare(
    struct pipeline_build *build, struct WGPUDeviceImpl *device, const void *descriptor) {
    const WGPURenderPipelineDescriptor *render = descriptor;
    struct WGPURenderPipelineImpl *pipeline = gpu_render_pipeline_create(
        device, view_label(render->label), true);
    TRY(pipeline_build_init(build, device, pipeline != NULL ? &pipeline->object : NULL,
        pipeline != NULL ? &pipeline->interface : NULL, render->label));
    build->compile = compile;
    if (!build->has_failed) {
        prepare_stages(build, render);
    }
    return true;
}

// ---------------------------------------------------------------- the API

static bool is_descriptor_unusable(
    const char *function, const WGPURenderPipelineDescriptor *descriptor) {
    if (API_IS_NULL_IN(function, descriptor)) {
        return true;
    }
    const WGPUVertexState *vertex = &descriptor->vertex;
    const WGPUFragmentState *fragment = descriptor->fragment;
    if ((vertex->constantCount != 0 && API_IS_NULL_IN(function, descriptor->vertex.constants)) ||
        (vertex->bufferCount != 0 && API_IS_NULL_IN(function, descriptor->vertex.buffers))) {
        return true;
    }
    // Beyond any device's limit nothing is read.
    for (size_t i = 0; i < vertex->bufferCount && i < BACKEND_VERTEX_BUFFER_CAPACITY; i++) {
        if (vertex->buffers[i].attributeCount != 0 && vertex->buffers[i].attributes == NULL) {
            char what[64];
            snprintf(what, sizeof(what), "descriptor->vertex.buffers[%zu].attributes", i);
            return api_log_null(function, what);
        }
    }
    return fragment != NULL &&
        ((fragment->constantCount != 0 &&
             API_IS_NULL_IN(function, descriptor->fragment->constants)) ||
            (fragment->targetCount != 0 &&
                API_IS_NULL_IN(function, descriptor->fragment->targets)));
}

WGPURenderPipeline wgpuDeviceCreateRenderPipeline(
    WGPUDevice device, const WGPURenderPipelineDescriptor *descriptor) {
    if (API_IS_NULL(device) || is_descriptor_unusable(__func__, descriptor)) {
        return NULL;
    }
    struct pipeline_build build;
    if (!prepare(&build, device, descriptor)) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    return (struct WGPURenderPipelineImpl *)pipeline_build_run(&build);
}

static void call_back(const struct pipeline_callback *callback,
    WGPUCreatePipelineAsyncStatus status, struct gpu_object *pipeline, WGPUStringView message) {
    callback->function.render(status, (struct WGPURenderPipelineImpl *)pipeline, message,
        callback->userdata1, callback->userdata2);
}

WGPUFuture wgpuDeviceCreateRenderPipelineAsync(WGPUDevice device,
    const WGPURenderPipelineDescriptor *descriptor,
    WGPUCreateRenderPipelineAsyncCallbackInfo callbackInfo) {
    if (API_IS_NULL(device) || is_descriptor_unusable(__func__, descriptor) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct pipeline_callback callback = {
        .mode = callbackInfo.mode,
        .call = call_back,
        .function.render = callbackInfo.callback,
        .has_function = callbackInfo.callback != NULL,
        .userdata1 = callbackInfo.userdata1,
        .userdata2 = callbackInfo.userdata2,
    };
    return pipeline_build_start(device, prepare, descriptor, &callback);
}

WGPUBindGroupLayout wgpuRenderPipelineGetBindGroupLayout(
    WGPURenderPipeline renderPipeline, uint32_t groupIndex) {
    if (API_IS_NULL(renderPipeline)) {
        return NULL;
    }
    return pipeline_get_group_layout(
        &renderPipeline->object, &renderPipeline->interface, groupIndex, __func__);
}
