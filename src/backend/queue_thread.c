// SPDX-License-Identifier: MIT
//
// A linked list of submissions under a mutex; completion is an atomic serial, so that asking costs
// no lock. Both sides spin for some microseconds before they sleep, since waking a thread costs
// more than most submissions.
#include "backend/queue_thread.h"

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_thread.h"

#define SPIN_NS 20000u
// Yields between, since the other side may have been put on this very CPU.
#define SPINS_PER_YIELD 16u

enum queue_state { QUEUE_RUNNING, QUEUE_CANCELLED, QUEUE_LOST };

struct submission {
    struct submission *next;
    uint64_t serial;
    size_t stream_count;
    struct command_stream *streams[];
};

struct queue_thread {
    struct queue_thread_options options;
    struct os_thread thread;

    struct os_mutex mutex; // guards the four below
    struct os_condition has_work;
    struct submission *first;
    struct submission *last;
    bool is_asleep;
    bool is_stopping;

    struct os_mutex done_mutex; // only orders waiters' sleep with the broadcast
    struct os_condition has_completed;

    _Atomic uint64_t submitted_serial;
    _Atomic uint64_t completed_serial;
    atomic_uint waiter_count;
    atomic_uint state; // enum queue_state
    atomic_bool is_losing;
};

// ---------------------------------------------------------------- the thread's side

static void free_streams(struct command_stream **streams, size_t stream_count) {
    for (size_t i = 0; i < stream_count; i++) {
        command_stream_finish(streams[i]);
        memory_free(streams[i]);
    }
}

static void complete(struct queue_thread *queue, uint64_t serial) {
    atomic_store(&queue->completed_serial, serial);
    // Sequentially consistent with the waiter's increment and its look at completed_serial.
    if (atomic_load(&queue->waiter_count) != 0) {
        os_mutex_lock(&queue->done_mutex);
        os_condition_broadcast(&queue->has_completed);
        os_mutex_unlock(&queue->done_mutex);
    }
    if (queue->options.events.completed != NULL) {
        queue->options.events.completed(queue->options.events.user, serial);
    }
}

static void execute(struct queue_thread *queue, struct submission *submission) {
    for (size_t i = 0; i < submission->stream_count; i++) {
        if (atomic_load(&queue->state) != QUEUE_RUNNING) {
            break;
        }
        queue->options.execute(queue->options.user, submission->streams[i]);
    }
    complete(queue, submission->serial);
    free_streams(submission->streams, submission->stream_count);
    memory_free(submission);
}

static bool is_idle(struct queue_thread *queue) {
    return atomic_load_explicit(&queue->submitted_serial, memory_order_acquire) ==
           atomic_load_explicit(&queue->completed_serial, memory_order_relaxed);
}

static void spin_while_idle(struct queue_thread *queue) {
    uint64_t deadline = os_clock_deadline_ns(SPIN_NS);
    while (is_idle(queue)) {
        for (unsigned i = 0; i < SPINS_PER_YIELD && is_idle(queue); i++) {
            os_thread_relax();
        }
        os_thread_yield();
        if (os_clock_monotonic_ns() >= deadline) {
            return;
        }
    }
}

// All submissions queued, in order; NULL when the thread is to end.
static struct submission *take_work(struct queue_thread *queue) {
    os_mutex_lock(&queue->mutex);
    while (queue->first == NULL && !queue->is_stopping &&
           atomic_load(&queue->submitted_serial) == atomic_load(&queue->completed_serial)) {
        queue->is_asleep = true;
        os_condition_wait(&queue->has_work, &queue->mutex);
        queue->is_asleep = false;
    }
    struct submission *list = queue->first;
    queue->first = NULL;
    queue->last = NULL;
    os_mutex_unlock(&queue->mutex);
    return list;
}

static void run_queue(void *user) {
    struct queue_thread *queue = user;
    if (queue->options.start != NULL) {
        queue->options.start(queue->options.user);
    }
    for (;;) {
        if (queue->options.may_spin) {
            spin_while_idle(queue);
        }
        struct submission *list = take_work(queue);
        while (list != NULL) {
            struct submission *next = list->next;
            execute(queue, list);
            list = next;
        }
        os_mutex_lock(&queue->mutex);
        bool is_empty = queue->first == NULL;
        bool is_stopping = queue->is_stopping;
        uint64_t submitted = atomic_load(&queue->submitted_serial);
        os_mutex_unlock(&queue->mutex);
        // A serial whose submission could not be stored completes when all before it have.
        if (is_empty && submitted != atomic_load(&queue->completed_serial)) {
            complete(queue, submitted);
        }
        if (is_empty && is_stopping) {
            return;
        }
    }
}

// ---------------------------------------------------------------- the others' side

static bool init_objects(struct queue_thread *queue) {
    if (!os_mutex_init(&queue->mutex)) {
        return false;
    }
    if (!os_mutex_init(&queue->done_mutex)) {
        goto no_done_mutex;
    }
    if (!os_condition_init(&queue->has_work)) {
        goto no_has_work;
    }
    if (!os_condition_init(&queue->has_completed)) {
        goto no_has_completed;
    }
    return true;

no_has_completed:
    os_condition_finish(&queue->has_work);
no_has_work:
    os_mutex_finish(&queue->done_mutex);
no_done_mutex:
    os_mutex_finish(&queue->mutex);
    return false;
}

