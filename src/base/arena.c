// SPDX-License-Identifier: MIT
//
// Arena blocks double from 16 KiB to 1 MiB; a larger request gets a block of its own.
#include "base/arena.h"

#include <string.h>

struct arena_block {
    struct arena_block *previous;
    size_t capacity_bytes;
    size_t offset_bytes;
    size_t padding; // keeps the payload aligned to 16 bytes
};

_Static_assert(sizeof(struct arena_block) % 16 == 0, "payload alignment");

#define FIRST_BLOCK_BYTES ((size_t)16 << 10)
#define LARGEST_BLOCK_BYTES ((size_t)1 << 20)

void arena_init(struct arena *arena, enum memory_tag tag) {
    *arena = (struct arena){.tag = tag};
}

void arena_finish(struct arena *arena) {
    struct arena_block *block = arena->head;
    while (block != NULL) {
        struct arena_block *previous = block->previous;
        memory_free(block);
        block = previous;
    }
    *arena = (struct arena){.tag = arena->tag};
}

static bool add_block(struct arena *arena, size_t needed_bytes) {
    size_t capacity = arena->head == NULL ? FIRST_BLOCK_BYTES : arena->head->capacity_bytes * 2;
    if (capacity > LARGEST_BLOCK_BYTES) {
        capacity = LARGEST_BLOCK_BYTES;
    }
    if (capacity < needed_bytes) {
        capacity = needed_bytes;
    }
    if (arena->limit_bytes != 0 && (capacity > arena->limit_bytes ||
                                    arena->used_bytes > arena->limit_bytes - needed_bytes)) {
        return false;
    }
    struct arena_block *block =
        memory_allocate(arena->tag, sizeof(struct arena_block) + capacity);
    if (block == NULL) {
        return false;
    }
    *block = (struct arena_block){.previous = arena->head, .capacity_bytes = capacity};
    arena->head = block;
    return true;
}

void *arena_allocate(struct arena *arena, size_t size_bytes) {
    if (size_bytes > PTRDIFF_MAX - 64) {
        arena->has_failed = true;
        return NULL;
    }
    size_t rounded = (size_bytes + 15) & ~(size_t)15;
    if (rounded == 0) {
        rounded = 16;
    }
    struct arena_block *block = arena->head;
    if (block == NULL || block->capacity_bytes - block->offset_bytes < rounded) {
        if (!add_block(arena, rounded)) {
            arena->has_failed = true;
            return NULL;
        }
        block = arena->head;
    }
    void *result = (char *)(block + 1) + block->offset_bytes;
    block->offset_bytes += rounded;
    arena->used_bytes += rounded;
    return result;
}

void *arena_allocate_zeroed(struct arena *arena, size_t count, size_t size_bytes) {
    if (size_bytes != 0 && count > (PTRDIFF_MAX - 64) / size_bytes) {
        arena->has_failed = true;
        return NULL;
    }
    void *result = arena_allocate(arena, count * size_bytes);
    if (result != NULL) {
        memset(result, 0, count * size_bytes);
    }
    return result;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size_bytes) {
    void *result = arena_allocate(arena, size_bytes);
    if (result != NULL && size_bytes != 0) {
        memcpy(result, bytes, size_bytes);
    }
    return result;
}

struct arena_mark arena_get_mark(const struct arena *arena) {
    return (struct arena_mark){
        .block = arena->head,
        .offset_bytes = arena->head == NULL ? 0 : arena->head->offset_bytes,
        .used_bytes = arena->used_bytes,
    };
}

void arena_reset_to(struct arena *arena, struct arena_mark mark) {
    while (arena->head != mark.block) {
        struct arena_block *previous = arena->head->previous;
        memory_free(arena->head);
        arena->head = previous;
    }
    if (arena->head != NULL) {
        arena->head->offset_bytes = mark.offset_bytes;
    }
    arena->used_bytes = mark.used_bytes;
}
