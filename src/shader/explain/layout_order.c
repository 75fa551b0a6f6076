// SPDX-License-Identifier: MIT
//
// The order of members that makes a structure smaller: all orders of a few members, a few good rules
// for many. See layout.h.
#include "shader/explain/layout.h"

#include <string.h>

enum { EXHAUSTIVE_LIMIT = 8, GREEDY_LIMIT = 512 };

struct orderer {
    const struct type *type;
    uint32_t count; // movable members: a runtime-sized last one is not
    uint32_t *order;
    uint32_t *best;
    bool *is_placed;
    uint64_t best_bytes;
    uint64_t lower_bound; // no order is smaller
};

static uint64_t round_up(uint64_t alignment, uint64_t value) {
    return (value + alignment - 1) / alignment * alignment;
}

static uint64_t place(const struct orderer *o, uint64_t end, uint32_t member) {
    const struct type_member *m = &o->type->members[member];
    return round_up(m->align_bytes, end) + m->size_bytes;
}

// The structure's size when its movable members end there.
static uint64_t finish_size(const struct orderer *o, uint64_t end) {
    if (o->count < o->type->member_count) {
        return round_up(o->type->members[o->count].align_bytes, end);
    }
    return round_up(o->type->align_bytes, end);
}

static void keep_if_better(struct orderer *o, uint64_t end) {
    uint64_t bytes = finish_size(o, end);
    if (bytes < o->best_bytes) {
        o->best_bytes = bytes;
        memcpy(o->best, o->order, o->count * sizeof(*o->order));
    }
}

// Depth at most EXHAUSTIVE_LIMIT. Members alike in size and alignment keep their order.
static void try_all(struct orderer *o, uint32_t placed, uint64_t end) {
    if (placed == o->count) {
        keep_if_better(o, end);
        return;
    }
    for (uint32_t i = 0; i < o->count && o->best_bytes > o->lower_bound; i++) {
        bool is_repeated = o->is_placed[i];
        for (uint32_t k = 0; k < i && !is_repeated; k++) {
            is_repeated = !o->is_placed[k] &&
                o->type->members[k].align_bytes == o->type->members[i].align_bytes &&
                o->type->members[k].size_bytes == o->type->members[i].size_bytes;
        }
        if (is_repeated || place(o, end, i) > o->best_bytes) {
            continue;
        }
        o->is_placed[i] = true;
        o->order[placed] = i;
        try_all(o, placed + 1, place(o, end, i));
        o->is_placed[i] = false;
    }
}

// At each step the member that wastes least; of those the most aligned, then the largest.
static void try_greedy(struct orderer *o) {
    uint64_t end = 0;
    memset(o->is_placed, 0, o->count * sizeof(*o->is_placed));
    for (uint32_t placed = 0; placed < o->count; placed++) {
        uint32_t chosen = UINT32_MAX;
        uint64_t chosen_hole = 0;
        for (uint32_t i = 0; i < o->count; i++) {
            const struct type_member *m = &o->type->members[i];
            uint64_t hole = round_up(m->align_bytes, end) - end;
            const struct type_member *other = chosen == UINT32_MAX ? NULL
                                                                   : &o->type->members[chosen];
            if (!o->is_placed[i] &&
                (other == NULL || hole < chosen_hole ||
                    (hole == chosen_hole &&
                        (m->align_bytes > other->align_bytes ||
                            (m->align_bytes == other->align_bytes &&
                                m->size_bytes > other->size_bytes))))) {
                chosen = i;
                chosen_hole = hole;
            }
        }
        o->is_placed[chosen] = true;
        o->order[placed] = chosen;
        end = place(o, end, chosen);
    }
    keep_if_better(o, end);
}

// Descending alignment, which is a power of two; within one alignment as they stand.
static void try_sorted(struct orderer *o) {
    uint32_t placed = 0;
    uint64_t end = 0;
    for (uint32_t align = 1u << 31; align != 0; align /= 2) {
        for (uint32_t i = 0; i < o->count && align <= o->type->align_bytes; i++) {
            if (o->type->members[i].align_bytes == align) {
                o->order[placed++] = i;
                end = place(o, end, i);
            }
        }
    }
    if (placed == o->count) {
        keep_if_better(o, end);
    }
}

static void search(struct orderer *o) {
    try_sorted(o);
    if (o->count <= GREEDY_LIMIT && o->best_bytes > o->lower_bound) {
        try_greedy(o);
    }
    if (o->count <= EXHAUSTIVE_LIMIT && o->best_bytes > o->lower_bound) {
        memset(o->is_placed, 0, o->count * sizeof(*o->is_placed));
        try_all(o, 0, 0);
    }
}

bool layout_find_order(const struct type_table *types, type_id structure, struct arena *arena,
    uint32_t **out_order, uint64_t *out_size_bytes) {
    const struct type *type = type_get(types, structure);
    if (type->kind != TYPE_STRUCT || type->member_count < 2 || type->align_bytes == 0) {
        return false;
    }
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    struct orderer o = {.type = type, .count = type->member_count - is_runtime};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < o.count; i++) {
        sum += type->members[i].size_bytes;
    }
    uint64_t present = is_runtime ? type->members[o.count].offset_bytes : type->size_bytes;
    o.lower_bound = finish_size(&o, sum);
    o.best_bytes = present;
    if (o.lower_bound >= present) {
        return false;
    }
    o.order = ARENA_ARRAY(arena, uint32_t, type->member_count);
    o.best = ARENA_ARRAY(arena, uint32_t, type->member_count);
    o.is_placed = ARENA_ARRAY(arena, bool, type->member_count);
    if (o.order == NULL || o.best == NULL || o.is_placed == NULL) {
        return false;
    }
    search(&o);
    if (o.best_bytes >= present) {
        return false;
    }
    if (is_runtime) {
        o.best[o.count] = o.count;
    }
    *out_order = o.best;
    *out_size_bytes = o.best_bytes;
    return true;
}
