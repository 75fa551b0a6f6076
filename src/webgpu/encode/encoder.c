// SPDX-License-Identifier: MIT
//
// Commands of command encoders.
#include "webgpu/encode/encoder.h"

#include "webgpu/event/error.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/command.h"

void encoder_fail(struct gpu_first_error *first, struct validate_error *error) {
    if (!first->has_error) {
        rule_log(error);
        first->has_error = true;
        first->type = WGPUErrorType_Validation;
        first->message = error->message;
        error->message = (struct text_buffer){0};
    }
    text_buffer_finish(&error->message);
    error->rule = RULE_NONE;
}

void encoder_fail_text(struct gpu_first_error *first, WGPUErrorType type, const char *message) {
    if (!first->has_error) {
        first->has_error = true;
        first->type = type;
        text_buffer_append_string(&first->message, message);
    }
}

bool encoder_accepts(struct WGPUCommandEncoderImpl *encoder, const char *what) {
    struct validate_error error = {0};
    switch (encoder->state) {
    case GPU_ENCODER_OPEN:
        return !encoder->error.has_error && encoder->object.is_valid;
    case GPU_ENCODER_LOCKED:
        BROKEN(&error, ENCODER_LOCKED, GPU_NAME(encoder, COMMAND_ENCODER), what);
        encoder_fail(&encoder->error, &error);
        return false;
    case GPU_ENCODER_ENDED:
        BROKEN(&error, ENCODER_ENDED, GPU_NAME(encoder, COMMAND_ENCODER), what);
        error_report(
            encoder->object.device, WGPUErrorType_Validation, text_buffer_get(&error.message));
        text_buffer_finish(&error.message);
        return false;
    }
    return false;
}

bool encoder_use(
    struct gpu_recording *recording, struct gpu_first_error *first, struct gpu_object *object) {
    if (object_set_add(&recording->objects, object)) {
        return true;
    }
    encoder_fail_text(first, WGPUErrorType_OutOfMemory, "out of memory while encoding");
    return false;
}

// ---------------------------------------------------------------- copies

void encoder_note(struct WGPUCommandEncoderImpl *encoder, enum ledger_call call,
    uint64_t size_bytes, struct gpu_object *destination, struct gpu_object *source) {
    struct gpu_ledger_note note = {call, size_bytes, destination, source};
    if (!vector_push(&encoder->recording.notes, MEMORY_COMMAND, note)) {
        encoder_fail_text(
            &encoder->error, WGPUErrorType_OutOfMemory, "out of memory while encoding");
    }
}

void encoder_copy_buffer(struct WGPUCommandEncoderImpl *encoder, struct WGPUBufferImpl *source,
    uint64_t source_offset_bytes, struct WGPUBufferImpl *destination,
    uint64_t destination_offset_bytes, uint64_t size_bytes) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderCopyBufferToBuffer")) {
        return;
    }
    if (size_bytes == WGPU_WHOLE_SIZE && source != NULL) {
        size_bytes = source_offset_bytes < source->size_bytes
            ? source->size_bytes - source_offset_bytes
            : 0;
    }
    struct validate_error error = {0};
    if (!validate_copy(encoder->object.device, &encoder->object, source, source_offset_bytes,
            destination, destination_offset_bytes, size_bytes, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    struct gpu_recording *recording = &encoder->recording;
    if (!encoder_use(recording, &encoder->error, &source->object) ||
        !encoder_use(recording, &encoder->error, &destination->object) || size_bytes == 0) {
        return;
    }
    struct command_copy_buffer_to_buffer *command = COMMAND_APPEND(
        recording->stream, COPY_BUFFER_TO_BUFFER, copy_buffer_to_buffer);
    if (command != NULL) {
        command->source = source->backend;
        command->destination = destination->backend;
        command->source_offset_bytes = source_offset_bytes;
        command->destination_offset_bytes = destination_offset_bytes;
        command->size_bytes = size_bytes;
        encoder_note(encoder, LEDGER_CALL_COPY_BUFFER_TO_BUFFER, size_bytes, &destination->object,
            &source->object);
    }
}

void encoder_clear_buffer(struct WGPUCommandEncoderImpl *encoder, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, uint64_t size_bytes) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderClearBuffer")) {
        return;
    }
    if (size_bytes == WGPU_WHOLE_SIZE && buffer != NULL) {
        size_bytes = offset_bytes < buffer->size_bytes ? buffer->size_bytes - offset_bytes : 0;
    }
    struct validate_error error = {0};
    if (!validate_clear(
            encoder->object.device, &encoder->object, buffer, offset_bytes, size_bytes, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    struct gpu_recording *recording = &encoder->recording;
    if (!encoder_use(recording, &encoder->error, &buffer->object) || size_bytes == 0) {
        return;
    }
    struct command_clear_buffer *command = COMMAND_APPEND(
        recording->stream, CLEAR_BUFFER, clear_buffer);
    if (command != NULL) {
        command->buffer = buffer->backend;
        command->offset_bytes = offset_bytes;
        command->size_bytes = size_bytes;
        encoder_note(encoder, LEDGER_CALL_CLEAR_BUFFER, size_bytes, &buffer->object, NULL);
    }
}

// ---------------------------------------------------------------- debug groups

void encoder_push_debug_group(struct WGPUCommandEncoderImpl *encoder, struct text label) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderPushDebugGroup")) {
        return;
    }
    encoder->debug_depth++;
    struct command_stream *stream = encoder->recording.stream;
    const char *copy = command_stream_label(stream, label);
    struct command_push_debug_group *command = COMMAND_APPEND(
        stream, PUSH_DEBUG_GROUP, push_debug_group);
    if (command != NULL) {
        command->label = copy;
    }
}

