// SPDX-License-Identifier: MIT
//
// Compute pipelines: made at once, or on the compile thread.
#include "webgpu/object/compute_pipeline.h"

#include <string.h>

#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/event/worker.h"
#include "webgpu/object/instance.h"
#include "webgpu/object/shader_module.h"
#include "webgpu/validate/bind_group_layout.h"
#include "webgpu/validate/pipeline.h"

// What went wrong: the type of a device error, and its message. NoError: nothing.
struct pipeline_error {
    WGPUErrorType type;
    struct text_buffer message;
};

// A descriptor that outlives the call.
struct pipeline_request {
    WGPUComputePipelineDescriptor descriptor; // its label, entry point and constants point below
    struct text label;
    struct text entry_point;
    struct compile_constant *constants;
    struct arena arena;
};

static bool fail(struct pipeline_error *error, WGPUErrorType type, struct text_buffer message) {
    error->type = type;
    error->message = message;
    return false;
}

static bool fail_text(
    struct pipeline_error *error, WGPUErrorType type, const char *name, const char *text) {
    struct text_buffer message = {0};
    text_buffer_print(&message, "%s: %s", name, text);
    return fail(error, type, message);
}

// ---------------------------------------------------------------- layout

// The layouts of an automatic pipeline layout, or a broken rule.
static bool make_groups(struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *entry_point, uint64_t pipeline_id, const char *name,
    struct WGPUBindGroupLayoutImpl **groups, struct pipeline_error *error) {
    struct gpu_binding_layout *entries = memory_allocate_zeroed(
        MEMORY_GENERAL, entry_point->binding_count, sizeof(*entries));
    bool ok = entries != NULL || fail_text(error, WGPUErrorType_OutOfMemory, name, "out of memory");
    struct validate_error broken = {0};
    uint32_t i = 0;
    while (ok && i < entry_point->binding_count) {
        uint32_t group = entry_point->bindings[i].group;
        uint32_t count = 0;
        while (i < entry_point->binding_count && entry_point->bindings[i].group == group) {
            validate_default_entry(&entry_point->bindings[i], &entries[count]);
            if (ok && !validate_layout_entry(device, &entries[count], name, &broken)) {
                ok = fail(error, WGPUErrorType_Validation, broken.message);
            }
            // Two variables of one entry point never share a place: the compiler sees to that.
            count++;
            i++;
        }
        if (ok && group >= device->limits.values[LIMIT_maxBindGroups]) {
            BROKEN(&broken, LAYOUT_GROUP_COUNT, name, ULL(group) + 1,
                ULL(device->limits.values[LIMIT_maxBindGroups]));
            ok = fail(error, WGPUErrorType_Validation, broken.message);
        }
        if (!ok) {
            break;
        }
        groups[group] = gpu_bind_group_layout_create(
            device, TEXT_LITERAL(""), entries, count, pipeline_id, true);
        ok = groups[group] != NULL ||
            fail_text(error, WGPUErrorType_OutOfMemory, name, "out of memory");
    }
    memory_free(entries);
    return ok;
}

static uint32_t round_up_to_4(uint32_t value) {
    return (value + 3u) & ~3u;
}

// WebGPU "default pipeline layout". The layout has one reference, alba's.
static struct WGPUPipelineLayoutImpl *make_default_layout(struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *entry_point, const char *name, struct pipeline_error *error) {
    struct WGPUBindGroupLayoutImpl *groups[GPU_BIND_GROUP_SLOTS] = {NULL};
    struct WGPUPipelineLayoutImpl *layout = NULL;
    struct validate_error broken = {0};
    uint64_t id = atomic_fetch_add(&device->next_id, 1) + 1;
    bool ok = make_groups(device, entry_point, id, name, groups, error);
    if (ok && !validate_layout_slots(device, groups, GPU_BIND_GROUP_SLOTS, name, &broken)) {
        ok = fail(error, WGPUErrorType_Validation, broken.message);
    }
    uint64_t immediate_limit = device->limits.values[LIMIT_maxImmediateSize];
    if (ok && entry_point->immediate_size_bytes > immediate_limit) {
        BROKEN(&broken, LAYOUT_IMMEDIATE_LIMIT, name, entry_point->immediate_size_bytes,
            ULL(immediate_limit));
        ok = fail(error, WGPUErrorType_Validation, broken.message);
    }
    if (ok) {
        layout = gpu_pipeline_layout_create(device, TEXT_LITERAL(""), groups, GPU_BIND_GROUP_SLOTS,
            round_up_to_4(entry_point->immediate_size_bytes), true);
        if (layout == NULL) {
            fail_text(error, WGPUErrorType_OutOfMemory, name, "out of memory");
        }
    }
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        gpu_object_api_unref(groups[i] != NULL ? &groups[i]->object : NULL);
    }
    if (layout != NULL) {
        // The application has no handle of it: its reference becomes alba's.
        GPU_REF(layout);
        gpu_object_api_unref(&layout->object);
    }
    return layout;
}

