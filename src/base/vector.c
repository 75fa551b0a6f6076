// SPDX-License-Identifier: MIT
//
// Growth by half again, by less beyond 256 KiB, at least eight items (two in an arena); sizes are
// checked against overflow.
#include "base/vector.h"

static bool next_capacity(
    size_t capacity, size_t needed, size_t item_bytes, size_t least, size_t *out_capacity) {
    size_t part = capacity > ((size_t)8 << 20) / item_bytes ? 16
        : capacity > ((size_t)1 << 20) / item_bytes         ? 8
        : capacity > ((size_t)256 << 10) / item_bytes       ? 4
                                                            : 2;
    size_t wanted = capacity + capacity / part;
    if (wanted < least) {
        wanted = least;
    }
    if (wanted < needed) {
        wanted = needed;
    }
    if (wanted > PTRDIFF_MAX / item_bytes) {
        return false;
    }
    *out_capacity = wanted;
    return true;
}

bool vector_grow(void **items, size_t *capacity, size_t needed, size_t item_bytes,
                 enum memory_tag tag) {
    size_t wanted = 0;
    if (!next_capacity(*capacity, needed, item_bytes, 8, &wanted)) {
        return false;
    }
    void *grown = memory_resize(tag, *items, wanted * item_bytes);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

bool vector_grow_in_arena(struct arena *arena, void **items, size_t count, size_t *capacity,
                          size_t needed, size_t item_bytes) {
    size_t wanted = 0;
    size_t old_bytes = *capacity * item_bytes;
    bool gives_back = arena->gives_back_outgrown && old_bytes >= ARENA_LARGE_BYTES;
    // What is not given back is waste, and doubling keeps it linear.
    if (!next_capacity(
            gives_back ? *capacity : *capacity * 2, needed, item_bytes, 2, &wanted)) {
        arena->has_failed = true;
        return false;
    }
    void *grown = NULL;
    if (gives_back) {
        grown = arena_enlarge(arena, *items, old_bytes, wanted * item_bytes);
    } else {
        grown = arena_allocate(arena, wanted * item_bytes);
        if (grown != NULL && count != 0) {
            memcpy(grown, *items, count * item_bytes);
        }
    }
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}
