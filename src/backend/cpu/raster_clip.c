// SPDX-License-Identifier: MIT
//
// Clipping of triangles and lines: against the volume's near and far sides, w, clip distances and
// the guard band. Called by workers, for groups of their own. Points never come here: each is either
// inside or not.
//
// The points of the polygon are weights of the primitive's corners, and positions besides: a point
// that is cut is put on its plane, since the weights of far corners are too coarse to say where it
// lies. The cut of an edge is computed from its inner to its outer end, so that two triangles with an
// edge in common cut it at the same point, to the bit.
#include "backend/cpu/raster_geometry.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"

// Two sides of depth, one of w, four of the guard band, eight clip distances.
#define PLANE_CAPACITY 15u
// Each plane adds a point at most.
#define POINT_CAPACITY (3u + PLANE_CAPACITY)

struct point {
    double weights[3];
    double position[4];
};
struct polygon {
    struct point points[POINT_CAPACITY];
    uint32_t count;
};

// Inside where the distance is not negative: a * axis + b * w + c, or a clip distance, which is what
// the corners have of it.
struct plane {
    bool is_clip_distance;
    uint32_t axis;
    double a, b, c;
    double distances[3];
};

struct clipper {
    double position[3][4]; // of the corners
    struct plane planes[PLANE_CAPACITY];
    uint32_t plane_count;
};

static double get_word(const struct raster_geometry *geometry, const struct raster_group *group,
    uint32_t slot, uint32_t word) {
    float value = 0;
    memcpy(&value, raster_group_word(group, geometry->output_words, slot, word), sizeof(value));
    return value;
}

static void add_plane(struct clipper *clipper, uint32_t axis, double a, double b, double c) {
    clipper->planes[clipper->plane_count++] = (struct plane){.axis = axis, .a = a, .b = b, .c = c};
}

static void add_planes(struct clipper *clipper, const struct raster_geometry *geometry,
    const struct raster_group *group, const uint16_t *corners, uint32_t planes) {
    if ((planes & RASTER_OUTSIDE_NEAR) != 0) {
        add_plane(clipper, 2, 1, 0, 0);
    }
    if ((planes & RASTER_OUTSIDE_FAR) != 0) {
        add_plane(clipper, 2, -1, 1, 0);
    }
    if ((planes & RASTER_OUTSIDE_W) != 0) {
        add_plane(clipper, 2, 0, 1, -(double)FLT_MIN);
    }
    if ((planes & (RASTER_OUTSIDE_GUARD | RASTER_OUTSIDE_W)) != 0) {
        add_plane(clipper, 0, 1, geometry->guard_x, 0);
        add_plane(clipper, 0, -1, geometry->guard_x, 0);
        add_plane(clipper, 1, 1, geometry->guard_y, 0);
        add_plane(clipper, 1, -1, geometry->guard_y, 0);
    }
    for (uint32_t i = 0; i < geometry->pipeline->clip_distance_count; i++) {
        if ((planes & RASTER_OUTSIDE_DISTANCE << i) == 0) {
            continue;
        }
        struct plane *plane = &clipper->planes[clipper->plane_count++];
        plane->is_clip_distance = true;
        for (uint32_t corner = 0; corner < 3; corner++) {
            plane->distances[corner] = get_word(
                geometry, group, corners[corner], geometry->pipeline->clip_distance_word + i);
        }
    }
}

static double combine(const double *values, const struct point *point) {
    return values[0] * point->weights[0] + values[1] * point->weights[1] +
        values[2] * point->weights[2];
}

static double get_distance(const struct plane *plane, const struct point *point) {
    return plane->is_clip_distance
        ? combine(plane->distances, point)
        : plane->a * point->position[plane->axis] + plane->b * point->position[3] + plane->c;
}

static struct point cut(const struct plane *plane, const struct point *inner, double inner_distance,
    const struct point *outer, double outer_distance) {
    double part = inner_distance / (inner_distance - outer_distance);
    struct point point;
    for (uint32_t i = 0; i < 3; i++) {
        point.weights[i] = inner->weights[i] * (1 - part) + outer->weights[i] * part;
    }
    for (uint32_t i = 0; i < 4; i++) {
        point.position[i] = inner->position[i] * (1 - part) + outer->position[i] * part;
    }
    if (plane->a != 0) {
        point.position[plane->axis] = -(plane->b * point.position[3] + plane->c) / plane->a;
    } else if (!plane->is_clip_distance) {
        point.position[3] = -plane->c / plane->b;
    }
    return point;
}

// A line is a polygon of two points: its closing edge runs back, and is not cut twice.
static void cut_polygon(struct polygon *polygon, const struct plane *plane) {
    struct polygon in = *polygon;
    polygon->count = 0;
    if (in.count == 0) {
        return;
    }
    double distance = get_distance(plane, &in.points[0]);
    for (uint32_t i = 0; i < in.count; i++) {
        uint32_t next = i + 1 == in.count ? 0 : i + 1;
        double next_distance = get_distance(plane, &in.points[next]);
        if (distance >= 0) {
            polygon->points[polygon->count++] = in.points[i];
        }
        bool is_edge = in.count > 2 || next != 0;
        if (is_edge && (distance >= 0) != (next_distance >= 0)) {
            polygon->points[polygon->count++] = distance >= 0
                ? cut(plane, &in.points[i], distance, &in.points[next], next_distance)
                : cut(plane, &in.points[next], next_distance, &in.points[i], distance);
        }
        distance = next_distance;
    }
}

