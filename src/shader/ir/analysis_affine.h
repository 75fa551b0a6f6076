// SPDX-License-Identifier: MIT
//
// How integer values change from lane to lane, and what is known of their range. The code generator
// matches contiguous, strided and uniform memory accesses with it, and the bounds pass proves
// indices. A pure analysis; reading the result is safe from any thread.
#pragma once

#include "shader/ir/analysis_uniformity.h"
#include "shader/ir/ir.h"

// Facts about one scalar i32 or u32 value (for a vector value: about none; its components are
// reached through `extract` and `swizzle` values). All facts hold in every active lane.
struct ir_affine_value {
    // Lane l of a vector holds base + stride * l modulo 2^32, where base is the value that lane 0
    // has or would have, and l counts from the vector's first lane. stride 0: uniform over the
    // vector even where the uniformity analysis could not tell.
    bool is_affine;
    int32_t stride;
    // The greatest power of two known to divide base (for stride 0: the value), at most 2^31.
    // 1: nothing known. The constant 0 has 2^31.
    uint32_t base_alignment;
    // The value, read as the type's own signedness, lies in [low, high]. A type's full range when
    // nothing is known. low > high never occurs.
    int64_t low;
    int64_t high;
};

struct ir_function_affine {
    const struct ir_affine_value *values; // indexed by value; zero for non-integer values
};

struct ir_affine {
    struct ir_function_affine *functions; // indexed as module.functions
    uint32_t function_count;
};

// uniformity must come from the same module with the same options. The options' workgroup size
// bounds local ids; local_invocation_id.x is affine with stride 1 when the workgroup's x size is a
// multiple of the vector width (then y and z have stride 0), or when y and z sizes are 1; if x
// times y is a multiple of the width, z has stride 0. Ranges of loop counters take in constant
// starts, steps and bounds. Linear. False when out of memory.
bool ir_affine_analyse(const struct ir_module *module, const struct ir_uniformity_options *options,
    const struct ir_uniformity *uniformity, struct arena *arena, struct ir_affine *out_affine);
