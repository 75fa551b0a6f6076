// SPDX-License-Identifier: MIT
//
// Which vertices make which primitives, held against WebGPU's rules written out plainly: topologies,
// indices of both widths, restarted strips, base vertex, instances, pieces of draws of any size; and
// whole draws: order, thread counts, reuse of shaded vertices, cancellation, indices out of range.

#include "primitive_fixture.h"

// ---------------------------------------------------------------- the rules, written out

struct wanted_primitive {
    uint32_t vertices[3]; // vertex_index
    uint32_t instance;
    uint32_t primitive_index;
};

struct wanted_list {
    struct wanted_primitive *primitives;
    uint32_t count;
    uint32_t capacity;
};

static void want(struct wanted_list *list, const uint32_t *vertices, uint32_t corners,
    uint32_t instance, uint32_t primitive_index) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->primitives = memory_resize(
            MEMORY_TEST, list->primitives, list->capacity * sizeof(*list->primitives));
    }
    struct wanted_primitive *primitive = &list->primitives[list->count++];
    *primitive = (struct wanted_primitive){
        .instance = instance, .primitive_index = primitive_index};
    memcpy(primitive->vertices, vertices, corners * sizeof(*vertices));
}

static uint32_t index_at(const struct raster_draw *draw, uint64_t number) {
    if (draw->index_format == WGPUIndexFormat_Uint16) {
        return ((const uint16_t *)(const void *)draw->index_data)[number];
    }
    return ((const uint32_t *)(const void *)draw->index_data)[number];
}

// The primitives of one list without restarts.
static void want_list(struct wanted_list *list, uint32_t topology, const uint32_t *vertices,
    uint32_t count, uint32_t instance, uint32_t *primitive_index) {
    bool is_strip = topology == WGPUPrimitiveTopology_LineStrip ||
        topology == WGPUPrimitiveTopology_TriangleStrip;
    uint32_t corners = topology == WGPUPrimitiveTopology_PointList ? 1
        : topology == WGPUPrimitiveTopology_LineList || topology == WGPUPrimitiveTopology_LineStrip
        ? 2
        : 3;
    uint32_t step = is_strip ? 1 : corners;
    for (uint32_t i = 0; i + corners <= count; i += step) {
        uint32_t triangle[3] = {0};
        memcpy(triangle, &vertices[i], corners * sizeof(*vertices));
        if (topology == WGPUPrimitiveTopology_TriangleStrip && i % 2 == 1) {
            triangle[1] = vertices[i + 2];
            triangle[2] = vertices[i + 1];
        }
        want(list, triangle, corners, instance, (*primitive_index)++);
    }
}

static struct wanted_list want_draw(const struct raster_draw *draw) {
    struct wanted_list list = {.count = 0};
    uint32_t topology = draw->pipeline->state.topology;
    bool is_strip = topology == WGPUPrimitiveTopology_LineStrip ||
        topology == WGPUPrimitiveTopology_TriangleStrip;
    uint32_t restart = draw->index_format == WGPUIndexFormat_Uint16 ? 0xffffu : 0xffffffffu;
    uint32_t *vertices = memory_allocate(MEMORY_TEST, draw->vertex_count * sizeof(*vertices) + 1);
    for (uint32_t instance = 0; instance < draw->instance_count; instance++) {
        uint32_t count = 0;
        uint32_t primitive_index = 0;
        for (uint32_t i = 0; i < draw->vertex_count; i++) {
            if (draw->index_data == NULL) {
                vertices[count++] = draw->first_vertex + i;
                continue;
            }
            uint32_t index = index_at(draw, (uint64_t)draw->first_vertex + i);
            if (is_strip && index == restart) {
                want_list(&list, topology, vertices, count, draw->first_instance + instance,
                    &primitive_index);
                count = 0;
            } else {
                vertices[count++] = index + (uint32_t)draw->base_vertex;
            }
        }
        want_list(
            &list, topology, vertices, count, draw->first_instance + instance, &primitive_index);
    }
    memory_free(vertices);
    return list;
}

// ---------------------------------------------------------------- groups

