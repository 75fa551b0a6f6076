// SPDX-License-Identifier: MIT
//
// Open addressing over the objects' addresses; small sets are scanned. One thread at a time.
#include "webgpu/object/object_set.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

// Up to here a scan is faster than hashing.
#define SCAN_LIMIT 8

static size_t hash_object(const struct gpu_object *object) {
    uint64_t bits = (uint64_t)(uintptr_t)object >> 4;
    return (size_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 20);
}

static size_t find_slot(const struct object_set *set, const struct gpu_object *object) {
    size_t mask = set->slot_count - 1;
    size_t at = hash_object(object) & mask;
    while (set->slots[at] != 0 && set->items[set->slots[at] - 1] != object) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool grow_slots(struct object_set *set) {
    size_t slot_count = set->slot_count == 0 ? 64 : set->slot_count * 2;
    uint32_t *slots = memory_allocate_zeroed(MEMORY_COMMAND, slot_count, sizeof(*slots));
    if (slots == NULL) {
        return false;
    }
    memory_free(set->slots);
    set->slots = slots;
    set->slot_count = slot_count;
    for (size_t i = 0; i < set->count; i++) {
        slots[find_slot(set, set->items[i])] = (uint32_t)i + 1;
    }
    return true;
}

bool object_set_add(struct object_set *set, struct gpu_object *object) {
    if (set->count <= SCAN_LIMIT) {
        for (size_t i = set->count; i-- > 0;) {
            if (set->items[i] == object) {
                return true;
            }
        }
    } else if (set->slot_count != 0 && set->slots[find_slot(set, object)] != 0) {
        return true;
    }
    if (set->count >= SCAN_LIMIT && (set->count + 1) * 2 > set->slot_count && !grow_slots(set)) {
        return false;
    }
    if (!vector_push(set, MEMORY_COMMAND, object)) {
        return false;
    }
    gpu_object_ref(object);
    if (set->slot_count != 0) {
        set->slots[find_slot(set, object)] = (uint32_t)set->count;
    }
    return true;
}

void object_set_finish(struct object_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        gpu_object_unref(set->items[i]);
    }
    memory_free(set->items);
    memory_free(set->slots);
    memset(set, 0, sizeof(*set));
}
