// SPDX-License-Identifier: MIT
//
// Shaded vertices to primitives worth drawing: clip codes and screen coordinates by batch, then for
// each primitive whether it is outside, must be clipped, faces away or touches no pixel. Called by
// workers, for groups of their own.
#include "backend/cpu/raster_geometry.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"

// ---------------------------------------------------------------- vertices

static void get_floats(const uint32_t *row, double *out_values) {
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        float value = 0;
        memcpy(&value, &row[lane], sizeof(value));
        out_values[lane] = value;
    }
}

static void note_volume(const struct raster_geometry *geometry, const double *x, const double *y,
    const double *z, const double *w, uint32_t *outside) {
    bool has_depth = !geometry->pipeline->state.has_unclipped_depth;
    uint32_t near = has_depth ? RASTER_OUTSIDE_NEAR : 0;
    uint32_t far = has_depth ? RASTER_OUTSIDE_FAR : 0;
    double guard_x = geometry->guard_x;
    double guard_y = geometry->guard_y;
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        uint32_t code = 0;
        code |= z[lane] < 0 ? near : 0;
        code |= z[lane] > w[lane] ? far : 0;
        code |= x[lane] < -w[lane] ? RASTER_OUTSIDE_LEFT : 0;
        code |= x[lane] > w[lane] ? RASTER_OUTSIDE_RIGHT : 0;
        code |= y[lane] < -w[lane] ? RASTER_OUTSIDE_BOTTOM : 0;
        code |= y[lane] > w[lane] ? RASTER_OUTSIDE_TOP : 0;
        code |= w[lane] < (double)FLT_MIN ? RASTER_OUTSIDE_W : 0;
        code |= x[lane] < -guard_x * w[lane] ? RASTER_OUTSIDE_GUARD : 0;
        code |= x[lane] > guard_x * w[lane] ? RASTER_OUTSIDE_GUARD : 0;
        code |= y[lane] < -guard_y * w[lane] ? RASTER_OUTSIDE_GUARD : 0;
        code |= y[lane] > guard_y * w[lane] ? RASTER_OUTSIDE_GUARD : 0;
        // Zero unless a number is infinite or none.
        double zero = 0 * x[lane] + 0 * y[lane] + 0 * z[lane] + 0 * w[lane];
        code |= zero == 0 ? 0 : RASTER_OUTSIDE_NUMBERS;
        outside[lane] = code;
    }
}

static void note_distances(const struct raster_geometry *geometry, const struct raster_group *group,
    uint32_t first_slot, uint32_t *outside) {
    for (uint32_t i = 0; i < geometry->pipeline->clip_distance_count; i++) {
        double distances[JIT_BATCH_LANES];
        get_floats(raster_group_word(group, geometry->output_words, first_slot,
                       geometry->pipeline->clip_distance_word + i),
            distances);
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            outside[lane] |= distances[lane] < 0 ? RASTER_OUTSIDE_DISTANCE << i : 0;
            outside[lane] |= distances[lane] * 0 == 0 ? 0 : RASTER_OUTSIDE_NUMBERS;
        }
    }
}

void raster_transform_batch(
    const struct raster_geometry *geometry, struct raster_group *group, uint32_t batch) {
    uint32_t first_slot = batch * JIT_BATCH_LANES;
    uint32_t *outside = group->outside + first_slot;
    struct raster_vertex *vertices = group->vertices + first_slot;
    double position[4][JIT_BATCH_LANES];
    for (uint32_t i = 0; i < 4; i++) {
        get_floats(raster_group_word(
                       group, geometry->output_words, first_slot, geometry->position_word + i),
            position[i]);
    }
    note_volume(geometry, position[0], position[1], position[2], position[3], outside);
    note_distances(geometry, group, first_slot, outside);
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        vertices[lane] = raster_project(
            geometry, position[0][lane], position[1][lane], position[2][lane], position[3][lane]);
    }
}

// ---------------------------------------------------------------- survivors