// ---------------------------------------------------------------- the pipeline

// Layout, checks and backend pipeline for a specialised program. What it statically uses is what the
// module says (`declared`): constants that switch code off change no layout.
static bool build(struct WGPUComputePipelineImpl *pipeline, struct WGPUPipelineLayoutImpl *given,
    const struct reflect_entry_point *declared, struct compile_program *program, const char *name,
    struct text label, struct pipeline_error *error) {
    struct WGPUDeviceImpl *device = pipeline->object.device;
    const struct reflect_entry_point *entry_point = &program->reflection->entry_points[0];
    struct validate_error broken = {0};
    if (given != NULL) {
        pipeline->interface.layout = given;
        GPU_REF(given);
    } else {
        pipeline->interface.layout = make_default_layout(device, declared, name, error);
        if (pipeline->interface.layout == NULL) {
            return false;
        }
    }
    if (!validate_shader_layout(declared, pipeline->interface.layout, name, &broken) ||
        !validate_workgroup(device, program->ir, entry_point, name, &broken)) {
        return fail(error, WGPUErrorType_Validation, broken.message);
    }
    if (!gpu_pipeline_interface_add(&pipeline->interface, declared)) {
        return fail_text(error, WGPUErrorType_OutOfMemory, name, "out of memory");
    }
    memcpy(pipeline->workgroup_size, entry_point->workgroup_size, sizeof(pipeline->workgroup_size));
    pipeline->uses_workgroup_index = declared->uses_workgroup_index;
    pipeline->uses_global_invocation_index = declared->uses_global_invocation_index;
    struct backend_compute_pipeline_description description = {label, program->ir, entry_point};
    struct text_buffer message = {0};
    enum backend_status status = device->backend->functions->compute_pipeline_create(
        device->backend, &description, &pipeline->backend, &message);
    if (status == BACKEND_OK) {
        text_buffer_finish(&message);
        return true;
    }
    pipeline->backend = NULL;
    if (status == BACKEND_OUT_OF_MEMORY) {
        text_buffer_finish(&message);
        return fail_text(error, WGPUErrorType_OutOfMemory, name, "out of memory");
    }
    fail_text(error, WGPUErrorType_Internal, name,
        message.length != 0 ? message.data : "the adapter could not compile the shader");
    text_buffer_finish(&message);
    return false;
}

static bool specialise(const struct pipeline_request *request, const char *name,
    uint32_t entry_point, struct compile_program **out_program, struct pipeline_error *error) {
    struct text_buffer message = {0};
    struct validate_error broken = {0};
    const WGPUComputeState *stage = &request->descriptor.compute;
    enum compile_status status = compile_specialise(stage->module->module, entry_point,
        request->constants, (uint32_t)stage->constantCount, &message, out_program);
    bool ok = status == COMPILE_OK;
    if (status == COMPILE_ERROR) {
        BROKEN(&broken, PIPELINE_CONSTANTS, name, text_buffer_get(&message).data);
        fail(error, WGPUErrorType_Validation, broken.message);
    } else if (!ok) {
        fail_text(error, WGPUErrorType_OutOfMemory, name, "out of memory");
    }
    text_buffer_finish(&message);
    return ok;
}

// The pipeline, valid or not; NULL when there is no memory for it. Reports nothing.
static struct WGPUComputePipelineImpl *make_pipeline(struct WGPUDeviceImpl *device,
    const struct pipeline_request *request, struct pipeline_error *error) {
    struct gpu_name name = gpu_name_of_label(GPU_COMPUTE_PIPELINE, request->label);
    struct WGPUComputePipelineImpl *pipeline = gpu_compute_pipeline_create(
        device, request->label, true);
    error->type = WGPUErrorType_NoError;
    if (pipeline == NULL) {
        return NULL;
    }
    struct validate_error broken = {0};
    struct compile_program *program = NULL;
    uint32_t entry_point = 0;
    bool ok = !atomic_load(&device->is_lost);
    if (ok &&
        !validate_compute_stage(
            device, &request->descriptor, request->entry_point, name.text, &entry_point, &broken)) {
        ok = fail(error, WGPUErrorType_Validation, broken.message);
    }
    ok = ok && specialise(request, name.text, entry_point, &program, error);
    if (ok) {
        const struct compile_module *module = request->descriptor.compute.module->module;
        ok = build(pipeline, request->descriptor.layout,
            &module->reflection->entry_points[entry_point], program, name.text, request->label,
            error);
    }
    compile_program_destroy(program);
    pipeline->object.is_valid = ok;
    return pipeline;
}

