// SPDX-License-Identifier: MIT
//
// Futures. An event is one asynchronous call that has not called back yet; the instance's manager
// holds all of them in the order of their ids. An event is completed by whoever does the work, and
// fired (its callback is called, the event freed) once, by whichever thread takes it off the list:
// inside WaitAny, inside ProcessEvents, spontaneously, or cancelled when the instance goes.
// Safe from any thread; no lock is held while an event fires.
#pragma once

#include <webgpu/webgpu.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/os_thread.h"

struct event_manager;
struct worker;
struct WGPUQueueImpl;
struct WGPUInstanceImpl;

// Begins each kind of event (MEMORY_EVENT).
struct event {
    struct event *next;
    struct event *previous;
    uint64_t id;
    WGPUCallbackMode mode;
    bool is_ready;
    // Of what timeline the event is. A queue's event is ready when `serial` has completed.
    const struct WGPUQueueImpl *queue; // compared only; NULL: the CPU timeline
    uint64_t serial;
    // Calls back and frees the event. Cancelled: the instance went away first.
    void (*fire)(struct event *event, bool is_cancelled);
};

struct gpu_object;

// NULL when out of memory. `owner`, the instance, holds the manager, and is itself held while a
// callback may run: a callback may release all that the program has.
struct event_manager *event_manager_create(struct gpu_object *owner);
// With no event left. Stops the workers.
void event_manager_destroy(struct event_manager *manager);

// The threads of alba's, started on first use; NULL when that fails.
struct worker *event_manager_get_service_worker(struct event_manager *manager);
struct worker *event_manager_get_compile_worker(struct event_manager *manager);

// An id for an event that others must know before it is added.
uint64_t event_reserve_id(struct event_manager *manager);
// Takes the event over and gives it an id, unless it has one. A ready event whose mode allows it
// fires before this returns, and so does every event, cancelled, once the manager was shut down.
WGPUFuture event_add(struct event_manager *manager, struct event *event);
// Completes the event of that id, unless it has been fired: `fill` (may be NULL) writes the result
// into the event under the manager's lock. Spontaneous events fire before this returns if
// can_fire. False: there is no such event any more.
bool event_complete(struct event_manager *manager, uint64_t id,
    void (*fill)(struct event *event, void *argument), void *argument, bool can_fire);
// As event_complete, without completing it.
bool event_edit(struct event_manager *manager, uint64_t id,
    void (*fill)(struct event *event, void *argument), void *argument);
// If another thread runs the callback of that event, waits until it has returned, unless this thread
// runs a callback too.
void event_await_return(struct event_manager *manager, uint64_t id);
// Completes the queue's events up to the serial; fires none. True when a spontaneous one waits for
// event_fire_spontaneous.
bool event_complete_serial(
    struct event_manager *manager, const struct WGPUQueueImpl *queue, uint64_t serial);
void event_fire_spontaneous(struct event_manager *manager);

// The bodies of wgpuInstanceWaitAny and wgpuInstanceProcessEvents.
WGPUWaitStatus event_wait_any(struct WGPUInstanceImpl *instance, size_t count,
    WGPUFutureWaitInfo *infos, uint64_t timeout_ns);
void event_process(struct event_manager *manager);
// Cancels all events, and from now on every new one.
void event_shut_down(struct event_manager *manager);

// A view of a zero-terminated string; NULL gives the empty message.
WGPUStringView event_message(const char *text);
extern const char event_cancelled_message[];
// A number of this thread, never used for another one.
uint64_t event_get_thread_id(void);
// True for one of the three modes.
bool event_is_mode(WGPUCallbackMode mode);
