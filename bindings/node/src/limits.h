// SPDX-License-Identifier: MIT
//
// WebGPU's limits by name, in both of webgpu.h's structs. Safe from any thread.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <webgpu/webgpu.h>

struct limit_structs {
    WGPULimits limits;
    WGPUCompatibilityModeLimits compatibility;
};

enum {
    LIMIT_COUNT = 0
#define LIMIT(name, type, class) +1
#define COMPATIBILITY_LIMIT(name) +1
#include "limits.def"
};

// All undefined, the second chained to the first.
void limits_start(struct limit_structs *limits);
const char *limits_get_name(size_t index);
uint64_t limits_get(const struct limit_structs *limits, size_t index);
void limits_set(struct limit_structs *limits, size_t index, uint64_t value);
bool limits_is_alignment(size_t index);
bool limits_find(const char *name, size_t length, size_t *out_index);