// Cuts the draw into groups of `step` positions and compares corners one by one.
static uint32_t compare_groups(struct raster_fixture *fixture, uint64_t step) {
    struct raster_geometry geometry;
    raster_geometry_init(&geometry, &fixture->draw);
    struct wanted_list wanted = want_draw(&fixture->draw);
    struct raster_group *group = memory_allocate_zeroed(MEMORY_TEST, 1, sizeof(*group));
    struct raster_numbers *numbers = memory_allocate_zeroed(MEMORY_TEST, 1, sizeof(*numbers));
    uint32_t found = 0;
    uint32_t wrong = 0;
    uint32_t strip_length = 0;
    uint32_t primitive_index = 0;
    uint64_t most = RASTER_GROUP_SLOTS / geometry.corner_count;
    step = step < most ? step : most;
    for (uint64_t position = 0; position < geometry.position_count; position = group->end) {
        group->first = position;
        group->end = position + step < geometry.position_count ? position + step
                                                               : geometry.position_count;
        group->strip_length = strip_length;
        group->primitive_index = primitive_index;
        if (geometry.has_restart) {
            raster_group_advance(&geometry, group, &strip_length, &primitive_index);
        }
        raster_group_number(&geometry, group, numbers);
        for (uint32_t i = 0; i < group->primitive_count; i++, found++) {
            if (found >= wanted.count) {
                wrong++;
                continue;
            }
            const struct wanted_primitive *primitive = &wanted.primitives[found];
            bool is_right = group->primitive_indices[i] == primitive->primitive_index;
            for (uint32_t corner = 0; corner < geometry.corner_count; corner++) {
                uint32_t slot = group->corners[i][corner];
                is_right = is_right && slot < group->slot_count &&
                    numbers->vertices[slot] == primitive->vertices[corner] &&
                    numbers->instances[slot] == primitive->instance;
            }
            wrong += !is_right;
        }
    }
    wrong += found != wanted.count;
    CHECK_EQ(wrong, 0);
    memory_free(wanted.primitives);
    memory_free(numbers);
    memory_free(group);
    return found;
}

static const WGPUPrimitiveTopology topologies[5] = {WGPUPrimitiveTopology_PointList,
    WGPUPrimitiveTopology_LineList, WGPUPrimitiveTopology_LineStrip,
    WGPUPrimitiveTopology_TriangleList, WGPUPrimitiveTopology_TriangleStrip};

TEST(draws_without_indices) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, 64, 64, 0);
    fixture.draw.first_vertex = 5;
    fixture.draw.first_instance = 9;
    uint64_t found = 0;
    for (int topology = 0; topology < 5; topology++) {
        fixture.pipeline.state.topology = topologies[topology];
        for (uint32_t vertices = 0; vertices < 14; vertices++) {
            for (uint32_t instances = 0; instances < 4; instances++) {
                for (uint64_t step = 1; step < 9; step++) {
                    fixture.draw.vertex_count = vertices;
                    fixture.draw.instance_count = instances;
                    found += compare_groups(&fixture, step);
                }
            }
        }
        fixture.draw.vertex_count = 10000;
        fixture.draw.instance_count = 2;
        found += compare_groups(&fixture, 100000);
        fixture.draw.first_vertex = 0xfffffffeu; // wraps
        fixture.draw.vertex_count = 7;
        found += compare_groups(&fixture, 100);
    }
    CHECK(found > 50000);
    fixture_finish(&fixture);
}

TEST(draws_with_indices) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, 64, 64, 0);
    fixture.draw.first_instance = 3;
    static uint32_t words[8192];
    static uint16_t halves[8192];
    uint64_t random = 11;
    uint64_t found = 0;
    for (int round = 0; round < 4000; round++) {
        // Restarts never, sometimes, mostly; few indices and many; those that share an entry.
        uint32_t restarts = round % 4 == 0 ? 0 : round % 4 == 1 ? 60 : 20;
        uint32_t range = round % 3 == 0 ? 4 : round % 3 == 1 ? 50 : 20000;
        for (uint32_t i = 0; i < 100; i++) {
            bool is_restart = next_random(&random) % 100 < restarts;
            uint32_t index = next_random(&random) % range;
            index = round % 5 == 0 ? index * RASTER_REUSE_ENTRIES : index;
            words[i] = is_restart ? 0xffffffffu : index;
            halves[i] = is_restart ? 0xffffu : (uint16_t)(index % 0xffffu);
        }
        bool is_half = next_random(&random) % 2 == 0;
        fixture.draw.index_data = is_half ? (const uint8_t *)halves : (const uint8_t *)words;
        fixture.draw.index_format = is_half ? WGPUIndexFormat_Uint16 : WGPUIndexFormat_Uint32;
        fixture.draw.index_size_bytes = 100 * (is_half ? 2 : 4);
        fixture.draw.first_vertex = next_random(&random) % 30;
        fixture.draw.vertex_count = next_random(&random) % 70;
        fixture.draw.instance_count = next_random(&random) % 4;
        fixture.draw.base_vertex = (int32_t)(next_random(&random) % 40) - 20;
        fixture.pipeline.state.topology = topologies[round % 5];
        found += compare_groups(&fixture, 1 + next_random(&random) % 40);
    }
    CHECK(found > 100000);
    // More than one group of the greatest size.
    for (int topology = 0; topology < 5; topology++) {
        for (uint32_t i = 0; i < 8192; i++) {
            words[i] = next_random(&random) % 50 == 0 ? 0xffffffffu : next_random(&random) % 9000;
        }
        fixture.pipeline.state.topology = topologies[topology];
        fixture.draw.index_data = (const uint8_t *)words;
        fixture.draw.index_format = WGPUIndexFormat_Uint32;
        fixture.draw.first_vertex = 0;
        fixture.draw.vertex_count = 8192;
        fixture.draw.instance_count = 2;
        found += compare_groups(&fixture, 100000);
    }
    fixture_finish(&fixture);
}

