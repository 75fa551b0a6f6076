// SPDX-License-Identifier: MIT
//
// What the files of this folder share.
#pragma once

#include "webgpu/event/event.h"
#include "webgpu/queue/queue.h"
#include "webgpu/validate/rule.h"

// Reports a broken rule of a call on the queue or a buffer, and empties it. Without locks.
void queue_report(struct WGPUDeviceImpl *device, struct validate_error *error);
// Gives the streams to the backend as the next submission, which keeps the objects alive. With the
// device's mutex held. Takes over streams and objects, also when it fails.
enum backend_status queue_hand_over(struct WGPUQueueImpl *queue, struct command_stream **streams,
    size_t stream_count, struct gpu_submission *submission);
// The same, after the pending writes, for one stream that uses no object of the application's; out_serial is the one to wait
// for. Takes over the stream, also when it fails. With the device's mutex held.
enum backend_status queue_submit_stream(
    struct WGPUQueueImpl *queue, struct command_stream *stream, uint64_t *out_serial);
// Takes the pending writes off the queue, for flush or loss. With the device's mutex held.
struct command_stream *queue_take_pending(
    struct WGPUQueueImpl *queue, struct object_set *out_objects);
// Tells the ledger of one call about buffers or textures; either may be NULL.
void queue_note(struct WGPUDeviceImpl *device, enum ledger_call call, uint64_t size_bytes,
    struct gpu_object *destination, struct gpu_object *source);
// With the mutex held: a stream for pending writes is there. False: no memory.
bool queue_ensure_pending(struct WGPUQueueImpl *queue);
// Up to here the bytes of a write lie in the stream; larger writes have a block of their own.
#define QUEUE_INLINE_LIMIT_BYTES 1024
// From here on pending writes do not wait for a submission.
#define QUEUE_PENDING_LIMIT_BYTES ((uint64_t)1 << 20)
void queue_free_retired(struct WGPUDeviceImpl *device, const struct gpu_retired_memory *retired);
void queue_service(struct worker_job *job);
