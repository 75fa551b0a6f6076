// SPDX-License-Identifier: MIT
//
// A list of entries under a mutex: a process has tens of pipelines, and a look costs one hash
// comparison each.
#include "backend/cpu/kernel_cache.h"

#include <stdatomic.h>
#include <string.h>

#include "base/os_thread.h"
#include "base/vector.h"

// Kernels kept though no pipeline uses them; the one unused for longest goes first.
#define UNUSED_KERNEL_COUNT 32u

struct cpu_kernel_entry {
    struct cpu_kernel_key key; // its text is owned
    uint64_t hash;
    const struct jit_kernel *kernel;
    cpu_kernel_destroy_function destroy;
    uint32_t use_count;
    uint64_t released_at; // the cache's clock when use_count became 0
};

struct cpu_kernel_cache {
    atomic_uint reference_count;
    struct kernel_store *store; // NULL: none
    struct os_mutex mutex; // guards all below
    VECTOR(struct cpu_kernel_entry *) entries;
    uint32_t unused_count;
    uint64_t clock;
};

const struct jit_kernel *cpu_kernel_entry_get(const struct cpu_kernel_entry *entry) {
    return entry->kernel;
}

struct cpu_kernel_cache *cpu_kernel_cache_create(void) {
    struct cpu_kernel_cache *cache = memory_allocate_zeroed(MEMORY_JIT, 1, sizeof(*cache));
    if (cache == NULL) {
        return NULL;
    }
    if (!os_mutex_init(&cache->mutex)) {
        memory_free(cache);
        return NULL;
    }
    atomic_store(&cache->reference_count, 1);
    cache->store = kernel_store_create();
    return cache;
}

struct kernel_store *cpu_kernel_cache_store(struct cpu_kernel_cache *cache) {
    return cache->store;
}

struct cpu_kernel_cache *cpu_kernel_cache_ref(struct cpu_kernel_cache *cache) {
    atomic_fetch_add(&cache->reference_count, 1);
    return cache;
}

static void free_entry(struct cpu_kernel_entry *entry) {
    entry->destroy(entry->kernel);
    memory_free((void *)(uintptr_t)entry->key.module.data);
    memory_free(entry);
}

void cpu_kernel_cache_unref(struct cpu_kernel_cache *cache) {
    if (cache == NULL || atomic_fetch_sub(&cache->reference_count, 1) != 1) {
        return;
    }
    for (size_t i = 0; i < cache->entries.count; i++) {
        free_entry(cache->entries.items[i]);
    }
    vector_finish(&cache->entries);
    kernel_store_destroy(cache->store);
    os_mutex_finish(&cache->mutex);
    memory_free(cache);
}

// With the mutex held.
static struct cpu_kernel_entry *find_and_use(struct cpu_kernel_cache *cache,
                                             const struct cpu_kernel_key *key, uint64_t hash) {
    for (size_t i = 0; i < cache->entries.count; i++) {
        struct cpu_kernel_entry *entry = cache->entries.items[i];
        if (entry->hash == hash && entry->key.level == key->level &&
            text_equals(entry->key.module, key->module)) {
            cache->unused_count -= entry->use_count == 0;
            entry->use_count++;
            return entry;
        }
    }
    return NULL;
}

struct cpu_kernel_entry *cpu_kernel_cache_find(struct cpu_kernel_cache *cache,
                                               const struct cpu_kernel_key *key) {
    uint64_t hash = text_hash(key->module);
    os_mutex_lock(&cache->mutex);
    struct cpu_kernel_entry *entry = find_and_use(cache, key, hash);
    os_mutex_unlock(&cache->mutex);
    return entry;
}

static struct cpu_kernel_entry *new_entry(const struct cpu_kernel_key *key,
                                          const struct jit_kernel *kernel,
                                          cpu_kernel_destroy_function destroy) {
    struct cpu_kernel_entry *entry = memory_allocate(MEMORY_JIT, sizeof(*entry));
    char *module = memory_allocate(MEMORY_JIT, key->module.length);
    if (entry == NULL || module == NULL) {
        memory_free(entry);
        memory_free(module);
        return NULL;
    }
    if (key->module.length != 0) {
        memcpy(module, key->module.data, key->module.length);
    }
    *entry = (struct cpu_kernel_entry){
        .key = *key,
        .hash = text_hash(key->module),
        .kernel = kernel,
        .destroy = destroy,
        .use_count = 1,
    };
    entry->key.module.data = module;
    return entry;
}

struct cpu_kernel_entry *cpu_kernel_cache_insert(struct cpu_kernel_cache *cache,
                                                 const struct cpu_kernel_key *key,
                                                 const struct jit_kernel *kernel,
                                                 cpu_kernel_destroy_function destroy) {
    struct cpu_kernel_entry *entry = new_entry(key, kernel, destroy);
    if (entry == NULL) {
        destroy(kernel);
        return NULL;
    }
    os_mutex_lock(&cache->mutex);
    struct cpu_kernel_entry *stored = find_and_use(cache, key, entry->hash);
    if (stored == NULL && vector_push(&cache->entries, MEMORY_JIT, entry)) {
        stored = entry;
    }
    os_mutex_unlock(&cache->mutex);
    if (stored != entry) {
        free_entry(entry);
    }
    return stored;
}

// With the mutex held: takes the entry that nobody has used for longest out of the list.
static struct cpu_kernel_entry *take_oldest_unused(struct cpu_kernel_cache *cache) {
    size_t oldest = cache->entries.count;
    for (size_t i = 0; i < cache->entries.count; i++) {
        const struct cpu_kernel_entry *entry = cache->entries.items[i];
        if (entry->use_count == 0 &&
            (oldest == cache->entries.count ||
             entry->released_at < cache->entries.items[oldest]->released_at)) {
            oldest = i;
        }
    }
    struct cpu_kernel_entry *entry = cache->entries.items[oldest];
    cache->entries.items[oldest] = cache->entries.items[--cache->entries.count];
    cache->unused_count--;
    return entry;
}

void cpu_kernel_cache_release(struct cpu_kernel_cache *cache, struct cpu_kernel_entry *entry) {
    struct cpu_kernel_entry *evicted = NULL;
    os_mutex_lock(&cache->mutex);
    entry->use_count--;
    if (entry->use_count == 0) {
        entry->released_at = ++cache->clock;
        cache->unused_count++;
        if (cache->unused_count > UNUSED_KERNEL_COUNT) {
            evicted = take_oldest_unused(cache);
        }
    }
    os_mutex_unlock(&cache->mutex);
    if (evicted != NULL) {
        free_entry(evicted);
    }
}
