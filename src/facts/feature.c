// SPDX-License-Identifier: MIT
//
// The rows of feature.def as a table. Any thread.
#include "facts/feature.h"

#include <stddef.h>
#include <string.h>

#include <webgpu/webgpu.h>

enum { WGPUFeatureName_NONE = 0 };

static const struct feature_info rows[] = {
#define FEATURE(name, word, implied, enable) \
    {WGPUFeatureName_##name, (uint32_t)WGPUFeatureName_##implied, word, enable},
#include "facts/feature.def"
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

const struct feature_info *feature_get_info(uint32_t name) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].name == name) {
            return &rows[i];
        }
    }
    return NULL;
}

const struct feature_info *feature_find_by_enable(const char *word) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].enable[0] != '\0' && strcmp(rows[i].enable, word) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

struct feature_set feature_set_with_implied(struct feature_set set) {
    struct feature_set before;
    do {
        before = set;
        for (size_t i = 0; i < ROW_COUNT; i++) {
            if (rows[i].implied != 0 && feature_set_has(set, rows[i].name)) {
                set = feature_set_with(set, rows[i].implied);
            }
        }
    } while (set.bits != before.bits);
    return set;
}

struct feature_set feature_set_get_all(void) {
    struct feature_set set = {0};
    for (size_t i = 0; i < ROW_COUNT; i++) {
        set = feature_set_with(set, rows[i].name);
    }
    return set;
}
