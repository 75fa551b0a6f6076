// SPDX-License-Identifier: MIT
//
// Commands that use query sets: of encoders, and what passes record for their timestampWrites.
#pragma once

#include "webgpu/object/command_encoder.h"
#include "webgpu/object/query_set.h"

void encoder_write_timestamp(
    struct WGPUCommandEncoderImpl *encoder, struct WGPUQuerySetImpl *set, uint32_t index);
void encoder_resolve_query_set(struct WGPUCommandEncoderImpl *encoder, struct WGPUQuerySetImpl *set,
    uint32_t first, uint32_t count, struct WGPUBufferImpl *destination, uint64_t offset_bytes);

// At a pass's begin, before its own command: records the timestamp of the beginning, if one is
// wanted, and remembers that of the end. What was validated; `writes` may be NULL.
void encoder_begin_timestamps(struct gpu_recording *recording, struct gpu_first_error *first,
    const WGPUPassTimestampWrites *writes, struct gpu_end_timestamp *out_end);
// After the command that ends the pass.
void encoder_end_timestamps(struct gpu_recording *recording, const struct gpu_end_timestamp *end);
