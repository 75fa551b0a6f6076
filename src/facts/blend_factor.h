// SPDX-License-Identifier: MIT
//
// The blend factors of WebGPU (blend_factor.def) by WGPUBlendFactor value. Constant, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct blend_factor_info {
    const char *word;        // as the standard header spells it: "SrcAlpha"
    bool uses_src_alpha;     // of the first or the second source
    bool uses_second_source; // needs the feature dual-source-blending
};

// NULL for Undefined and values that the standard lacks.
const struct blend_factor_info *blend_factor_get_info(uint32_t factor);
