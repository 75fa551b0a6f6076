// SPDX-License-Identifier: MIT
//
// Sets of WebGPU features (facts/feature.def). A value type; pure functions, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Bit n is set for the WGPUFeatureName of value n (all standard values are below 64).
struct feature_set {
    uint64_t bits;
};

static inline bool feature_set_has(struct feature_set set, uint32_t name) {
    return name < 64 && ((set.bits >> name) & 1u) != 0;
}
static inline struct feature_set feature_set_with(struct feature_set set, uint32_t name) {
    if (name < 64) {
        set.bits |= (uint64_t)1 << name;
    }
    return set;
}
