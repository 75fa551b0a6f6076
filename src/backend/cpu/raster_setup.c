// SPDX-License-Identifier: MIT
//
// Surviving primitives to struct raster_primitive: edges, box, planes; and what is constant for a
// draw. Called by workers; pure functions.
//
// Planes are computed in double precision from snapped positions, around a point of the primitive's
// box, so that values near it are accurate however large the primitive is.
#include "backend/cpu/raster_geometry.h"

#include <math.h>
#include <string.h>

#include <webgpu/webgpu.h>

// ---------------------------------------------------------------- a draw

static int32_t clamp_pixel(double coordinate, uint32_t first, uint32_t end) {
    double inside = coordinate > first ? coordinate : first;
    return (int32_t)(inside < end ? inside : end);
}

// Pixels whose centres lie between two coordinates; with several samples, all that are touched.
static void get_viewport_pixels(const struct raster_geometry *geometry, float first, float size,
    double *out_first, double *out_end) {
    double end = (double)first + (double)size;
    *out_first = geometry->is_multisampled ? floor((double)first) : ceil((double)first - 0.5);
    *out_end = geometry->is_multisampled ? ceil(end) : ceil(end - 0.5);
}

static void init_rectangle(struct raster_geometry *geometry) {
    const struct raster_draw *draw = geometry->draw;
    double first[2];
    double end[2];
    get_viewport_pixels(geometry, draw->viewport[0], draw->viewport[2], &first[0], &end[0]);
    get_viewport_pixels(geometry, draw->viewport[1], draw->viewport[3], &first[1], &end[1]);
    uint32_t scissor_right = draw->scissor[0] + draw->scissor[2];
    uint32_t scissor_bottom = draw->scissor[1] + draw->scissor[3];
    uint32_t right = scissor_right < draw->pass->width ? scissor_right : draw->pass->width;
    uint32_t bottom = scissor_bottom < draw->pass->height ? scissor_bottom : draw->pass->height;
    geometry->left = clamp_pixel(first[0], draw->scissor[0], right);
    geometry->top = clamp_pixel(first[1], draw->scissor[1], bottom);
    geometry->right = clamp_pixel(end[0], 0, right);
    geometry->bottom = clamp_pixel(end[1], 0, bottom);
}

static double get_guard(double scale) {
    double guard = RASTER_COORDINATE_LIMIT / 2 / fabs(scale); // infinite for a viewport of no size
    guard = guard < 0x1p20 ? guard : 0x1p20;
    return guard > 1 ? guard : 1;
}

static void init_viewport(struct raster_geometry *geometry) {
    const struct raster_draw *draw = geometry->draw;
    double half_width = (double)draw->viewport[2] / 2 * RASTER_SUBPIXELS;
    double half_height = (double)draw->viewport[3] / 2 * RASTER_SUBPIXELS;
    geometry->scale_x = half_width;
    geometry->offset_x = (double)draw->viewport[0] * RASTER_SUBPIXELS + half_width;
    geometry->scale_y = -half_height;
    geometry->offset_y = (double)draw->viewport[1] * RASTER_SUBPIXELS + half_height;
    geometry->guard_x = get_guard(half_width);
    geometry->guard_y = get_guard(half_height);
    geometry->depth_offset = (double)draw->depth_range[0];
    geometry->depth_scale = (double)draw->depth_range[1] - (double)draw->depth_range[0];
    // The least and greatest coordinate of a sample in its pixel.
    int32_t least = geometry->is_multisampled ? RASTER_SUBPIXELS / 8 : RASTER_SUBPIXELS / 2;
    int32_t most = RASTER_SUBPIXELS - least;
    geometry->first_pixel_bias = RASTER_SUBPIXELS - 1 - most;
    geometry->end_pixel_bias = RASTER_SUBPIXELS - 1 - least;
}

