// SPDX-License-Identifier: MIT
//
// From normalised coordinates to texels along one axis, four lanes at a time. Any float is taken: what
// is not a number counts as far to the left. Written with vectors: compilers make jumps of the choices
// in these loops otherwise. Pure functions, any thread.
#pragma once

#include "backend/cpu/image_priv.h"

#include <webgpu/webgpu.h>

typedef float image_floats4 __attribute__((vector_size(16)));
typedef int32_t image_ints4 __attribute__((vector_size(16)));

#define IMAGE_ALL(value) \
    { value, value, value, value }

// Beyond this there are no fractions.
#define IMAGE_WHOLE 8388608.0f

static inline image_floats4 image_select(image_ints4 mask, image_floats4 yes, image_floats4 no) {
    return (image_floats4)(((image_ints4)yes & mask) | ((image_ints4)no & ~mask));
}

static inline image_floats4 image_limit(image_floats4 value, float least, float most) {
    image_floats4 low = IMAGE_ALL(least);
    image_floats4 high = IMAGE_ALL(most);
    value = image_select(value > low, value, low);
    return image_select(value < high, value, high);
}

static inline image_ints4 image_floor(image_floats4 value) {
    image_ints4 whole = __builtin_convertvector(value, image_ints4);
    return whole + (image_ints4)(__builtin_convertvector(whole, image_floats4) > value);
}

static inline image_ints4 image_limit_ints(image_ints4 value, int32_t most) {
    image_ints4 high = IMAGE_ALL(most);
    value &= ~(value >> 31);
    image_ints4 mask = (value - high) >> 31;
    return (value & mask) | (high & ~mask);
}

// From [-1, 2 * size) to [0, size).
static inline image_ints4 image_wrap(image_ints4 texel, int32_t size) {
    image_ints4 period = IMAGE_ALL(size);
    texel += period & texel >> 31;
    texel -= period;
    return texel + (period & texel >> 31);
}

static inline image_ints4 image_mirror(image_ints4 texel, int32_t size) {
    image_ints4 period = IMAGE_ALL(size);
    image_ints4 last = IMAGE_ALL(2 * size - 1);
    texel = image_wrap(texel, 2 * size);
    image_ints4 mask = (texel - period) >> 31;
    return (texel & mask) | ((last - texel) & ~mask);
}

// The coordinate within its period of 1 or 2, from 0 to the period, both included.
static inline image_floats4 image_phase(image_floats4 at, float period) {
    at = image_limit(at, -IMAGE_WHOLE, IMAGE_WHOLE);
    image_ints4 turns = image_floor(at * (1.0f / period));
    return at - __builtin_convertvector(turns, image_floats4) * period;
}

static inline int32_t image_reduce_offset(int32_t offset, int32_t period) {
    int32_t rest = offset % period;
    return rest < 0 ? rest + period : rest;
}

// Of an axis, an address mode (WGPUAddressMode) and an offset in texels.
struct image_wrapping {
    uint32_t mode;
    int32_t size;
    float scale;
    float shift; // the offset within a period
};

static inline struct image_wrapping image_wrapping_of(
    uint32_t size, uint32_t mode, int32_t offset) {
    int32_t extent = (int32_t)size;
    if (offset == 0) {
        // As it is in most calls: no division.
    } else if (mode == WGPUAddressMode_Repeat) {
        offset = image_reduce_offset(offset, extent);
    } else if (mode == WGPUAddressMode_MirrorRepeat) {
        offset = image_reduce_offset(offset, 2 * extent);
    }
    return (struct image_wrapping){mode, extent, (float)extent, (float)offset};
}

// The texel left of four points and the one right of it.
static inline __attribute__((always_inline)) void image_wrap_linear_4(
    const struct image_wrapping *wrapping, const float *at, int32_t *first, int32_t *second,
    float *weight) {
    image_floats4 x;
    memcpy(&x, at, sizeof(x));
    float scale = wrapping->scale;
    float shift = wrapping->shift - 0.5f;
    image_ints4 left;
    image_ints4 right;
    if (wrapping->mode == WGPUAddressMode_Repeat) {
        x = image_phase(x, 1.0f) * scale + shift;
        left = image_floor(x);
        x -= __builtin_convertvector(left, image_floats4);
        right = image_wrap(left + 1, wrapping->size);
        left = image_wrap(left, wrapping->size);
    } else if (wrapping->mode == WGPUAddressMode_MirrorRepeat) {
        x = image_phase(x, 2.0f) * scale + shift;
        left = image_floor(x);
        x -= __builtin_convertvector(left, image_floats4);
        right = image_mirror(left + 1, wrapping->size);
        left = image_mirror(left, wrapping->size);
    } else {
        x = image_limit(x * scale + shift, -1.0f, scale);
        left = image_floor(x);
        x -= __builtin_convertvector(left, image_floats4);
        right = image_limit_ints(left + 1, wrapping->size - 1);
        left = image_limit_ints(left, wrapping->size - 1);
    }
    memcpy(first, &left, sizeof(left));
    memcpy(second, &right, sizeof(right));
    memcpy(weight, &x, sizeof(x));
}

// The texel that four points lie in.
static inline __attribute__((always_inline)) void image_wrap_nearest_4(
    const struct image_wrapping *wrapping, const float *at, int32_t *out_texels) {
    image_floats4 x;
    memcpy(&x, at, sizeof(x));
    float scale = wrapping->scale;
    image_ints4 texel;
    if (wrapping->mode == WGPUAddressMode_Repeat) {
        x = image_phase(x, 1.0f) * scale + wrapping->shift;
        texel = image_wrap(__builtin_convertvector(x, image_ints4), wrapping->size);
    } else if (wrapping->mode == WGPUAddressMode_MirrorRepeat) {
        x = image_phase(x, 2.0f) * scale + wrapping->shift;
        texel = image_mirror(__builtin_convertvector(x, image_ints4), wrapping->size);
    } else {
        x = image_limit(x * scale + wrapping->shift, 0.0f, scale);
        texel = image_limit_ints(__builtin_convertvector(x, image_ints4), wrapping->size - 1);
    }
    memcpy(out_texels, &texel, sizeof(texel));
}
