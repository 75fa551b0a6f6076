// SPDX-License-Identifier: MIT
//
// Values of a primitive's planes at the places of fragments: depth by sample, built-in inputs,
// varyings. Plain loops over lanes. Workers.
//
// Helper lanes get values too, extrapolated: derivatives need them.
#include "backend/cpu/raster_tile.h"

#include <string.h>

#include "backend/cpu/wide.h"

#define SUBPIXELS ((float)(1 << RASTER_SUBPIXEL_BITS))

enum interpolation { INTERPOLATE_PERSPECTIVE, INTERPOLATE_LINEAR, INTERPOLATE_FLAT };
enum sampling { SAMPLE_CENTER, SAMPLE_CENTROID, SAMPLE_SAMPLE };

static inline uint32_t *row_of(struct raster_worker *worker, uint32_t word) {
    return worker->inputs + (size_t)word * JIT_BATCH_LANES;
}

CPU_WIDE_INLINE bool has_slope(const struct raster_plane *plane) {
    return plane->dx != 0 || plane->dy != 0;
}

CPU_WIDE_INLINE void fill_words(uint32_t *row, uint32_t first, uint32_t end, uint32_t word) {
    for (uint32_t lane = first; lane < end; lane++) {
        row[lane] = word;
    }
}

// ---------------------------------------------------------------- depth

// NaN becomes `low`.
CPU_WIDE_INLINE float clamp(float value, float low, float high) {
    float at_least = value > low ? value : low;
    return at_least < high ? at_least : high;
}

CPU_WIDE void interpolate_depth(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    struct raster_fragments *fragments = &worker->fragments;
    struct raster_plane plane = primitive->depth;
    float low = plan->draw->depth_range[0];
    float high = plan->draw->depth_range[1];
    for (uint32_t sample = 0; sample < plan->sample_count; sample++) {
        float dx = (float)plan->samples[sample].x / SUBPIXELS - primitive->x0;
        float dy = (float)plan->samples[sample].y / SUBPIXELS - primitive->y0;
        float *out = fragments->depth[sample];
        for (uint32_t lane = first; lane < end; lane++) {
            float x = (float)fragments->x[lane] + dx;
            float y = (float)fragments->y[lane] + dy;
            out[lane] = clamp(plane.base + plane.dx * x + plane.dy * y, low, high);
        }
    }
}

void raster_interpolate_depth(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    interpolate_depth(plan, worker, primitive, first, end);
}

// ---------------------------------------------------------------- places

// From places in the framebuffer to those relative to the primitive, and w.
CPU_WIDE_INLINE void relate(const struct raster_plan *plan, struct raster_points *points,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    struct raster_plane plane = primitive->inverse_w;
    float x0 = primitive->x0;
    float y0 = primitive->y0;
    for (uint32_t lane = first; lane < end; lane++) {
        points->x[lane] -= x0;
        points->y[lane] -= y0;
    }
    if (plan->needs_w && has_slope(&plane)) {
        for (uint32_t lane = first; lane < end; lane++) {
            points->w[lane] = 1.0f /
                (plane.base + plane.dx * points->x[lane] + plane.dy * points->y[lane]);
        }
    }
}

CPU_WIDE_INLINE void find_centers(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    for (uint32_t lane = first; lane < end; lane++) {
        worker->center.x[lane] = (float)worker->fragments.x[lane] + 0.5f;
        worker->center.y[lane] = (float)worker->fragments.y[lane] + 0.5f;
    }
    relate(plan, &worker->center, primitive, first, end);
}

// The centre of a pixel that is covered whole or not at all, else its first covered sample.
CPU_WIDE_INLINE void find_centroids(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    struct raster_sample_place places[1 << RASTER_SAMPLE_LIMIT];
    uint32_t all = (1u << plan->sample_count) - 1;
    for (uint32_t mask = 0; mask <= all; mask++) {
        uint32_t sample = 0;
        while (mask != 0 && (mask >> sample & 1) == 0) {
            sample++;
        }
        bool is_centre = mask == 0 || mask == all;
        places[mask] = is_centre ? (struct raster_sample_place){128, 128} : plan->samples[sample];
    }
    for (uint32_t lane = first; lane < end; lane++) {
        const struct raster_sample_place *place = &places[worker->covered[lane]];
        worker->centroid.x[lane] = (float)worker->fragments.x[lane] +
            (float)place->x * (1.0f / SUBPIXELS);
        worker->centroid.y[lane] = (float)worker->fragments.y[lane] +
            (float)place->y * (1.0f / SUBPIXELS);
    }
    relate(plan, &worker->centroid, primitive, first, end);
}

