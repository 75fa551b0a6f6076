// SPDX-License-Identifier: MIT
//
// The list of pending events and the ways in which they are completed and fired. One mutex guards
// the list; one condition wakes waiters whenever something was completed.
#include "webgpu/event/event.h"

#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os_clock.h"
#include "webgpu/event/worker.h"
#include "webgpu/object/instance.h"

struct event_manager {
    struct os_mutex mutex;
    struct os_condition condition;
    struct event *first; // by ascending id
    struct event *last;
    uint64_t last_id;
    bool is_shut_down;
    struct worker *service_worker;
    struct worker *compile_worker;
};

const char event_cancelled_message[] = "the instance was released before the operation completed";

WGPUStringView event_message(const char *text) {
    WGPUStringView view = {text, text != NULL ? strlen(text) : 0};
    return view;
}

bool event_is_mode(WGPUCallbackMode mode) {
    return mode == WGPUCallbackMode_WaitAnyOnly || mode == WGPUCallbackMode_AllowProcessEvents ||
        mode == WGPUCallbackMode_AllowSpontaneous;
}

// ---------------------------------------------------------------- life

struct event_manager *event_manager_create(void) {
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

static struct event *find(struct event_manager *manager, uint64_t id) {
    struct event *event = manager->last;
    while (event != NULL && event->id > id) {
        event = event->previous;
    }
    return event != NULL && event->id == id ? event : NULL;
}

// Moves the ready events that a test accepts to a list of their own, in order.
static struct event *take_ready(struct event_manager *manager, bool (*accepts)(WGPUCallbackMode)) {
    struct event *taken = NULL;
    struct event **end = &taken;
    struct event *event = manager->first;
    while (event != NULL) {
        struct event *next = event->next;
        if (event->is_ready && accepts(event->mode)) {
            unlink_event(manager, event);
            *end = event;
            end = &event->next;
        }
        event = next;
    }
    return taken;
}

static bool is_spontaneous(WGPUCallbackMode mode) {
    return mode == WGPUCallbackMode_AllowSpontaneous;
}

static bool is_processed(WGPUCallbackMode mode) {
    return mode != WGPUCallbackMode_WaitAnyOnly;
}

// Without the mutex.
static void fire_list(struct event *list, bool is_cancelled) {
    while (list != NULL) {
        struct event *next = list->next;
        list->next = NULL;
        list->fire(list, is_cancelled);
        list = next;
    }
}

// ---------------------------------------------------------------- adding and completing

uint64_t event_reserve_id(struct event_manager *manager) {
    os_mutex_lock(&manager->mutex);
    uint64_t id = ++manager->last_id;
    os_mutex_unlock(&manager->mutex);
    return id;
}

WGPUFuture event_add(struct event_manager *manager, struct event *event) {
    os_mutex_lock(&manager->mutex);
    if (event->id == 0) {
        event->id = ++manager->last_id;
    }
    WGPUFuture future = {event->id};
    bool is_cancelled = manager->is_shut_down;
    bool fires = is_cancelled || (event->is_ready && is_spontaneous(event->mode));
    if (!fires) {
        insert(manager, event);
        if (event->is_ready) {
            os_condition_broadcast(&manager->condition);
        }
    }
    os_mutex_unlock(&manager->mutex);
    if (fires) {
        event->fire(event, is_cancelled);
    }
    return future;
}

bool event_complete(struct event_manager *manager, uint64_t id,
    void (*fill)(struct event *event, void *argument), void *argument, bool can_fire) {
    os_mutex_lock(&manager->mutex);
    struct event *event = find(manager, id);
    bool fires = false;
    if (event != NULL) {
        if (fill != NULL) {
            fill(event, argument);
        }
        event->is_ready = true;
        fires = can_fire && is_spontaneous(event->mode);
        if (fires) {
            unlink_event(manager, event);
        }
        os_condition_broadcast(&manager->condition);
    }
    os_mutex_unlock(&manager->mutex);
    if (fires) {
        event->fire(event, false);
    }
    return event != NULL;
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
    os_mutex_lock(&manager->mutex);
    struct event *list = take_ready(manager, is_spontaneous);
    os_mutex_unlock(&manager->mutex);
    fire_list(list, false);
}

void event_process(struct event_manager *manager) {
    os_mutex_lock(&manager->mutex);
    struct event *list = take_ready(manager, is_processed);
    os_mutex_unlock(&manager->mutex);
    fire_list(list, false);
}

void event_shut_down(struct event_manager *manager) {
    os_mutex_lock(&manager->mutex);
    manager->is_shut_down = true;
    struct event *list = manager->first;
    manager->first = NULL;
    manager->last = NULL;
    os_condition_broadcast(&manager->condition);
    os_mutex_unlock(&manager->mutex);
    fire_list(list, true);
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

// Takes the ready ones of the futures off the list, by ascending id, and marks them and those that
// are long done. Returns how many are marked.
static size_t take_waited(struct event_manager *manager, size_t count, WGPUFutureWaitInfo *infos,
    struct event **out_list) {
    size_t completed_count = 0;
    *out_list = NULL;
    for (size_t i = 0; i < count; i++) {
        struct event *event = find(manager, infos[i].future.id);
        infos[i].completed = event == NULL || event->is_ready;
        completed_count += infos[i].completed;
        if (event == NULL || !event->is_ready) {
            continue;
        }
        unlink_event(manager, event);
        struct event **at = out_list;
        while (*at != NULL && (*at)->id < event->id) {
            at = &(*at)->next;
        }
        event->next = *at;
        *at = event;
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
    os_mutex_lock(&manager->mutex);
    if (timeout_ns != 0 && has_mixed_sources(manager, count, infos)) {
        os_mutex_unlock(&manager->mutex);
        log_message(LOG_ERROR,
            "wgpuInstanceWaitAny: the futures are of different queues, or of a "
            "queue and something else, and there is a timeout");
        return WGPUWaitStatus_Error;
    }
    struct event *list = NULL;
    size_t completed_count = take_waited(manager, count, infos, &list);
    bool has_time = timeout_ns != 0;
    while (completed_count == 0 && has_time) {
        has_time = os_condition_wait_until(&manager->condition, &manager->mutex, deadline_ns);
        completed_count = take_waited(manager, count, infos, &list);
    }
    os_mutex_unlock(&manager->mutex);
    fire_list(list, false);
    return completed_count != 0 ? WGPUWaitStatus_Success : WGPUWaitStatus_TimedOut;
}
