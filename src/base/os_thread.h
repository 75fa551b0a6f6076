// SPDX-License-Identifier: MIT
//
// Threads, mutexes and conditions of the system. Thin: names and error handling of ours over the
// system's objects. All functions are safe from any thread by their nature.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct os_mutex {
    pthread_mutex_t handle;
};
struct os_condition {
    pthread_cond_t handle;
};
struct os_thread {
    pthread_t handle;
};

#define OS_MUTEX_INITIALIZER {PTHREAD_MUTEX_INITIALIZER}

// Not recursive. false: the system has no room.
bool os_mutex_init(struct os_mutex *mutex);
void os_mutex_finish(struct os_mutex *mutex);
void os_mutex_lock(struct os_mutex *mutex);
void os_mutex_unlock(struct os_mutex *mutex);

bool os_condition_init(struct os_condition *condition);
void os_condition_finish(struct os_condition *condition);
// May return without a signal: wait in a loop.
void os_condition_wait(struct os_condition *condition, struct os_mutex *mutex);
// false when the deadline (os_clock_monotonic_ns) has passed. UINT64_MAX never passes.
bool os_condition_wait_until(struct os_condition *condition, struct os_mutex *mutex,
                             uint64_t deadline_ns);
void os_condition_signal(struct os_condition *condition);
void os_condition_broadcast(struct os_condition *condition);

// Starts a thread with all signals blocked, so that a program's handlers run on its own threads.
// name: at most 15 bytes are shown. false: the system has no room.
bool os_thread_create(struct os_thread *thread, void (*run)(void *user), void *user,
                      const char *name);
void os_thread_join(struct os_thread *thread);
// Gives up joining: the thread frees itself when it ends.
void os_thread_detach(struct os_thread *thread);
bool os_thread_is_self(const struct os_thread *thread);
// Lets another thread of the core run, for waits that are about to end.
void os_thread_relax(void);
void os_thread_yield(void);

// Runs `run` once for the flag, in whichever thread comes first; the others wait for it.
struct os_once {
    pthread_once_t handle;
};
#define OS_ONCE_INITIALIZER {PTHREAD_ONCE_INIT}
void os_once_run(struct os_once *once, void (*run)(void));
