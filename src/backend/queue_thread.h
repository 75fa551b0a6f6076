// SPDX-License-Identifier: MIT
//
// The thread that executes a device's submissions in the order of their serials, and all that waits
// for it: completion, loss, cancellation. Shared by the backends that execute in this process.
// Functions are safe from any thread unless they say otherwise; callbacks of backend_events come
// from the queue thread (`lost` from whichever thread calls queue_thread_lose) with no lock held.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "backend/backend.h"

struct queue_thread;

struct queue_thread_options {
    struct backend_events events;
    void *user;
    void (*start)(void *user); // on the new thread, before all else; may be NULL
    // Executes one stream on the queue thread. It looks at queue_thread_cancel_flag between
    // commands and leaves when that is set.
    void (*execute)(void *user, const struct command_stream *stream);
    const char *name;
    bool may_spin; // wait briefly before sleeping: when there is more than one CPU
};

// NULL when memory or threads ran out.
struct queue_thread *queue_thread_create(const struct queue_thread_options *options);
// Executes what is queued (skips it when cancelled or lost), then ends the thread; afterwards
// nothing may be submitted, all else may still be asked. May be called twice. Not from one of its
// callbacks.
void queue_thread_stop(struct queue_thread *queue);
// Stops and frees. NULL is allowed.
void queue_thread_destroy(struct queue_thread *queue);

// The contract of backend_device_functions.submit. When memory runs out the streams are dropped,
// the serial completes all the same and OUT_OF_MEMORY is returned.
enum backend_status queue_thread_submit(struct queue_thread *queue, struct command_stream **streams,
                                        size_t stream_count, uint64_t serial);
uint64_t queue_thread_completed_serial(struct queue_thread *queue);
// Not from a callback of backend_events.
bool queue_thread_wait(struct queue_thread *queue, uint64_t serial, uint64_t timeout_ns);

// From now on nothing is executed any more; pending serials complete. `lost` is not called.
void queue_thread_cancel(struct queue_thread *queue);
// As cancel, and calls `lost`, unless the queue was cancelled or lost before.
void queue_thread_lose(struct queue_thread *queue, struct text reason);
// Non-zero once cancelled or lost; lives as long as the queue.
const atomic_uint *queue_thread_cancel_flag(const struct queue_thread *queue);
