// SPDX-License-Identifier: MIT
//
// What the files of depth and stencil tests have in common. Private to raster_depth*.c.
#pragma once

#include <string.h>

#include "backend/cpu/raster.h"

// How two numbers may stand to each other; a compare function is the set of those that pass.
enum relation { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static inline uint32_t relate_depths(float depth, float stored) {
    uint32_t relation = (uint32_t)(depth < stored) | (uint32_t)(depth == stored) << 1 |
        (uint32_t)(depth > stored) << 2;
    return relation != 0 ? relation : UNORDERED;
}

struct depth_test {
    uint8_t *data; // NULL: every fragment passes, nothing is written
    uint64_t row_bytes;
    uint32_t pixel_bytes;
    uint32_t width; // of the attachment
    uint32_t height;
    bool is_unorm16;
    bool is_written;
    uint32_t accepted;
};

// Whether the fragment passes; writes its depth when it does.
static inline bool raster_test_float_depth(
    const struct depth_test *test, uint8_t *at, float depth) {
    float stored = 0;
    memcpy(&stored, at, sizeof(stored));
    bool passes = (relate_depths(depth, stored) & test->accepted) != 0;
    if (passes && test->is_written) {
        memcpy(at, &depth, sizeof(depth));
    }
    return passes;
}

// Tests all samples of lanes [first, end) of a float depth attachment without stencil; false where
// there is no such way, and nothing was done.
bool raster_test_float_depths(const struct depth_test *test, struct raster_fragments *fragments,
    uint32_t first, uint32_t end, uint32_t sample_count);
