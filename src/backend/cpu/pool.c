// SPDX-License-Identifier: MIT
//
// Each worker has a state that goes IDLE -> POSTED (owner) -> RUNNING (worker) -> IDLE (worker). A
// worker that has not woken up when the items run out is taken back (POSTED -> IDLE, owner), so
// that a short job never waits for a sleeper. Workers are woken as a tree: each wakes two more
// before it begins.
//
// Sleeping and waking follow one pattern on both sides: the sleeper announces itself, then looks
// again; the other side changes the state, then looks for the announcement; all four sequentially
// consistent, so that one of them sees the other.
#include "backend/cpu/pool.h"

#include "backend/cpu/float_state.h"
#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_thread.h"

// How long a worker, or the owner, looks for news before it sleeps.
#define SPIN_NS 10000u
// Yields between, since the other side may have been put on this very CPU.
#define SPINS_PER_YIELD 16u
// Chunks shrink to this part of a worker's share of what is left.
#define CHUNKS_PER_SHARE 4u

#define CACHE_LINE_BYTES 64

enum worker_state { WORKER_IDLE, WORKER_POSTED, WORKER_RUNNING };

struct worker {
    _Alignas(CACHE_LINE_BYTES) _Atomic uint64_t progress;
    _Alignas(CACHE_LINE_BYTES) atomic_uint state; // enum worker_state
    atomic_bool is_asleep;
    struct os_mutex mutex; // for sleeping alone
    struct os_condition is_posted;
    struct os_thread thread;
    struct cpu_pool *pool;
    uint32_t index;
};

struct cpu_pool {
    _Alignas(CACHE_LINE_BYTES) _Atomic uint64_t next_item;
    _Alignas(CACHE_LINE_BYTES) struct cpu_job job; // written while all workers are idle
    atomic_bool is_stopping;
    atomic_bool owner_is_asleep;
    struct os_mutex mutex; // for the owner's sleep alone
    struct os_condition has_finished;
    uint32_t worker_count;
    uint32_t started_count; // workers whose objects and thread exist, from 1
    bool may_spin;
    void *block;             // what was allocated
    struct worker workers[]; // 0 is the owner
};

// ---------------------------------------------------------------- working

// Claims the next chunk; false when there is none.
static bool claim(struct cpu_pool *pool, uint64_t *out_first, uint64_t *out_end) {
    const struct cpu_job *job = &pool->job;
    uint64_t first = atomic_load_explicit(&pool->next_item, memory_order_relaxed);
    for (;;) {
        if (first >= job->count || atomic_load_explicit(job->cancel, memory_order_relaxed) != 0) {
            return false;
        }
        uint64_t left = job->count - first;
        uint64_t size = left / ((uint64_t)job->worker_count * CHUNKS_PER_SHARE);
        if (size < job->minimum_chunk) {
            size = job->minimum_chunk;
        }
        if (size > left) {
            size = left;
        }
        if (atomic_compare_exchange_weak_explicit(&pool->next_item, &first, first + size,
                                                  memory_order_relaxed, memory_order_relaxed)) {
            *out_first = first;
            *out_end = first + size;
            return true;
        }
    }
}

static void work(struct cpu_pool *pool, uint32_t worker) {
    uint64_t first = 0;
    uint64_t end = 0;
    while (claim(pool, &first, &end)) {
        pool->job.run(pool->job.user, worker, first, end);
    }
}

static void wake(struct worker *worker) {
    if (atomic_load(&worker->is_asleep)) {
        os_mutex_lock(&worker->mutex);
        os_condition_signal(&worker->is_posted);
        os_mutex_unlock(&worker->mutex);
    }
}

static void wake_children(struct cpu_pool *pool, uint32_t worker) {
    for (uint32_t child = 2 * worker + 1; child <= 2 * worker + 2; child++) {
        if (child < pool->job.worker_count) {
            wake(&pool->workers[child]);
        }
    }
}

static bool has_news(struct worker *worker) {
    return atomic_load(&worker->state) == WORKER_POSTED ||
           atomic_load_explicit(&worker->pool->is_stopping, memory_order_relaxed);
}

static void sleep_until_news(struct worker *worker) {
    if (worker->pool->may_spin) {
        uint64_t deadline = os_clock_deadline_ns(SPIN_NS);
        do {
            for (unsigned i = 0; i < SPINS_PER_YIELD; i++) {
                if (has_news(worker)) {
                    return;
                }
                os_thread_relax();
            }
            os_thread_yield();
        } while (os_clock_monotonic_ns() < deadline);
    }
    os_mutex_lock(&worker->mutex);
    atomic_store(&worker->is_asleep, true);
    while (!has_news(worker)) {
        os_condition_wait(&worker->is_posted, &worker->mutex);
    }
    atomic_store(&worker->is_asleep, false);
    os_mutex_unlock(&worker->mutex);
}