static void finish_objects(struct queue_thread *queue) {
    os_condition_finish(&queue->has_completed);
    os_condition_finish(&queue->has_work);
    os_mutex_finish(&queue->done_mutex);
    os_mutex_finish(&queue->mutex);
}

struct queue_thread *queue_thread_create(const struct queue_thread_options *options) {
    struct queue_thread *queue = memory_allocate_zeroed(MEMORY_THREAD, 1, sizeof(*queue));
    if (queue == NULL) {
        return NULL;
    }
    queue->options = *options;
    if (!init_objects(queue)) {
        memory_free(queue);
        return NULL;
    }
    if (!os_thread_create(&queue->thread, run_queue, queue, options->name)) {
        finish_objects(queue);
        memory_free(queue);
        return NULL;
    }
    return queue;
}

void queue_thread_stop(struct queue_thread *queue) {
    os_mutex_lock(&queue->mutex);
    bool was_stopping = queue->is_stopping;
    queue->is_stopping = true;
    os_condition_signal(&queue->has_work);
    os_mutex_unlock(&queue->mutex);
    if (!was_stopping) {
        os_thread_join(&queue->thread);
    }
}

void queue_thread_destroy(struct queue_thread *queue) {
    if (queue == NULL) {
        return;
    }
    queue_thread_stop(queue);
    finish_objects(queue);
    memory_free(queue);
}

enum backend_status queue_thread_submit(struct queue_thread *queue, struct command_stream **streams,
                                        size_t stream_count, uint64_t serial) {
    struct submission *submission = memory_allocate(
        MEMORY_COMMAND, sizeof(*submission) + stream_count * sizeof(submission->streams[0]));
    if (submission == NULL) {
        free_streams(streams, stream_count);
    } else {
        submission->next = NULL;
        submission->serial = serial;
        submission->stream_count = stream_count;
        for (size_t i = 0; i < stream_count; i++) {
            submission->streams[i] = streams[i];
        }
    }
    os_mutex_lock(&queue->mutex);
    if (submission != NULL) {
        if (queue->last == NULL) {
            queue->first = submission;
        } else {
            queue->last->next = submission;
        }
        queue->last = submission;
    }
    atomic_store(&queue->submitted_serial, serial);
    bool is_asleep = queue->is_asleep;
    os_mutex_unlock(&queue->mutex);
    if (is_asleep) {
        os_condition_signal(&queue->has_work);
    }
    return submission == NULL ? BACKEND_OUT_OF_MEMORY : BACKEND_OK;
}

uint64_t queue_thread_completed_serial(struct queue_thread *queue) {
    return atomic_load(&queue->completed_serial);
}

static bool has_completed(struct queue_thread *queue, uint64_t serial) {
    return atomic_load(&queue->completed_serial) >= serial;
}

bool queue_thread_wait(struct queue_thread *queue, uint64_t serial, uint64_t timeout_ns) {
    if (has_completed(queue, serial)) {
        return true;
    }
    if (timeout_ns == 0) {
        return false;
    }
    uint64_t deadline = os_clock_deadline_ns(timeout_ns);
    if (queue->options.may_spin) {
        uint64_t spin_deadline = os_clock_deadline_ns(SPIN_NS < timeout_ns ? SPIN_NS : timeout_ns);
        do {
            for (unsigned i = 0; i < SPINS_PER_YIELD; i++) {
                if (has_completed(queue, serial)) {
                    return true;
                }
                os_thread_relax();
            }
            os_thread_yield();
        } while (os_clock_monotonic_ns() < spin_deadline);
    }
    os_mutex_lock(&queue->done_mutex);
    atomic_fetch_add(&queue->waiter_count, 1);
    bool is_in_time = true;
    while (!has_completed(queue, serial) && is_in_time) {
        is_in_time = os_condition_wait_until(&queue->has_completed, &queue->done_mutex, deadline);
    }
    atomic_fetch_sub(&queue->waiter_count, 1);
    os_mutex_unlock(&queue->done_mutex);
    return has_completed(queue, serial);
}

void queue_thread_cancel(struct queue_thread *queue) {
    unsigned expected = QUEUE_RUNNING;
    atomic_compare_exchange_strong(&queue->state, &expected, QUEUE_CANCELLED);
}

void queue_thread_lose(struct queue_thread *queue, struct text reason) {
    if (atomic_load(&queue->state) != QUEUE_RUNNING || atomic_exchange(&queue->is_losing, true)) {
        return;
    }
    // The news first: once work stops, serials complete, and who waits for one must find the loss.
    if (queue->options.events.lost != NULL) {
        queue->options.events.lost(queue->options.events.user, reason);
    }
    unsigned expected = QUEUE_RUNNING;
    atomic_compare_exchange_strong(&queue->state, &expected, QUEUE_LOST);
}

const atomic_uint *queue_thread_cancel_flag(const struct queue_thread *queue) {
    return &queue->state;
}
