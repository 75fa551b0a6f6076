// SPDX-License-Identifier: MIT
//
// Lines and points as areas. Called by workers; pure functions.
//
// A line is a parallelogram: a pixel high where it runs more in x ("major axis") than in y, a pixel
// wide otherwise. With one sample a pixel its ends follow the diamond rule of Bresenham's lines: the
// pixel in whose diamond the line begins is drawn, the one in whose diamond it ends is not, so that
// strips draw no pixel of a joint twice. With several samples it begins and ends where its ends are.
// A point is the pixel in which it lies.
#include "backend/cpu/raster_geometry.h"

#include <stdlib.h>

#define HALF_PIXEL (RASTER_SUBPIXELS / 2)

static void set_box(struct raster_primitive *primitive, struct raster_box box) {
    primitive->left = box.left;
    primitive->top = box.top;
    primitive->right = box.right;
    primitive->bottom = box.bottom;
}

static bool is_empty(const struct raster_primitive *primitive) {
    return primitive->left >= primitive->right || primitive->top >= primitive->bottom;
}

// ---------------------------------------------------------------- lines

// A line's end, along its major and minor axis.
struct line_end {
    int32_t major;
    int32_t minor;
};

// Where the end is in its pixel, seen from the centre.
static struct line_end get_offset(struct line_end end) {
    return (struct line_end){
        (end.major & (RASTER_SUBPIXELS - 1)) - HALF_PIXEL,
        (end.minor & (RASTER_SUBPIXELS - 1)) - HALF_PIXEL,
    };
}

static bool is_in_diamond(struct line_end offset) {
    return abs(offset.major) + abs(offset.minor) < HALF_PIXEL;
}

// The pixels [first, end) along the major axis that a line draws; direction: 1 or -1.
struct span {
    int32_t first;
    int32_t end;
};

static struct span get_span(struct line_end from, struct line_end to, int32_t direction) {
    struct line_end start = get_offset(from);
    struct line_end stop = get_offset(to);
    int32_t first = from.major >> RASTER_SUBPIXEL_BITS;
    int32_t last = to.major >> RASTER_SUBPIXEL_BITS;
    // The line still passes the centre of its first pixel, or has passed that of the last.
    bool draws_first = is_in_diamond(start) || start.major * direction <= 0;
    bool draws_last = !is_in_diamond(stop) && stop.major * direction > 0;
    first += draws_first ? 0 : direction;
    last -= draws_last ? 0 : direction;
    return direction > 0 ? (struct span){first, last + 1} : (struct span){last, first + 1};
}

// Limits along the major axis, in subpixels: [first, end) of what is drawn.
static struct span get_limits(const struct raster_geometry *geometry, struct line_end from,
    struct line_end to, int32_t direction) {
    if (geometry->is_multisampled) {
        // The end, not the start, is exclusive, whichever way the line runs.
        return direction > 0 ? (struct span){from.major, to.major}
                             : (struct span){to.major + 1, from.major + 1};
    }
    struct span span = get_span(from, to, direction);
    return (struct span){span.first * RASTER_SUBPIXELS, span.end * RASTER_SUBPIXELS};
}

bool raster_line_edges(const struct raster_geometry *geometry, const struct raster_vertex *from,
    const struct raster_vertex *to, struct raster_primitive *primitive) {
    int64_t dx = (int64_t)to->x - from->x;
    int64_t dy = (int64_t)to->y - from->y;
    if (dx == 0 && dy == 0) {
        return false;
    }
    bool is_x_major = llabs(dx) >= llabs(dy);
    struct line_end start = is_x_major ? (struct line_end){from->x, from->y}
                                       : (struct line_end){from->y, from->x};
    struct line_end stop = is_x_major ? (struct line_end){to->x, to->y}
                                      : (struct line_end){to->y, to->x};
    int64_t along = is_x_major ? dx : dy;
    int64_t across = is_x_major ? dy : dx;
    int32_t direction = along > 0 ? 1 : -1;
    struct span limits = get_limits(geometry, start, stop, direction);
    if (limits.first >= limits.end) {
        return false;
    }
    // minor * along - major * across is constant on the line; made positive towards larger minor.
    int64_t minor = along * direction;
    int64_t major = -across * direction;
    int64_t on_line = minor * start.minor + major * start.major;
    int64_t half = minor * HALF_PIXEL;
    // Sides: half a pixel before the line inclusive, half a pixel after it exclusive.
    primitive->edge_count = 4;
    primitive->edges[0] = (struct raster_edge){major, minor, half - on_line};
    primitive->edges[1] = (struct raster_edge){-major, -minor, on_line + half - 1};
    primitive->edges[2] = (struct raster_edge){1, 0, -(int64_t)limits.first};
    primitive->edges[3] = (struct raster_edge){-1, 0, (int64_t)limits.end - 1};
    int32_t least = (start.minor < stop.minor ? start.minor : stop.minor) - HALF_PIXEL;
    int32_t most = (start.minor > stop.minor ? start.minor : stop.minor) + HALF_PIXEL;
    if (is_x_major) {
        set_box(primitive, raster_get_box(geometry, limits.first, least, limits.end, most));
    } else {
        for (uint32_t i = 0; i < 4; i++) {
            int64_t a = primitive->edges[i].a;
            primitive->edges[i].a = primitive->edges[i].b;
            primitive->edges[i].b = a;
        }
        set_box(primitive, raster_get_box(geometry, least, limits.first, most, limits.end));
    }
    return !is_empty(primitive);
}

// ---------------------------------------------------------------- points

bool raster_point_edges(const struct raster_geometry *geometry, const struct raster_vertex *vertex,
    struct raster_primitive *primitive) {
    int32_t x = vertex->x >> RASTER_SUBPIXEL_BITS;
    int32_t y = vertex->y >> RASTER_SUBPIXEL_BITS;
    primitive->edge_count = 0; // all of the box
    set_box(primitive, (struct raster_box){x, y, x + 1, y + 1});
    return x >= geometry->left && x < geometry->right && y >= geometry->top && y < geometry->bottom;
}