// Copies texts and constants of the descriptor.
static bool init_request(
    struct pipeline_request *request, const WGPUComputePipelineDescriptor *descriptor) {
    memset(request, 0, sizeof(*request));
    arena_init(&request->arena, MEMORY_GENERAL);
    struct arena *arena = &request->arena;
    const WGPUComputeState *stage = &descriptor->compute;
    struct text label = view_label(descriptor->label);
    struct text entry_point = view_text(stage->entryPoint);
    request->descriptor = *descriptor;
    request->label = (struct text){text_copy(arena, label), label.length};
    if (entry_point.data != NULL) {
        request->entry_point = (struct text){text_copy(arena, entry_point), entry_point.length};
    }
    request->constants = ARENA_ARRAY(arena, struct compile_constant, stage->constantCount + 1);
    for (size_t i = 0; request->constants != NULL && i < stage->constantCount; i++) {
        struct text key = view_label(stage->constants[i].key);
        request->constants[i].key = (struct text){text_copy(arena, key), key.length};
        request->constants[i].value = stage->constants[i].value;
    }
    if (arena->has_failed) {
        arena_finish(arena);
        return false;
    }
    return true;
}

static bool is_descriptor_unusable(const WGPUComputePipelineDescriptor *descriptor) {
    return API_IS_NULL(descriptor) ||
        (descriptor->compute.constantCount != 0 && API_IS_NULL(descriptor->compute.constants));
}

