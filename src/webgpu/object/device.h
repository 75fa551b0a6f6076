// SPDX-License-Identifier: MIT
//
// struct WGPUDeviceImpl and struct WGPUQueueImpl: a device with its one queue. Two locks: `mutex`
// guards the order of submissions, map states of buffers and the lists below; `error_mutex` guards
// the error scopes. Neither is held while the application's code runs. Order of locking: mutex,
// then the event manager's; error_mutex is taken alone.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "base/os_thread.h"
#include "base/vector.h"
#include "facts/feature.h"
#include "facts/limits.h"
#include "webgpu/object/object.h"
#include "webgpu/object/object_set.h"

struct ledger;
struct event;
struct warning_list;

// A job for a thread of alba's (event/worker.h).
struct worker_job {
    struct worker_job *next;
    void (*run)(struct worker_job *job);
};

// One scope of the stack of one thread.
struct gpu_error_scope {
    uint64_t thread_id;
    WGPUErrorFilter filter;
    WGPUErrorType type; // NoError until it caught something
    char *message;      // MEMORY_EVENT, may be NULL
};

// Work that was handed to the backend and may still run. Keeps what it uses alive.
struct gpu_submission {
    struct gpu_submission *next;
    uint64_t serial;
    struct WGPUDeviceImpl *device; // an internal reference
    struct object_set objects;
};

// Memory of a destroyed buffer or texture that a submission may still use.
struct gpu_retired_memory {
    struct backend_buffer *buffer;   // NULL: a texture
    struct backend_texture *texture; // NULL: a buffer
    uint64_t serial;
};

struct WGPUQueueImpl {
    struct gpu_object object; // lives as long as the device, which owns it
    // All below: guarded by the device's mutex.
    uint64_t submitted_serial;    // the last one given to the backend
    struct gpu_submission *first; // in serial order, not yet retired
    struct gpu_submission *last;
    struct command_stream *pending;    // writes not yet submitted, or NULL
    struct object_set pending_objects; // what they use
    uint64_t pending_bytes;
    VECTOR(struct gpu_retired_memory) retired;
};

struct WGPUDeviceImpl {
    struct gpu_object object;
    struct WGPUInstanceImpl *instance; // an internal reference
    struct WGPUAdapterImpl *adapter;   // an internal reference
    struct backend_device *backend;
    struct limit_set limits;
    struct feature_set features;
    bool is_core;
    struct ledger *ledger; // may be NULL
    struct warning_list *warnings; // NULL: off; event/warning.h
    struct WGPUQueueImpl *queue;
    atomic_bool is_lost;          // no error is reported and no work accepted any more
    atomic_bool has_loss_begun;   // what follows from it is being done, or is done
    atomic_bool is_handle_gone;   // it has gone: callbacks get no device
    atomic_uint_fast64_t next_id; // for exclusive pipelines

    struct os_mutex mutex;
    struct WGPUBufferImpl *first_buffer;   // all buffers that are not destroyed
    struct WGPUTextureImpl *first_texture; // all textures that are not destroyed
    struct event *lost_event;            // until it was made ready
    char lost_reason[256];

    struct os_mutex error_mutex;
    VECTOR(struct gpu_error_scope) error_scopes;
    WGPUUncapturedErrorCallbackInfo uncaptured; // constant
    uint64_t lost_future_id;                    // constant

    struct worker_job service_job;
    atomic_bool is_service_queued;
    atomic_bool has_lost_notice; // the backend reported a loss that is not handled yet
};

// True for an object that may be used with the device: WebGPU "valid to use with".
static inline bool gpu_is_usable(
    const struct gpu_object *object, const struct WGPUDeviceImpl *device) {
    return object->is_valid && object->device == device;
}
