// SPDX-License-Identifier: MIT
//
// From normalised coordinates to texels along one axis. Any float is taken: what is not a number
// counts as far to the left.
#include "backend/cpu/image_priv.h"

#include <webgpu/webgpu.h>

// Beyond this there are no fractions.
#define WHOLE 8388608.0f

static inline float limit(float value, float least, float most) {
    value = value > least ? value : least;
    return value < most ? value : most;
}

static inline int32_t floor_to_int(float value) {
    int32_t whole = (int32_t)value;
    return whole - ((float)whole > value);
}

// Choices between integers are masks: compilers make branches of the others, and no vectors.
static inline int32_t choose(int32_t mask, int32_t one, int32_t other) {
    return (one & mask) | (other & ~mask);
}

static inline int32_t limit_int(int32_t value, int32_t most) {
    value &= ~(value >> 31);
    return choose((value - most) >> 31, value, most);
}

// From [-1, 2 * size) to [0, size).
static inline int32_t wrap(int32_t texel, int32_t size) {
    texel += size & texel >> 31;
    texel -= size;
    return texel + (size & texel >> 31);
}

static inline int32_t mirror(int32_t texel, int32_t size) {
    texel = wrap(texel, 2 * size);
    return choose((texel - size) >> 31, texel, 2 * size - 1 - texel);
}

// The coordinate within its period, from 0 to `period`, both included.
static inline float get_phase(float at, float period) {
    at = limit(at, -WHOLE, WHOLE);
    return at - (float)floor_to_int(at * (1.0f / period)) * period;
}

static int32_t reduce_offset(int32_t offset, int32_t period) {
    int32_t rest = offset % period;
    return rest < 0 ? rest + period : rest;
}

void image_wrap_linear(const float *at, uint32_t count, uint32_t size, uint32_t mode,
    int32_t offset, struct image_axis *out_axis) {
    int32_t *restrict first = out_axis->first;
    int32_t *restrict second = out_axis->second;
    float *restrict weight = out_axis->weight;
    int32_t extent = (int32_t)size;
    float scale = (float)extent;
    if (mode == WGPUAddressMode_Repeat) {
        float shift = (float)reduce_offset(offset, extent) - 0.5f;
        for (uint32_t i = 0; i < count; i++) {
            float x = get_phase(at[i], 1.0f) * scale + shift;
            int32_t texel = floor_to_int(x);
            first[i] = wrap(texel, extent);
            second[i] = wrap(texel + 1, extent);
            weight[i] = x - (float)texel;
        }
    } else if (mode == WGPUAddressMode_MirrorRepeat) {
        float shift = (float)reduce_offset(offset, 2 * extent) - 0.5f;
        for (uint32_t i = 0; i < count; i++) {
            float x = get_phase(at[i], 2.0f) * scale + shift;
            int32_t texel = floor_to_int(x);
            first[i] = mirror(texel, extent);
            second[i] = mirror(texel + 1, extent);
            weight[i] = x - (float)texel;
        }
    } else {
        float shift = (float)offset - 0.5f;
        for (uint32_t i = 0; i < count; i++) {
            float x = limit(at[i] * scale + shift, -1.0f, scale);
            int32_t texel = floor_to_int(x);
            first[i] = limit_int(texel, extent - 1);
            second[i] = limit_int(texel + 1, extent - 1);
            weight[i] = x - (float)texel;
        }
    }
}

void image_wrap_nearest(const float *at, uint32_t count, uint32_t size, uint32_t mode,
    int32_t offset, int32_t *out_texels) {
    int32_t *restrict texels = out_texels;
    int32_t extent = (int32_t)size;
    float scale = (float)extent;
    if (mode == WGPUAddressMode_Repeat) {
        float shift = (float)reduce_offset(offset, extent);
        for (uint32_t i = 0; i < count; i++) {
            texels[i] = wrap((int32_t)(get_phase(at[i], 1.0f) * scale + shift), extent);
        }
    } else if (mode == WGPUAddressMode_MirrorRepeat) {
        float shift = (float)reduce_offset(offset, 2 * extent);
        for (uint32_t i = 0; i < count; i++) {
            texels[i] = mirror((int32_t)(get_phase(at[i], 2.0f) * scale + shift), extent);
        }
    } else {
        float shift = (float)offset;
        for (uint32_t i = 0; i < count; i++) {
            float x = limit(at[i] * scale + shift, 0.0f, scale);
            texels[i] = limit_int((int32_t)x, extent - 1);
        }
    }
}
