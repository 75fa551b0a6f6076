// SPDX-License-Identifier: MIT
//
// The threads that run workgroups. One thread, the owner, starts jobs and takes part in them as
// worker 0; the pool has the others. A job is a count of items, handed out in chunks in ascending
// order; an item never waits for a later one, so any number of workers finishes any job. Only the
// owner may call these functions; counters may be read by any thread.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cpu_pool;

struct cpu_job {
    // Runs items [first, end) as the worker of that number.
    void (*run)(void *user, uint32_t worker, uint64_t first, uint64_t end);
    void *user;
    uint64_t count;
    uint64_t minimum_chunk;    // at least 1: smaller chunks are not worth handing out
    uint32_t worker_count;     // take part, the owner included; at most the pool's
    const atomic_uint *cancel; // no further chunk is handed out once it is non-zero
};

// worker_count: with the owner, at least 1. NULL when memory or threads ran out.
struct cpu_pool *cpu_pool_create(uint32_t worker_count, bool may_spin);
// No job may be running. NULL is allowed.
void cpu_pool_destroy(struct cpu_pool *pool);
uint32_t cpu_pool_worker_count(const struct cpu_pool *pool);

// Returns when all items are done, or when the job was cancelled and no worker is in it any more.
void cpu_pool_run(struct cpu_pool *pool, const struct cpu_job *job);

// A counter of the worker's own cache line that jobs may use: workgroups finished, ever.
_Atomic uint64_t *cpu_pool_progress(struct cpu_pool *pool, uint32_t worker);