static void init_topology(struct raster_geometry *geometry) {
    const struct raster_draw *draw = geometry->draw;
    uint32_t topology = geometry->pipeline->state.topology;
    bool is_strip = topology == WGPUPrimitiveTopology_LineStrip ||
        topology == WGPUPrimitiveTopology_TriangleStrip;
    bool is_line = topology == WGPUPrimitiveTopology_LineStrip ||
        topology == WGPUPrimitiveTopology_LineList;
    geometry->corner_count = topology == WGPUPrimitiveTopology_PointList ? 1 : is_line ? 2 : 3;
    geometry->is_strip = is_strip;
    geometry->has_restart = is_strip && draw->index_data != NULL;
    uint64_t count = draw->vertex_count;
    if (is_strip && !geometry->has_restart) {
        uint32_t lost = geometry->corner_count - 1;
        count = count > lost ? count - lost : 0;
    } else if (!is_strip) {
        count /= geometry->corner_count;
    }
    geometry->positions_of_instance = count;
    geometry->position_count = count * draw->instance_count;
}

void raster_geometry_init(struct raster_geometry *geometry, const struct raster_draw *draw) {
    const struct backend_render_pipeline *pipeline = draw->pipeline;
    const struct backend_render_pipeline_state *state = &pipeline->state;
    *geometry = (struct raster_geometry){
        .draw = draw,
        .pipeline = pipeline,
        .output_words = pipeline->vertex.kernel->output_words,
        .position_word = raster_find_builtin(&pipeline->vertex.outputs, BUILTIN_VALUE_POSITION),
        .is_multisampled = draw->pass->sample_count > 1,
        .is_negative_front = state->front_face != WGPUFrontFace_CW,
        .culls_front = state->cull_mode == WGPUCullMode_Front,
        .culls_back = state->cull_mode == WGPUCullMode_Back,
        .has_depth_bias = state->depth_bias != 0 || state->depth_bias_slope_scale != 0,
        .primitive_bytes = raster_primitive_bytes(pipeline->varying_count),
    };
    for (uint32_t i = 0; i < pipeline->varying_count; i++) {
        bool is_flat = pipeline->varyings[i].interpolation == RASTER_FLAT;
        geometry->has_flat_varyings = geometry->has_flat_varyings || is_flat;
        geometry->has_smooth_varyings = geometry->has_smooth_varyings || !is_flat;
    }
    raster_fetch_init(&geometry->fetch, draw);
    init_topology(geometry);
    init_viewport(geometry);
    init_rectangle(geometry);
}

// ---------------------------------------------------------------- planes

// How a value at the corners becomes a plane: slopes from the differences to the first corner.
struct slopes {
    double x[2];
    double y[2];
    double offset_x; // from the first corner to the primitive's x0, y0
    double offset_y;
};

// What a plane gets in place of no slope, where no slope would mean something else.
#define LEAST_SLOPE 0x1p-100f

static inline struct raster_plane make_plane(
    const struct slopes *slopes, double a, double b, double c) {
    double x = (b - a) * slopes->x[0] + (c - a) * slopes->x[1];
    double y = (b - a) * slopes->y[0] + (c - a) * slopes->y[1];
    return (struct raster_plane){
        .base = (float)(a + x * slopes->offset_x + y * slopes->offset_y),
        .dx = (float)x,
        .dy = (float)y,
    };
}

static inline struct raster_plane make_sloped_plane(
    const struct slopes *slopes, double a, double b, double c) {
    struct raster_plane plane = make_plane(slopes, a, b, c);
    if (plane.dx == 0 && plane.dy == 0) {
        plane.dx = LEAST_SLOPE;
    }
    return plane;
}

static float clamp_coordinate(int32_t subpixels, int32_t first, int32_t end) {
    int32_t least = first * RASTER_SUBPIXELS;
    int32_t most = end * RASTER_SUBPIXELS;
    int32_t inside = subpixels > least ? subpixels : least;
    return (float)(inside < most ? inside : most) / RASTER_SUBPIXELS;
}