static void run_worker(void *user) {
    struct worker *worker = user;
    struct cpu_pool *pool = worker->pool;
    cpu_float_state_set();
    for (;;) {
        sleep_until_news(worker);
        unsigned expected = WORKER_POSTED;
        if (!atomic_compare_exchange_strong(&worker->state, &expected, WORKER_RUNNING)) {
            if (atomic_load(&pool->is_stopping)) {
                return;
            }
            continue; // taken back
        }
        wake_children(pool, worker->index);
        work(pool, worker->index);
        atomic_store(&worker->state, WORKER_IDLE);
        if (atomic_load(&pool->owner_is_asleep)) {
            os_mutex_lock(&pool->mutex);
            os_condition_signal(&pool->has_finished);
            os_mutex_unlock(&pool->mutex);
        }
    }
}

// ---------------------------------------------------------------- the owner's side

static bool is_running(struct cpu_pool *pool) {
    for (uint32_t i = 1; i < pool->job.worker_count; i++) {
        if (atomic_load(&pool->workers[i].state) == WORKER_RUNNING) {
            return true;
        }
    }
    return false;
}

static void wait_for_workers(struct cpu_pool *pool) {
    for (uint32_t i = 1; i < pool->job.worker_count; i++) {
        unsigned expected = WORKER_POSTED;
        atomic_compare_exchange_strong(&pool->workers[i].state, &expected, WORKER_IDLE);
    }
    if (pool->may_spin) {
        uint64_t deadline = os_clock_deadline_ns(SPIN_NS);
        do {
            for (unsigned i = 0; i < SPINS_PER_YIELD; i++) {
                if (!is_running(pool)) {
                    return;
                }
                os_thread_relax();
            }
            os_thread_yield();
        } while (os_clock_monotonic_ns() < deadline);
    }
    os_mutex_lock(&pool->mutex);
    atomic_store(&pool->owner_is_asleep, true);
    while (is_running(pool)) {
        os_condition_wait(&pool->has_finished, &pool->mutex);
    }
    atomic_store(&pool->owner_is_asleep, false);
    os_mutex_unlock(&pool->mutex);
}

void cpu_pool_run(struct cpu_pool *pool, const struct cpu_job *job) {
    pool->job = *job;
    if (pool->job.worker_count > pool->worker_count) {
        pool->job.worker_count = pool->worker_count;
    }
    atomic_store_explicit(&pool->next_item, 0, memory_order_relaxed);
    for (uint32_t i = 1; i < pool->job.worker_count; i++) {
        atomic_store(&pool->workers[i].state, WORKER_POSTED);
    }
    wake_children(pool, 0);
    work(pool, 0);
    wait_for_workers(pool);
}

uint32_t cpu_pool_worker_count(const struct cpu_pool *pool) {
    return pool->worker_count;
}

_Atomic uint64_t *cpu_pool_progress(struct cpu_pool *pool, uint32_t worker) {
    return &pool->workers[worker].progress;
}

// ---------------------------------------------------------------- making and ending

static bool start_worker(struct cpu_pool *pool, uint32_t index) {
    struct worker *worker = &pool->workers[index];
    worker->pool = pool;
    worker->index = index;
    if (!os_mutex_init(&worker->mutex)) {
        return false;
    }
    if (!os_condition_init(&worker->is_posted)) {
        os_mutex_finish(&worker->mutex);
        return false;
    }
    if (!os_thread_create(&worker->thread, run_worker, worker, "alba-worker")) {
        os_condition_finish(&worker->is_posted);
        os_mutex_finish(&worker->mutex);
        return false;
    }
    return true;
}

struct cpu_pool *cpu_pool_create(uint32_t worker_count, bool may_spin) {
    size_t bytes = sizeof(struct cpu_pool) + (size_t)worker_count * sizeof(struct worker);
    void *block = memory_allocate_zeroed(MEMORY_THREAD, 1, bytes + CACHE_LINE_BYTES);
    if (block == NULL) {
        return NULL;
    }
    uintptr_t misfit = (uintptr_t)block % CACHE_LINE_BYTES;
    struct cpu_pool *pool =
        (void *)((char *)block + (misfit == 0 ? 0 : CACHE_LINE_BYTES - misfit));
    pool->block = block;
    pool->worker_count = worker_count;
    pool->may_spin = may_spin;
    pool->started_count = 1;
    if (!os_mutex_init(&pool->mutex)) {
        memory_free(block);
        return NULL;
    }
    if (!os_condition_init(&pool->has_finished)) {
        os_mutex_finish(&pool->mutex);
        memory_free(block);
        return NULL;
    }
    while (pool->started_count < worker_count) {
        if (!start_worker(pool, pool->started_count)) {
            cpu_pool_destroy(pool);
            return NULL;
        }
        pool->started_count++;
    }
    return pool;
}

void cpu_pool_destroy(struct cpu_pool *pool) {
    if (pool == NULL) {
        return;
    }
    atomic_store(&pool->is_stopping, true);
    for (uint32_t i = 1; i < pool->started_count; i++) {
        struct worker *worker = &pool->workers[i];
        os_mutex_lock(&worker->mutex);
        os_condition_signal(&worker->is_posted);
        os_mutex_unlock(&worker->mutex);
    }
    for (uint32_t i = 1; i < pool->started_count; i++) {
        struct worker *worker = &pool->workers[i];
        os_thread_join(&worker->thread);
        os_condition_finish(&worker->is_posted);
        os_mutex_finish(&worker->mutex);
    }
    os_condition_finish(&pool->has_finished);
    os_mutex_finish(&pool->mutex);
    memory_free(pool->block);
}
