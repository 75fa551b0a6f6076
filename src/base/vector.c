// SPDX-License-Identifier: MIT
//
// Growth by half again, at least eight items; sizes are checked against overflow.
#include "base/vector.h"

static bool next_capacity(size_t capacity, size_t needed, size_t item_bytes, size_t *out_capacity) {
    size_t wanted = capacity + capacity / 2;
    if (wanted < 8) {
        wanted = 8;
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
    if (!next_capacity(*capacity, needed, item_bytes, &wanted)) {
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
    // Arena memory is not given back, so that doubling keeps the waste linear.
    if (!next_capacity(*capacity * 2, needed, item_bytes, &wanted)) {
        arena->has_failed = true;
        return false;
    }
    void *grown = arena_allocate(arena, wanted * item_bytes);
    if (grown == NULL) {
        return false;
    }
    if (count != 0) {
        memcpy(grown, *items, count * item_bytes);
    }
    *items = grown;
    *capacity = wanted;
    return true;
}
