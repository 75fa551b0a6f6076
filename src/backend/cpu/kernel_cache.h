// SPDX-License-Identifier: MIT
//
// Compiled kernels of one adapter, found again by what they were compiled from, so that the same
// pipeline made twice costs one compilation. Kernels in use stay; some that no pipeline uses any
// more are kept too. Safe from any thread.
#pragma once

#include "base/text.h"
#include "shader/jit/jit.h"
#include "shader/kernel/kernel_store.h"

struct cpu_kernel_cache;

// What a kernel depends on.
struct cpu_kernel_key {
    struct text module; // the specialised module's text form
    enum jit_level level;
};

struct cpu_kernel_entry; // opaque; one reference for each user
const struct jit_kernel *cpu_kernel_entry_get(const struct cpu_kernel_entry *entry);

struct cpu_kernel_cache *cpu_kernel_cache_create(void); // NULL when memory ran out
// Where kernels are kept between runs, as the environment says; may be NULL.
struct kernel_store *cpu_kernel_cache_store(struct cpu_kernel_cache *cache);
struct cpu_kernel_cache *cpu_kernel_cache_ref(struct cpu_kernel_cache *cache);
// The last one frees all kernels; none may be in use. NULL is allowed.
void cpu_kernel_cache_unref(struct cpu_kernel_cache *cache);

// Takes a reference to the entry, NULL if there is none.
struct cpu_kernel_entry *cpu_kernel_cache_find(struct cpu_kernel_cache *cache,
                                               const struct cpu_kernel_key *key);
// Stores a kernel and takes a reference; owns the kernel from here, on failure (NULL) too. When
// another thread was first, its entry is given and the kernel destroyed.
typedef void (*cpu_kernel_destroy_function)(const struct jit_kernel *kernel);
struct cpu_kernel_entry *cpu_kernel_cache_insert(struct cpu_kernel_cache *cache,
                                                 const struct cpu_kernel_key *key,
                                                 const struct jit_kernel *kernel,
                                                 cpu_kernel_destroy_function destroy);
void cpu_kernel_cache_release(struct cpu_kernel_cache *cache, struct cpu_kernel_entry *entry);
