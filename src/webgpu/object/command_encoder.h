// SPDX-License-Identifier: MIT
//
// struct WGPUCommandEncoderImpl, its compute pass and the finished command buffer. Encoders belong
// to one thread at a time and take no lock; a command buffer is guarded by the device's mutex.
// WebGPU §"Command Encoding".
#pragma once

#include <webgpu/webgpu.h>

#include "backend/command.h"
#include "base/vector.h"
#include "ledger/ledger.h"
#include "webgpu/object/bind_group.h"
#include "webgpu/object/compute_pipeline.h"
#include "webgpu/object/object.h"
#include "webgpu/object/object_set.h"
#include "webgpu/object/query_set.h"

enum gpu_encoder_state {
    GPU_ENCODER_OPEN,
    GPU_ENCODER_LOCKED, // a pass is open
    GPU_ENCODER_ENDED
};

// The first broken rule of an encoder: kept until it is finished.
struct gpu_first_error {
    bool has_error;
    WGPUErrorType type;
    struct text_buffer message;
};

// A copy or clear, told to the ledger when it is submitted.
struct gpu_ledger_note {
    enum ledger_call call;
    uint64_t size_bytes;
    struct gpu_object *destination; // a buffer or texture in the command buffer's objects
    struct gpu_object *source;      // likewise, or NULL
};

// What an encoder records and a command buffer holds.
struct gpu_recording {
    struct command_stream *stream; // MEMORY_COMMAND; NULL: no memory, or given away
    struct object_set objects;     // everything that the stream uses
    VECTOR(struct gpu_ledger_note) notes;
    uint64_t dispatch_count;
};
void gpu_recording_finish(struct gpu_recording *recording);

struct WGPUCommandEncoderImpl {
    struct gpu_object object;
    enum gpu_encoder_state state;
    struct gpu_first_error error;
    struct gpu_recording recording;
    uint32_t debug_depth;
};

struct gpu_bind_slot {
    struct WGPUBindGroupImpl *group; // in the recording's objects; NULL: not set
    uint32_t *dynamic_offsets;       // of the pass's own block
    uint32_t dynamic_offset_count;
    uint32_t dynamic_offset_capacity;
};

// A pass's timestamp at its end, kept until then. set NULL: none.
struct gpu_end_timestamp {
    struct WGPUQuerySetImpl *set; // in the recording's objects
    uint32_t index;
};

// The most immediate bytes that any device offers.
#define GPU_IMMEDIATE_CAPACITY_BYTES 256

struct WGPUComputePassEncoderImpl {
    struct gpu_object object;
    struct WGPUCommandEncoderImpl *encoder; // an internal reference
    enum gpu_encoder_state state;
    struct gpu_first_error error;
    bool is_detached; // began on an encoder that was not open: records nothing
    uint32_t debug_depth;
    struct WGPUComputePipelineImpl *pipeline; // in the recording's objects
    struct gpu_bind_slot slots[GPU_BIND_GROUP_SLOTS];
    uint64_t immediate_slots_set;
    bool is_state_checked; // pipeline, groups and offsets passed validation and are unchanged since
    const struct WGPUBufferImpl *last_indirect; // checked together with that state
    struct gpu_end_timestamp end_timestamp;
};

struct WGPUCommandBufferImpl {
    struct gpu_object object;
    struct gpu_recording recording;
    bool is_submitted; // used up
};

extern const struct gpu_object_class gpu_command_encoder_class;
extern const struct gpu_object_class gpu_compute_pass_encoder_class;
extern const struct gpu_object_class gpu_command_buffer_class;

// All return NULL when out of memory.
struct WGPUCommandEncoderImpl *gpu_command_encoder_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
struct WGPUComputePassEncoderImpl *gpu_compute_pass_encoder_create(
    struct WGPUCommandEncoderImpl *encoder, struct text label);
// Takes over what the encoder recorded.
struct WGPUCommandBufferImpl *gpu_command_buffer_create(struct WGPUDeviceImpl *device,
    struct text label, bool is_valid, struct gpu_recording *recording);