// Runs are numbered in 16 bits: stale entries must not come back when the numbers do.
TEST(reuse_survives_many_runs) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, 64, 64, 0);
    static const uint16_t indices[3] = {7, 8, 9};
    fixture.draw.index_data = (const uint8_t *)indices;
    fixture.draw.index_format = WGPUIndexFormat_Uint16;
    fixture.draw.index_size_bytes = sizeof(indices);
    fixture.draw.vertex_count = 3;
    fixture.draw.instance_count = 140000;
    CHECK_EQ(compare_groups(&fixture, 1000), 140000);
    fixture_finish(&fixture);
}

// ---------------------------------------------------------------- whole draws

#define GRID 40u

// A grid of points in clip space, each with its number as a value.
static struct fixture_vertex *new_grid(void) {
    struct fixture_vertex *vertices = memory_allocate_zeroed(
        MEMORY_TEST, GRID * GRID, sizeof(*vertices));
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        vertices[i].position[0] = (float)(i % GRID) / GRID * 2 - 1;
        vertices[i].position[1] = (float)(i / GRID) / GRID * 2 - 1;
        vertices[i].position[3] = 1;
        memcpy(&vertices[i].values[0], &i, sizeof(i));
    }
    return vertices;
}

// Two triangles a cell.
static uint32_t fill_cells(uint32_t *indices) {
    uint32_t count = 0;
    for (uint32_t y = 0; y + 1 < GRID; y++) {
        for (uint32_t x = 0; x + 1 < GRID; x++) {
            uint32_t corner = y * GRID + x;
            uint32_t cell[6] = {
                corner, corner + 1, corner + GRID, corner + GRID, corner + 1, corner + GRID + 1};
            memcpy(indices + count, cell, sizeof(cell));
            count += 6;
        }
    }
    return count;
}

TEST(primitives_come_in_order_at_any_thread_count) {
    struct fixture_vertex *vertices = new_grid();
    static uint32_t indices[GRID * GRID * 6];
    uint32_t count = fill_cells(indices);
    uint8_t *first_primitives = NULL;
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        struct raster_fixture fixture;
        fixture_init(&fixture, threads, 256, 256, 1);
        fixture.varyings[0].interpolation = RASTER_FLAT;
        fixture_set_vertices(&fixture, vertices, GRID * GRID);
        fixture.draw.index_data = (const uint8_t *)indices;
        fixture.draw.index_format = WGPUIndexFormat_Uint32;
        fixture.draw.index_size_bytes = count * sizeof(*indices);
        fixture.draw.vertex_count = count;
        fixture.draw.instance_count = 20; // several rounds
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        CHECK_EQ(fixture.primitive_count, count / 3 * 20);
        CHECK(fixture.hand_on_count > 1);
        for (uint32_t i = 0; i < fixture.primitive_count; i++) {
            const struct raster_primitive *primitive = fixture_get(&fixture, i);
            uint32_t provoking = 0;
            memcpy(&provoking, &primitive->varyings[0].base, sizeof(provoking));
            uint32_t number = i % (count / 3);
            if (provoking != indices[number * 3] || primitive->primitive_index != number) {
                CHECK_EQ(provoking, indices[number * 3]);
                CHECK_EQ(primitive->primitive_index, number);
            }
        }
        // A vertex of the grid serves six triangles: most are shaded once a group.
        CHECK(fixture.shaded_count < count * 20 / 4);
        size_t bytes = fixture.primitive_count * raster_primitive_bytes(1);
        if (first_primitives == NULL) {
            first_primitives = fixture.primitives;
            fixture.primitives = NULL;
        } else {
            CHECK_BYTES(fixture.primitives, first_primitives, bytes);
        }
        fixture_finish(&fixture);
    }
    memory_free(first_primitives);
    memory_free(vertices);
}

