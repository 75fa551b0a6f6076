// SPDX-License-Identifier: MIT
//
// The list of pending events and the ways in which they are completed and fired. One mutex guards
// the list; one condition wakes waiters whenever something was completed.
#include "webgpu/event/event.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os_clock.h"
#include "webgpu/event/worker.h"
#include "webgpu/object/instance.h"

// A callback that runs now, on the stack of the thread that runs it.
struct firing {
    struct firing *next;
    uint64_t id;
    uint64_t thread_id;
};

struct event_manager {
    struct gpu_object *owner; // kept while a callback may run: callbacks may release all there is
    struct os_mutex mutex;
    struct os_condition condition;
    struct event *first; // by ascending id
    struct event *last;
    uint64_t last_id;
    struct firing *firing; // those that run
    bool is_shut_down;
    struct worker *service_worker;
    struct worker *compile_worker;
};

const char event_cancelled_message[] = "the instance was released before the operation completed";

WGPUStringView event_message(const char *text) {
    WGPUStringView view = {text, text != NULL ? strlen(text) : 0};
    return view;
}

// Numbers of threads are never used twice, unlike the system's handles.
uint64_t event_get_thread_id(void) {
    static atomic_uint_fast64_t last_thread_id;
    static _Thread_local uint64_t id;
    if (id == 0) {
        id = atomic_fetch_add(&last_thread_id, 1) + 1;
    }
    return id;
}

bool event_is_mode(WGPUCallbackMode mode) {
    return mode == WGPUCallbackMode_WaitAnyOnly || mode == WGPUCallbackMode_AllowProcessEvents ||
        mode == WGPUCallbackMode_AllowSpontaneous;
}

// ---------------------------------------------------------------- life

struct event_manager *event_manager_create(struct gpu_object *owner) {
    struct event_manager *manager = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*manager));
    if (manager == NULL) {
        return NULL;
    }
    if (!os_mutex_init(&manager->mutex)) {
        memory_free(manager);
        return NULL;
    }
    if (!os_condition_init(&manager->condition)) {
        os_mutex_finish(&manager->mutex);
        memory_free(manager);
        return NULL;
    }
    manager->owner = owner;
    return manager;
}

void event_manager_destroy(struct event_manager *manager) {
    worker_stop(manager->service_worker);
    worker_stop(manager->compile_worker);
    os_condition_finish(&manager->condition);
    os_mutex_finish(&manager->mutex);
    memory_free(manager);
}

static struct worker *get_worker(
    struct event_manager *manager, struct worker **slot, const char *name) {
    os_mutex_lock(&manager->mutex);
    if (*slot == NULL) {
        *slot = worker_create(name);
    }
    struct worker *worker = *slot;
    os_mutex_unlock(&manager->mutex);
    return worker;
}

struct worker *event_manager_get_service_worker(struct event_manager *manager) {
    return get_worker(manager, &manager->service_worker, "alba-service");
}

struct worker *event_manager_get_compile_worker(struct event_manager *manager) {
    return get_worker(manager, &manager->compile_worker, "alba-compile");
}

// ---------------------------------------------------------------- the list, under the mutex

// By ascending id; the place is nearly always the last one.
static void insert(struct event_manager *manager, struct event *event) {
    struct event *before = manager->last;
    while (before != NULL && before->id > event->id) {
        before = before->previous;
    }
    event->previous = before;
    event->next = before != NULL ? before->next : manager->first;
    if (event->next != NULL) {
        event->next->previous = event;
    } else {
        manager->last = event;
    }
    if (before != NULL) {
        before->next = event;
    } else {
        manager->first = event;
    }
}

static void unlink_event(struct event_manager *manager, struct event *event) {
    if (event->previous != NULL) {
        event->previous->next = event->next;
    } else {
        manager->first = event->next;
    }
    if (event->next != NULL) {
        event->next->previous = event->previous;
    } else {
        manager->last = event->previous;
    }
    event->next = NULL;
    event->previous = NULL;
}

// From the nearer end: what is asked for is mostly among the oldest or the newest.
static struct event *find(struct event_manager *manager, uint64_t id) {
    struct event *event = manager->last;
    if (event != NULL && id < manager->first->id + (event->id - manager->first->id) / 2) {
        event = manager->first;
        while (event != NULL && event->id < id) {
            event = event->next;
        }
    } else {
        while (event != NULL && event->id > id) {
            event = event->previous;
        }
    }
    return event != NULL && event->id == id ? event : NULL;
}

// The first ready event that a test accepts, up to an id.
static struct event *find_ready(
    struct event_manager *manager, bool (*accepts)(WGPUCallbackMode), uint64_t last_id) {
    struct event *event = manager->first;
    while (event != NULL && event->id <= last_id) {
        if (event->is_ready && accepts(event->mode)) {
            return event;
        }
        event = event->next;
    }
    return NULL;
}

