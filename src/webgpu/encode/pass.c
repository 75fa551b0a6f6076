// SPDX-License-Identifier: MIT
//
// Shared commands of passes. They go straight into the recording's stream; binding state is checked
// once, before the first dispatch or draw that uses it.
#include "webgpu/encode/pass.h"

#include <string.h>

#include "webgpu/encode/encoder.h"
#include "webgpu/event/error.h"
#include "webgpu/validate/pass.h"

#define PASS_NAME gpu_object_get_name(&pass->object, pass->object.class_of->kind).text

void pass_report(struct gpu_pass *pass, struct validate_error *error) {
    rule_log(error);
    error_report(pass->object.device, WGPUErrorType_Validation, text_buffer_get(&error->message));
    text_buffer_finish(&error->message);
}

const char *pass_end_word(const struct gpu_pass *pass) {
    return pass->encoder != NULL ? "the pass was ended" : "wgpuRenderBundleEncoderFinish";
}

bool pass_accepts_slow(struct gpu_pass *pass, const char *what) {
    if (pass->state == GPU_ENCODER_ENDED) {
        struct validate_error error = {0};
        BROKEN(&error, PASS_ENDED, PASS_NAME, what, pass_end_word(pass));
        pass_report(pass, &error);
    }
    // Else there is a broken rule already, or an encoder that was finished with the pass open: it
    // has nothing to record into.
    return false;
}

bool pass_end(struct gpu_pass *pass, const char *what, struct validate_error *error) {
    struct WGPUCommandEncoderImpl *encoder = pass->encoder;
    if (pass->state != GPU_ENCODER_OPEN) {
        text_buffer_finish(&error->message);
        BROKEN(error, PASS_ENDED, PASS_NAME, what, pass_end_word(pass));
        pass_report(pass, error);
        return false;
    }
    pass->state = GPU_ENCODER_ENDED;
    if (encoder->state != GPU_ENCODER_LOCKED) {
        text_buffer_finish(&error->message);
        BROKEN(error, PASS_PARENT_ENDED, PASS_NAME, what, GPU_NAME(encoder, COMMAND_ENCODER));
        pass_report(pass, error);
        return false;
    }
    encoder->state = GPU_ENCODER_OPEN;
    if (error->rule != RULE_NONE) {
        encoder_fail(&pass->error, error);
    }
    if (pass->debug_depth != 0) {
        BROKEN(error, PASS_DEBUG_GROUPS, PASS_NAME, pass->debug_depth);
        encoder_fail(&pass->error, error);
    }
    if (pass->error.has_error) {
        if (!encoder->error.has_error) {
            encoder->error = pass->error;
            memset(&pass->error, 0, sizeof(pass->error));
        }
        return false;
    }
    return !pass->is_detached;
}

// ---------------------------------------------------------------- binding

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

void pass_set_bind_group(struct gpu_pass *pass, const char *what, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets) {
    if (!pass_accepts(pass, what)) {
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
    if (group != NULL && !encoder_use(pass->recording, &pass->error, &group->object)) {
        return;
    }
    if (!keep_offsets(slot, offset_count, offsets)) {
        encoder_fail_text(&pass->error, WGPUErrorType_OutOfMemory, "out of memory while encoding");
        return;
    }
    slot->group = group;
    slot->call = pass->call_count;
    pass->is_state_checked = false;
    size_t offsets_bytes = offset_count * sizeof(uint32_t);
    struct command_set_bind_group *command = command_stream_append(
        pass->recording->stream, COMMAND_SET_BIND_GROUP, sizeof(*command) + offsets_bytes);
    if (command != NULL) {
        command->group = group != NULL ? group->backend : NULL;
        command->index = index;
        command->dynamic_offset_count = (uint32_t)offset_count;
        if (offset_count != 0) {
            memcpy(command + 1, offsets, offsets_bytes);
        }
    }
}

void pass_set_immediates(struct gpu_pass *pass, const char *what, uint32_t offset_bytes,
    const void *data, size_t size_bytes) {
    if (!pass_accepts(pass, what)) {
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
        pass->recording->stream, COMMAND_SET_IMMEDIATES, sizeof(*command) + size_bytes);
    if (command != NULL) {
        command->offset_bytes = offset_bytes;
        command->size_bytes = (uint32_t)size_bytes;
        memcpy(command + 1, data, size_bytes);
    }
}

// ---------------------------------------------------------------- debug groups

void pass_push_debug_group(struct gpu_pass *pass, const char *what, struct text label) {
    if (!pass_accepts(pass, what)) {
        return;
    }
    pass->debug_depth++;
    struct command_stream *stream = pass->recording->stream;
    const char *copy = command_stream_label(stream, label);
    struct command_push_debug_group *command = COMMAND_APPEND(
        stream, PUSH_DEBUG_GROUP, push_debug_group);
    if (command != NULL) {
        command->label = copy;
    }
}

void pass_pop_debug_group(struct gpu_pass *pass, const char *what) {
    if (!pass_accepts(pass, what)) {
        return;
    }
    if (pass->debug_depth == 0) {
        struct validate_error error = {0};
        BROKEN(&error, DEBUG_POP, PASS_NAME);
        encoder_fail(&pass->error, &error);
        return;
    }
    pass->debug_depth--;
    (void)COMMAND_APPEND(pass->recording->stream, POP_DEBUG_GROUP, pop_debug_group);
}

void pass_insert_debug_marker(struct gpu_pass *pass, const char *what, struct text label) {
    if (!pass_accepts(pass, what)) {
        return;
    }
    struct command_stream *stream = pass->recording->stream;
    const char *copy = command_stream_label(stream, label);
    struct command_insert_debug_marker *command = COMMAND_APPEND(
        stream, INSERT_DEBUG_MARKER, insert_debug_marker);
    if (command != NULL) {
        command->label = copy;
    }
}
