// SPDX-License-Identifier: MIT
//
// Which vertices a group of primitives needs: indices, instances, strips. Called by workers, except
// raster_group_advance. Indices lie in the index buffer: a draw that reaches beyond it was dropped.
#include "backend/cpu/raster_geometry.h"

#include <string.h>

#include <webgpu/webgpu.h>

static inline uint32_t read_index(const struct raster_draw *draw, uint64_t element) {
    uint64_t number = draw->first_vertex + element;
    if (draw->index_format == WGPUIndexFormat_Uint16) {
        uint16_t index = 0;
        memcpy(&index, draw->index_data + number * sizeof(index), sizeof(index));
        return index;
    }
    uint32_t index = 0;
    memcpy(&index, draw->index_data + number * sizeof(index), sizeof(index));
    return index;
}

static inline uint32_t get_restart_index(const struct raster_draw *draw) {
    return draw->index_format == WGPUIndexFormat_Uint16 ? UINT16_MAX : UINT32_MAX;
}

// Part of one instance.
struct run {
    uint32_t instance;
    uint64_t first; // positions of the instance
    uint64_t end;
};

static struct run get_run(const struct raster_geometry *geometry, uint64_t position, uint64_t end) {
    uint64_t count = geometry->positions_of_instance;
    struct run run = {
        .instance = geometry->draw->first_instance + (uint32_t)(position / count),
        .first = position % count,
    };
    run.end = end - position < count - run.first ? run.first + (end - position) : count;
    return run;
}

// ---------------------------------------------------------------- slots

static uint16_t add_slot(struct raster_group *group, struct raster_numbers *numbers,
    uint32_t vertex, uint32_t instance) {
    uint32_t slot = group->slot_count++;
    numbers->vertices[slot] = vertex;
    numbers->instances[slot] = instance;
    return (uint16_t)slot;
}

static void begin_run(struct raster_numbers *numbers) {
    numbers->run++;
    if (numbers->run == 0) {
        memset(numbers->reuse, 0, sizeof(numbers->reuse));
        numbers->run = 1;
    }
}

// The slot of an indexed vertex: the one that it has already, as a rule.
static inline uint16_t find_slot(const struct raster_draw *draw, struct raster_group *group,
    struct raster_numbers *numbers, uint32_t index, uint32_t instance) {
    struct raster_reuse_entry *entry = &numbers->reuse[index % RASTER_REUSE_ENTRIES];
    if (entry->index != index || entry->run != numbers->run) {
        *entry = (struct raster_reuse_entry){index, numbers->run,
            add_slot(group, numbers, (uint32_t)draw->base_vertex + index, instance)};
    }
    return entry->slot;
}

static void add_slots(const struct raster_geometry *geometry, struct raster_group *group,
    struct raster_numbers *numbers, uint64_t first, uint64_t end, uint32_t instance) {
    const struct raster_draw *draw = geometry->draw;
    uint32_t count = (uint32_t)(end - first);
    if (draw->index_data == NULL) {
        for (uint32_t i = 0; i < count; i++) {
            numbers->slots[i] = add_slot(
                group, numbers, draw->first_vertex + (uint32_t)first + i, instance);
        }
        return;
    }
    begin_run(numbers);
    for (uint32_t i = 0; i < count; i++) {
        numbers->slots[i] = find_slot(draw, group, numbers, read_index(draw, first + i), instance);
    }
}

// ---------------------------------------------------------------- primitives

static inline void add_primitive(
    struct raster_group *group, uint32_t primitive_index, uint16_t a, uint16_t b, uint16_t c) {
    uint32_t number = group->primitive_count++;
    group->corners[number][0] = a;
    group->corners[number][1] = b;
    group->corners[number][2] = c;
    group->primitive_indices[number] = primitive_index;
}

static void number_list_run(const struct raster_geometry *geometry, struct raster_group *group,
    struct raster_numbers *numbers, struct run run) {
    uint32_t corners = geometry->corner_count;
    add_slots(geometry, group, numbers, run.first * corners, run.end * corners, run.instance);
    const uint16_t *slots = numbers->slots;
    uint32_t count = (uint32_t)(run.end - run.first);
    for (uint32_t i = 0; i < count; i++, slots += corners) {
        add_primitive(group, (uint32_t)run.first + i, slots[0], slots[corners > 1 ? 1 : 0],
            slots[corners > 2 ? 2 : 0]);
    }
}

