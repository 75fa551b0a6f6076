// SPDX-License-Identifier: MIT
//
// Threads over POSIX.
#include "base/os_thread.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

bool os_mutex_init(struct os_mutex *mutex) {
    return pthread_mutex_init(&mutex->handle, NULL) == 0;
}

void os_mutex_finish(struct os_mutex *mutex) {
    pthread_mutex_destroy(&mutex->handle);
}

void os_mutex_lock(struct os_mutex *mutex) {
    pthread_mutex_lock(&mutex->handle);
}

void os_mutex_unlock(struct os_mutex *mutex) {
    pthread_mutex_unlock(&mutex->handle);
}

bool os_condition_init(struct os_condition *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
#if !defined(__APPLE__)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    bool ok = pthread_cond_init(&condition->handle, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
}

void os_condition_finish(struct os_condition *condition) {
    pthread_cond_destroy(&condition->handle);
}

void os_condition_wait(struct os_condition *condition, struct os_mutex *mutex) {
    pthread_cond_wait(&condition->handle, &mutex->handle);
}

bool os_condition_wait_until(struct os_condition *condition, struct os_mutex *mutex,
                             uint64_t deadline_ns) {
    if (deadline_ns == UINT64_MAX) {
        os_condition_wait(condition, mutex);
        return true;
    }
    struct timespec deadline = {
        .tv_sec = (time_t)(deadline_ns / 1000000000u),
        .tv_nsec = (long)(deadline_ns % 1000000000u),
    };
    return pthread_cond_timedwait(&condition->handle, &mutex->handle, &deadline) != ETIMEDOUT;
}

void os_condition_signal(struct os_condition *condition) {
    pthread_cond_signal(&condition->handle);
}

void os_condition_broadcast(struct os_condition *condition) {
    pthread_cond_broadcast(&condition->handle);
}

struct start {
    void (*run)(void *user);
    void *user;
    char name[16];
};

static void *run_thread(void *argument) {
    struct start start = *(struct start *)argument;
    memory_free(argument);
#if defined(__linux__)
    pthread_setname_np(pthread_self(), start.name);
#endif
    start.run(start.user);
    return NULL;
}

bool os_thread_create(struct os_thread *thread, void (*run)(void *user), void *user,
                      const char *name) {
    struct start *start = memory_allocate(MEMORY_THREAD, sizeof(*start));
    if (start == NULL) {
        return false;
    }
    *start = (struct start){.run = run, .user = user};
    size_t length = strlen(name);
    memcpy(start->name, name, length < sizeof(start->name) ? length : sizeof(start->name) - 1);

    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(&thread->handle, NULL, run_thread, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!ok) {
        memory_free(start);
    }
    return ok;
}

void os_thread_join(struct os_thread *thread) {
    pthread_join(thread->handle, NULL);
}

void os_thread_detach(struct os_thread *thread) {
    pthread_detach(thread->handle);
}

bool os_thread_is_self(const struct os_thread *thread) {
    return pthread_equal(thread->handle, pthread_self()) != 0;
}

void os_thread_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
    __asm__ volatile("yield");
#endif
}

void os_thread_yield(void) {
    sched_yield();
}

void os_once_run(struct os_once *once, void (*run)(void)) {
    pthread_once(&once->handle, run);
}