// Triangles that may touch no more pixels than this each way are held against the centres: many of a
// fine mesh lie between them, and cost nothing further.
#define SMALL_PIXELS 2

static bool covers_centre(const struct raster_vertex *a, const struct raster_vertex *b,
    const struct raster_vertex *c, bool is_negative, struct raster_box box) {
    struct raster_edge edges[3];
    raster_make_edges(a, b, c, is_negative, edges);
    for (int32_t y = box.top; y < box.bottom; y++) {
        for (int32_t x = box.left; x < box.right; x++) {
            int64_t centre_x = (int64_t)x * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2;
            int64_t centre_y = (int64_t)y * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2;
            int64_t outside = 0; // negative when a side has the centre outside
            for (uint32_t i = 0; i < 3; i++) {
                outside |= edges[i].a * centre_x + edges[i].b * centre_y + edges[i].c;
            }
            if (outside >= 0) {
                return true;
            }
        }
    }
    return false;
}

static bool may_touch(const struct raster_geometry *geometry, const struct raster_group *group,
    const struct raster_survivor *survivor) {
    const struct raster_vertex *a = &group->vertices[survivor->corners[0]];
    const struct raster_vertex *b = &group->vertices[survivor->corners[1]];
    const struct raster_vertex *c = &group->vertices[survivor->corners[2]];
    if (geometry->corner_count < 3) {
        struct raster_primitive primitive;
        return geometry->corner_count == 1 ? raster_point_edges(geometry, a, &primitive)
                                           : raster_line_edges(geometry, a, b, &primitive);
    }
    int64_t area = raster_get_area(a, b, c);
    bool is_front = (area < 0) == geometry->is_negative_front;
    if (area == 0 || (is_front ? geometry->culls_front : geometry->culls_back)) {
        return false;
    }
    struct raster_box box = raster_get_triangle_box(geometry, a, b, c);
    if (box.left >= box.right || box.top >= box.bottom) {
        return false;
    }
    bool is_small = box.right - box.left <= SMALL_PIXELS && box.bottom - box.top <= SMALL_PIXELS;
    return geometry->is_multisampled || !is_small || covers_centre(a, b, c, area < 0, box);
}

bool raster_add_survivor(const struct raster_geometry *geometry, struct raster_group *group,
    const struct raster_survivor *survivor) {
    if (!may_touch(geometry, group, survivor)) {
        return true;
    }
    if (group->survivor_count == group->survivor_capacity) {
        uint32_t capacity = group->survivor_capacity == 0 ? 256 : group->survivor_capacity * 2;
        struct raster_survivor *survivors = memory_resize(
            MEMORY_GENERAL, group->survivors, capacity * sizeof(*survivors));
        if (survivors == NULL) {
            return false;
        }
        group->survivors = survivors;
        group->survivor_capacity = capacity;
    }
    group->survivors[group->survivor_count++] = *survivor;
    return true;
}

bool raster_assemble(const struct raster_geometry *geometry, struct raster_group *group) {
    group->survivor_count = 0;
    group->clip_vertex_count = 0;
    for (uint32_t i = 0; i < group->primitive_count; i++) {
        const uint16_t *corners = group->corners[i];
        uint32_t a = group->outside[corners[0]];
        uint32_t b = group->outside[corners[1]];
        uint32_t c = group->outside[corners[2]];
        if ((a & b & c & RASTER_OUTSIDE_VOLUME) != 0 ||
            ((a | b | c) & RASTER_OUTSIDE_NUMBERS) != 0) {
            continue;
        }
        struct raster_survivor primitive = {
            .corners = {corners[0], corners[1], corners[2]},
            .provoking = corners[0],
            .primitive_index = group->primitive_indices[i],
        };
        uint32_t planes = (a | b | c) & RASTER_OUTSIDE_CLIPPED;
        bool is_done = planes == 0 ? raster_add_survivor(geometry, group, &primitive)
                                   : raster_clip(geometry, group, &primitive, planes);
        if (!is_done) {
            return false;
        }
    }
    return true;
}
