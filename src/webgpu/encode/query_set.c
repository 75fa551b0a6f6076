// SPDX-License-Identifier: MIT
//
// Commands that use query sets.
#include "webgpu/encode/query_set.h"

#include "webgpu/encode/encoder.h"
#include "webgpu/validate/query_set.h"

static void record_timestamp(
    struct gpu_recording *recording, const struct WGPUQuerySetImpl *set, uint32_t index) {
    struct command_write_timestamp *command = COMMAND_APPEND(
        recording->stream, WRITE_TIMESTAMP, write_timestamp);
    if (command != NULL) {
        command->query_set = set->backend;
        command->index = index;
    }
}

void encoder_write_timestamp(
    struct WGPUCommandEncoderImpl *encoder, struct WGPUQuerySetImpl *set, uint32_t index) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderWriteTimestamp")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_write_timestamp(encoder->object.device, &encoder->object, set, index, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    if (encoder_use(&encoder->recording, &encoder->error, &set->object)) {
        record_timestamp(&encoder->recording, set, index);
    }
}

void encoder_resolve_query_set(struct WGPUCommandEncoderImpl *encoder, struct WGPUQuerySetImpl *set,
    uint32_t first, uint32_t count, struct WGPUBufferImpl *destination, uint64_t offset_bytes) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderResolveQuerySet")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_resolve(encoder->object.device, &encoder->object, set, first, count, destination,
            offset_bytes, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    struct gpu_recording *recording = &encoder->recording;
    if (!encoder_use(recording, &encoder->error, &set->object) ||
        !encoder_use(recording, &encoder->error, &destination->object) || count == 0) {
        return;
    }
    struct command_resolve_query_set *command = COMMAND_APPEND(
        recording->stream, RESOLVE_QUERY_SET, resolve_query_set);
    if (command != NULL) {
        command->query_set = set->backend;
        command->first = first;
        command->count = count;
        command->destination = destination->backend;
        command->destination_offset_bytes = offset_bytes;
        encoder_note(encoder, LEDGER_CALL_RESOLVE_QUERY_SET, (uint64_t)count * sizeof(uint64_t),
            &destination->object, NULL);
    }
}

void encoder_begin_timestamps(struct gpu_recording *recording, struct gpu_first_error *first,
    const WGPUPassTimestampWrites *writes, struct gpu_end_timestamp *out_end) {
    out_end->set = NULL;
    if (writes == NULL || !encoder_use(recording, first, &writes->querySet->object)) {
        return;
    }
    if (writes->beginningOfPassWriteIndex != WGPU_QUERY_SET_INDEX_UNDEFINED) {
        record_timestamp(recording, writes->querySet, writes->beginningOfPassWriteIndex);
    }
    if (writes->endOfPassWriteIndex != WGPU_QUERY_SET_INDEX_UNDEFINED) {
        out_end->set = writes->querySet;
        out_end->index = writes->endOfPassWriteIndex;
    }
}

void encoder_end_timestamps(struct gpu_recording *recording, const struct gpu_end_timestamp *end) {
    if (end->set != NULL) {
        record_timestamp(recording, end->set, end->index);
    }
}
