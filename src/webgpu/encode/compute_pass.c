// SPDX-License-Identifier: MIT
//
// Commands of compute passes. They go straight into the encoder's stream; binding state is checked
// once, before the first dispatch that uses it.
#include "webgpu/encode/compute_pass.h"

#include <string.h>

#include "webgpu/encode/encoder.h"
#include "webgpu/encode/query_set.h"
#include "webgpu/event/error.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/compute_pass.h"
#include "webgpu/validate/query_set.h"

static struct gpu_recording *recording_of(struct WGPUComputePassEncoderImpl *pass) {
    return &pass->encoder->recording;
}

// Reports a broken rule at once, where the specification does not wait for finish.
static void report_now(struct WGPUComputePassEncoderImpl *pass, struct validate_error *error) {
    error_report(pass->object.device, WGPUErrorType_Validation, text_buffer_get(&error->message));
    text_buffer_finish(&error->message);
}

static bool accepts(struct WGPUComputePassEncoderImpl *pass, const char *what) {
    if (pass->state == GPU_ENCODER_OPEN) {
        // An encoder that was finished with the pass open has nothing to record into.
        return !pass->error.has_error && !pass->is_detached &&
            pass->encoder->state == GPU_ENCODER_LOCKED;
    }
    struct validate_error error = {0};
    BROKEN(&error, PASS_ENDED, GPU_NAME(pass, COMPUTE_PASS_ENCODER), what);
    report_now(pass, &error);
    return false;
}

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
    pass->is_detached = !is_accepted;
    if (!is_open) {
        return pass;
    }
    encoder->state = GPU_ENCODER_LOCKED;
    struct validate_error error = {0};
    if (descriptor != NULL &&
        !validate_no_chain(descriptor->nextInChain, GPU_NAME(pass, COMPUTE_PASS_ENCODER), &error)) {
        encoder_fail(&pass->error, &error);
    }
    const WGPUPassTimestampWrites *writes = descriptor != NULL ? descriptor->timestampWrites : NULL;
    if (writes != NULL &&
        !validate_timestamp_writes(encoder->object.device, &pass->object, writes, &error)) {
        encoder_fail(&pass->error, &error);
    }
    if (is_accepted && !pass->error.has_error) {
        struct command_stream *stream = encoder->recording.stream;
        encoder_begin_timestamps(&encoder->recording, &pass->error, writes, &pass->end_timestamp);
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
    struct WGPUCommandEncoderImpl *encoder = pass->encoder;
    struct validate_error error = {0};
    if (pass->state != GPU_ENCODER_OPEN) {
        BROKEN(
            &error, PASS_ENDED, GPU_NAME(pass, COMPUTE_PASS_ENCODER), "wgpuComputePassEncoderEnd");
        report_now(pass, &error);
        return;
    }
    pass->state = GPU_ENCODER_ENDED;
    if (encoder->state != GPU_ENCODER_LOCKED) {
        BROKEN(&error, PASS_PARENT_ENDED, GPU_NAME(pass, COMPUTE_PASS_ENCODER),
            GPU_NAME(encoder, COMMAND_ENCODER));
        report_now(pass, &error);
        return;
    }
    encoder->state = GPU_ENCODER_OPEN;
    if (pass->debug_depth != 0) {
        BROKEN(&error, PASS_DEBUG_GROUPS, GPU_NAME(pass, COMPUTE_PASS_ENCODER), pass->debug_depth);
        encoder_fail(&pass->error, &error);
    }
    if (pass->error.has_error) {
        if (!encoder->error.has_error) {
            encoder->error = pass->error;
            memset(&pass->error, 0, sizeof(pass->error));
        }
        return;
    }
    if (!pass->is_detached) {
        (void)COMMAND_APPEND(encoder->recording.stream, END_COMPUTE_PASS, end_compute_pass);
        encoder_end_timestamps(&encoder->recording, &pass->end_timestamp);
    }
}

// ---------------------------------------------------------------- state