static struct slopes make_slopes(const struct raster_geometry *geometry,
    const struct raster_vertex *const corners[3], struct raster_primitive *primitive) {
    double subpixel = 1.0 / RASTER_SUBPIXELS;
    double x1 = ((double)corners[1]->x - corners[0]->x) * subpixel;
    double y1 = ((double)corners[1]->y - corners[0]->y) * subpixel;
    double x2 = ((double)corners[2]->x - corners[0]->x) * subpixel;
    double y2 = ((double)corners[2]->y - corners[0]->y) * subpixel;
    struct slopes slopes = {.offset_x = 0};
    if (geometry->corner_count == 3) {
        double inverse_area = 1 / (x1 * y2 - x2 * y1);
        slopes.x[0] = y2 * inverse_area;
        slopes.x[1] = -y1 * inverse_area;
        slopes.y[0] = -x2 * inverse_area;
        slopes.y[1] = x1 * inverse_area;
    } else if (geometry->corner_count == 2) {
        double inverse_length = 1 / (x1 * x1 + y1 * y1);
        slopes.x[0] = x1 * inverse_length;
        slopes.y[0] = y1 * inverse_length;
    }
    primitive->x0 = clamp_coordinate(corners[0]->x, primitive->left, primitive->right);
    primitive->y0 = clamp_coordinate(corners[0]->y, primitive->top, primitive->bottom);
    slopes.offset_x = (double)primitive->x0 - corners[0]->x * subpixel;
    slopes.offset_y = (double)primitive->y0 - corners[0]->y * subpixel;
    return slopes;
}

// ---------------------------------------------------------------- depth

// The least difference that depth_bias counts, for a primitive as deep as this.
static float get_bias_unit(const struct raster_draw *draw, float most_depth) {
    if (draw->pass->depth.format == WGPUTextureFormat_Depth16Unorm) {
        return 1.0f / 65535;
    }
    int exponent = 0;
    frexpf(most_depth, &exponent); // most_depth = fraction * 2^exponent, fraction in [0.5, 1)
    return most_depth > 0 ? ldexpf(1.0f, exponent - 1 - 23) : 0x1p-149f;
}

static float get_bias(const struct raster_draw *draw, const struct raster_vertex *const corners[3],
    const struct raster_plane *depth) {
    const struct backend_render_pipeline_state *state = &draw->pipeline->state;
    float most_depth = fmaxf(fmaxf(corners[0]->depth, corners[1]->depth), corners[2]->depth);
    float slope = fmaxf(fabsf(depth->dx), fabsf(depth->dy));
    float bias = (float)state->depth_bias * get_bias_unit(draw, most_depth) +
        state->depth_bias_slope_scale * slope;
    float clamp = state->depth_bias_clamp;
    return clamp > 0 ? fminf(clamp, bias) : clamp < 0 ? fmaxf(clamp, bias) : bias;
}

static struct raster_plane make_depth(const struct raster_geometry *geometry,
    const struct slopes *slopes, const struct raster_vertex *const corners[3]) {
    struct raster_plane depth = make_plane(
        slopes, (double)corners[0]->depth, (double)corners[1]->depth, (double)corners[2]->depth);
    if (geometry->has_depth_bias && geometry->corner_count == 3) {
        depth.base += get_bias(geometry->draw, corners, &depth);
    }
    return depth;
}

// ---------------------------------------------------------------- varyings

// Where a corner's values come from: a shaded vertex, or weights of three.
struct source {
    const uint32_t *words; // of the first output, and the others follow by rows
    const struct raster_clip_vertex *clip_vertex;
    const uint32_t *corner_words[3];
};

static struct source get_source(
    const struct raster_geometry *geometry, const struct raster_group *group, uint32_t slot) {
    struct source source = {.clip_vertex = NULL};
    if (slot < group->slot_count) {
        source.words = raster_group_word(group, geometry->output_words, slot, 0);
        return source;
    }
    source.clip_vertex = &group->clip_vertices[slot - group->slot_count];
    for (uint32_t i = 0; i < 3; i++) {
        source.corner_words[i] = raster_group_word(
            group, geometry->output_words, source.clip_vertex->corners[i], 0);
    }
    return source;
}

static inline float get_float(const uint32_t *words, uint32_t word) {
    float value = 0;
    memcpy(&value, words + (size_t)word * JIT_BATCH_LANES, sizeof(value));
    return value;
}

