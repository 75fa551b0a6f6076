// SPDX-License-Identifier: MIT
//
// Growing arrays on the heap or in an arena, for plain C types. A vector of T is declared by
// VECTOR(T) and zero-initialised is valid and empty. Not thread-safe.
//
//   VECTOR(uint32_t) items = {0};
//   if (!vector_push(&items, MEMORY_GENERAL, 7u)) { ... out of memory ... }
//   vector_finish(&items);
//
// Arena vectors use arena_vector_push with the same type; they are never finished.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

#define VECTOR(type)      \
    struct {              \
        type *items;      \
        size_t count;     \
        size_t capacity;  \
    }

// Both return false on failure and leave the vector as it was.
bool vector_grow(void **items, size_t *capacity, size_t needed, size_t item_bytes,
                 enum memory_tag tag);
bool vector_grow_in_arena(struct arena *arena, void **items, size_t count, size_t *capacity,
                          size_t needed, size_t item_bytes);

#define vector_reserve(vector, tag, needed)                                                  \
    ((needed) <= (vector)->capacity ||                                                       \
     vector_grow((void **)&(vector)->items, &(vector)->capacity, (needed),                   \
                 sizeof(*(vector)->items), (tag)))
// True when the value was appended.
#define vector_push(vector, tag, ...)                       \
    (vector_reserve((vector), (tag), (vector)->count + 1) && \
     ((vector)->items[(vector)->count++] = (__VA_ARGS__), true))
#define vector_finish(vector)            \
    do {                                 \
        memory_free((vector)->items);    \
        memset((vector), 0, sizeof(*(vector))); \
    } while (0)

#define arena_vector_reserve(arena, vector, needed)                                          \
    ((needed) <= (vector)->capacity ||                                                       \
     vector_grow_in_arena((arena), (void **)&(vector)->items, (vector)->count,               \
                          &(vector)->capacity, (needed), sizeof(*(vector)->items)))
#define arena_vector_push(arena, vector, ...)                        \
    (arena_vector_reserve((arena), (vector), (vector)->count + 1) && \
     ((vector)->items[(vector)->count++] = (__VA_ARGS__), true))
