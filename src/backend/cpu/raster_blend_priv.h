// SPDX-License-Identifier: MIT
//
// The parts of raster_blend.c: the arithmetic of blending, on rows of a component each
// (raster_blend_factor.c), the common case of it (raster_blend_unorm8.c), and texels of lanes in
// memory (raster_blend_texels.c). Workers.
#pragma once

#include "backend/cpu/raster.h"

#define BLEND_TEXEL_BYTES 16u // the largest texel of one sample

// Lanes [first, end), whole quads.
struct blend_span {
    uint32_t first;
    uint32_t end;
};

// ---------------------------------------------------------------- arithmetic

// What a format holds decides what is clamped before the equation is evaluated.
enum blend_range {
    BLEND_UNORM, // sources, constant and factors to 0..1
    BLEND_SNORM, // to -1..1
    BLEND_FLOAT, // nothing
};

union blend_rows {
    float values[4][JIT_BATCH_LANES];
    uint32_t words[4][JIT_BATCH_LANES];
};

struct blend_operands {
    union blend_rows source;
    union blend_rows source1; // set where needs_source1
    union blend_rows target;
    float constant[4];
    bool needs_source1;
};

// Whether a factor is of the second source.
bool raster_blend_needs_source1(const struct backend_color_target *state);
// Clamps source, source1 and constant; NaN becomes 0 where there is a range.
void raster_blend_clamp(struct blend_operands *operands, enum blend_range range);
// Blends the components of `components` (bit 0 red .. bit 3 alpha); the others become 0.
void raster_blend_evaluate(const struct backend_color_target *state, enum blend_range range,
    const struct blend_operands *operands, uint32_t components, struct blend_span span,
    union blend_rows *out_result);

// raster_blend_unorm8.c. Whether the target's blend is done by the function below.
bool raster_blend_is_over_unorm8(const struct backend_color_target *state, uint32_t format);
// Blends the source, four rows as the shader gives them, over texels of the format, a word a lane.
void raster_blend_over_unorm8(const struct backend_color_target *state, uint32_t format,
    const uint32_t *source, struct blend_span span, uint8_t *texels);

// ---------------------------------------------------------------- texels

// Rows of texels have a texel for each lane of a batch. `coverage` is by lane, as in
// raster_fragments, and says which lanes and samples are meant.

// Loads one sample of each lane that has any; the texels of others are left.
void raster_blend_gather(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, uint32_t sample,
    struct blend_span span, uint8_t *out_texels);
// Stores the texel of each lane into all its samples. bits: of a texel, what is stored; NULL: all.
void raster_blend_scatter(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, const uint8_t *bits,
    struct blend_span span, const uint8_t *texels);
// Sets out_coverage: all samples of the lanes that cover their pixel whole and find the same bytes
// in each sample of it; none of the others. Returns the number of such lanes.
uint32_t raster_blend_find_uniform(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, struct blend_span span, uint8_t *out_coverage);
