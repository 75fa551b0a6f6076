// SPDX-License-Identifier: MIT
//
// What compute passes, render passes and render bundle encoders have in common: the state of the
// encoder, bind groups, immediate data and debug groups. WebGPU §"Programmable Passes" and §"Debug
// Markers". One thread at a time; no locks.
#pragma once

#include "webgpu/object/bind_group.h"
#include "webgpu/object/object.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/object/query_set.h"
#include "webgpu/object/recording.h"
#include "webgpu/object/usage.h"

struct gpu_bind_slot {
    struct WGPUBindGroupImpl *group; // in the recording's objects; NULL: not set
    uint32_t *dynamic_offsets;       // of the pass's own block
    uint32_t dynamic_offset_count;
    uint32_t dynamic_offset_capacity;
    uint32_t call; // of the pass, which set it
};

// A pass's timestamp at its end, kept until then. set NULL: none.
struct gpu_end_timestamp {
    struct WGPUQuerySetImpl *set; // in the recording's objects
    uint32_t index;
};

// The most immediate bytes that any device offers.
#define GPU_IMMEDIATE_CAPACITY_BYTES 256

// Each kind of pass begins with one, in a union with its object.
struct gpu_pass {
    struct gpu_object object;
    struct WGPUCommandEncoderImpl *encoder; // an internal reference; NULL for bundle encoders
    struct gpu_recording *recording;        // the encoder's, or the bundle encoder's own
    enum gpu_encoder_state state;
    struct gpu_first_error error;
    bool is_detached;      // began on an encoder that was not open: records nothing
    bool is_state_checked; // pipeline, groups, offsets and immediate data fit, and have not changed
    uint32_t debug_depth;
    uint32_t call_count; // accepted so far, the current one included: its number in messages
    struct gpu_bind_slot slots[GPU_BIND_GROUP_SLOTS];
    uint64_t immediate_slots_set;
    VECTOR(struct gpu_bound_use) uses; // of the dispatch or draw that is being checked
};

// Unsets bind groups and immediate data.
void gpu_pass_reset(struct gpu_pass *pass);
// Frees what the pass holds, the object itself apart.
void gpu_pass_finish(struct gpu_pass *pass);