CPU_WIDE_INLINE void find_samples(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    for (uint32_t lane = first; lane < end; lane++) {
        const struct raster_sample_place *place = &plan->samples[worker->sample_index[lane]];
        worker->sample.x[lane] = (float)worker->fragments.x[lane] +
            (float)place->x * (1.0f / SUBPIXELS);
        worker->sample.y[lane] = (float)worker->fragments.y[lane] +
            (float)place->y * (1.0f / SUBPIXELS);
    }
    relate(plan, &worker->sample, primitive, first, end);
}

// ---------------------------------------------------------------- inputs

CPU_WIDE_INLINE void fill_position(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    const struct raster_fragments *fragments = &worker->fragments;
    const struct raster_points *points = &worker->center;
    struct raster_plane depth = primitive->depth;
    struct raster_plane inverse_w = primitive->inverse_w;
    float *rows[4];
    for (uint32_t i = 0; i < 4; i++) {
        rows[i] = (float *)(void *)row_of(worker, plan->position_word + i);
    }
    for (uint32_t lane = first; lane < end; lane++) {
        rows[0][lane] = (float)fragments->x[lane] + 0.5f;
        rows[1][lane] = (float)fragments->y[lane] + 0.5f;
    }
    for (uint32_t lane = first; lane < end; lane++) {
        rows[2][lane] = depth.base + depth.dx * points->x[lane] + depth.dy * points->y[lane];
        rows[3][lane] = inverse_w.base + inverse_w.dx * points->x[lane] +
            inverse_w.dy * points->y[lane];
    }
}

CPU_WIDE_INLINE void fill_varying(const struct raster_plane *plane, bool is_perspective,
    const struct raster_points *points, uint32_t *row, uint32_t first, uint32_t end) {
    float base = plane->base;
    float dx = plane->dx;
    float dy = plane->dy;
    float *out = (float *)(void *)row;
    if (!has_slope(plane)) {
        uint32_t word = 0;
        memcpy(&word, &plane->base, sizeof(word));
        fill_words(row, first, end, word);
    } else if (is_perspective) {
        for (uint32_t lane = first; lane < end; lane++) {
            out[lane] = (base + dx * points->x[lane] + dy * points->y[lane]) * points->w[lane];
        }
    } else {
        for (uint32_t lane = first; lane < end; lane++) {
            out[lane] = base + dx * points->x[lane] + dy * points->y[lane];
        }
    }
}

CPU_WIDE_INLINE void fill_builtins(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    if (plan->position_word != RASTER_NO_WORD) {
        fill_position(plan, worker, primitive, first, end);
    }
    if (plan->front_facing_word != RASTER_NO_WORD) {
        fill_words(row_of(worker, plan->front_facing_word), first, end, primitive->is_front_facing);
    }
    if (plan->primitive_index_word != RASTER_NO_WORD) {
        fill_words(
            row_of(worker, plan->primitive_index_word), first, end, primitive->primitive_index);
    }
    if (plan->sample_index_word != RASTER_NO_WORD) {
        uint32_t *row = row_of(worker, plan->sample_index_word);
        for (uint32_t lane = first; lane < end; lane++) {
            row[lane] = worker->sample_index[lane];
        }
    }
    if (plan->sample_mask_word != RASTER_NO_WORD) {
        uint32_t *row = row_of(worker, plan->sample_mask_word);
        for (uint32_t lane = first; lane < end; lane++) {
            row[lane] = worker->covered[lane];
        }
    }
}

CPU_WIDE void interpolate_inputs(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    if (plan->needs_center) {
        find_centers(plan, worker, primitive, first, end);
    }
    if (plan->needs_centroid) {
        find_centroids(plan, worker, primitive, first, end);
    }
    if (plan->needs_sample) {
        find_samples(plan, worker, primitive, first, end);
    }
    fill_builtins(plan, worker, primitive, first, end);
    bool is_perspective = has_slope(&primitive->inverse_w);
    for (uint32_t i = 0; i < plan->varying_count; i++) {
        const struct raster_varying *varying = &plan->varyings[i];
        const struct raster_points *points = varying->interpolation == INTERPOLATE_FLAT ||
                varying->sampling == SAMPLE_CENTER
            ? &worker->center
            : varying->sampling == SAMPLE_CENTROID ? &worker->centroid
                                                   : &worker->sample;
        fill_varying(&primitive->varyings[i],
            is_perspective && varying->interpolation == INTERPOLATE_PERSPECTIVE, points,
            row_of(worker, varying->fragment_word), first, end);
    }
}

void raster_interpolate_inputs(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end) {
    interpolate_inputs(plan, worker, primitive, first, end);
}
