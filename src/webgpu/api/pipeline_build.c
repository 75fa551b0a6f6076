// SPDX-License-Identifier: MIT
//
// Builds of pipelines: stages, layout, constants; at once or on the compile thread.
#include "webgpu/api/pipeline_build.h"

#include <string.h>

#include "base/memory.h"
#include "base/try.h"
#include "webgpu/event/warning.h"
#include "webgpu/event/worker.h"
#include "webgpu/object/instance.h"
#include "webgpu/validate/advice.h"
#include "webgpu/validate/bind_group_layout.h"
#include "webgpu/validate/pipeline.h"

// ---------------------------------------------------------------- errors

static bool fail(struct pipeline_build *build, WGPUErrorType type, struct text_buffer message) {
    build->error.type = type;
    build->error.message = message;
    build->has_failed = true;
    return false;
}

bool pipeline_build_break(struct pipeline_build *build, struct validate_error *broken) {
    rule_log(broken);
    return fail(build, WGPUErrorType_Validation, broken->message);
}

bool pipeline_build_fail(struct pipeline_build *build, WGPUErrorType type, const char *text) {
    struct text_buffer message = {0};
    text_buffer_print(&message, "%s: %s", build->name.text, text);
    return fail(build, type, message);
}

static bool fail_for_memory(struct pipeline_build *build) {
    return pipeline_build_fail(build, WGPUErrorType_OutOfMemory, "out of memory");
}

bool pipeline_build_check(
    struct pipeline_build *build, enum backend_status status, struct text_buffer *message) {
    if (status == BACKEND_OUT_OF_MEMORY) {
        fail_for_memory(build);
    } else if (status != BACKEND_OK) {
        pipeline_build_fail(build, WGPUErrorType_Internal,
            message->length != 0 ? message->data : "the adapter could not compile the shader");
    }
    text_buffer_finish(message);
    return status == BACKEND_OK;
}

// ---------------------------------------------------------------- preparation

bool pipeline_build_init(struct pipeline_build *build, struct WGPUDeviceImpl *device,
    struct gpu_object *pipeline, struct gpu_pipeline_interface *interface, WGPUStringView label) {
    struct text text = view_label(label);
    memset(build, 0, sizeof(*build));
    if (pipeline == NULL) {
        return false;
    }
    arena_init(&build->arena, MEMORY_GENERAL);
    build->label = (struct text){text_copy(&build->arena, text), text.length};
    if (build->arena.has_failed) {
        arena_finish(&build->arena);
        gpu_object_api_unref(pipeline);
        return false;
    }
    build->error.type = WGPUErrorType_NoError;
    build->device = device;
    GPU_REF(device);
    build->pipeline = pipeline;
    build->interface = interface;
    build->name = gpu_name_of_label(pipeline->class_of->kind, text);
    build->has_failed = atomic_load(&device->is_lost);
    return true;
}

// Frees all but the pipeline, which is the caller's.
static void finish(struct pipeline_build *build) {
    for (uint32_t i = 0; i < build->stage_count; i++) {
        GPU_UNREF(build->stages[i].module);
        compile_program_destroy(build->stages[i].program);
    }
    text_buffer_finish(&build->error.message);
    arena_finish(&build->arena);
    GPU_UNREF(build->device);
}

