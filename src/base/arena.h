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
    enum memory_tag tag;
    size_t used_bytes;  // sum over blocks, for budgets
    size_t limit_bytes; // 0: none; beyond it allocations fail
    bool has_failed;    // set by any failed allocation, never cleared
};

struct arena_mark {
    struct arena_block *block;
    size_t offset_bytes;
    size_t used_bytes;
};

void arena_init(struct arena *arena, enum memory_tag tag);
// Frees everything; the arena may be initialised again.
void arena_finish(struct arena *arena);

// size bytes aligned to 16, uninitialised; NULL on failure.
void *arena_allocate(struct arena *arena, size_t size_bytes);
// count * size zeroed bytes; NULL on failure or overflow.
void *arena_allocate_zeroed(struct arena *arena, size_t count, size_t size_bytes);
// A copy of size bytes; NULL on failure.
void *arena_copy(struct arena *arena, const void *bytes, size_t size_bytes);

struct arena_mark arena_get_mark(const struct arena *arena);
void arena_reset_to(struct arena *arena, struct arena_mark mark);

// Typed forms.
#define ARENA_NEW(arena, type) ((type *)arena_allocate_zeroed((arena), 1, sizeof(type)))
#define ARENA_ARRAY(arena, type, count) \
    ((type *)arena_allocate_zeroed((arena), (count), sizeof(type)))
