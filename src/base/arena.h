// SPDX-License-Identifier: MIT
//
// Bump allocator for the compile and call lifetimes: allocations are freed all at once or back to
// a mark. Not thread-safe: one arena belongs to one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct arena_block;

struct arena {
    struct arena_block *head;
    struct arena_block *large; // blocks of one allocation each, the newest first
    uint64_t block_count;      // ever made, to tell which are newer than a mark
    enum memory_tag tag;
    size_t used_bytes;  // sum over blocks, for budgets
    size_t limit_bytes; // 0: none; beyond it allocations fail
    bool has_failed;    // set by any failed allocation, never cleared
    // Set by the owner: a large array that a vector outgrows is given back at once, so that no
    // pointer into a vector's items may be used after something was pushed. Otherwise the old array
    // stays until the arena is finished.
    bool gives_back_outgrown;
};

struct arena_mark {
    struct arena_block *block;
    uint64_t block_count;
    size_t offset_bytes;
    size_t used_bytes;
};

void arena_init(struct arena *arena, enum memory_tag tag);
// Frees everything; the arena may be initialised again.
void arena_finish(struct arena *arena);

// size bytes aligned to 16, uninitialised; NULL on failure.
void *arena_allocate(struct arena *arena, size_t size_bytes);
// size bytes aligned to 8, for what there are very many of.
void *arena_allocate_packed(struct arena *arena, size_t size_bytes);
// Moves an allocation of old_bytes, as arena_allocate gave it (or NULL, 0), to one of new_bytes, which
// are not fewer; what lies at its old place is lost. NULL on failure, which leaves it as it was.
void *arena_enlarge(struct arena *arena, void *block, size_t old_bytes, size_t new_bytes);
// count * size zeroed bytes; NULL on failure or overflow.
void *arena_allocate_zeroed(struct arena *arena, size_t count, size_t size_bytes);
// A copy of size bytes; NULL on failure.
void *arena_copy(struct arena *arena, const void *bytes, size_t size_bytes);

// Allocations of at least so many bytes lie in blocks of their own, and are enlarged without garbage.
#define ARENA_LARGE_BYTES ((size_t)64 << 10)

struct arena_mark arena_get_mark(const struct arena *arena);
void arena_reset_to(struct arena *arena, struct arena_mark mark);

// Typed forms.
#define ARENA_NEW(arena, type) ((type *)arena_allocate_zeroed((arena), 1, sizeof(type)))
#define ARENA_ARRAY(arena, type, count) \
    ((type *)arena_allocate_zeroed((arena), (count), sizeof(type)))