bool pipeline_build_add_stage(struct pipeline_build *build, enum shader_stage stage,
    struct WGPUShaderModuleImpl *module, WGPUStringView entry_point,
    const WGPUConstantEntry *constants, size_t constant_count) {
    struct validate_error broken = {0};
    struct pipeline_stage *out = &build->stages[build->stage_count];
    out->stage = stage;
    if (!validate_stage(build->device, stage, module, view_text(entry_point), build->name.text,
            &out->entry_point, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    out->constants = ARENA_ARRAY(&build->arena, struct compile_constant, constant_count + 1);
    for (size_t i = 0; out->constants != NULL && i < constant_count; i++) {
        if (!validate_no_chain(constants[i].nextInChain, build->name.text, &broken)) {
            return pipeline_build_break(build, &broken);
        }
        struct text key = view_label(constants[i].key);
        if (!validate_constant(key, constants[i].value, build->name.text, &broken)) {
            return pipeline_build_break(build, &broken);
        }
        out->constants[i].key = (struct text){text_copy(&build->arena, key), key.length};
        out->constants[i].value = constants[i].value;
    }
    if (build->arena.has_failed) {
        return fail_for_memory(build);
    }
    out->constant_count = (uint32_t)constant_count;
    out->module = module;
    GPU_REF(module);
    build->stage_count++;
    return true;
}

const struct reflect_entry_point *pipeline_stage_get_declared(const struct pipeline_stage *stage) {
    return &stage->module->module->reflection->entry_points[stage->entry_point];
}

// ---------------------------------------------------------------- layout

static uint32_t round_up_to_4(uint32_t value) {
    return (value + 3u) & ~3u;
}

// The bind group layouts of an automatic layout, each with the application's reference, which the
// caller gives back also on failure.
static bool make_groups(struct pipeline_build *build,
    const struct validate_default_binding *bindings, uint32_t count, uint64_t pipeline_id,
    struct WGPUBindGroupLayoutImpl **groups) {
    struct gpu_binding_layout *entries = ARENA_ARRAY(
        &build->arena, struct gpu_binding_layout, (size_t)count + 1);
    TRY(entries != NULL || fail_for_memory(build));
    for (uint32_t i = 0; i < count;) {
        uint32_t group = bindings[i].group;
        uint32_t entry_count = 0;
        for (; i < count && bindings[i].group == group; i++) {
            entries[entry_count++] = bindings[i].entry;
        }
        groups[group] = gpu_bind_group_layout_create(
            build->device, TEXT_LITERAL(""), entries, entry_count, pipeline_id, true);
        TRY(groups[group] != NULL || fail_for_memory(build));
    }
    return true;
}

static bool make_layout(struct pipeline_build *build, struct WGPUBindGroupLayoutImpl **groups) {
    struct WGPUDeviceImpl *device = build->device;
    const char *name = build->name.text;
    struct validate_error broken = {0};
    const struct reflect_entry_point *stages[VALIDATE_STAGE_CAPACITY];
    uint32_t immediate_size_bytes = 0;
    size_t capacity = 0;
    for (uint32_t i = 0; i < build->stage_count; i++) {
        stages[i] = pipeline_stage_get_declared(&build->stages[i]);
        capacity += stages[i]->binding_count;
        if (immediate_size_bytes < stages[i]->immediate_size_bytes) {
            immediate_size_bytes = stages[i]->immediate_size_bytes;
        }
    }
    struct validate_default_binding *bindings = ARENA_ARRAY(
        &build->arena, struct validate_default_binding, capacity + 1);
    uint32_t count = 0;
    TRY(bindings != NULL || fail_for_memory(build));
    if (!validate_default_layout(
            device, stages, build->stage_count, name, bindings, &count, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    uint64_t pipeline_id = atomic_fetch_add(&device->next_id, 1) + 1;
    TRY(make_groups(build, bindings, count, pipeline_id, groups));
    if (!validate_layout_slots(device, groups, GPU_BIND_GROUP_SLOTS, name, &broken)) {
        return pipeline_build_break(build, &broken);
    }
    uint64_t immediate_limit = device->limits.values[LIMIT_maxImmediateSize];
    if (immediate_size_bytes > immediate_limit) {
        BROKEN(&broken, LAYOUT_IMMEDIATE_LIMIT, name, immediate_size_bytes, ULL(immediate_limit));
        return pipeline_build_break(build, &broken);
    }
    struct WGPUPipelineLayoutImpl *layout = gpu_pipeline_layout_create(device, TEXT_LITERAL(""),
        groups, GPU_BIND_GROUP_SLOTS, round_up_to_4(immediate_size_bytes), true);
    TRY(layout != NULL || fail_for_memory(build));
    // The application has no handle of it: its reference becomes alba's.
    build->interface->layout = layout;
    GPU_REF(layout);
    gpu_object_api_unref(&layout->object);
    return true;
}

bool pipeline_build_set_layout(struct pipeline_build *build, struct WGPUPipelineLayoutImpl *given) {
    build->has_given_layout = given != NULL;
    if (given != NULL) {
        build->interface->layout = given;
        GPU_REF(given);
    } else {
        struct WGPUBindGroupLayoutImpl *groups[GPU_BIND_GROUP_SLOTS] = {NULL};
        bool ok = make_layout(build, groups);
        for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
            gpu_object_api_unref(groups[i] != NULL ? &groups[i]->object : NULL);
        }
        TRY(ok);
    }
    for (uint32_t i = 0; i < build->stage_count; i++) {
        struct validate_error broken = {0};
        const struct reflect_entry_point *declared = pipeline_stage_get_declared(&build->stages[i]);
        if (!validate_shader_layout(
                declared, build->interface->layout, build->name.text, &broken)) {
            return pipeline_build_break(build, &broken);
        }
        TRY(gpu_pipeline_interface_add(build->interface, declared) || fail_for_memory(build));
    }
    return true;
}

// ---------------------------------------------------------------- compilation

static bool specialise(struct pipeline_build *build, struct pipeline_stage *stage) {
    struct text_buffer message = {0};
    enum compile_status status = compile_specialise(stage->module->module, stage->entry_point,
        stage->constants, stage->constant_count, &message, &stage->program);
    if (status == COMPILE_ERROR) {
        struct validate_error broken = {0};
        const char *where = stage->stage == STAGE_VERTEX ? "in the vertex stage, "
            : stage->stage == STAGE_FRAGMENT             ? "in the fragment stage, "
                                                         : "";
        BROKEN(
            &broken, PIPELINE_CONSTANTS, build->name.text, where, text_buffer_get(&message).data);
        pipeline_build_break(build, &broken);
    } else if (status != COMPILE_OK) {
        fail_for_memory(build);
    }
    text_buffer_finish(&message);
    return status == COMPILE_OK;
}

static void advise(struct pipeline_build *build) {
    struct advice_stage stages[VALIDATE_STAGE_CAPACITY];
    for (uint32_t i = 0; i < build->stage_count; i++) {
        stages[i].declared = pipeline_stage_get_declared(&build->stages[i]);
        stages[i].program = build->stages[i].program;
    }
    const char *call = build->pipeline->class_of->kind == GPU_COMPUTE_PIPELINE
        ? "wgpuDeviceCreateComputePipeline"
        : "wgpuDeviceCreateRenderPipeline";
    advise_pipeline(build->device, call, build->pipeline, build->interface->layout,
        build->has_given_layout, stages, build->stage_count);
}

static void run(struct pipeline_build *build) {
    for (uint32_t i = 0; i < build->stage_count && !build->has_failed; i++) {
        specialise(build, &build->stages[i]);
    }
    build->pipeline->is_valid = !build->has_failed && build->compile(build);
    if (atomic_load(&build->device->is_lost)) {
        // WebGPU: a lost device has no errors; the promise of a pipeline is kept all the same.
        build->error.type = WGPUErrorType_NoError;
        text_buffer_finish(&build->error.message);
    }
    if (build->pipeline->is_valid && warning_is_on(build->device)) {
        advise(build);
    }
}

struct gpu_object *pipeline_build_run(struct pipeline_build *build) {
    run(build);
    if (build->error.type != WGPUErrorType_NoError) {
        error_report(build->device, build->error.type, text_buffer_get(&build->error.message));
    }
    struct gpu_object *pipeline = build->pipeline;
    finish(build);
    return pipeline;
}

// ---------------------------------------------------------------- asynchronously

struct pipeline_event {
    struct event event;
    struct pipeline_callback callback;
    struct gpu_object *pipeline; // the application's first reference
    struct pipeline_error error;
};

// Lives until the compile thread is done with it, whatever becomes of the event.
struct pipeline_job {
    struct worker_job job;
    uint64_t event_id;
    struct pipeline_build build;
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
    struct gpu_object *pipeline = request->pipeline;
    if (pipeline != NULL &&
        (status != WGPUCreatePipelineAsyncStatus_Success || !request->callback.has_function)) {
        gpu_object_api_unref(pipeline);
        pipeline = NULL;
    }
    if (request->callback.has_function) {
        request->callback.call(&request->callback, status, pipeline, message);
    }
    text_buffer_finish(&request->error.message);
    memory_free(request);
}

static void fill_pipeline(struct event *event, void *argument) {
    struct pipeline_event *request = (struct pipeline_event *)event;
    struct pipeline_build *build = argument;
    request->pipeline = build->pipeline;
    request->error = build->error;
    build->pipeline = NULL;
    build->error.message = (struct text_buffer){0};
}

static void run_pipeline_job(struct worker_job *worker_job) {
    struct pipeline_job *job = (struct pipeline_job *)worker_job;
    struct pipeline_build *build = &job->build;
    bool is_broken = build->error.type != WGPUErrorType_NoError; // before the device was lost
    run(build);
    if (build->error.type != WGPUErrorType_NoError && atomic_load(&build->device->is_lost) &&
        !is_broken) {
        // WebGPU §"Device loss": what is made after it is made without an error.
        text_buffer_finish(&build->error.message);
        build->error = (struct pipeline_error){.type = WGPUErrorType_NoError};
    }
    event_complete(build->device->instance->events, job->event_id, fill_pipeline, build, true);
    gpu_object_api_unref(build->pipeline); // still here if the event was cancelled
    finish(build);
    memory_free(job);
}

static void call_back_without_memory(const struct pipeline_callback *callback) {
    if (callback->has_function) {
        callback->call(callback, WGPUCreatePipelineAsyncStatus_InternalError, NULL,
            event_message("out of memory"));
    }
}

WGPUFuture pipeline_build_start(struct WGPUDeviceImpl *device,
    bool (*prepare)(
        struct pipeline_build *build, struct WGPUDeviceImpl *device, const void *descriptor),
    const void *descriptor, const struct pipeline_callback *callback) {
    struct event_manager *events = device->instance->events;
    struct pipeline_event *request = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*request));
    struct pipeline_job *job = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*job));
    if (request == NULL || job == NULL || !prepare(&job->build, device, descriptor)) {
        memory_free(request);
        memory_free(job);
        call_back_without_memory(callback);
        return (WGPUFuture){0};
    }
    request->event.mode = callback->mode;
    request->event.fire = fire_pipeline;
    request->callback = *callback;
    job->job.run = run_pipeline_job;
    WGPUFuture future = event_add(events, &request->event);
    job->event_id = future.id;
    // Nothing is left to compile of a pipeline that broke a rule: its error comes before a loss of the
    // device that the program causes next.
    struct worker *worker = job->build.has_failed ? NULL : event_manager_get_compile_worker(events);
    if (worker != NULL) {
        worker_submit(worker, &job->job);
    } else {
        run_pipeline_job(&job->job);
    }
    return future;
}