static float get_clipped(const struct source *source, uint32_t word, bool is_linear) {
    float corners[3];
    for (uint32_t i = 0; i < 3; i++) {
        corners[i] = get_float(source->corner_words[i], word);
    }
    if (corners[0] == corners[1] && corners[0] == corners[2]) {
        return corners[0]; // exact, which the sum need not be
    }
    const double *weights = is_linear ? source->clip_vertex->screen_weights
                                      : source->clip_vertex->weights;
    double value = 0;
    for (uint32_t i = 0; i < 3; i++) {
        // A corner that has no part may be infinite.
        value += weights[i] == 0 ? 0 : weights[i] * (double)corners[i];
    }
    return (float)value;
}

static inline uint32_t get_word(
    const struct source *source, const struct raster_varying *varying, bool is_clipped) {
    if (!is_clipped || source->clip_vertex == NULL) {
        return source->words[(size_t)varying->vertex_word * JIT_BATCH_LANES];
    }
    float value = get_clipped(
        source, varying->vertex_word, varying->interpolation == RASTER_LINEAR);
    uint32_t word = 0;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static inline double word_value(uint32_t word) {
    float value = 0;
    memcpy(&value, &word, sizeof(value));
    return (double)value;
}

// How many varyings become planes at a time, in a loop over these.
#define VARYING_BLOCK 4u

struct varying_block {
    double corners[3][VARYING_BLOCK];
    double base[VARYING_BLOCK];
    double dx[VARYING_BLOCK];
    double dy[VARYING_BLOCK];
};

static void make_block(const struct slopes *slopes, struct varying_block *block) {
    for (uint32_t i = 0; i < VARYING_BLOCK; i++) {
        double a = block->corners[0][i];
        double b = block->corners[1][i] - a;
        double c = block->corners[2][i] - a;
        double x = b * slopes->x[0] + c * slopes->x[1];
        double y = b * slopes->y[0] + c * slopes->y[1];
        block->base[i] = a + x * slopes->offset_x + y * slopes->offset_y;
        block->dx[i] = x;
        block->dy[i] = y;
    }
}

static void make_varying_block(const struct raster_varying *varyings, uint32_t count,
    const struct slopes *slopes, const struct source sources[3], const double inverse_w[3],
    struct raster_plane *planes) {
    static const double ones[3] = {1, 1, 1};
    struct varying_block block;
    bool is_plane[VARYING_BLOCK];
    bool is_clipped = sources[0].clip_vertex != NULL || sources[1].clip_vertex != NULL ||
        sources[2].clip_vertex != NULL;
    for (uint32_t i = 0; i < VARYING_BLOCK; i++) {
        block.corners[0][i] = block.corners[1][i] = block.corners[2][i] = 0;
        is_plane[i] = i < count && varyings[i].interpolation != RASTER_FLAT;
        if (!is_plane[i]) {
            continue;
        }
        uint32_t a = get_word(&sources[0], &varyings[i], is_clipped);
        uint32_t b = get_word(&sources[1], &varyings[i], is_clipped);
        uint32_t c = get_word(&sources[2], &varyings[i], is_clipped);
        if (a == b && a == c) {
            planes[i] = (struct raster_plane){.base = (float)word_value(a)};
            is_plane[i] = false;
            continue;
        }
        const double *scale = varyings[i].interpolation == RASTER_PERSPECTIVE ? inverse_w : ones;
        block.corners[0][i] = word_value(a) * scale[0];
        block.corners[1][i] = word_value(b) * scale[1];
        block.corners[2][i] = word_value(c) * scale[2];
    }
    make_block(slopes, &block);
    for (uint32_t i = 0; i < count; i++) {
        if (is_plane[i]) {
            float dx = (float)block.dx[i];
            float dy = (float)block.dy[i];
            planes[i].base = (float)block.base[i];
            planes[i].dx = dx == 0 && dy == 0 ? LEAST_SLOPE : dx;
            planes[i].dy = dy;
        }
    }
}

// What does not change over the primitive: the provoking vertex's words.
static void copy_flat(const struct raster_geometry *geometry, const struct raster_group *group,
    const struct raster_survivor *survivor, bool copies_all, struct raster_primitive *primitive) {
    const uint32_t *provoking = raster_group_word(
        group, geometry->output_words, survivor->provoking, 0);
    for (uint32_t i = 0; i < geometry->pipeline->varying_count; i++) {
        const struct raster_varying *varying = &geometry->pipeline->varyings[i];
        if (copies_all || varying->interpolation == RASTER_FLAT) {
            primitive->varyings[i] = (struct raster_plane){.dx = 0};
            memcpy(&primitive->varyings[i].base,
                provoking + (size_t)varying->vertex_word * JIT_BATCH_LANES, sizeof(uint32_t));
        }
    }
}

static void make_varyings(const struct raster_geometry *geometry, const struct raster_group *group,
    const struct raster_survivor *survivor, const struct slopes *slopes,
    const struct raster_vertex *const corners[3], struct raster_primitive *primitive) {
    const struct backend_render_pipeline *pipeline = geometry->pipeline;
    double inverse_w[3] = {(double)corners[0]->inverse_w, (double)corners[1]->inverse_w,
        (double)corners[2]->inverse_w};
    bool is_perspective = inverse_w[0] != inverse_w[1] || inverse_w[0] != inverse_w[2];
    primitive->inverse_w = is_perspective
        ? make_sloped_plane(slopes, inverse_w[0], inverse_w[1], inverse_w[2])
        : (struct raster_plane){.base = corners[0]->inverse_w};
    if (!is_perspective) {
        inverse_w[0] = inverse_w[1] = inverse_w[2] = 1;
    }
    if (geometry->has_smooth_varyings) {
        struct source sources[3];
        for (uint32_t i = 0; i < 3; i++) {
            sources[i] = get_source(geometry, group, survivor->corners[i]);
        }
        for (uint32_t i = 0; i < pipeline->varying_count; i += VARYING_BLOCK) {
            uint32_t left = pipeline->varying_count - i;
            make_varying_block(&pipeline->varyings[i], left < VARYING_BLOCK ? left : VARYING_BLOCK,
                slopes, sources, inverse_w, &primitive->varyings[i]);
        }
    }
    if (geometry->has_flat_varyings) {
        copy_flat(geometry, group, survivor, false, primitive);
    }
}

// ---------------------------------------------------------------- edges

static void make_triangle_edges(const struct raster_geometry *geometry,
    const struct raster_vertex *const corners[3], struct raster_primitive *primitive) {
    const struct raster_vertex *a = corners[0];
    const struct raster_vertex *b = corners[1];
    const struct raster_vertex *c = corners[2];
    bool is_negative = raster_get_area(a, b, c) < 0;
    primitive->is_front_facing = is_negative == geometry->is_negative_front;
    primitive->edge_count = 3;
    raster_make_edges(a, b, c, is_negative, primitive->edges);
    struct raster_box box = raster_get_triangle_box(geometry, a, b, c);
    primitive->left = box.left;
    primitive->top = box.top;
    primitive->right = box.right;
    primitive->bottom = box.bottom;
}

static void setup_point(const struct raster_geometry *geometry, const struct raster_group *group,
    const struct raster_survivor *survivor, struct raster_primitive *primitive) {
    const struct raster_vertex *vertex = &group->vertices[survivor->corners[0]];
    raster_point_edges(geometry, vertex, primitive);
    primitive->x0 = (float)primitive->left;
    primitive->y0 = (float)primitive->top;
    primitive->depth = (struct raster_plane){.base = vertex->depth};
    primitive->inverse_w = (struct raster_plane){.base = vertex->inverse_w};
    copy_flat(geometry, group, survivor, true, primitive);
}

void raster_setup(const struct raster_geometry *geometry, const struct raster_group *group,
    const struct raster_survivor *survivor, struct raster_primitive *primitive) {
    const struct raster_vertex *corners[3];
    for (uint32_t i = 0; i < 3; i++) {
        corners[i] = &group->vertices[survivor->corners[i]];
    }
    primitive->primitive_index = survivor->primitive_index;
    primitive->is_front_facing = true;
    if (geometry->corner_count == 1) {
        setup_point(geometry, group, survivor, primitive);
        return;
    }
    if (geometry->corner_count == 2) {
        raster_line_edges(geometry, corners[0], corners[1], primitive);
    } else {
        make_triangle_edges(geometry, corners, primitive);
    }
    struct slopes slopes = make_slopes(geometry, corners, primitive);
    primitive->depth = make_depth(geometry, &slopes, corners);
    make_varyings(geometry, group, survivor, &slopes, corners, primitive);
}
