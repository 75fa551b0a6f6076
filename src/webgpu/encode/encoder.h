// SPDX-License-Identifier: MIT
//
// Command encoders: each function is one command of WebGPU §"Command Encoding". A broken rule is
// kept in the encoder, and the first one is reported when the encoder is finished; commands after
// it are ignored. One thread at a time for each encoder; no locks.
#pragma once

#include "webgpu/object/command_encoder.h"
#include "webgpu/validate/rule.h"

// Keeps the error if it is the encoder's first; empties `error`.
void encoder_fail(struct gpu_first_error *first, struct validate_error *error);
// Out of memory, or a capability that is not built yet.
void encoder_fail_text(struct gpu_first_error *first, WGPUErrorType type, const char *message);
// True when the encoder can take a command named `what`. Else the rule of the encoder's state is
// broken: kept if a pass is open, reported at once if the encoder was finished.
bool encoder_accepts(struct WGPUCommandEncoderImpl *encoder, const char *what);

// True when the stream will keep the object alive from now on.
bool encoder_use(
    struct gpu_recording *recording, struct gpu_first_error *first, struct gpu_object *object);

// Remembers a copy or clear for the ledger; source may be NULL.
void encoder_note(struct WGPUCommandEncoderImpl *encoder, enum ledger_call call,
    uint64_t size_bytes, struct gpu_object *destination, struct gpu_object *source);

void encoder_copy_buffer(struct WGPUCommandEncoderImpl *encoder, struct WGPUBufferImpl *source,
    uint64_t source_offset_bytes, struct WGPUBufferImpl *destination,
    uint64_t destination_offset_bytes, uint64_t size_bytes);
void encoder_clear_buffer(struct WGPUCommandEncoderImpl *encoder, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, uint64_t size_bytes);
void encoder_push_debug_group(struct WGPUCommandEncoderImpl *encoder, struct text label);
void encoder_pop_debug_group(struct WGPUCommandEncoderImpl *encoder);
void encoder_insert_debug_marker(struct WGPUCommandEncoderImpl *encoder, struct text label);
// NULL only when out of memory.
struct WGPUCommandBufferImpl *encoder_finish(struct WGPUCommandEncoderImpl *encoder,
    const WGPUCommandBufferDescriptor *descriptor, struct text label);
