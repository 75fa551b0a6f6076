// SPDX-License-Identifier: MIT
//
// The kernel cache: what is the same kernel, how long kernels live, threads, failing memory.

#include "backend/cpu/kernel_cache.h"

#include "base/memory.h"
#include "base/os_thread.h"
#include "check.h"

#define KERNEL_COUNT 100

static struct jit_kernel kernels[KERNEL_COUNT];
static atomic_int destroy_counts[KERNEL_COUNT];

static void destroy(const struct jit_kernel *kernel) {
    atomic_fetch_add(&destroy_counts[kernel - kernels], 1);
}

static void reset(void) {
    for (int i = 0; i < KERNEL_COUNT; i++) {
        atomic_store(&destroy_counts[i], 0);
    }
}

static struct cpu_kernel_key key_of(const char *module, enum jit_level level) {
    return (struct cpu_kernel_key){text_from_string(module), level};
}

TEST(kernels_are_found_by_all_they_depend_on) {
    reset();
    struct cpu_kernel_cache *cache = cpu_kernel_cache_create();
    struct cpu_kernel_key key = key_of("a", JIT_LEVEL_AVX2);
    CHECK(cpu_kernel_cache_find(cache, &key) == NULL);
    char text[] = "a";
    struct cpu_kernel_key stored = key_of(text, JIT_LEVEL_AVX2);
    struct cpu_kernel_entry *entry = cpu_kernel_cache_insert(cache, &stored, &kernels[0], destroy);
    text[0] = 'x'; // the cache has its own copy
    CHECK(cpu_kernel_entry_get(entry) == &kernels[0]);
    CHECK(cpu_kernel_cache_find(cache, &key) == entry);
    const struct cpu_kernel_key others[] = {
        key_of("b", JIT_LEVEL_AVX2), key_of("a", JIT_LEVEL_SSE42), key_of("", JIT_LEVEL_AVX2)};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        CHECK(cpu_kernel_cache_find(cache, &others[i]) == NULL);
    }
    // Another thread compiled the same: the second kernel goes, the first is shared.
    CHECK(cpu_kernel_cache_insert(cache, &key, &kernels[1], destroy) == entry);
    CHECK_EQ(atomic_load(&destroy_counts[1]), 1);
    for (int i = 0; i < 3; i++) {
        cpu_kernel_cache_release(cache, entry);
    }
    CHECK_EQ(atomic_load(&destroy_counts[0]), 0);
    cpu_kernel_cache_unref(cache);
    CHECK_EQ(atomic_load(&destroy_counts[0]), 1);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(unused_kernels_are_kept_up_to_a_number) {
    reset();
    struct cpu_kernel_cache *cache = cpu_kernel_cache_create();
    struct cpu_kernel_entry *entries[KERNEL_COUNT];
    char names[KERNEL_COUNT][16];
    for (int i = 0; i < KERNEL_COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "%d", i);
        struct cpu_kernel_key key = key_of(names[i], JIT_LEVEL_AVX2);
        entries[i] = cpu_kernel_cache_insert(cache, &key, &kernels[i], destroy);
    }
    int destroyed = 0;
    for (int i = 0; i < KERNEL_COUNT; i++) {
        CHECK_EQ(atomic_load(&destroy_counts[i]), 0); // none in use is lost
    }
    for (int i = 0; i < KERNEL_COUNT; i++) {
        cpu_kernel_cache_release(cache, entries[i]);
    }
    for (int i = 0; i < KERNEL_COUNT; i++) {
        destroyed += atomic_load(&destroy_counts[i]);
    }
    CHECK_EQ(destroyed, KERNEL_COUNT - 32);
    CHECK_EQ(atomic_load(&destroy_counts[0]), 1); // unused for longest
    CHECK_EQ(atomic_load(&destroy_counts[KERNEL_COUNT - 1]), 0);
    struct cpu_kernel_key last = key_of(names[KERNEL_COUNT - 1], JIT_LEVEL_AVX2);
    struct cpu_kernel_entry *again = cpu_kernel_cache_find(cache, &last);
    CHECK(again == entries[KERNEL_COUNT - 1]);
    cpu_kernel_cache_release(cache, again);
    cpu_kernel_cache_ref(cache);
    cpu_kernel_cache_unref(cache);
    CHECK_EQ(atomic_load(&destroy_counts[KERNEL_COUNT - 1]), 0);
    cpu_kernel_cache_unref(cache);
    for (int i = 0; i < KERNEL_COUNT; i++) {
        CHECK_EQ(atomic_load(&destroy_counts[i]), 1);
    }
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

struct user {
    struct cpu_kernel_cache *cache;
    int seed;
};

static void run_user(void *data) {
    struct user *user = data;
    for (int i = 0; i < 2000; i++) {
        char name[16];
        int number = (i * 7 + user->seed * 31) % 50;
        snprintf(name, sizeof(name), "%d", number);
        struct cpu_kernel_key key = key_of(name, JIT_LEVEL_AVX2);
        struct cpu_kernel_entry *entry = cpu_kernel_cache_find(user->cache, &key);
        if (entry == NULL) {
            entry = cpu_kernel_cache_insert(user->cache, &key, &kernels[number], destroy);
        }
        if (cpu_kernel_entry_get(entry) != &kernels[number]) {
            abort();
        }
        cpu_kernel_cache_release(user->cache, entry);
    }
}

TEST(threads_share_one_cache) {
    struct cpu_kernel_cache *cache = cpu_kernel_cache_create();
    struct user users[3];
    struct os_thread threads[3];
    for (int i = 0; i < 3; i++) {
        users[i] = (struct user){cache, i};
        CHECK(os_thread_create(&threads[i], run_user, &users[i], "user"));
    }
    for (int i = 0; i < 3; i++) {
        os_thread_join(&threads[i]);
    }
    cpu_kernel_cache_unref(cache);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(failing_memory_destroys_the_kernel) {
    reset();
    int failure_count = 0;
    for (int countdown = 0; countdown < 6; countdown++) {
        struct cpu_kernel_cache *cache = cpu_kernel_cache_create();
        struct cpu_kernel_key key = key_of("module", JIT_LEVEL_AVX2);
        memory_fail_after(countdown, false);
        struct cpu_kernel_entry *entry = cpu_kernel_cache_insert(cache, &key, &kernels[0], destroy);
        memory_fail_after(-1, false);
        if (entry == NULL) {
            failure_count++;
        } else {
            cpu_kernel_cache_release(cache, entry);
        }
        cpu_kernel_cache_unref(cache);
        CHECK_EQ(atomic_load(&destroy_counts[0]), countdown + 1);
    }
    CHECK_EQ(failure_count, 3); // entry, text, list
    memory_fail_after(0, false);
    CHECK(cpu_kernel_cache_create() == NULL);
    memory_fail_after(-1, false);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

CHECK_MAIN(kernels_are_found_by_all_they_depend_on, unused_kernels_are_kept_up_to_a_number,
    threads_share_one_cache, failing_memory_destroys_the_kernel)
