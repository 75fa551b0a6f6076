// SPDX-License-Identifier: MIT
//
// What making compute and render pipelines has in common. A build is prepared by the call (every
// rule that needs no compiled code, the layout, copies of what must outlive the call), then run, by
// the call or on the compile thread (pipeline constants, the backend's compiler), then handed out.
// One thread at a time.
#pragma once

#include "webgpu/api/api_priv.h"
#include "webgpu/object/pipeline_interface.h"
#include "webgpu/object/shader_module.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/default_layout.h"

// What went wrong: the type of a device error, and its message. NoError: nothing.
struct pipeline_error {
    WGPUErrorType type;
    struct text_buffer message;
};

struct pipeline_stage {
    enum shader_stage stage;
    struct WGPUShaderModuleImpl *module; // an internal reference; NULL: none taken
    uint32_t entry_point;                // an index into the module
    struct compile_constant *constants;  // in the build's arena
    uint32_t constant_count;
    struct compile_program *program; // owned; once the build runs
};

struct pipeline_build {
    struct WGPUDeviceImpl *device; // an internal reference
    struct arena arena;
    struct text label; // in the arena
    struct gpu_name name;
    struct gpu_object *pipeline;              // the application's first reference
    struct gpu_pipeline_interface *interface; // the pipeline's
    struct pipeline_stage stages[VALIDATE_STAGE_CAPACITY];
    uint32_t stage_count;
    const void *state; // for `compile`, in the arena
    // From the stages' programs to the backend's pipeline, checks of final sizes included.
    bool (*compile)(struct pipeline_build *build);
    struct pipeline_error error;
    bool has_failed; // nothing is left to run
    bool has_given_layout;
};

// Each takes note of what went wrong and returns false.
bool pipeline_build_break(struct pipeline_build *build, struct validate_error *broken);
bool pipeline_build_fail(struct pipeline_build *build, WGPUErrorType type, const char *text);
// BACKEND_OK gives true. Finishes the message.
bool pipeline_build_check(
    struct pipeline_build *build, enum backend_status status, struct text_buffer *message);

// `pipeline` may be NULL (no memory): false then, and the build is empty.
bool pipeline_build_init(struct pipeline_build *build, struct WGPUDeviceImpl *device,
    struct gpu_object *pipeline, struct gpu_pipeline_interface *interface, WGPUStringView label);
// Checks and copies one programmable stage of the descriptor.
bool pipeline_build_add_stage(struct pipeline_build *build, enum shader_stage stage,
    struct WGPUShaderModuleImpl *module, WGPUStringView entry_point,
    const WGPUConstantEntry *constants, size_t constant_count);
// The reflection of the module as it was written: what is statically used, whatever the constants.
const struct reflect_entry_point *pipeline_stage_get_declared(const struct pipeline_stage *stage);
// Once all stages are there: the layout (given, or automatic where it is NULL), against the stages.
bool pipeline_build_set_layout(struct pipeline_build *build, struct WGPUPipelineLayoutImpl *given);

// Now: the pipeline, valid or not, errors reported.
struct gpu_object *pipeline_build_run(struct pipeline_build *build);

// Later. `call` hands the pipeline out: the application's callback, by the kind of pipeline.
struct pipeline_callback {
    WGPUCallbackMode mode;
    void (*call)(const struct pipeline_callback *callback, WGPUCreatePipelineAsyncStatus status,
        struct gpu_object *pipeline, WGPUStringView message);
    union {
        WGPUCreateComputePipelineAsyncCallback compute; // may be NULL
        WGPUCreateRenderPipelineAsyncCallback render;
    } function;
    bool has_function;
    void *userdata1;
    void *userdata2;
};
// `prepare` fills the build, which begins zeroed; false: there was no memory for it.
WGPUFuture pipeline_build_start(struct WGPUDeviceImpl *device,
    bool (*prepare)(
        struct pipeline_build *build, struct WGPUDeviceImpl *device, const void *descriptor),
    const void *descriptor, const struct pipeline_callback *callback);

// getBindGroupLayout of either kind.
struct WGPUBindGroupLayoutImpl *pipeline_get_group_layout(struct gpu_object *pipeline,
    const struct gpu_pipeline_interface *interface, uint32_t index, const char *function);