static bool is_spontaneous(WGPUCallbackMode mode) {
    return mode == WGPUCallbackMode_AllowSpontaneous;
}

static bool is_processed(WGPUCallbackMode mode) {
    return mode != WGPUCallbackMode_WaitAnyOnly;
}

// The mutex around what may fire: the manager outlives the callbacks.
static void lock_kept(struct event_manager *manager) {
    gpu_object_ref(manager->owner);
    os_mutex_lock(&manager->mutex);
}

static void unlock_kept(struct event_manager *manager) {
    struct gpu_object *owner = manager->owner;
    os_mutex_unlock(&manager->mutex);
    gpu_object_unref(owner);
}

// Fires an event that is on no list. The mutex is held before and after, not meanwhile; whoever
// waits for the event waits until its callback has returned.
static void fire(struct event_manager *manager, struct event *event, bool is_cancelled) {
    struct firing firing = {manager->firing, event->id, event_get_thread_id()};
    manager->firing = &firing;
    os_mutex_unlock(&manager->mutex);
    event->fire(event, is_cancelled);
    os_mutex_lock(&manager->mutex);
    struct firing **at = &manager->firing;
    while (*at != &firing) {
        at = &(*at)->next;
    }
    *at = firing.next;
    os_condition_broadcast(&manager->condition);
}

// True while another thread runs the event's callback. One of this thread's own, further up the
// stack, is not waited for.
static bool is_firing_elsewhere(struct event_manager *manager, uint64_t id) {
    for (const struct firing *firing = manager->firing; firing != NULL; firing = firing->next) {
        if (firing->id == id && firing->thread_id != event_get_thread_id()) {
            return true;
        }
    }
    return false;
}

// Fires, one by one, what is ready and known now.
static void fire_ready(struct event_manager *manager, bool (*accepts)(WGPUCallbackMode)) {
    lock_kept(manager);
    uint64_t last_id = manager->last_id;
    struct event *event = NULL;
    while ((event = find_ready(manager, accepts, last_id)) != NULL) {
        unlink_event(manager, event);
        fire(manager, event, false);
    }
    unlock_kept(manager);
}

// ---------------------------------------------------------------- adding and completing

uint64_t event_reserve_id(struct event_manager *manager) {
    os_mutex_lock(&manager->mutex);
    uint64_t id = ++manager->last_id;
    os_mutex_unlock(&manager->mutex);
    return id;
}

WGPUFuture event_add(struct event_manager *manager, struct event *event) {
    lock_kept(manager);
    if (event->id == 0) {
        event->id = ++manager->last_id;
    }
    WGPUFuture future = {event->id};
    if (manager->is_shut_down || (event->is_ready && is_spontaneous(event->mode))) {
        fire(manager, event, manager->is_shut_down);
    } else {
        insert(manager, event);
        if (event->is_ready) {
            os_condition_broadcast(&manager->condition);
        }
    }
    unlock_kept(manager);
    return future;
}

bool event_complete(struct event_manager *manager, uint64_t id,
    void (*fill)(struct event *event, void *argument), void *argument, bool can_fire) {
    lock_kept(manager);
    struct event *event = find(manager, id);
    bool is_found = event != NULL;
    if (is_found) {
        if (fill != NULL) {
            fill(event, argument);
        }
        event->is_ready = true;
        os_condition_broadcast(&manager->condition);
        if (can_fire && is_spontaneous(event->mode)) {
            unlink_event(manager, event);
            fire(manager, event, false);
        }
    }
    unlock_kept(manager);
    return is_found;
}

bool event_edit(struct event_manager *manager, uint64_t id,
    void (*fill)(struct event *event, void *argument), void *argument) {
    os_mutex_lock(&manager->mutex);
    struct event *event = find(manager, id);
    if (event != NULL) {
        fill(event, argument);
    }
    os_mutex_unlock(&manager->mutex);
    return event != NULL;
}

bool event_complete_serial(
    struct event_manager *manager, const struct WGPUQueueImpl *queue, uint64_t serial) {
    bool has_completed = false;
    bool has_spontaneous = false;
    os_mutex_lock(&manager->mutex);
    for (struct event *event = manager->first; event != NULL; event = event->next) {
        if (event->queue == queue && event->serial <= serial) {
            has_completed |= !event->is_ready;
            event->is_ready = true;
            has_spontaneous |= is_spontaneous(event->mode);
        }
    }
    if (has_completed) {
        os_condition_broadcast(&manager->condition);
    }
    os_mutex_unlock(&manager->mutex);
    return has_spontaneous;
}

void event_fire_spontaneous(struct event_manager *manager) {
    fire_ready(manager, is_spontaneous);
}

void event_process(struct event_manager *manager) {
    fire_ready(manager, is_processed);
}