// ---------------------------------------------------------------- vertices made

static bool reserve(struct raster_group *group, uint32_t count) {
    uint32_t clip_count = group->clip_vertex_count + count;
    uint32_t vertex_count = group->slot_count + clip_count;
    if (clip_count > group->clip_vertex_capacity) {
        uint32_t capacity = clip_count * 2;
        struct raster_clip_vertex *clip_vertices = memory_resize(
            MEMORY_GENERAL, group->clip_vertices, capacity * sizeof(*clip_vertices));
        if (clip_vertices == NULL) {
            return false;
        }
        group->clip_vertices = clip_vertices;
        group->clip_vertex_capacity = capacity;
    }
    if (vertex_count > group->vertex_capacity) {
        uint32_t capacity = vertex_count * 2;
        struct raster_vertex *vertices = memory_resize(
            MEMORY_GENERAL, group->vertices, capacity * sizeof(*vertices));
        if (vertices == NULL) {
            return false;
        }
        group->vertices = vertices;
        group->vertex_capacity = capacity;
    }
    return true;
}

// The slot of a point of the polygon: a corner's own when it is one.
static uint16_t add_vertex(const struct raster_geometry *geometry, struct raster_group *group,
    const struct clipper *clipper, const uint16_t *corners, const struct point *point) {
    for (uint32_t i = 0; i < 3; i++) {
        if (point->weights[i] == 1 && point->weights[(i + 1) % 3] == 0 &&
            point->weights[(i + 2) % 3] == 0) {
            return corners[i];
        }
    }
    const double *position = point->position;
    uint32_t number = group->clip_vertex_count++;
    struct raster_clip_vertex *clip_vertex = &group->clip_vertices[number];
    // Rounding may take w across its plane.
    double w = position[3] >= (double)FLT_MIN ? position[3] : (double)FLT_MIN;
    memcpy(clip_vertex->corners, corners, sizeof(clip_vertex->corners));
    for (uint32_t i = 0; i < 3; i++) {
        clip_vertex->weights[i] = point->weights[i];
        clip_vertex->screen_weights[i] = point->weights[i] * clipper->position[i][3] / w;
    }
    uint32_t slot = group->slot_count + number;
    group->vertices[slot] = raster_project(geometry, position[0], position[1], position[2], w);
    return (uint16_t)slot;
}

static bool add_fan(const struct raster_geometry *geometry, struct raster_group *group,
    const struct raster_survivor *primitive, const uint16_t *slots, uint32_t count) {
    int64_t area = 0;
    for (uint32_t i = 2; i < count; i++) {
        area += raster_get_area(
            &group->vertices[slots[0]], &group->vertices[slots[i - 1]], &group->vertices[slots[i]]);
    }
    for (uint32_t i = 2; i < count; i++) {
        int64_t part = raster_get_area(
            &group->vertices[slots[0]], &group->vertices[slots[i - 1]], &group->vertices[slots[i]]);
        // Snapping may turn a sliver over: it must not face the other way.
        if ((part < 0) != (area < 0)) {
            continue;
        }
        struct raster_survivor triangle = *primitive;
        triangle.corners[0] = slots[0];
        triangle.corners[1] = slots[i - 1];
        triangle.corners[2] = slots[i];
        if (!raster_add_survivor(geometry, group, &triangle)) {
            return false;
        }
    }
    return true;
}

bool raster_clip(const struct raster_geometry *geometry, struct raster_group *group,
    const struct raster_survivor *primitive, uint32_t planes) {
    struct clipper clipper = {.plane_count = 0};
    for (uint32_t corner = 0; corner < 3; corner++) {
        for (uint32_t i = 0; i < 4; i++) {
            clipper.position[corner][i] = get_word(
                geometry, group, primitive->corners[corner], geometry->position_word + i);
        }
    }
    add_planes(&clipper, geometry, group, primitive->corners, planes);
    struct polygon polygon = {
        .points = {{.weights = {1, 0, 0}}, {.weights = {0, 1, 0}}, {.weights = {0, 0, 1}}},
        .count = geometry->corner_count,
    };
    for (uint32_t corner = 0; corner < 3; corner++) {
        memcpy(polygon.points[corner].position, clipper.position[corner],
            sizeof(polygon.points[corner].position));
    }
    for (uint32_t i = 0; i < clipper.plane_count; i++) {
        cut_polygon(&polygon, &clipper.planes[i]);
    }
    if (polygon.count < geometry->corner_count) {
        return true;
    }
    if (!reserve(group, polygon.count)) {
        return false;
    }
    uint16_t slots[POINT_CAPACITY];
    for (uint32_t i = 0; i < polygon.count; i++) {
        slots[i] = add_vertex(geometry, group, &clipper, primitive->corners, &polygon.points[i]);
    }
    if (geometry->corner_count == 2) {
        struct raster_survivor line = *primitive;
        line.corners[0] = slots[0];
        line.corners[1] = slots[1];
        line.corners[2] = slots[1];
        return raster_add_survivor(geometry, group, &line);
    }
    return add_fan(geometry, group, primitive, slots, polygon.count);
}
