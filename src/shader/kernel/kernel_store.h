// SPDX-License-Identifier: MIT
//
// Kernels kept in a folder between runs, a file each, found again by a hash of all that they depend
// on. The files are code that will be executed: a folder or file that others could have written is
// not read, and a damaged one is as if it were not there. Losing the folder costs time alone. Safe
// from any thread, and with other processes at work in the same folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"
#include "base/text.h"
#include "shader/kernel/kernel_image.h"

struct kernel_store; // opaque

struct kernel_key {
    uint8_t bytes[SHA256_BYTES];
};

// What the files may take together, and how many there may be; then the ones unused for longest go,
// down to three quarters. Not each process counts what is there: both may be passed by a little.
#define KERNEL_STORE_LIMIT_BYTES ((uint64_t)256 << 20)
#define KERNEL_STORE_LIMIT_COUNT 8192u

// The folder that ALBA_CACHE names; else alba in $XDG_CACHE_HOME or $HOME/.cache. Made when there is
// something to keep. NULL where the environment says "off" or "0", names no folder, or memory ran
// out; a NULL store is empty and keeps nothing.
struct kernel_store *kernel_store_create(void);
// The same in a given folder with a given limit.
struct kernel_store *kernel_store_create_in(struct text folder, uint64_t limit_bytes);
void kernel_store_destroy(struct kernel_store *store); // NULL is allowed

// Fills in facts, as many bytes as were kept, and a consistent image, the caller's to finish. false:
// it is not there.
bool kernel_store_find(struct kernel_store *store, const struct kernel_key *key, void *out_facts,
    uint32_t facts_bytes, struct kernel_image *out_image);
// Keeps a kernel, if that is possible. facts: plain data that means the same in another process.
void kernel_store_insert(struct kernel_store *store, const struct kernel_key *key,
    const void *facts, uint32_t facts_bytes, const struct kernel_image *image);

struct kernel_store_usage {
    uint32_t kernel_count;
    uint64_t size_bytes;
};
// What the folder holds now; nothing when it is still to be made. false: nothing is kept, since there
// is no store or its folder cannot be used.
bool kernel_store_get_usage(struct kernel_store *store, struct kernel_store_usage *out_usage);
// The folder's path, NUL-terminated; lives as long as the store. NULL without a store.
const char *kernel_store_folder(const struct kernel_store *store);
