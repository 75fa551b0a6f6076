// SPDX-License-Identifier: MIT
//
// From normalised coordinates to texels along one axis, for rows of any length up to IMAGE_LANES.
#include "backend/cpu/image_wrap.h"

// The last lanes of a row whose length is no multiple of four.
static const float *get_four(const float *at, uint32_t first, uint32_t count, float buffer[4]) {
    if (first + 4 <= count) {
        return at + first;
    }
    memset(buffer, 0, 4 * sizeof(buffer[0]));
    memcpy(buffer, at + first, (count - first) * sizeof(buffer[0]));
    return buffer;
}

void image_wrap_linear(const float *at, uint32_t count, uint32_t size, uint32_t mode,
    int32_t offset, struct image_axis *out_axis) {
    struct image_wrapping wrapping = image_wrapping_of(size, mode, offset);
    for (uint32_t i = 0; i < count; i += 4) {
        float buffer[4];
        image_wrap_linear_4(&wrapping, get_four(at, i, count, buffer), out_axis->first + i,
            out_axis->second + i, out_axis->weight + i);
    }
}

void image_wrap_nearest(const float *at, uint32_t count, uint32_t size, uint32_t mode,
    int32_t offset, int32_t *out_texels) {
    struct image_wrapping wrapping = image_wrapping_of(size, mode, offset);
    for (uint32_t i = 0; i < count; i += 4) {
        float buffer[4];
        image_wrap_nearest_4(&wrapping, get_four(at, i, count, buffer), out_texels + i);
    }
}
