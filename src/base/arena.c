// SPDX-License-Identifier: MIT
//
// Arena blocks double from 16 KiB to 256 KiB. A large request gets a block of its own in a second
// list, where it can be enlarged.
#include "base/arena.h"

#include <string.h>

struct arena_block {
    struct arena_block *previous; // older
    struct arena_block *next;     // newer; of large blocks only
    size_t capacity_bytes;
    union {
        size_t offset_bytes; // of a block of many allocations
        uint64_t number;     // of a large block: how many blocks were made before it
    };
};

_Static_assert(sizeof(struct arena_block) % 16 == 0, "payload alignment");

#define FIRST_BLOCK_BYTES ((size_t)16 << 10)
#define LARGEST_BLOCK_BYTES ((size_t)256 << 10)

void arena_init(struct arena *arena, enum memory_tag tag) {
    *arena = (struct arena){.tag = tag};
}

static void free_blocks(struct arena_block *block) {
    while (block != NULL) {
        struct arena_block *previous = block->previous;
        memory_free(block);
        block = previous;
    }
}

void arena_finish(struct arena *arena) {
    free_blocks(arena->head);
    free_blocks(arena->large);
    *arena = (struct arena){.tag = arena->tag};
}

static bool is_within_limit(const struct arena *arena, size_t capacity, size_t needed_bytes) {
    return arena->limit_bytes == 0 ||
        (capacity <= arena->limit_bytes && arena->used_bytes <= arena->limit_bytes - needed_bytes);
}

static bool add_block(struct arena *arena, size_t needed_bytes) {
    size_t capacity = arena->head == NULL ? FIRST_BLOCK_BYTES : arena->head->capacity_bytes * 2;
    if (capacity > LARGEST_BLOCK_BYTES) {
        capacity = LARGEST_BLOCK_BYTES;
    }
    if (capacity < needed_bytes) {
        capacity = needed_bytes;
    }
    if (!is_within_limit(arena, capacity, needed_bytes)) {
        return false;
    }
    struct arena_block *block = memory_allocate(arena->tag, sizeof(struct arena_block) + capacity);
    if (block == NULL) {
        return false;
    }
    *block = (struct arena_block){.previous = arena->head, .capacity_bytes = capacity};
    arena->head = block;
    return true;
}

static void *fail(struct arena *arena) {
    arena->has_failed = true;
    return NULL;
}

static void *allocate_large(struct arena *arena, size_t size_bytes) {
    if (!is_within_limit(arena, size_bytes, size_bytes)) {
        return fail(arena);
    }
    struct arena_block *block = memory_allocate(
        arena->tag, sizeof(struct arena_block) + size_bytes);
    if (block == NULL) {
        return fail(arena);
    }
    *block = (struct arena_block){.previous = arena->large, .capacity_bytes = size_bytes};
    block->number = arena->block_count++;
    if (arena->large != NULL) {
        arena->large->next = block;
    }
    arena->large = block;
    arena->used_bytes += size_bytes;
    return block + 1;
}

static void *allocate(struct arena *arena, size_t size_bytes, size_t alignment) {
    if (size_bytes > PTRDIFF_MAX - 64) {
        return fail(arena);
    }
    if (size_bytes >= ARENA_LARGE_BYTES) {
        return allocate_large(arena, size_bytes);
    }
    size_t rounded = (size_bytes + alignment - 1) & ~(alignment - 1);
    if (rounded == 0) {
        rounded = alignment;
    }
    struct arena_block *block = arena->head;
    size_t offset = block == NULL ? 0 : (block->offset_bytes + alignment - 1) & ~(alignment - 1);
    if (block == NULL || offset > block->capacity_bytes ||
        block->capacity_bytes - offset < rounded) {
        if (!add_block(arena, rounded)) {
            return fail(arena);
        }
        block = arena->head;
        offset = 0;
    }
    block->offset_bytes = offset + rounded;
    arena->used_bytes += rounded;
    return (char *)(block + 1) + offset;
}

void *arena_allocate(struct arena *arena, size_t size_bytes) {
    return allocate(arena, size_bytes, 16);
}

void *arena_allocate_packed(struct arena *arena, size_t size_bytes) {
    return allocate(arena, size_bytes, 8);
}

static void *enlarge_large(
    struct arena *arena, struct arena_block *block, size_t old_bytes, size_t new_bytes) {
    if (!is_within_limit(arena, new_bytes, new_bytes - old_bytes)) {
        return fail(arena);
    }
    struct arena_block *moved = memory_resize(
        arena->tag, block, sizeof(struct arena_block) + new_bytes);
    if (moved == NULL) {
        return fail(arena);
    }
    moved->capacity_bytes = new_bytes;
    if (moved->previous != NULL) {
        moved->previous->next = moved;
    }
    if (moved->next != NULL) {
        moved->next->previous = moved;
    } else {
        arena->large = moved;
    }
    arena->used_bytes += new_bytes - old_bytes;
    return moved + 1;
}

void *arena_enlarge(struct arena *arena, void *block, size_t old_bytes, size_t new_bytes) {
    if (new_bytes > PTRDIFF_MAX - 64) {
        return fail(arena);
    }
    if (block != NULL && old_bytes >= ARENA_LARGE_BYTES) {
        return enlarge_large(arena, (struct arena_block *)block - 1, old_bytes, new_bytes);
    }
    void *moved = arena_allocate(arena, new_bytes);
    if (moved != NULL && old_bytes != 0) {
        memcpy(moved, block, old_bytes);
    }
    return moved;
}

void *arena_allocate_zeroed(struct arena *arena, size_t count, size_t size_bytes) {
    if (size_bytes != 0 && count > (PTRDIFF_MAX - 64) / size_bytes) {
        return fail(arena);
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
        .block_count = arena->block_count,
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
    while (arena->large != NULL && arena->large->number >= mark.block_count) {
        struct arena_block *previous = arena->large->previous;
        memory_free(arena->large);
        arena->large = previous;
        if (previous != NULL) {
            previous->next = NULL;
        }
    }
    arena->used_bytes = mark.used_bytes;
}