TEST(nothing_is_drawn_of_nothing) {
    struct fixture_vertex *vertices = new_grid();
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, 256, 256, 0);
    fixture_set_vertices(&fixture, vertices, GRID * GRID);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_PointList;
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK(fixture.primitive_count > 1000);
    fixture.draw.instance_count = 0;
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(fixture.primitive_count, 0);
    CHECK_EQ(fixture.shaded_count, 0);
    fixture.draw.instance_count = 0xffffffffu;
    fixture.draw.vertex_count = 0;
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(fixture.shaded_count, 0);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_TriangleStrip;
    fixture.draw.vertex_count = 2;
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(fixture.shaded_count, 0);
    fixture_finish(&fixture);
    memory_free(vertices);
}

// A draw that reaches beyond the index buffer draws nothing and reads nothing.
TEST(indices_out_of_range_draw_nothing) {
    struct fixture_vertex *vertices = new_grid();
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, 256, 256, 0);
    fixture_set_vertices(&fixture, vertices, GRID * GRID);
    uint16_t *indices = memory_allocate(MEMORY_TEST, 6 * sizeof(*indices));
    uint16_t values[6] = {0, 1, GRID, GRID, 1, GRID + 1};
    memcpy(indices, values, sizeof(values));
    fixture.draw.index_data = (const uint8_t *)indices;
    fixture.draw.index_format = WGPUIndexFormat_Uint16;
    fixture.draw.index_size_bytes = sizeof(values);
    fixture.draw.vertex_count = 6;
    fixture_draw(&fixture);
    CHECK_EQ(fixture.primitive_count, 2);
    fixture.draw.first_vertex = 3;
    fixture.draw.vertex_count = 3;
    fixture_draw(&fixture);
    CHECK_EQ(fixture.primitive_count, 1);
    static const uint32_t ranges[][2] = {
        {0, 7}, {1, 6}, {6, 1}, {7, 1}, {0xffffffffu, 1}, {0xffffffffu, 0xffffffffu}, {0, 1000000}};
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        for (int topology = 0; topology < 5; topology++) {
            fixture.pipeline.state.topology = topologies[topology];
            fixture.draw.first_vertex = ranges[i][0];
            fixture.draw.vertex_count = ranges[i][1];
            CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
            CHECK_EQ(fixture.primitive_count, 0);
        }
    }
    memory_free(indices);
    fixture_finish(&fixture);
    memory_free(vertices);
}

static enum backend_status cancel_at_third(struct raster *raster, const struct raster_draw *draw,
    const uint8_t *primitives, uint32_t count) {
    (void)raster, (void)draw, (void)primitives, (void)count;
    struct raster_fixture *fixture = fixture_of_kernel;
    if (++fixture->hand_on_count == 3) {
        atomic_store(&fixture->cancel, 1);
    }
    return BACKEND_OK;
}

// 2^64 primitives, nearly: memory stays bounded, and cancelling ends it.
TEST(endless_draws_can_be_cancelled) {
    struct fixture_vertex *vertices = new_grid();
    struct raster_fixture fixture;
    fixture_init(&fixture, 2, 256, 256, 0);
    fixture_set_vertices(&fixture, vertices, GRID * GRID);
    fixture.raster.hand_on = cancel_at_third;
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_PointList;
    fixture.pipeline.state.vertex_buffers[0].stride_bytes = 0;
    vertices[0].position[0] = 0;
    vertices[0].position[1] = 0;
    fixture.draw.vertex_count = 0xffffffffu;
    fixture.draw.instance_count = 0xffffffffu;
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(fixture.hand_on_count, 3);
    CHECK(fixture.shaded_count <= 3 * RASTER_ROUND_GROUPS * RASTER_GROUP_SLOTS);
    fixture_finish(&fixture);
    memory_free(vertices);
}

TEST(failing_memory_is_reported) {
    struct fixture_vertex *vertices = new_grid();
    uint32_t failures = 0;
    for (int64_t countdown = 0; countdown < 60; countdown++) {
        struct raster_fixture fixture;
        fixture_init(&fixture, 1, 256, 256, 4);
        fixture_set_vertices(&fixture, vertices, GRID * GRID);
        for (uint32_t i = 0; i < GRID; i++) {
            vertices[i].position[3] = -1; // some are clipped
        }
        fixture.raster.hand_on = cancel_at_third;
        memory_fail_after(countdown, true);
        enum backend_status status = fixture_draw(&fixture);
        memory_fail_after(-1, false);
        failures += status == BACKEND_OUT_OF_MEMORY;
        CHECK(status == BACKEND_OK || status == BACKEND_OUT_OF_MEMORY);
        fixture_finish(&fixture);
    }
    CHECK(failures > 5 && failures < 60);
    memory_free(vertices);
}

CHECK_MAIN(draws_without_indices, draws_with_indices, reuse_survives_many_runs,
    primitives_come_in_order_at_any_thread_count, nothing_is_drawn_of_nothing,
    indices_out_of_range_draw_nothing, endless_draws_can_be_cancelled, failing_memory_is_reported)
