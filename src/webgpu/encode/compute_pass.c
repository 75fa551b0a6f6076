// SPDX-License-Identifier: MIT
//
// Commands of compute passes. They go straight into the encoder's stream; binding state is checked
// once, before the first dispatch that uses it.
#include "webgpu/encode/compute_pass.h"

#include <string.h>

#include "webgpu/encode/encoder.h"
#include "webgpu/encode/pass.h"
#include "webgpu/encode/query_set.h"
#include "webgpu/track/usage_scope.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/compute_pass.h"
#include "webgpu/validate/pass.h"
#include "webgpu/validate/query_set.h"

// ---------------------------------------------------------------- begin and end

struct WGPUComputePassEncoderImpl *compute_pass_begin(struct WGPUCommandEncoderImpl *encoder,
    const WGPUComputePassDescriptor *descriptor, struct text label) {
    bool is_open = encoder->state == GPU_ENCODER_OPEN;
    bool is_accepted = encoder_accepts(encoder, "wgpuCommandEncoderBeginComputePass");
    struct WGPUComputePassEncoderImpl *pass = gpu_compute_pass_encoder_create(encoder, label);
    if (pass == NULL) {
        encoder_fail_text(
            &encoder->error, WGPUErrorType_OutOfMemory, "out of memory for a compute pass");
        return NULL;
    }
    pass->pass.is_detached = !is_accepted;
    if (!is_open) {
        return pass;
    }
    encoder->state = GPU_ENCODER_LOCKED;
    struct validate_error error = {0};
    if (descriptor != NULL &&
        !validate_no_chain(descriptor->nextInChain, GPU_NAME(pass, COMPUTE_PASS_ENCODER), &error)) {
        encoder_fail(&pass->pass.error, &error);
    }
    const WGPUPassTimestampWrites *writes = descriptor != NULL ? descriptor->timestampWrites : NULL;
    if (writes != NULL &&
        !validate_timestamp_writes(encoder->object.device, &pass->object, writes, &error)) {
        encoder_fail(&pass->pass.error, &error);
    }
    if (is_accepted && !pass->pass.error.has_error) {
        struct command_stream *stream = encoder->recording.stream;
        encoder_begin_timestamps(
            &encoder->recording, &pass->pass.error, writes, &pass->end_timestamp);
        const char *copy = command_stream_label(stream, label);
        struct command_begin_compute_pass *command = COMMAND_APPEND(
            stream, BEGIN_COMPUTE_PASS, begin_compute_pass);
        if (command != NULL) {
            command->label = copy;
        }
    }
    return pass;
}

void compute_pass_end(struct WGPUComputePassEncoderImpl *pass) {
    struct validate_error error = {0};
    if (pass_end(&pass->pass, "wgpuComputePassEncoderEnd", &error)) {
        (void)COMMAND_APPEND(pass->pass.recording->stream, END_COMPUTE_PASS, end_compute_pass);
        encoder_end_timestamps(pass->pass.recording, &pass->end_timestamp);
    }
}

// ---------------------------------------------------------------- state

void compute_pass_set_pipeline(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUComputePipelineImpl *pipeline) {
    if (!pass_accepts(&pass->pass, "wgpuComputePassEncoderSetPipeline")) {
        return;
    }
    if (pipeline == NULL || !gpu_is_usable(&pipeline->object, pass->object.device)) {
        struct validate_error error = {0};
        BROKEN(&error, SET_PIPELINE, GPU_NAME(pass, COMPUTE_PASS_ENCODER),
            GPU_NAME(pipeline, COMPUTE_PIPELINE),
            rule_describe_unusable(
                pipeline != NULL ? &pipeline->object : NULL, pass->object.device));
        encoder_fail(&pass->pass.error, &error);
        return;
    }
    if (pass->pipeline == pipeline ||
        !encoder_use(pass->pass.recording, &pass->pass.error, &pipeline->object)) {
        return;
    }
    pass->pipeline = pipeline;
    pass->pass.is_state_checked = false;
    struct command_set_compute_pipeline *command = COMMAND_APPEND(
        pass->pass.recording->stream, SET_COMPUTE_PIPELINE, set_compute_pipeline);
    if (command != NULL) {
        command->pipeline = pipeline->backend;
    }
}

