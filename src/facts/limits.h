// SPDX-License-Identifier: MIT
//
// Limits of WebGPU (facts/limit.def) over the standard's WGPULimits. Validation works on a
// limit_set, where each limit is one number by its enumerant; the standard's two structs are read
// and filled at the border. Pure functions, any thread.
#pragma once

#include <webgpu/webgpu.h>

#include <stdbool.h>
#include <stdint.h>

enum limit_class {
    LIMIT_CLASS_MAXIMUM,  // greater is better
    LIMIT_CLASS_ALIGNMENT // a power of two; smaller is better
};

enum limit_name {
#define LIMIT(name, type, class, core, compatibility, place) LIMIT_##name,
#include "facts/limit.def"
    LIMIT_COUNT
};

struct limit_info {
    const char *name; // as the member of the standard's struct
    enum limit_class class_of;
    uint64_t core_default;
    uint64_t compatibility_default;
};

struct limit_set {
    uint64_t values[LIMIT_COUNT];
};

const struct limit_info *limit_get_info(enum limit_name name);

// The defaults of the feature level.
struct limit_set limit_set_get_default(bool is_core);
// The core defaults as the standard's struct, for backends that start from them.
WGPULimits limits_get_default(void);

// A limit that the application left undefined keeps UINT64_MAX. `compatibility` may be NULL: its
// four limits are then undefined.
struct limit_set limit_set_read(
    const WGPULimits *limits, const WGPUCompatibilityModeLimits *compatibility);
// Leaves nextInChain and the chain headers alone. `out_compatibility` may be NULL.
void limit_set_write(const struct limit_set *set, WGPULimits *out_limits,
    WGPUCompatibilityModeLimits *out_compatibility);

// What an adapter of these limits offers, with the in-stage limits that the base struct does not
// have: those of a core adapter equal the per-stage ones.
struct limit_set limit_set_of_adapter(const WGPULimits *limits);

// WebGPU "limit/better": true when a is strictly better than b.
bool limit_is_better(enum limit_name name, uint64_t a, uint64_t b);
// WebGPU "a new device": the in-stage limits and the per-stage limits are made consistent.
void limit_set_normalise(struct limit_set *set, bool is_core);