// The triangles of a strip begin with the vertex of their own number, the leading one, which gives
// flat values; every other one is turned so that all wind the same way.
static inline void add_strip_primitive(const struct raster_geometry *geometry,
    struct raster_group *group, uint32_t primitive_index, bool is_odd, uint16_t a, uint16_t b,
    uint16_t c) {
    if (geometry->corner_count == 2) {
        add_primitive(group, primitive_index, a, b, b);
    } else {
        add_primitive(group, primitive_index, a, is_odd ? c : b, is_odd ? b : c);
    }
}

static void number_strip_run(const struct raster_geometry *geometry, struct raster_group *group,
    struct raster_numbers *numbers, struct run run) {
    uint32_t corners = geometry->corner_count;
    add_slots(geometry, group, numbers, run.first, run.end + corners - 1, run.instance);
    const uint16_t *slots = numbers->slots;
    uint32_t count = (uint32_t)(run.end - run.first);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ordinal = (uint32_t)run.first + i;
        add_strip_primitive(geometry, group, ordinal, ordinal % 2 != 0, slots[i], slots[i + 1],
            slots[i + corners - 1]);
    }
}

// A strip that indices may restart. strip_length and primitive_index: in and out.
static void number_restart_run(const struct raster_geometry *geometry, struct raster_group *group,
    struct raster_numbers *numbers, struct run run, uint32_t *strip_length,
    uint32_t *primitive_index) {
    const struct raster_draw *draw = geometry->draw;
    uint32_t corners = geometry->corner_count;
    uint32_t restart = get_restart_index(draw);
    begin_run(numbers);
    // The last two vertices, the older first; what the strip has of them before this run.
    uint16_t last[2] = {0, 0};
    uint32_t before = *strip_length < corners - 1 ? *strip_length : corners - 1;
    for (uint32_t i = 0; i < before; i++) {
        last[0] = last[1];
        uint32_t index = read_index(draw, run.first - before + i);
        last[1] = find_slot(draw, group, numbers, index, run.instance);
    }
    for (uint64_t element = run.first; element < run.end; element++) {
        uint32_t index = read_index(draw, element);
        if (index == restart) {
            *strip_length = 0;
            continue;
        }
        uint16_t slot = find_slot(draw, group, numbers, index, run.instance);
        ++*strip_length;
        if (*strip_length >= corners) {
            uint16_t first = corners == 2 ? last[1] : last[0];
            add_strip_primitive(geometry, group, (*primitive_index)++,
                (*strip_length - corners) % 2 != 0, first, corners == 2 ? slot : last[1], slot);
        }
        last[0] = last[1];
        last[1] = slot;
    }
}

// Lanes up to whole batches repeat the last vertex, so that input rows are filled for them too.
static void pad(struct raster_group *group, struct raster_numbers *numbers) {
    uint32_t count = group->slot_count;
    for (uint32_t slot = count; slot % JIT_BATCH_LANES != 0; slot++) {
        numbers->vertices[slot] = numbers->vertices[count - 1];
        numbers->instances[slot] = numbers->instances[count - 1];
    }
}

void raster_group_number(const struct raster_geometry *geometry, struct raster_group *group,
    struct raster_numbers *numbers) {
    group->slot_count = 0;
    group->primitive_count = 0;
    uint32_t strip_length = group->strip_length;
    uint32_t primitive_index = group->primitive_index;
    for (uint64_t position = group->first; position < group->end;) {
        struct run run = get_run(geometry, position, group->end);
        position += run.end - run.first;
        if (geometry->has_restart) {
            if (run.first == 0) {
                strip_length = 0;
                primitive_index = 0;
            }
            number_restart_run(geometry, group, numbers, run, &strip_length, &primitive_index);
        } else if (geometry->is_strip) {
            number_strip_run(geometry, group, numbers, run);
        } else {
            number_list_run(geometry, group, numbers, run);
        }
    }
    pad(group, numbers);
}

void raster_group_advance(const struct raster_geometry *geometry, const struct raster_group *group,
    uint32_t *out_strip_length, uint32_t *out_primitive_index) {
    // Only the last instance that the group reaches matters.
    uint64_t count = geometry->positions_of_instance;
    uint64_t instance_first = group->end - 1 - (group->end - 1) % count;
    bool has_begun_before = instance_first < group->first;
    uint32_t strip_length = has_begun_before ? group->strip_length : 0;
    uint32_t primitive_index = has_begun_before ? group->primitive_index : 0;
    uint32_t restart = get_restart_index(geometry->draw);
    uint64_t position = has_begun_before ? group->first : instance_first;
    for (; position < group->end; position++) {
        bool is_restart = read_index(geometry->draw, position - instance_first) == restart;
        strip_length = is_restart ? 0 : strip_length + 1;
        primitive_index += strip_length >= geometry->corner_count ? 1 : 0;
    }
    *out_strip_length = strip_length;
    *out_primitive_index = primitive_index;
}