// ---------------------------------------------------------------- bind group layouts

struct WGPUBindGroupLayoutImpl *pipeline_get_group_layout(struct gpu_object *pipeline,
    const struct gpu_pipeline_interface *interface, uint32_t index, const char *function) {
    struct WGPUDeviceImpl *device = pipeline->device;
    struct gpu_name name = gpu_object_get_name(pipeline, pipeline->class_of->kind);
    struct validate_error error = {0};
    uint64_t limit = device->limits.values[LIMIT_maxBindGroups];
    if (!pipeline->is_valid) {
        BROKEN(&error, PIPELINE_GET_LAYOUT, name.text);
    } else if (index >= limit) {
        BROKEN(&error, PIPELINE_GET_LAYOUT_INDEX, name.text, index, ULL(limit));
    }
    struct WGPUBindGroupLayoutImpl *layout = NULL;
    if (error.rule != RULE_NONE) {
        api_report(device, &error);
        layout = gpu_bind_group_layout_create(device, TEXT_LITERAL(""), NULL, 0, 0, false);
    } else if (interface->layout->groups[index] != NULL) {
        layout = interface->layout->groups[index];
        gpu_object_give(&layout->object);
    } else {
        layout = gpu_bind_group_layout_create(device, TEXT_LITERAL(""), NULL, 0, 0, true);
    }
    if (layout == NULL) {
        api_lose_for_memory(device, function);
    }
    return layout;
}