// ---------------------------------------------------------------- dispatches

// Two uses in one dispatch may exclude each other only if one of them is writable.
static bool check_usages(struct WGPUComputePassEncoderImpl *pass,
    const struct WGPUBufferImpl *indirect, struct validate_error *error) {
    const struct gpu_pipeline_interface *interface = &pass->pipeline->interface;
    bool is_indirect = indirect != NULL && interface->layout->has_writable;
    if (!is_indirect && usage_is_harmless(&pass->pass, interface)) {
        return true;
    }
    if (!usage_collect(&pass->pass, interface) ||
        (indirect != NULL && !usage_collect_indirect(&pass->pass, indirect))) {
        encoder_fail_text(
            &pass->pass.error, WGPUErrorType_OutOfMemory, "out of memory while encoding");
        return false;
    }
    if (!validate_dispatch_uses(&pass->pass, error)) {
        return false;
    }
    usage_keep_harmless(&pass->pass, interface);
    return true;
}

// Pipeline, groups, uses. `indirect` may be NULL.
static bool check_state(
    struct WGPUComputePassEncoderImpl *pass, const struct WGPUBufferImpl *indirect) {
    if (pass->pass.is_state_checked && (indirect == NULL || indirect == pass->last_indirect)) {
        return true;
    }
    struct validate_error error = {0};
    struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    bool ok = pipeline != NULL ||
        BROKEN(&error, BOUND_PIPELINE, GPU_NAME(pass, COMPUTE_PASS_ENCODER), "dispatch");
    ok = ok &&
        validate_bound_state(
            &pass->pass, &pipeline->object, &pipeline->interface, "dispatch", &error);
    if (!ok || !check_usages(pass, indirect, &error)) {
        encoder_fail(&pass->pass.error, &error);
        return false;
    }
    pass->pass.is_state_checked = true;
    pass->last_indirect = indirect;
    return true;
}

void compute_pass_dispatch(
    struct WGPUComputePassEncoderImpl *pass, uint32_t x, uint32_t y, uint32_t z) {
    if (!pass_accepts(&pass->pass, "wgpuComputePassEncoderDispatchWorkgroups") ||
        !check_state(pass, NULL)) {
        return;
    }
    uint32_t workgroups[3] = {x, y, z};
    struct validate_error error = {0};
    if (!validate_dispatch_count(pass, workgroups, &error)) {
        encoder_fail(&pass->pass.error, &error);
        return;
    }
    pass->pass.recording->dispatch_count++;
    struct command_dispatch *command = COMMAND_APPEND(
        pass->pass.recording->stream, DISPATCH, dispatch);
    if (command != NULL) {
        memcpy(command->workgroups, workgroups, sizeof(workgroups));
    }
}

void compute_pass_dispatch_indirect(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUBufferImpl *buffer, uint64_t offset_bytes) {
    if (!pass_accepts(&pass->pass, "wgpuComputePassEncoderDispatchWorkgroupsIndirect")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_indirect(&pass->pass, buffer, offset_bytes, 12, &error)) {
        encoder_fail(&pass->pass.error, &error);
        return;
    }
    if (!check_state(pass, buffer) ||
        !encoder_use(pass->pass.recording, &pass->pass.error, &buffer->object)) {
        return;
    }
    pass->pass.recording->dispatch_count++;
    struct command_dispatch_indirect *command = COMMAND_APPEND(
        pass->pass.recording->stream, DISPATCH_INDIRECT, dispatch_indirect);
    if (command != NULL) {
        const uint64_t *limits = pass->object.device->limits.values;
        command->buffer = buffer->backend;
        command->offset_bytes = offset_bytes;
        command->limit = (uint32_t)limits[LIMIT_maxComputeWorkgroupsPerDimension];
    }
}