WGPUComputePipeline wgpuDeviceCreateComputePipeline(
    WGPUDevice device, const WGPUComputePipelineDescriptor *descriptor) {
    if (API_IS_NULL(device) || is_descriptor_unusable(descriptor)) {
        return NULL;
    }
    struct pipeline_request request;
    struct pipeline_error error = {0};
    struct WGPUComputePipelineImpl *pipeline = NULL;
    if (init_request(&request, descriptor)) {
        pipeline = make_pipeline(device, &request, &error);
        arena_finish(&request.arena);
    }
    if (pipeline == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    if (error.type != WGPUErrorType_NoError) {
        error_report(device, error.type, text_buffer_get(&error.message));
    }
    text_buffer_finish(&error.message);
    return pipeline;
}

// ---------------------------------------------------------------- asynchronously

struct pipeline_event {
    struct event event;
    WGPUCreateComputePipelineAsyncCallbackInfo info;
    struct WGPUComputePipelineImpl *pipeline; // the application's first reference
    struct pipeline_error error;
};

// Lives until the compile thread is done with it, whatever becomes of the event.
struct pipeline_job {
    struct worker_job job;
    struct WGPUDeviceImpl *device; // an internal reference
    uint64_t event_id;
    struct pipeline_request request; // holds references to module and layout
    struct WGPUComputePipelineImpl *pipeline;
    struct pipeline_error error;
};

static WGPUCreatePipelineAsyncStatus get_async_status(WGPUErrorType type) {
    if (type == WGPUErrorType_NoError) {
        return WGPUCreatePipelineAsyncStatus_Success;
    }
    return type == WGPUErrorType_Validation ? WGPUCreatePipelineAsyncStatus_ValidationError
                                            : WGPUCreatePipelineAsyncStatus_InternalError;
}

static void fire_pipeline(struct event *event, bool is_cancelled) {
    struct pipeline_event *request = (struct pipeline_event *)event;
    WGPUCreatePipelineAsyncStatus status = get_async_status(request->error.type);
    WGPUStringView message = event_message(request->error.message.data);
    if (is_cancelled) {
        status = WGPUCreatePipelineAsyncStatus_CallbackCancelled;
        message = event_message(event_cancelled_message);
    }
    WGPUComputePipeline pipeline = request->pipeline;
    if (pipeline != NULL &&
        (status != WGPUCreatePipelineAsyncStatus_Success || request->info.callback == NULL)) {
        gpu_object_api_unref(&pipeline->object);
        pipeline = NULL;
    }
    if (request->info.callback != NULL) {
        request->info.callback(
            status, pipeline, message, request->info.userdata1, request->info.userdata2);
    }
    text_buffer_finish(&request->error.message);
    memory_free(request);
}

static void fill_pipeline(struct event *event, void *argument) {
    struct pipeline_event *request = (struct pipeline_event *)event;
    struct pipeline_job *job = argument;
    request->pipeline = job->pipeline;
    request->error = job->error;
    job->pipeline = NULL;
    job->error.message = (struct text_buffer){0};
}

static void run_pipeline_job(struct worker_job *worker_job) {
    struct pipeline_job *job = (struct pipeline_job *)worker_job;
    struct WGPUDeviceImpl *device = job->device;
    job->pipeline = make_pipeline(device, &job->request, &job->error);
    if (job->pipeline == NULL) {
        job->error.type = WGPUErrorType_OutOfMemory;
        text_buffer_append_string(&job->error.message, "out of memory");
    }
    event_complete(device->instance->events, job->event_id, fill_pipeline, job, true);
    // Still here if the event was cancelled.
    gpu_object_api_unref(job->pipeline != NULL ? &job->pipeline->object : NULL);
    text_buffer_finish(&job->error.message);
    GPU_UNREF(job->request.descriptor.layout);
    GPU_UNREF(job->request.descriptor.compute.module);
    arena_finish(&job->request.arena);
    memory_free(job);
    GPU_UNREF(device);
}

static void call_back_without_memory(const WGPUCreateComputePipelineAsyncCallbackInfo *info) {
    if (info->callback != NULL) {
        info->callback(WGPUCreatePipelineAsyncStatus_InternalError, NULL,
            event_message("out of memory"), info->userdata1, info->userdata2);
    }
}

WGPUFuture wgpuDeviceCreateComputePipelineAsync(WGPUDevice device,
    const WGPUComputePipelineDescriptor *descriptor,
    WGPUCreateComputePipelineAsyncCallbackInfo callbackInfo) {
    if (API_IS_NULL(device) || is_descriptor_unusable(descriptor) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    struct event_manager *events = device->instance->events;
    struct pipeline_event *request = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*request));
    struct pipeline_job *job = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*job));
    if (request == NULL || job == NULL || !init_request(&job->request, descriptor)) {
        memory_free(request);
        memory_free(job);
        call_back_without_memory(&callbackInfo);
        return (WGPUFuture){0};
    }
    request->event.mode = callbackInfo.mode;
    request->event.fire = fire_pipeline;
    request->info = callbackInfo;
    job->job.run = run_pipeline_job;
    job->device = device;
    GPU_REF(device);
    GPU_REF(descriptor->layout);
    GPU_REF(descriptor->compute.module);
    WGPUFuture future = event_add(events, &request->event);
    job->event_id = future.id;
    struct worker *worker = event_manager_get_compile_worker(events);
    if (worker != NULL) {
        worker_submit(worker, &job->job);
    } else {
        run_pipeline_job(&job->job);
    }
    return future;
}

// ---------------------------------------------------------------- bind group layouts

WGPUBindGroupLayout wgpuComputePipelineGetBindGroupLayout(
    WGPUComputePipeline computePipeline, uint32_t groupIndex) {
    if (API_IS_NULL(computePipeline)) {
        return NULL;
    }
    struct WGPUDeviceImpl *device = computePipeline->object.device;
    struct validate_error error = {0};
    uint64_t limit = device->limits.values[LIMIT_maxBindGroups];
    if (!computePipeline->object.is_valid) {
        BROKEN(&error, PIPELINE_GET_LAYOUT, GPU_NAME(computePipeline, COMPUTE_PIPELINE));
    } else if (groupIndex >= limit) {
        BROKEN(&error, PIPELINE_GET_LAYOUT_INDEX, GPU_NAME(computePipeline, COMPUTE_PIPELINE),
            groupIndex, ULL(limit));
    }
    struct WGPUBindGroupLayoutImpl *layout = NULL;
    if (error.rule != RULE_NONE) {
        api_report(device, &error);
        layout = gpu_bind_group_layout_create(device, TEXT_LITERAL(""), NULL, 0, 0, false);
    } else if (computePipeline->interface.layout->groups[groupIndex] != NULL) {
        layout = computePipeline->interface.layout->groups[groupIndex];
        gpu_object_give(&layout->object);
    } else {
        layout = gpu_bind_group_layout_create(device, TEXT_LITERAL(""), NULL, 0, 0, true);
    }
    if (layout == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return layout;
}
