// SPDX-License-Identifier: MIT
//
// From a draw to primitives in screen space: what raster_vertex.c, raster_fetch.c, raster_index.c,
// raster_assemble.c, raster_clip.c, raster_setup.c and raster_lines.c share. Private to them and
// their tests.
//
// A draw is cut into groups of positions, and a worker takes a group the whole way from vertex
// numbers to primitives that are clipped and worth drawing. Positions number the primitives of all
// instances; of indexed strips, whose indices may restart the strip, they number the indices. The
// vertices of a group have slots: a slot is shaded once. Groups are worked on in rounds, and the
// planes of a round's primitives are computed when it is known how many there are.
#pragma once

#include "backend/cpu/raster_priv.h"
#include "facts/vertex_format.h"

// Slots of a group; whole batches, and whole points, lines and triangles.
#define RASTER_GROUP_SLOTS 3072u
#define RASTER_GROUP_BATCHES (RASTER_GROUP_SLOTS / JIT_BATCH_LANES)
// Groups of a round, at most.
#define RASTER_ROUND_GROUPS 32u
// Batches for which inputs are fetched before the kernel runs.
#define RASTER_INPUT_BATCHES 4u
// Fixed-point coordinates after clipping are no larger than this: differences, products of two and
// sums of these then stay far inside 64 bits.
#define RASTER_COORDINATE_LIMIT (1 << 28)
// As in struct raster_varying.
enum raster_interpolation { RASTER_PERSPECTIVE, RASTER_LINEAR, RASTER_FLAT };
#define RASTER_SUBPIXELS (1 << RASTER_SUBPIXEL_BITS)

// ---------------------------------------------------------------- vertex data (raster_fetch.c)

enum raster_fetch_kind {
    RASTER_FETCH_VERTEX_INDEX,
    RASTER_FETCH_INSTANCE_INDEX,
    RASTER_FETCH_ATTRIBUTE,
    RASTER_FETCH_NOTHING // an attribute that no buffer gives: (0, 0, 0, 1)
};

// Where an input value of the vertex stage comes from.
struct raster_fetch_value {
    enum raster_fetch_kind kind;
    const struct vertex_format_info *format;
    const uint8_t *data;
    uint64_t end_bytes; // an element fits when its offset is at most this; see has_room
    bool has_room;      // false: no element fits at all
    bool is_per_instance;
    bool is_float; // the missing fourth component is 1.0, else 1
    uint64_t stride_bytes;
    uint32_t first_word;
    uint32_t word_count;
};

#define RASTER_FETCH_CAPACITY (BACKEND_VERTEX_ATTRIBUTE_CAPACITY + 2u)

struct raster_fetch {
    struct raster_fetch_value values[RASTER_FETCH_CAPACITY];
    uint32_t value_count;
};

void raster_fetch_init(struct raster_fetch *fetch, const struct raster_draw *draw);
// Fills the input rows of one batch for vertices of these numbers (vertex_index and instance_index of
// WebGPU), lane_count of them.
void raster_fetch_batch(const struct raster_fetch *fetch, const uint32_t *vertices,
    const uint32_t *instances, uint32_t lane_count, uint32_t *rows);

// ---------------------------------------------------------------- a draw

struct raster_geometry {
    const struct raster_draw *draw;
    const struct backend_render_pipeline *pipeline;
    struct raster_fetch fetch;
    uint32_t corner_count; // of a primitive: 1, 2, 3
    bool is_strip;
    bool has_restart;               // positions are indices
    uint64_t positions_of_instance; // not 0
    uint64_t position_count;
    uint32_t output_words;
    uint32_t position_word;
    // framebuffer x = offset + scale * x / w, in subpixels
    double scale_x;
    double offset_x;
    double scale_y;
    double offset_y;
    double depth_scale;
    double depth_offset;
    double guard_x; // |x| <= guard_x * w keeps x below RASTER_COORDINATE_LIMIT
    double guard_y;
    // Pixels that may be drawn: scissor, viewport, attachment.
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
    // From the least and greatest coordinates of a primitive to the pixels with samples inside: these
    // are added before dividing by RASTER_SUBPIXELS and rounding down.
    int32_t first_pixel_bias;
    int32_t end_pixel_bias;
    bool is_multisampled;
    bool is_negative_front; // triangles of negative area (y down) face the front
    bool culls_front;
    bool culls_back;
    bool has_depth_bias;
    bool has_flat_varyings;
    bool has_smooth_varyings;
    size_t primitive_bytes;
};

void raster_geometry_init(struct raster_geometry *geometry, const struct raster_draw *draw);

// ---------------------------------------------------------------- a group

// A vertex in screen space.
struct raster_vertex {
    int32_t x;
    int32_t y;
    float depth;
    float inverse_w;
};

// To the nearest subpixel, halves up; NaN and what is beyond the limit give some number inside it.
static inline int32_t raster_snap(double coordinate) {
    double limit = RASTER_COORDINATE_LIMIT;
    double inside = coordinate < limit ? coordinate : limit;
    inside = inside > -limit ? inside : -limit;
    // Positive, so that the conversion, which cuts, rounds down.
    return (int32_t)(inside + (2 * limit + 0.5)) - 2 * RASTER_COORDINATE_LIMIT;
}

