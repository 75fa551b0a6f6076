// SPDX-License-Identifier: MIT
//
// The rows of blend_factor.def as a table indexed by WGPUBlendFactor. Any thread.
#include "facts/blend_factor.h"

#include <stddef.h>

#include <webgpu/webgpu.h>

static const struct blend_factor_info rows[] = {
#define BLEND_FACTOR(name, uses_src_alpha, uses_second_source) \
    [WGPUBlendFactor_##name] = {#name, uses_src_alpha, uses_second_source},
#include "facts/blend_factor.def"
};

const struct blend_factor_info *blend_factor_get_info(uint32_t factor) {
    if (factor >= sizeof(rows) / sizeof(rows[0]) || rows[factor].word == NULL) {
        return NULL;
    }
    return &rows[factor];
}