// True when this thread runs a callback itself: if it waited for others, they could wait for each
// other.
static bool is_in_callback(const struct event_manager *manager) {
    uint64_t thread_id = event_get_thread_id();
    for (const struct firing *firing = manager->firing; firing != NULL; firing = firing->next) {
        if (firing->thread_id == thread_id) {
            return true;
        }
    }
    return false;
}

void event_await_return(struct event_manager *manager, uint64_t id) {
    os_mutex_lock(&manager->mutex);
    while (is_firing_elsewhere(manager, id) && !is_in_callback(manager)) {
        os_condition_wait(&manager->condition, &manager->mutex);
    }
    os_mutex_unlock(&manager->mutex);
}

void event_shut_down(struct event_manager *manager) {
    os_mutex_lock(&manager->mutex);
    manager->is_shut_down = true;
    while (manager->first != NULL) {
        struct event *event = manager->first;
        unlink_event(manager, event);
        fire(manager, event, true);
    }
    os_condition_broadcast(&manager->condition);
    while (manager->firing != NULL && !is_in_callback(manager)) {
        os_condition_wait(&manager->condition, &manager->mutex);
    }
    os_mutex_unlock(&manager->mutex);
}

// ---------------------------------------------------------------- waiting

// A timed wait must not mix timelines: a queue's thread may be waiting for the CPU's.
static bool has_mixed_sources(
    struct event_manager *manager, size_t count, const WGPUFutureWaitInfo *infos) {
    const struct event *sample = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct event *event = find(manager, infos[i].future.id);
        if (event == NULL) {
            continue;
        }
        if (sample != NULL && sample->queue != event->queue) {
            return true;
        }
        if (sample == NULL) {
            sample = event;
        }
    }
    // Two events of the CPU timeline are of one source.
    return false;
}

static int compare_ids(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Fires what is ready of the futures, by ascending id, until none is, then marks those that are
// complete. Returns how many are. Without memory for a sorted list of many the order is that given.
static size_t complete_waited(
    struct event_manager *manager, size_t count, WGPUFutureWaitInfo *infos) {
    uint64_t few[16];
    uint64_t *ids = count <= sizeof(few) / sizeof(few[0])
        ? few
        : memory_allocate(MEMORY_EVENT, count * sizeof(*ids));
    if (ids != NULL) {
        for (size_t i = 0; i < count; i++) {
            ids[i] = infos[i].future.id;
        }
        qsort(ids, count, sizeof(*ids), compare_ids);
    }
    bool has_fired = true;
    while (has_fired) {
        has_fired = false;
        for (size_t i = 0; i < count; i++) {
            struct event *event = find(manager, ids != NULL ? ids[i] : infos[i].future.id);
            if (event != NULL && event->is_ready) {
                unlink_event(manager, event);
                fire(manager, event, false);
                has_fired = true;
            }
        }
    }
    if (ids != few) {
        memory_free(ids);
    }
    size_t completed_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t id = infos[i].future.id;
        infos[i].completed = find(manager, id) == NULL && !is_firing_elsewhere(manager, id);
        completed_count += infos[i].completed;
    }
    return completed_count;
}

static const char *find_wait_error(
    const struct WGPUInstanceImpl *instance, size_t count, uint64_t timeout_ns) {
    if (timeout_ns == 0) {
        return NULL;
    }
    if (!instance->has_timed_wait) {
        return "a timeout needs WGPUInstanceFeatureName_TimedWaitAny, which the instance was made "
               "without";
    }
    if (count > instance->timed_wait_capacity) {
        return "more futures than the instance's timedWaitAnyMaxCount";
    }
    return NULL;
}

WGPUWaitStatus event_wait_any(struct WGPUInstanceImpl *instance, size_t count,
    WGPUFutureWaitInfo *infos, uint64_t timeout_ns) {
    struct event_manager *manager = instance->events;
    const char *error = find_wait_error(instance, count, timeout_ns);
    if (error != NULL) {
        log_message(LOG_ERROR, "wgpuInstanceWaitAny: %s (%zu futures)", error, count);
        return WGPUWaitStatus_Error;
    }
    if (count == 0) {
        return WGPUWaitStatus_Success;
    }
    uint64_t deadline_ns = os_clock_deadline_ns(timeout_ns);
    lock_kept(manager);
    if (timeout_ns != 0 && has_mixed_sources(manager, count, infos)) {
        unlock_kept(manager);
        log_message(LOG_ERROR,
            "wgpuInstanceWaitAny: the futures are of different queues, or of a "
            "queue and something else, and there is a timeout");
        return WGPUWaitStatus_Error;
    }
    size_t completed_count = complete_waited(manager, count, infos);
    bool has_time = timeout_ns != 0;
    while (completed_count == 0 && has_time) {
        has_time = os_condition_wait_until(&manager->condition, &manager->mutex, deadline_ns);
        completed_count = complete_waited(manager, count, infos);
    }
    unlock_kept(manager);
    return completed_count != 0 ? WGPUWaitStatus_Success : WGPUWaitStatus_TimedOut;
}
