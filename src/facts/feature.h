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

// The row of a WGPUFeatureName value; NULL for a value that the standard does not have.
struct feature_info {
    uint32_t name;      // WGPUFeatureName value
    uint32_t implied;   // WGPUFeatureName value, 0 for none
    const char *word;   // "shader-f16"
    const char *enable; // WGSL enable extension, "" for none
};
const struct feature_info *feature_get_info(uint32_t name);
// The row of the feature that allows a WGSL enable extension; NULL for a word that is none.
const struct feature_info *feature_find_by_enable(const char *word);
// The set with everything that its members imply, directly or not.
struct feature_set feature_set_with_implied(struct feature_set set);
// All features of the standard.
struct feature_set feature_set_get_all(void);