void encoder_pop_debug_group(struct WGPUCommandEncoderImpl *encoder) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderPopDebugGroup")) {
        return;
    }
    if (encoder->debug_depth == 0) {
        struct validate_error error = {0};
        BROKEN(&error, DEBUG_POP, GPU_NAME(encoder, COMMAND_ENCODER));
        encoder_fail(&encoder->error, &error);
        return;
    }
    encoder->debug_depth--;
    (void)COMMAND_APPEND(encoder->recording.stream, POP_DEBUG_GROUP, pop_debug_group);
}

void encoder_insert_debug_marker(struct WGPUCommandEncoderImpl *encoder, struct text label) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderInsertDebugMarker")) {
        return;
    }
    struct command_stream *stream = encoder->recording.stream;
    const char *copy = command_stream_label(stream, label);
    struct command_insert_debug_marker *command = COMMAND_APPEND(
        stream, INSERT_DEBUG_MARKER, insert_debug_marker);
    if (command != NULL) {
        command->label = copy;
    }
}

// ---------------------------------------------------------------- finish

static void check_finish(
    struct WGPUCommandEncoderImpl *encoder, const WGPUCommandBufferDescriptor *descriptor) {
    struct validate_error error = {0};
    struct gpu_first_error *first = &encoder->error;
    if (descriptor != NULL &&
        !validate_no_chain(descriptor->nextInChain, GPU_NAME(encoder, COMMAND_ENCODER), &error)) {
        encoder_fail(first, &error);
    }
    if (encoder->state == GPU_ENCODER_LOCKED) {
        BROKEN(&error, FINISH_LOCKED, GPU_NAME(encoder, COMMAND_ENCODER));
        encoder_fail(first, &error);
    }
    if (!encoder->object.is_valid) {
        BROKEN(&error, FINISH_INVALID, GPU_NAME(encoder, COMMAND_ENCODER));
        encoder_fail(first, &error);
    }
    if (encoder->debug_depth != 0) {
        BROKEN(
            &error, FINISH_DEBUG_GROUPS, GPU_NAME(encoder, COMMAND_ENCODER), encoder->debug_depth);
        encoder_fail(first, &error);
    }
    if (encoder->recording.stream != NULL && encoder->recording.stream->has_failed) {
        encoder_fail_text(first, WGPUErrorType_OutOfMemory, "out of memory while encoding");
    }
}

struct WGPUCommandBufferImpl *encoder_finish(struct WGPUCommandEncoderImpl *encoder,
    const WGPUCommandBufferDescriptor *descriptor, struct text label) {
    struct WGPUDeviceImpl *device = encoder->object.device;
    if (encoder->state == GPU_ENCODER_ENDED) {
        struct validate_error error = {0};
        BROKEN(
            &error, ENCODER_ENDED, GPU_NAME(encoder, COMMAND_ENCODER), "wgpuCommandEncoderFinish");
        error_report(device, WGPUErrorType_Validation, text_buffer_get(&error.message));
        text_buffer_finish(&error.message);
        return gpu_command_buffer_create(device, label, false, NULL);
    }
    check_finish(encoder, descriptor);
    encoder->state = GPU_ENCODER_ENDED;
    bool is_valid = !encoder->error.has_error && encoder->object.is_valid;
    if (encoder->error.has_error) {
        error_report(device, encoder->error.type, text_buffer_get(&encoder->error.message));
    }
    struct WGPUCommandBufferImpl *commands = gpu_command_buffer_create(
        device, label, is_valid, is_valid ? &encoder->recording : NULL);
    // What an invalid encoder recorded keeps nothing alive any longer.
    gpu_recording_finish(&encoder->recording);
    return commands;
}
