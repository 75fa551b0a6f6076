// SPDX-License-Identifier: MIT
//
// What encoders record: a command stream and the objects that it uses, and the first broken rule.
// One thread at a time for each encoder; no locks.
#pragma once

#include "backend/command.h"
#include "base/vector.h"
#include "ledger/ledger.h"
#include "webgpu/object/object.h"
#include "webgpu/object/object_set.h"

#include <webgpu/webgpu.h>

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

// What an encoder records and a command buffer or render bundle holds.
struct gpu_recording {
    struct command_stream *stream; // MEMORY_COMMAND; NULL: no memory, or given away
    struct object_set objects;     // everything that the stream uses
    VECTOR(struct gpu_ledger_note) notes;
    uint64_t dispatch_count;
    uint64_t draw_count; // those of executed bundles included
};

// With an empty stream; false when out of memory.
bool gpu_recording_init(struct gpu_recording *recording);
void gpu_recording_finish(struct gpu_recording *recording);