// From clip space.
static inline struct raster_vertex raster_project(
    const struct raster_geometry *geometry, double x, double y, double z, double w) {
    double inverse_w = 1 / w;
    return (struct raster_vertex){
        .x = raster_snap(geometry->offset_x + x * inverse_w * geometry->scale_x),
        .y = raster_snap(geometry->offset_y + y * inverse_w * geometry->scale_y),
        .depth = (float)(geometry->depth_offset + z * inverse_w * geometry->depth_scale),
        .inverse_w = (float)inverse_w,
    };
}

// A vertex that clipping made, by its weights of a primitive's corners: in clip space, and on the
// screen for what is linear there.
struct raster_clip_vertex {
    double weights[3];
    double screen_weights[3];
    uint16_t corners[3];
};

// A primitive that is to be drawn. Slots from slot_count on are vertices made by clipping.
struct raster_survivor {
    uint16_t corners[3];
    uint16_t provoking; // the slot of flat values
    uint32_t primitive_index;
};

// What a vertex is outside of, or must be clipped against.
enum raster_outside {
    RASTER_OUTSIDE_NEAR = 1 << 0,
    RASTER_OUTSIDE_FAR = 1 << 1,
    RASTER_OUTSIDE_LEFT = 1 << 2,
    RASTER_OUTSIDE_RIGHT = 1 << 3,
    RASTER_OUTSIDE_BOTTOM = 1 << 4,
    RASTER_OUTSIDE_TOP = 1 << 5,
    RASTER_OUTSIDE_W = 1 << 6,       // w is not positive, or too small for 1 / w
    RASTER_OUTSIDE_GUARD = 1 << 7,   // of the guard band
    RASTER_OUTSIDE_NUMBERS = 1 << 8, // infinite or not a number
    RASTER_OUTSIDE_DISTANCE = 1 << 9 // and the next seven: clip distances
};
#define RASTER_OUTSIDE_DISTANCES (255u * RASTER_OUTSIDE_DISTANCE)
// Outside of one of these as a whole: not visible.
#define RASTER_OUTSIDE_VOLUME \
    (RASTER_OUTSIDE_NEAR | RASTER_OUTSIDE_FAR | RASTER_OUTSIDE_LEFT | RASTER_OUTSIDE_RIGHT | \
        RASTER_OUTSIDE_BOTTOM | RASTER_OUTSIDE_TOP | RASTER_OUTSIDE_W | RASTER_OUTSIDE_DISTANCES)
// To be clipped when a part is outside.
#define RASTER_OUTSIDE_CLIPPED \
    (RASTER_OUTSIDE_NEAR | RASTER_OUTSIDE_FAR | RASTER_OUTSIDE_W | RASTER_OUTSIDE_GUARD | \
        RASTER_OUTSIDE_DISTANCES)

struct raster_group {
    // What to do: positions [first, end), and for indexed strips the state before the first.
    uint64_t first;
    uint64_t end;
    uint32_t strip_length;    // indices since the start of the strip
    uint32_t primitive_index; // of the next primitive
    // What has been done.
    bool is_out_of_memory;
    uint32_t slot_count;
    uint32_t primitive_count;
    uint32_t survivor_count;
    uint32_t clip_vertex_count;
    // By slot; vertices goes on with those that clipping made.
    struct raster_vertex *vertices;
    uint32_t vertex_capacity;
    struct raster_clip_vertex *clip_vertices;
    uint32_t clip_vertex_capacity;
    struct raster_survivor *survivors;
    uint32_t survivor_capacity;
    uint32_t *outputs; // of the vertex kernel, by batches
    size_t outputs_bytes;
    uint32_t outside[RASTER_GROUP_SLOTS]; // enum raster_outside, by slot
    uint16_t corners[RASTER_GROUP_SLOTS][3];
    uint32_t primitive_indices[RASTER_GROUP_SLOTS];
};

// The word of a shaded vertex.
static inline const uint32_t *raster_group_word(
    const struct raster_group *group, uint32_t output_words, uint32_t slot, uint32_t word) {
    return group->outputs + (size_t)(slot / JIT_BATCH_LANES) * output_words * JIT_BATCH_LANES +
        (size_t)word * JIT_BATCH_LANES + slot % JIT_BATCH_LANES;
}

// ---------------------------------------------------------------- vertex numbers (raster_index.c)

// Remembers which slot has an index.
struct raster_reuse_entry {
    uint32_t index;
    uint16_t run; // of the group; others are stale
    uint16_t slot;
};
#define RASTER_REUSE_ENTRIES 4096u

struct raster_numbers {
    // By slot, filled up to whole batches.
    uint32_t vertices[RASTER_GROUP_SLOTS];
    uint32_t instances[RASTER_GROUP_SLOTS];
    uint16_t slots[RASTER_GROUP_SLOTS]; // of the elements of a run
    struct raster_reuse_entry reuse[RASTER_REUSE_ENTRIES];
    uint16_t run;
};

