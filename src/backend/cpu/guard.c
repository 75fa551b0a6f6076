// SPDX-License-Identifier: MIT
//
// Guarded places are kept and reused; one that is too small is made anew.
#include "backend/cpu/guard.h"

#include <string.h>

#include "base/os_memory.h"
#include "base/vector.h"

struct place {
    uint8_t *block;
    size_t block_bytes;
    size_t room_bytes; // between the two pages without access
};

struct cpu_guard {
    bool is_before;
    VECTOR(struct place) places;
    VECTOR(struct jit_buffer) buffers;
};

struct cpu_guard *cpu_guard_create(bool is_before) {
    struct cpu_guard *guard = memory_allocate_zeroed(MEMORY_OBJECT, 1, sizeof(*guard));
    if (guard != NULL) {
        guard->is_before = is_before;
    }
    return guard;
}

static void free_place(struct place *place) {
    memory_pages_free(MEMORY_BUFFER, place->block, place->block_bytes);
    *place = (struct place){0};
}

void cpu_guard_destroy(struct cpu_guard *guard) {
    if (guard == NULL) {
        return;
    }
    for (size_t i = 0; i < guard->places.count; i++) {
        free_place(&guard->places.items[i]);
    }
    vector_finish(&guard->places);
    vector_finish(&guard->buffers);
    memory_free(guard);
}

static bool make_room(struct place *place, uint64_t size_bytes) {
    if (place->block != NULL && size_bytes <= place->room_bytes) {
        return true;
    }
    free_place(place);
    size_t page = os_page_bytes();
    size_t room = ((size_t)size_bytes + page - 1) / page * page;
    uint8_t *block = memory_pages_allocate(MEMORY_BUFFER, room + 2 * page);
    if (block == NULL) {
        return false;
    }
    *place = (struct place){block, room + 2 * page, room};
    return os_pages_set_access(block, page, false) &&
        os_pages_set_access(block + page + room, page, false);
}

const struct jit_buffer *cpu_guard_enter(
    struct cpu_guard *guard, const struct jit_buffer *buffers, uint32_t buffer_count) {
    guard->buffers.count = 0;
    for (uint32_t i = 0; i < buffer_count; i++) {
        if (i >= guard->places.count &&
            !vector_push(&guard->places, MEMORY_OBJECT, (struct place){0})) {
            return NULL;
        }
        if (buffers[i].size_bytes == 0) {
            if (!vector_push(&guard->buffers, MEMORY_OBJECT, buffers[i])) {
                return NULL;
            }
            continue;
        }
        struct place *place = &guard->places.items[i];
        uint64_t size_bytes = buffers[i].size_bytes;
        if (!make_room(place, size_bytes)) {
            return NULL;
        }
        uint8_t *data = place->block + os_page_bytes();
        if (!guard->is_before) {
            data += place->room_bytes - (size_t)size_bytes;
        }
        memcpy(data, buffers[i].data, (size_t)size_bytes);
        if (!vector_push(&guard->buffers, MEMORY_OBJECT, (struct jit_buffer){data, size_bytes})) {
            return NULL;
        }
    }
    return guard->buffers.items;
}

void cpu_guard_leave(struct cpu_guard *guard, const struct jit_buffer *buffers,
    const bool *is_writable, uint32_t buffer_count) {
    for (uint32_t i = 0; i < buffer_count; i++) {
        if (is_writable[i]) {
            memcpy(buffers[i].data, guard->buffers.items[i].data,
                (size_t)guard->buffers.items[i].size_bytes);
        }
    }
}
