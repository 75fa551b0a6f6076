// SPDX-License-Identifier: MIT
//
// From primitives to fragments: what raster_tile.c, raster_coverage.c, raster_interpolate.c and
// raster_fragment.c know of each other. While a draw runs, each of the pool's workers has one struct
// raster_worker. Private to the folder and its tests.
#pragma once

#include "backend/cpu/raster.h"

// A block of BLOCK x BLOCK pixels fills a batch. Its lanes go by quads, rows of quads first.
#define RASTER_BLOCK 8u

// ---------------------------------------------------------------- a draw

// A sample's place in its pixel, in units of the fixed-point positions.
struct raster_sample_place {
    int32_t x;
    int32_t y;
};

// What is the same for all fragments of a draw. Constant while workers run.
struct raster_plan {
    const struct raster_draw *draw;
    const struct jit_kernel *kernel; // NULL: depth and stencil alone
    const atomic_uint *cancel;
    const struct raster_varying *varyings;
    uint32_t varying_count;
    uint32_t sample_count; // 1 or RASTER_SAMPLE_LIMIT
    uint32_t sample_mask;  // the pipeline's, of samples that exist
    struct raster_sample_place samples[RASTER_SAMPLE_LIMIT];
    // Rows of the kernel's inputs and outputs, or RASTER_NO_WORD.
    uint32_t position_word;
    uint32_t front_facing_word;
    uint32_t sample_index_word;
    uint32_t sample_mask_word;
    uint32_t primitive_index_word;
    uint32_t depth_out_word;
    uint32_t sample_mask_out_word;
    bool has_tests;       // depth, stencil or counting
    bool has_early_tests; // before the kernel, else after it
    bool needs_depth;     // by sample
    bool needs_w;         // some value is interpolated with perspective
    bool needs_center;    // values at these places
    bool needs_centroid;
    bool needs_sample;
    bool is_sample_shaded;
};

// ---------------------------------------------------------------- a worker

// Where values of some lanes are wanted, relative to the primitive's origin, and 1 / inverse_w there.
struct raster_points {
    float x[JIT_BATCH_LANES];
    float y[JIT_BATCH_LANES];
    float w[JIT_BATCH_LANES];
};

struct raster_worker {
    _Alignas(64) struct raster_fragments fragments; // waiting for the kernel
    // By lane: samples that the primitive covers, whatever masks and tests say.
    uint8_t covered[JIT_BATCH_LANES];
    uint8_t sample_index[JIT_BATCH_LANES]; // 0 without sample shading
    struct jit_batch batch;
    struct jit_dispatch dispatch;
    uint32_t *inputs; // rows
    uint32_t *outputs;
    void *scratch;
    _Atomic uint64_t *progress;
    struct raster_points center; // of the lanes being added
    struct raster_points centroid;
    struct raster_points sample;
};

// ---------------------------------------------------------------- stages

// Pixels of one block that a primitive covers: lanes by sample.
struct raster_block {
    uint32_t x; // of the block's first pixel
    uint32_t y;
    uint64_t covered[RASTER_SAMPLE_LIMIT];
};

// raster_coverage.c. Hands every block of the tile that the primitive touches to
// raster_fragment_add. left and top: the tile's first pixel.
void raster_cover_tile(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t left, uint32_t top);
// True when no point of the closed pixel rectangle can be inside.
bool raster_misses(const struct raster_primitive *primitive, uint32_t left, uint32_t top,
    uint32_t right, uint32_t bottom);

// raster_fragment.c. Adds fragments, and executes the batch whenever it is full.
void raster_fragment_add(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, const struct raster_block *block);
// Executes what waits.
void raster_fragment_flush(const struct raster_plan *plan, struct raster_worker *worker);

// raster_interpolate.c. Fill rows of lanes [first, end), which belong to the primitive: depth of all
// samples; then, for those that survived, the kernel's inputs.
void raster_interpolate_depth(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end);
void raster_interpolate_inputs(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t first, uint32_t end);