// Gives slots to the vertices of a group, and the corners of its primitives.
void raster_group_number(const struct raster_geometry *geometry, struct raster_group *group,
    struct raster_numbers *numbers);
// For indexed strips: the state before the group that comes after this one. Queue thread.
void raster_group_advance(const struct raster_geometry *geometry, const struct raster_group *group,
    uint32_t *out_strip_length, uint32_t *out_primitive_index);

// ---------------------------------------------------------------- assembly (raster_assemble.c)

// From the kernel's outputs to vertices in screen space and what they are outside of; one batch.
void raster_transform_batch(
    const struct raster_geometry *geometry, struct raster_group *group, uint32_t batch);
// Drops what cannot be seen and clips the rest: fills the survivors. False: out of memory.
bool raster_assemble(const struct raster_geometry *geometry, struct raster_group *group);
// Adds a triangle (or line: two corners, or point) when it may touch a pixel. False: out of memory.
bool raster_add_survivor(const struct raster_geometry *geometry, struct raster_group *group,
    const struct raster_survivor *survivor);

// raster_clip.c: clips a triangle or line and adds what is left. planes: what its corners are outside
// of. False: out of memory.
bool raster_clip(const struct raster_geometry *geometry, struct raster_group *group,
    const struct raster_survivor *primitive, uint32_t planes);

// ---------------------------------------------------------------- setup

struct raster_box {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
};

// The pixels of the geometry's rectangle that may be touched by what lies between these coordinates;
// empty when left >= right or top >= bottom.
static inline struct raster_box raster_get_box(const struct raster_geometry *geometry,
    int32_t least_x, int32_t least_y, int32_t most_x, int32_t most_y) {
    struct raster_box box = {
        .left = (least_x + geometry->first_pixel_bias) >> RASTER_SUBPIXEL_BITS,
        .top = (least_y + geometry->first_pixel_bias) >> RASTER_SUBPIXEL_BITS,
        .right = (most_x + geometry->end_pixel_bias) >> RASTER_SUBPIXEL_BITS,
        .bottom = (most_y + geometry->end_pixel_bias) >> RASTER_SUBPIXEL_BITS,
    };
    box.left = box.left > geometry->left ? box.left : geometry->left;
    box.top = box.top > geometry->top ? box.top : geometry->top;
    box.right = box.right < geometry->right ? box.right : geometry->right;
    box.bottom = box.bottom < geometry->bottom ? box.bottom : geometry->bottom;
    return box;
}

static inline struct raster_box raster_get_triangle_box(const struct raster_geometry *geometry,
    const struct raster_vertex *a, const struct raster_vertex *b, const struct raster_vertex *c) {
    int32_t least_x = a->x < b->x ? a->x : b->x;
    int32_t least_y = a->y < b->y ? a->y : b->y;
    int32_t most_x = a->x > b->x ? a->x : b->x;
    int32_t most_y = a->y > b->y ? a->y : b->y;
    return raster_get_box(geometry, least_x < c->x ? least_x : c->x,
        least_y < c->y ? least_y : c->y, most_x > c->x ? most_x : c->x,
        most_y > c->y ? most_y : c->y);
}

// Twice the area of a triangle, y down: positive when its corners go round clockwise as seen.
static inline int64_t raster_get_area(
    const struct raster_vertex *a, const struct raster_vertex *b, const struct raster_vertex *c) {
    return ((int64_t)b->x - a->x) * ((int64_t)c->y - a->y) -
        ((int64_t)c->x - a->x) * ((int64_t)b->y - a->y);
}

// From one corner to the next, the inside to the right (y down); a side that is neither left nor top
// excludes what lies on it.
static inline struct raster_edge raster_make_edge(
    const struct raster_vertex *from, const struct raster_vertex *to) {
    int64_t a = (int64_t)from->y - to->y;
    int64_t b = (int64_t)to->x - from->x;
    bool is_left_or_top = a > 0 || (a == 0 && b > 0);
    int64_t c = -(a * from->x + b * from->y);
    return (struct raster_edge){a, b, is_left_or_top ? c : c - 1};
}

static inline void raster_make_edges(const struct raster_vertex *a, const struct raster_vertex *b,
    const struct raster_vertex *c, bool is_negative, struct raster_edge edges[3]) {
    edges[0] = is_negative ? raster_make_edge(b, a) : raster_make_edge(a, b);
    edges[1] = is_negative ? raster_make_edge(c, b) : raster_make_edge(b, c);
    edges[2] = is_negative ? raster_make_edge(a, c) : raster_make_edge(c, a);
}

// Writes the primitive of a survivor.
void raster_setup(const struct raster_geometry *geometry, const struct raster_group *group,
    const struct raster_survivor *survivor, struct raster_primitive *primitive);
// raster_lines.c: edges and box of a line and of a point; false when it touches no pixel.
bool raster_line_edges(const struct raster_geometry *geometry, const struct raster_vertex *from,
    const struct raster_vertex *to, struct raster_primitive *primitive);
bool raster_point_edges(const struct raster_geometry *geometry, const struct raster_vertex *vertex,
    struct raster_primitive *primitive);
