// SPDX-License-Identifier: MIT
//
// The rows of limit.def as a table, and the arithmetic over sets of limits. Any thread.
#include "facts/limits.h"

#include <string.h>

static const struct limit_info rows[LIMIT_COUNT] = {
#define LIMIT(name, type, class, core, compatibility, place) \
    [LIMIT_##name] = {#name, LIMIT_CLASS_##class, core, compatibility},
#include "facts/limit.def"
};

const struct limit_info *limit_get_info(enum limit_name name) {
    return &rows[name];
}

struct limit_set limit_set_get_default(bool is_core) {
    struct limit_set set;
    for (int i = 0; i < LIMIT_COUNT; i++) {
        set.values[i] = is_core ? rows[i].core_default : rows[i].compatibility_default;
    }
    return set;
}

WGPULimits limits_get_default(void) {
    struct limit_set set = limit_set_get_default(true);
    WGPULimits limits = WGPU_LIMITS_INIT;
    limit_set_write(&set, &limits, NULL);
    return limits;
}

// The sentinel of the member's own width becomes the one sentinel of a set.
static uint64_t widen_uint32_t(uint32_t value) {
    return value == WGPU_LIMIT_U32_UNDEFINED ? WGPU_LIMIT_U64_UNDEFINED : value;
}
static uint64_t widen_uint64_t(uint64_t value) {
    return value;
}

struct limit_set limit_set_read(
    const WGPULimits *limits, const WGPUCompatibilityModeLimits *compatibility) {
    static const WGPUCompatibilityModeLimits undefined = {{NULL, WGPUSType_CompatibilityModeLimits},
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED,
        WGPU_LIMIT_U32_UNDEFINED};
    if (compatibility == NULL) {
        compatibility = &undefined;
    }
    struct limit_set set;
#define FROM_BASE limits
#define FROM_COMPATIBILITY compatibility
#define LIMIT(name, type, class, core, compatibility_default, place) \
    set.values[LIMIT_##name] = widen_##type(FROM_##place->name);
#include "facts/limit.def"
#undef FROM_BASE
#undef FROM_COMPATIBILITY
    return set;
}

void limit_set_write(const struct limit_set *set, WGPULimits *out_limits,
    WGPUCompatibilityModeLimits *out_compatibility) {
#define TO_BASE out_limits
#define TO_COMPATIBILITY out_compatibility
#define LIMIT(name, type, class, core, compatibility, place) \
    if (TO_##place != NULL) { \
        TO_##place->name = (type)set->values[LIMIT_##name]; \
    }
#include "facts/limit.def"
#undef TO_BASE
#undef TO_COMPATIBILITY
}

struct limit_set limit_set_of_adapter(const WGPULimits *limits) {
    struct limit_set set = limit_set_read(limits, NULL);
    uint64_t buffers = set.values[LIMIT_maxStorageBuffersPerShaderStage];
    uint64_t textures = set.values[LIMIT_maxStorageTexturesPerShaderStage];
    set.values[LIMIT_maxStorageBuffersInVertexStage] = buffers;
    set.values[LIMIT_maxStorageBuffersInFragmentStage] = buffers;
    set.values[LIMIT_maxStorageTexturesInVertexStage] = textures;
    set.values[LIMIT_maxStorageTexturesInFragmentStage] = textures;
    return set;
}

bool limit_is_better(enum limit_name name, uint64_t a, uint64_t b) {
    return rows[name].class_of == LIMIT_CLASS_MAXIMUM ? a > b : a < b;
}

static uint64_t greatest(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t greater = a > b ? a : b;
    return greater > c ? greater : c;
}

void limit_set_normalise(struct limit_set *set, bool is_core) {
    uint64_t *v = set->values;
    v[LIMIT_maxStorageBuffersPerShaderStage] = greatest(v[LIMIT_maxStorageBuffersPerShaderStage],
        v[LIMIT_maxStorageBuffersInVertexStage], v[LIMIT_maxStorageBuffersInFragmentStage]);
    v[LIMIT_maxStorageTexturesPerShaderStage] = greatest(v[LIMIT_maxStorageTexturesPerShaderStage],
        v[LIMIT_maxStorageTexturesInVertexStage], v[LIMIT_maxStorageTexturesInFragmentStage]);
    if (is_core) {
        v[LIMIT_maxStorageBuffersInVertexStage] = v[LIMIT_maxStorageBuffersPerShaderStage];
        v[LIMIT_maxStorageBuffersInFragmentStage] = v[LIMIT_maxStorageBuffersPerShaderStage];
        v[LIMIT_maxStorageTexturesInVertexStage] = v[LIMIT_maxStorageTexturesPerShaderStage];
        v[LIMIT_maxStorageTexturesInFragmentStage] = v[LIMIT_maxStorageTexturesPerShaderStage];
    }
}
