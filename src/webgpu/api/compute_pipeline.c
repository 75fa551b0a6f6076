// SPDX-License-Identifier: MIT
//
// Compute pipelines: made at once, or on the compile thread.
#include "webgpu/object/compute_pipeline.h"

#include <string.h>

#include "base/try.h"
#include "webgpu/api/pipeline_build.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/pipeline.h"

static bool compile(struct pipeline_build *build) {
    struct WGPUComputePipelineImpl *pipeline = (struct WGPUComputePipelineImpl *)build->pipeline;
    struct WGPUDeviceImpl *device = build->device;
    const struct compile_program *program = build->stages[0].program;
    const struct reflect_entry_point *entry_point = &program->reflection->entry_points[0];
    struct validate_error broken = {0};
    if (!validate_workgroup(device, program->ir, entry_point, build->name.text, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    memcpy(pipeline->workgroup_size, entry_point->workgroup_size, sizeof(pipeline->workgroup_size));
    struct backend_compute_pipeline_description description = {
        build->label, program->ir, entry_point};
    struct text_buffer message = {0};
    enum backend_status status = device->backend->functions->compute_pipeline_create(
        device->backend, &description, &pipeline->backend, &message);
    if (status != BACKEND_OK) {
        pipeline->backend = NULL;
    }
    return pipeline_build_check(build, status, &message);
}

static bool validate_chains(const WGPUComputePipelineDescriptor *descriptor, const char *name,
    struct validate_error *error) {
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    return validate_no_chain(descriptor->compute.nextInChain, name, error);
}

static bool prepare_stage(
    struct pipeline_build *build, const WGPUComputePipelineDescriptor *descriptor) {
    struct WGPUComputePipelineImpl *pipeline = (struct WGPUComputePipelineImpl *)build->pipeline;
    const WGPUComputeState *stage = &descriptor->compute;
    struct validate_error broken = {0};
    if (!validate_chains(descriptor, build->name.text, &broken) ||
        !validate_given_layout(build->device, descriptor->layout, build->name.text, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    TRY(pipeline_build_add_stage(build, STAGE_COMPUTE, stage->module, stage->entryPoint,
        stage->constants, stage->constantCount));
    TRY(pipeline_build_set_layout(build, descriptor->layout));
    const struct reflect_entry_point *declared = pipeline_stage_get_declared(&build->stages[0]);
    pipeline->uses_workgroup_index = declared->uses_workgroup_index;
    pipeline->uses_global_invocation_index = declared->uses_global_invocation_index;
    return true;
}

static bool prepare(
    struct pipeline_build *build, struct WGPUDeviceImpl *device, const void *descriptor) {
    const WGPUComputePipelineDescriptor *compute = descriptor;
    struct WGPUComputePipelineImpl *pipeline = gpu_compute_pipeline_create(
        device, view_label(compute->label), true);
    TRY(pipeline_build_init(build, device, pipeline != NULL ? &pipeline->object : NULL,
        pipeline != NULL ? &pipeline->interface : NULL, compute->label));
    build->compile = compile;
    if (!build->has_failed) {
        prepare_stage(build, compute);
    }
    return true;
}

static bool is_descriptor_unusable(
    const char *function, const WGPUComputePipelineDescriptor *descriptor) {
    return API_IS_NULL_IN(function, descriptor) ||
        (descriptor->compute.constantCount != 0 &&
            API_IS_NULL_IN(function, descriptor->compute.constants));
}

WGPUComputePipeline wgpuDeviceCreateComputePipeline(
    WGPUDevice device, const WGPUComputePipelineDescriptor *descriptor) {
    if (API_IS_NULL(device) || is_descriptor_unusable(__func__, descriptor)) {
        return NULL;
    }
    struct pipeline_build build;
    if (!prepare(&build, device, descriptor)) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    return (struct WGPUComputePipelineImpl *)pipeline_build_run(&build);
}

static void call_back(const struct pipeline_callback *callback,
    WGPUCreatePipelineAsyncStatus status, struct gpu_object *pipeline, WGPUStringView message) {
    callback->function.compute(status, (struct WGPUComputePipelineImpl *)pipeline, message,
        callback->userdata1, callback->userdata2);
}

WGPUFuture wgpuDeviceCreateComputePipelineAsync(WGPUDevice device,
    const WGPUComputePipelineDescriptor *descriptor,
    WGPUCreateComputePipelineAsyncCallbackInfo callbackInfo) {
    if (API_IS_NULL(device) || is_descriptor_unusable(__func__, descriptor) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct pipeline_callback callback = {
        .mode = callbackInfo.mode,
        .call = call_back,
        .function.compute = callbackInfo.callback,
        .has_function = callbackInfo.callback != NULL,
        .userdata1 = callbackInfo.userdata1,
        .userdata2 = callbackInfo.userdata2,
    };
    return pipeline_build_start(device, prepare, descriptor, &callback);
}

WGPUBindGroupLayout wgpuComputePipelineGetBindGroupLayout(
    WGPUComputePipeline computePipeline, uint32_t groupIndex) {
    if (API_IS_NULL(computePipeline)) {
        return NULL;
    }
    return pipeline_get_group_layout(
        &computePipeline->object, &computePipeline->interface, groupIndex, __func__);
}
