// SPDX-License-Identifier: MIT
//
// The watchdog's thread. begin and end are one atomic store each while the thread is awake; it goes
// to sleep only when it finds nothing running at one of its looks.
#include "backend/cpu/watchdog.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_thread.h"

#define LOOKS_PER_LIMIT 4u
#define LONGEST_PAUSE_NS UINT64_C(1000000000)

struct cpu_watchdog {
    struct cpu_watchdog_options options;
    struct os_thread thread;
    struct os_mutex mutex; // guards is_stopping, what, label; for sleeping
    struct os_condition has_news;
    bool is_stopping;
    const char *what;
    char label[128];
    size_t label_length;
    _Atomic uint64_t run; // number of begins; odd and even do not matter
    atomic_bool is_running;
    atomic_bool is_asleep;
};

// What must change for the work to count as alive.
struct sign_of_life {
    uint64_t run;
    uint64_t progress;
};

static struct sign_of_life look(struct cpu_watchdog *watchdog) {
    return (struct sign_of_life){
        .run = atomic_load_explicit(&watchdog->run, memory_order_relaxed),
        .progress = watchdog->options.progress(watchdog->options.user),
    };
}

static void report(struct cpu_watchdog *watchdog) {
    char label[sizeof(watchdog->label)];
    size_t length = watchdog->label_length;
    const char *what = watchdog->what;
    memcpy(label, watchdog->label, length);
    os_mutex_unlock(&watchdog->mutex);
    watchdog->options.stuck(watchdog->options.user, what, (struct text){label, length});
    os_mutex_lock(&watchdog->mutex);
}

static void run_watchdog(void *user) {
    struct cpu_watchdog *watchdog = user;
    uint64_t pause_ns = watchdog->options.limit_ns / LOOKS_PER_LIMIT + 1;
    if (pause_ns > LONGEST_PAUSE_NS) {
        pause_ns = LONGEST_PAUSE_NS;
    }
    struct sign_of_life last = {0};
    uint64_t since_ns = 0; // when `last` was first seen; 0: not yet
    os_mutex_lock(&watchdog->mutex);
    while (!watchdog->is_stopping) {
        atomic_store(&watchdog->is_asleep, true);
        if (!atomic_load(&watchdog->is_running)) {
            os_condition_wait(&watchdog->has_news, &watchdog->mutex);
            atomic_store(&watchdog->is_asleep, false);
            since_ns = 0;
            continue;
        }
        atomic_store(&watchdog->is_asleep, false);
        struct sign_of_life now = look(watchdog);
        uint64_t now_ns = os_clock_monotonic_ns();
        if (since_ns == 0 || now.run != last.run || now.progress != last.progress) {
            last = now;
            since_ns = now_ns;
        } else if (now_ns - since_ns >= watchdog->options.limit_ns) {
            report(watchdog);
            since_ns = 0;
        }
        os_condition_wait_until(&watchdog->has_news, &watchdog->mutex, now_ns + pause_ns);
    }
    os_mutex_unlock(&watchdog->mutex);
}

struct cpu_watchdog *cpu_watchdog_create(const struct cpu_watchdog_options *options) {
    struct cpu_watchdog *watchdog = memory_allocate_zeroed(MEMORY_THREAD, 1, sizeof(*watchdog));
    if (watchdog == NULL) {
        return NULL;
    }
    watchdog->options = *options;
    if (!os_mutex_init(&watchdog->mutex)) {
        goto no_mutex;
    }
    if (!os_condition_init(&watchdog->has_news)) {
        goto no_condition;
    }
    if (!os_thread_create(&watchdog->thread, run_watchdog, watchdog, "alba-watchdog")) {
        goto no_thread;
    }
    return watchdog;

no_thread:
    os_condition_finish(&watchdog->has_news);
no_condition:
    os_mutex_finish(&watchdog->mutex);
no_mutex:
    memory_free(watchdog);
    return NULL;
}

void cpu_watchdog_destroy(struct cpu_watchdog *watchdog) {
    if (watchdog == NULL) {
        return;
    }
    os_mutex_lock(&watchdog->mutex);
    watchdog->is_stopping = true;
    os_condition_signal(&watchdog->has_news);
    os_mutex_unlock(&watchdog->mutex);
    os_thread_join(&watchdog->thread);
    os_condition_finish(&watchdog->has_news);
    os_mutex_finish(&watchdog->mutex);
    memory_free(watchdog);
}

void cpu_watchdog_set_label(struct cpu_watchdog *watchdog, const char *what, struct text label) {
    size_t length = label.length < sizeof(watchdog->label) ? label.length
                                                           : sizeof(watchdog->label) - 1;
    os_mutex_lock(&watchdog->mutex);
    watchdog->what = what;
    if (length != 0) {
        memcpy(watchdog->label, label.data, length);
    }
    watchdog->label_length = length;
    os_mutex_unlock(&watchdog->mutex);
}

void cpu_watchdog_begin(struct cpu_watchdog *watchdog) {
    uint64_t run = atomic_load_explicit(&watchdog->run, memory_order_relaxed);
    atomic_store_explicit(&watchdog->run, run + 1, memory_order_relaxed);
    // Sequentially consistent with the thread's announcement and its look at is_running.
    atomic_store(&watchdog->is_running, true);
    if (atomic_load(&watchdog->is_asleep)) {
        os_mutex_lock(&watchdog->mutex);
        os_condition_signal(&watchdog->has_news);
        os_mutex_unlock(&watchdog->mutex);
    }
}

void cpu_watchdog_end(struct cpu_watchdog *watchdog) {
    atomic_store_explicit(&watchdog->is_running, false, memory_order_release);
}
