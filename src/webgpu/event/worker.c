// SPDX-License-Identifier: MIT
//
// A thread with a list of jobs under one mutex.
#include "webgpu/event/worker.h"

#include "base/memory.h"
#include "base/os_thread.h"

struct worker {
    struct os_thread thread;
    struct os_mutex mutex;
    struct os_condition condition;
    struct worker_job *first;
    struct worker_job *last;
    bool is_stopping;
    bool is_orphan; // nobody joins: the thread frees the worker
};

static void free_worker(struct worker *worker) {
    os_condition_finish(&worker->condition);
    os_mutex_finish(&worker->mutex);
    memory_free(worker);
}

static void run_jobs(void *user) {
    struct worker *worker = user;
    os_mutex_lock(&worker->mutex);
    for (;;) {
        struct worker_job *job = worker->first;
        if (job != NULL) {
            worker->first = job->next;
            if (worker->first == NULL) {
                worker->last = NULL;
            }
            os_mutex_unlock(&worker->mutex);
            job->run(job);
            os_mutex_lock(&worker->mutex);
        } else if (worker->is_stopping) {
            break;
        } else {
            os_condition_wait(&worker->condition, &worker->mutex);
        }
    }
    bool is_orphan = worker->is_orphan;
    os_mutex_unlock(&worker->mutex);
    if (is_orphan) {
        free_worker(worker);
    }
}

struct worker *worker_create(const char *name) {
    struct worker *worker = memory_allocate_zeroed(MEMORY_THREAD, 1, sizeof(*worker));
    if (worker == NULL) {
        return NULL;
    }
    if (!os_mutex_init(&worker->mutex)) {
        memory_free(worker);
        return NULL;
    }
    if (!os_condition_init(&worker->condition)) {
        os_mutex_finish(&worker->mutex);
        memory_free(worker);
        return NULL;
    }
    // The thread looks at itself through worker->thread: it must not start before that is written.
    os_mutex_lock(&worker->mutex);
    bool ok = os_thread_create(&worker->thread, run_jobs, worker, name);
    os_mutex_unlock(&worker->mutex);
    if (!ok) {
        free_worker(worker);
        return NULL;
    }
    return worker;
}

void worker_submit(struct worker *worker, struct worker_job *job) {
    job->next = NULL;
    os_mutex_lock(&worker->mutex);
    if (worker->last != NULL) {
        worker->last->next = job;
    } else {
        worker->first = job;
    }
    worker->last = job;
    os_condition_signal(&worker->condition);
    os_mutex_unlock(&worker->mutex);
}

void worker_stop(struct worker *worker) {
    if (worker == NULL) {
        return;
    }
    os_mutex_lock(&worker->mutex);
    bool is_self = os_thread_is_self(&worker->thread);
    worker->is_stopping = true;
    worker->is_orphan = is_self;
    if (is_self) {
        os_thread_detach(&worker->thread);
    }
    os_condition_signal(&worker->condition);
    os_mutex_unlock(&worker->mutex);
    if (!is_self) {
        os_thread_join(&worker->thread);
        free_worker(worker);
    }
}