void compute_pass_set_pipeline(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUComputePipelineImpl *pipeline) {
    if (!accepts(pass, "wgpuComputePassEncoderSetPipeline")) {
        return;
    }
    if (pipeline == NULL || !gpu_is_usable(&pipeline->object, pass->object.device)) {
        struct validate_error error = {0};
        BROKEN(&error, SET_PIPELINE, GPU_NAME(pass, COMPUTE_PASS_ENCODER),
            GPU_NAME(pipeline, COMPUTE_PIPELINE),
            rule_describe_unusable(
                pipeline != NULL ? &pipeline->object : NULL, pass->object.device));
        encoder_fail(&pass->error, &error);
        return;
    }
    if (pass->pipeline == pipeline ||
        !encoder_use(recording_of(pass), &pass->error, &pipeline->object)) {
        return;
    }
    pass->pipeline = pipeline;
    pass->is_state_checked = false;
    struct command_set_compute_pipeline *command = COMMAND_APPEND(
        recording_of(pass)->stream, SET_COMPUTE_PIPELINE, set_compute_pipeline);
    if (command != NULL) {
        command->pipeline = pipeline->backend;
    }
}

static bool keep_offsets(struct gpu_bind_slot *slot, size_t count, const uint32_t *offsets) {
    if (count > slot->dynamic_offset_capacity) {
        uint32_t *grown = memory_resize(
            MEMORY_COMMAND, slot->dynamic_offsets, count * sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        slot->dynamic_offsets = grown;
        slot->dynamic_offset_capacity = (uint32_t)count;
    }
    if (count != 0) {
        memcpy(slot->dynamic_offsets, offsets, count * sizeof(*offsets));
    }
    slot->dynamic_offset_count = (uint32_t)count;
    return true;
}

void compute_pass_set_bind_group(struct WGPUComputePassEncoderImpl *pass, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets) {
    if (!accepts(pass, "wgpuComputePassEncoderSetBindGroup")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_set_bind_group(pass, index, group, offset_count, offsets, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    struct gpu_bind_slot *slot = &pass->slots[index];
    if (slot->group == group && offset_count == 0) {
        return;
    }
    if (group != NULL && !encoder_use(recording_of(pass), &pass->error, &group->object)) {
        return;
    }
    if (!keep_offsets(slot, offset_count, offsets)) {
        encoder_fail_text(&pass->error, WGPUErrorType_OutOfMemory, "out of memory while encoding");
        return;
    }
    slot->group = group;
    pass->is_state_checked = false;
    size_t offsets_bytes = offset_count * sizeof(uint32_t);
    struct command_set_bind_group *command = command_stream_append(
        recording_of(pass)->stream, COMMAND_SET_BIND_GROUP, sizeof(*command) + offsets_bytes);
    if (command != NULL) {
        command->group = group != NULL ? group->backend : NULL;
        command->index = index;
        command->dynamic_offset_count = (uint32_t)offset_count;
        if (offset_count != 0) {
            memcpy(command + 1, offsets, offsets_bytes);
        }
    }
}

void compute_pass_set_immediates(struct WGPUComputePassEncoderImpl *pass, uint32_t offset_bytes,
    const void *data, size_t size_bytes) {
    if (!accepts(pass, "wgpuComputePassEncoderSetImmediates")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_set_immediates(pass, offset_bytes, size_bytes, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    for (uint32_t slot = offset_bytes / 4; slot < (offset_bytes + size_bytes) / 4; slot++) {
        pass->immediate_slots_set |= (uint64_t)1 << slot;
    }
    pass->is_state_checked = false;
    if (size_bytes == 0) {
        return;
    }
    struct command_set_immediates *command = command_stream_append(
        recording_of(pass)->stream, COMMAND_SET_IMMEDIATES, sizeof(*command) + size_bytes);
    if (command != NULL) {
        command->offset_bytes = offset_bytes;
        command->size_bytes = (uint32_t)size_bytes;
        memcpy(command + 1, data, size_bytes);
    }
}

// ---------------------------------------------------------------- dispatches

// Pipeline, groups, uses. `indirect` may be NULL.
static bool check_state(
    struct WGPUComputePassEncoderImpl *pass, const struct WGPUBufferImpl *indirect) {
    if (pass->is_state_checked && (indirect == NULL || indirect == pass->last_indirect)) {
        return true;
    }
    struct validate_error error = {0};
    struct usage_scope scope = {0};
    bool ok = validate_dispatch_state(pass, &error);
    if (ok && !usage_scope_collect(&scope, pass, indirect)) {
        encoder_fail_text(&pass->error, WGPUErrorType_OutOfMemory, "out of memory while encoding");
        usage_scope_finish(&scope);
        return false;
    }
    ok = ok && validate_usage_scope(pass, &scope, &error);
    usage_scope_finish(&scope);
    if (!ok) {
        encoder_fail(&pass->error, &error);
        return false;
    }
    pass->is_state_checked = true;
    pass->last_indirect = indirect;
    return true;
}

void compute_pass_dispatch(
    struct WGPUComputePassEncoderImpl *pass, uint32_t x, uint32_t y, uint32_t z) {
    if (!accepts(pass, "wgpuComputePassEncoderDispatchWorkgroups") || !check_state(pass, NULL)) {
        return;
    }
    uint32_t workgroups[3] = {x, y, z};
    struct validate_error error = {0};
    if (!validate_dispatch_count(pass, workgroups, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    recording_of(pass)->dispatch_count++;
    struct command_dispatch *command = COMMAND_APPEND(
        recording_of(pass)->stream, DISPATCH, dispatch);
    if (command != NULL) {
        memcpy(command->workgroups, workgroups, sizeof(workgroups));
    }
}

void compute_pass_dispatch_indirect(
    struct WGPUComputePassEncoderImpl *pass, struct WGPUBufferImpl *buffer, uint64_t offset_bytes) {
    if (!accepts(pass, "wgpuComputePassEncoderDispatchWorkgroupsIndirect")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_indirect(pass, buffer, offset_bytes, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    if (!check_state(pass, buffer) ||
        !encoder_use(recording_of(pass), &pass->error, &buffer->object)) {
        return;
    }
    recording_of(pass)->dispatch_count++;
    struct command_dispatch_indirect *command = COMMAND_APPEND(
        recording_of(pass)->stream, DISPATCH_INDIRECT, dispatch_indirect);
    if (command != NULL) {
        const uint64_t *limits = pass->object.device->limits.values;
        command->buffer = buffer->backend;
        command->offset_bytes = offset_bytes;
        command->limit = (uint32_t)limits[LIMIT_maxComputeWorkgroupsPerDimension];
    }
}

// ---------------------------------------------------------------- debug groups

void compute_pass_push_debug_group(struct WGPUComputePassEncoderImpl *pass, struct text label) {
    if (!accepts(pass, "wgpuComputePassEncoderPushDebugGroup")) {
        return;
    }
    pass->debug_depth++;
    struct command_stream *stream = recording_of(pass)->stream;
    const char *copy = command_stream_label(stream, label);
    struct command_push_debug_group *command = COMMAND_APPEND(
        stream, PUSH_DEBUG_GROUP, push_debug_group);
    if (command != NULL) {
        command->label = copy;
    }
}

void compute_pass_pop_debug_group(struct WGPUComputePassEncoderImpl *pass) {
    if (!accepts(pass, "wgpuComputePassEncoderPopDebugGroup")) {
        return;
    }
    if (pass->debug_depth == 0) {
        struct validate_error error = {0};
        BROKEN(&error, DEBUG_POP, GPU_NAME(pass, COMPUTE_PASS_ENCODER));
        encoder_fail(&pass->error, &error);
        return;
    }
    pass->debug_depth--;
    (void)COMMAND_APPEND(recording_of(pass)->stream, POP_DEBUG_GROUP, pop_debug_group);
}

void compute_pass_insert_debug_marker(struct WGPUComputePassEncoderImpl *pass, struct text label) {
    if (!accepts(pass, "wgpuComputePassEncoderInsertDebugMarker")) {
        return;
    }
    struct command_stream *stream = recording_of(pass)->stream;
    const char *copy = command_stream_label(stream, label);
    struct command_insert_debug_marker *command = COMMAND_APPEND(
        stream, INSERT_DEBUG_MARKER, insert_debug_marker);
    if (command != NULL) {
        command->label = copy;
    }
}
