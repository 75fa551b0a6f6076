// SPDX-License-Identifier: MIT
//
// The arithmetic of blending, on rows of a component each: raster_blend.c fetches and stores, this
// computes. Pure functions, any thread.
#pragma once

#include "backend/cpu/raster.h"

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
    union blend_rows source1;
    union blend_rows target;
    float constant[4];
};

// Clamps source, source1 and constant; NaN becomes 0 where there is a range.
void raster_blend_clamp(struct blend_operands *operands, enum blend_range range);

// Blends lanes [first, end) of the components of `components` (bit 0 red .. bit 3 alpha).
void raster_blend_evaluate(const struct backend_color_target *state, enum blend_range range,
    const struct blend_operands *operands, uint32_t components, uint32_t first, uint32_t end,
    union blend_rows *out_result);
