// SPDX-License-Identifier: MIT
//
// The worker pool: each item once, in ascending order of starting, at any number of workers; a
// look-back chain in which each item waits for the one before it; cancellation; many short jobs with
// pauses, so that sleeping and waking meet in all ways.

#include "backend/cpu/pool.h"

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_thread.h"
#include "check.h"

static atomic_uint no_cancel;

#define ITEM_COUNT 20000

struct record {
    atomic_uint runs[ITEM_COUNT];
    _Atomic uint64_t turn; // for the chain: items finished
    _Atomic uint64_t clock;
    uint64_t started[ITEM_COUNT];
    atomic_uint workers_seen;
    atomic_uint wrong_count;
    atomic_uint cancel;
};

static struct record *new_record(void) {
    return memory_allocate_zeroed(MEMORY_TEST, 1, sizeof(struct record));
}

static void count_items(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    struct record *record = user;
    atomic_fetch_or(&record->workers_seen, 1u << worker);
    if (first >= end) {
        atomic_fetch_add(&record->wrong_count, 1);
    }
    for (uint64_t i = first; i < end; i++) {
        atomic_fetch_add_explicit(&record->runs[i], 1, memory_order_relaxed);
    }
}

static void check_once(struct record *record, uint64_t count) {
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < ITEM_COUNT; i++) {
        wrong += atomic_load(&record->runs[i]) != (i < count ? 1u : 0u);
        atomic_store(&record->runs[i], 0);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(atomic_load(&record->wrong_count), 0);
}

TEST(each_item_runs_once) {
    struct record *record = new_record();
    static const uint64_t counts[] = {1, 2, 3, 7, 64, 1000, ITEM_COUNT};
    static const uint64_t chunks[] = {1, 3, 1000, 1000000};
    for (uint32_t workers = 1; workers <= 8; workers++) {
        struct cpu_pool *pool = cpu_pool_create(workers, workers % 2 == 0);
        if (!CHECK(pool != NULL)) {
            continue;
        }
        CHECK_EQ(cpu_pool_worker_count(pool), workers);
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
            for (size_t k = 0; k < sizeof(chunks) / sizeof(chunks[0]); k++) {
                struct cpu_job job = {count_items, record, counts[i], chunks[k], 99, &no_cancel};
                cpu_pool_run(pool, &job);
                check_once(record, counts[i]);
            }
        }
        cpu_pool_destroy(pool);
        CHECK_EQ(atomic_load(&record->workers_seen) >> workers, 0);
        atomic_store(&record->workers_seen, 0);
    }
    memory_free(record);
}

static void wait_for_the_one_before(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    (void)worker;
    struct record *record = user;
    for (uint64_t i = first; i < end; i++) {
        record->started[i] = atomic_fetch_add(&record->clock, 1);
        while (atomic_load_explicit(&record->turn, memory_order_acquire) != i) {
            os_thread_relax();
        }
        atomic_store_explicit(&record->turn, i + 1, memory_order_release);
    }
}

TEST(look_back_chains_finish) {
    for (uint32_t workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
        struct record *record = new_record();
        struct cpu_pool *pool = cpu_pool_create(workers, true);
        // More workers than CPUs wait for the scheduler.
        const uint64_t count = workers > 3 ? 300 : 2000;
        struct cpu_job job = {wait_for_the_one_before, record, count, 1, workers, &no_cancel};
        cpu_pool_run(pool, &job);
        CHECK_EQ(atomic_load(&record->turn), count);
        cpu_pool_destroy(pool);
        memory_free(record);
    }
}

static void cancel_at_100(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    struct record *record = user;
    count_items(user, worker, first, end);
    if (end > 100) {
        atomic_store(&record->cancel, 1);
    }
}

TEST(cancelled_jobs_end_early) {
    struct record *record = new_record();
    struct cpu_pool *pool = cpu_pool_create(3, true);
    struct cpu_job job = {cancel_at_100, record, ITEM_COUNT, 1, 3, &record->cancel};
    cpu_pool_run(pool, &job);
    uint64_t run_count = 0;
    for (uint64_t i = 0; i < ITEM_COUNT; i++) {
        run_count += atomic_load(&record->runs[i]);
    }
    CHECK(run_count > 100 && run_count < ITEM_COUNT);
    atomic_store(&record->cancel, 1);
    atomic_store(&record->runs[0], 0);
    cpu_pool_run(pool, &job);
    CHECK_EQ(atomic_load(&record->runs[0]), 0);
    cpu_pool_destroy(pool);
    memory_free(record);
}

TEST(short_jobs_and_pauses) {
    struct record *record = new_record();
    struct cpu_pool *pool = cpu_pool_create(4, true);
    uint32_t random = 1;
    for (int round = 0; round < 3000; round++) {
        random = random * 1664525u + 1013904223u;
        uint64_t count = 1 + (random >> 20) % 40;
        struct cpu_job job = {count_items, record, count, 1, 1 + (random >> 10) % 4, &no_cancel};
        cpu_pool_run(pool, &job);
        uint64_t sum = 0;
        for (uint64_t i = 0; i < 41; i++) {
            sum += atomic_exchange(&record->runs[i], 0);
        }
        if (sum != count) {
            CHECK_EQ(sum, count);
        }
        if (random % 16 == 0) {
            os_clock_sleep_ns((random >> 8) % 60000); // about as long as a worker spins
        }
    }
    CHECK_EQ(atomic_load(&record->wrong_count), 0);
    cpu_pool_destroy(pool);
    memory_free(record);
}

// What one job wrote plainly, the next one sees: each item reads another item's last result.
static void shift_items(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    (void)worker;
    uint32_t **pair = user;
    for (uint64_t i = first; i < end; i++) {
        pair[1][i] = pair[0][(i + 1) % 512] + 1;
    }
}

TEST(a_job_sees_what_the_last_one_wrote) {
    static uint32_t a[512];
    static uint32_t b[512];
    struct cpu_pool *pool = cpu_pool_create(4, true);
    uint32_t *pair[2] = {a, b};
    const uint32_t rounds = 1000;
    for (uint32_t round = 0; round < rounds; round++) {
        struct cpu_job job = {shift_items, pair, 512, 1, 4, &no_cancel};
        cpu_pool_run(pool, &job);
        uint32_t *swap = pair[0];
        pair[0] = pair[1];
        pair[1] = swap;
    }
    uint64_t wrong = 0;
    for (int i = 0; i < 512; i++) {
        wrong += pair[0][i] != rounds;
    }
    CHECK_EQ(wrong, 0);
    cpu_pool_destroy(pool);
}

TEST(failing_memory_gives_no_pool) {
    size_t before = memory_live_blocks(MEMORY_THREAD);
    int failure_count = 0;
    for (int countdown = 0; countdown < 8; countdown++) {
        memory_fail_after(countdown, true);
        struct cpu_pool *pool = cpu_pool_create(4, false);
        memory_fail_after(-1, false);
        failure_count += pool == NULL;
        cpu_pool_destroy(pool);
    }
    CHECK_EQ(failure_count, 4); // the pool and three threads
    CHECK_EQ(memory_live_blocks(MEMORY_THREAD), before);
}

CHECK_MAIN(each_item_runs_once, look_back_chains_finish, cancelled_jobs_end_early,
           short_jobs_and_pauses, a_job_sees_what_the_last_one_wrote, failing_memory_gives_no_pool)
