// SPDX-License-Identifier: MIT
//
// Sampling of the formats that pictures have, in two dimensions, when neighbouring lanes take the same
// level: eight or four lanes at a time, from coordinates to results in registers. What it computes is
// what image_sample.c computes, but that unorm codes are mixed before they are divided.
#include <string.h>

#include "backend/cpu/image_wrap.h"

#include <webgpu/webgpu.h>

#define CHUNK 8u

// How a texel is decoded.
enum kind { KIND_NONE, KIND_UNORM8, KIND_BGRA8, KIND_SRGB8, KIND_HALF, KIND_FLOAT };

static enum kind get_kind(uint32_t format) {
    switch (format) {
    case WGPUTextureFormat_RGBA8Unorm:
        return KIND_UNORM8;
    case WGPUTextureFormat_BGRA8Unorm:
        return KIND_BGRA8;
    case WGPUTextureFormat_RGBA8UnormSrgb:
        return KIND_SRGB8;
    case WGPUTextureFormat_RGBA16Float:
        return KIND_HALF;
    case WGPUTextureFormat_R32Float:
        return KIND_FLOAT;
    default:
        return KIND_NONE;
    }
}

bool image_has_fast_format(const struct cpu_image *image) {
    return get_kind(image->format) != KIND_NONE && !image->has_swizzle;
}

// Texels of a chunk: words of 32 bits, and the upper ones of half floats.
struct texels {
    uint32_t low[CHUNK];
    uint32_t high[CHUNK];
};

static inline __attribute__((always_inline)) void fetch(const struct cpu_image_level *level,
    const uint64_t *images, enum kind kind, uint32_t count, const int32_t *x, const int32_t *y,
    struct texels *out) {
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *row = level->data + images[i] + (uint64_t)(uint32_t)y[i] * level->row_bytes;
        if (kind == KIND_HALF) {
            const uint8_t *texel = row + (size_t)(uint32_t)x[i] * 8;
            out->low[i] = texel_load32(texel);
            out->high[i] = texel_load32(texel + 4);
        } else {
            out->low[i] = texel_load32(row + (size_t)(uint32_t)x[i] * 4);
        }
    }
}

// A component of a chunk as floats; codes of unorm formats stay codes.
static inline __attribute__((always_inline)) void decode(const struct texels *texels,
    enum kind kind, uint32_t component, uint32_t count, float *restrict out) {
    uint32_t place = kind == KIND_BGRA8 && component < 3 ? 2 - component : component;
    if (kind == KIND_FLOAT) {
        memcpy(out, texels->low, count * sizeof(out[0]));
    } else if (kind == KIND_HALF) {
        const uint32_t *words = component < 2 ? texels->low : texels->high;
        for (uint32_t i = 0; i < count; i++) {
            out[i] = texel_float(texel_from_half(words[i] >> 16 * (component & 1) & 0xffffu));
        }
    } else if (kind == KIND_SRGB8 && component < 3) {
        for (uint32_t i = 0; i < count; i++) {
            out[i] = texel_float(texel_srgb_linear[texels->low[i] >> 8 * component & 0xffu]);
        }
    } else {
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (float)(int32_t)(texels->low[i] >> 8 * place & 0xffu);
        }
    }
}

static inline __attribute__((always_inline)) bool has_codes(enum kind kind, uint32_t component) {
    return kind == KIND_UNORM8 || kind == KIND_BGRA8 || (kind == KIND_SRGB8 && component == 3);
}

struct rows {
    float words[4][CHUNK];
};

struct axis {
    int32_t first[CHUNK];
    int32_t second[CHUNK];
    float weight[CHUNK];
};

static inline __attribute__((always_inline)) void sample_level(
    const struct image_operation *operation, const struct cpu_image_level *level,
    const uint64_t *images, enum kind kind, bool is_linear, uint32_t count, uint32_t first,
    struct rows *out) {
    const uint32_t *modes = operation->sampler->state.address_modes;
    const int8_t *offset = operation->call->offset;
    const float *u = image_floats(operation->operands.coordinates[0]) + first;
    const float *v = image_floats(operation->operands.coordinates[1]) + first;
    struct image_wrapping wrap_u = image_wrapping_of(level->width, modes[0], offset[0]);
    struct image_wrapping wrap_v = image_wrapping_of(level->height, modes[1], offset[1]);
    uint32_t component_count = kind == KIND_FLOAT ? 1 : 4;
    struct texels texels[4];
    if (!is_linear) {
        int32_t x[CHUNK];
        int32_t y[CHUNK];
        for (uint32_t i = 0; i < count; i += 4) {
            image_wrap_nearest_4(&wrap_u, u + i, x + i);
            image_wrap_nearest_4(&wrap_v, v + i, y + i);
        }
        fetch(level, images, kind, count, x, y, &texels[0]);
        for (uint32_t c = 0; c < component_count; c++) {
            decode(&texels[0], kind, c, count, out->words[c]);
            for (uint32_t i = 0; has_codes(kind, c) && i < count; i++) {
                out->words[c][i] /= 255.0f;
            }
        }
        return;
    }
    struct axis x;
    struct axis y;
    for (uint32_t i = 0; i < count; i += 4) {
        image_wrap_linear_4(&wrap_u, u + i, x.first + i, x.second + i, x.weight + i);
        image_wrap_linear_4(&wrap_v, v + i, y.first + i, y.second + i, y.weight + i);
    }
    fetch(level, images, kind, count, x.first, y.first, &texels[0]);
    fetch(level, images, kind, count, x.second, y.first, &texels[1]);
    fetch(level, images, kind, count, x.first, y.second, &texels[2]);
    fetch(level, images, kind, count, x.second, y.second, &texels[3]);
    for (uint32_t c = 0; c < component_count; c++) {
        float values[4][CHUNK];
        for (uint32_t corner = 0; corner < 4; corner++) {
            decode(&texels[corner], kind, c, count, values[corner]);
        }
        for (uint32_t i = 0; i < count; i++) {
            float top = values[0][i] + (values[1][i] - values[0][i]) * x.weight[i];
            float bottom = values[2][i] + (values[3][i] - values[2][i]) * x.weight[i];
            float mixed = top + (bottom - top) * y.weight[i];
            out->words[c][i] = has_codes(kind, c) ? mixed / 255.0f : mixed;
        }
    }
}

// Samples `count` lanes from `first` on, which take the same level.
static inline __attribute__((always_inline)) void sample_chunk(
    const struct image_operation *operation, const struct image_choice *choice,
    const uint32_t *layers, enum kind kind, bool is_linear, uint32_t count, uint32_t first) {
    const struct cpu_image *image = operation->image;
    uint32_t number = choice->level[first];
    const struct cpu_image_level *level = &image->levels[number];
    uint64_t images[CHUNK] = {0};
    for (uint32_t i = 0; layers != NULL && i < count; i++) {
        images[i] = layers[first + i] * level->image_bytes;
    }
    struct rows rows;
    sample_level(operation, level, images, kind, is_linear, count, first, &rows);
    const float *next = choice->next + first;
    float most = 0;
    for (uint32_t i = 0; i < count; i++) {
        most = next[i] > most ? next[i] : most;
    }
    uint32_t component_count = kind == KIND_FLOAT ? 1 : 4;
    // Lanes that nobody asked for may want a level that is not there.
    if (most > 0.0f && number + 1 < image->seen.level_count) {
        const struct cpu_image_level *smaller = &image->levels[number + 1];
        for (uint32_t i = 0; layers != NULL && i < count; i++) {
            images[i] = layers[first + i] * smaller->image_bytes;
        }
        struct rows next_rows;
        sample_level(operation, smaller, images, kind, is_linear, count, first, &next_rows);
        for (uint32_t c = 0; c < component_count; c++) {
            for (uint32_t i = 0; i < count; i++) {
                rows.words[c][i] += (next_rows.words[c][i] - rows.words[c][i]) * next[i];
            }
        }
    }
    uint32_t *results = operation->results + first;
    for (uint32_t c = 0; c < component_count; c++) {
        memcpy(results + (size_t)c * operation->width, rows.words[c], count * sizeof(uint32_t));
    }
    for (uint32_t c = component_count; c < 4; c++) {
        for (uint32_t i = 0; i < count; i++) {
            results[(size_t)c * operation->width + i] = c == 3 ? TEXEL_ONE : 0;
        }
    }
}

// One function for each way to decode, filter and count, so that all loops have constant bounds.
#define FAST_FUNCTION(name, kind, is_linear, count) \
    CPU_WIDE void name(const struct image_operation *operation, const struct image_choice *choice, \
        const uint32_t *layers, uint32_t first) { \
        sample_chunk(operation, choice, layers, kind, is_linear, count, first); \
    }
#define FAST_FUNCTIONS(name, kind) \
    FAST_FUNCTION(name##_nearest_4, kind, false, 4) \
    FAST_FUNCTION(name##_nearest_8, kind, false, 8) \
    FAST_FUNCTION(name##_linear_4, kind, true, 4) \
    FAST_FUNCTION(name##_linear_8, kind, true, 8)
FAST_FUNCTIONS(unorm8, KIND_UNORM8)
FAST_FUNCTIONS(bgra8, KIND_BGRA8)
FAST_FUNCTIONS(srgb8, KIND_SRGB8)
FAST_FUNCTIONS(half, KIND_HALF)
FAST_FUNCTIONS(single, KIND_FLOAT)

typedef void (*fast_function)(const struct image_operation *operation,
    const struct image_choice *choice, const uint32_t *layers, uint32_t first);

// [kind][is linear][is a whole chunk]
#define FAST_ROW(name) \
    { \
        {name##_nearest_4, name##_nearest_8}, { \
            name##_linear_4, name##_linear_8 \
        } \
    }
static const fast_function functions[][2][2] = {
    [KIND_UNORM8] = FAST_ROW(unorm8),
    [KIND_BGRA8] = FAST_ROW(bgra8),
    [KIND_SRGB8] = FAST_ROW(srgb8),
    [KIND_HALF] = FAST_ROW(half),
    [KIND_FLOAT] = FAST_ROW(single),
};

static bool are_alike(const struct image_choice *choice, uint32_t first, uint32_t count) {
    bool are = true;
    for (uint32_t i = first + 1; i < first + count; i++) {
        are &= choice->level[i] == choice->level[first];
        are &= choice->is_linear[i] == choice->is_linear[first];
    }
    return are;
}

uint64_t image_sample_fast(const struct image_operation *operation,
    const struct image_choice *choice, const uint32_t *layers) {
    enum kind kind = get_kind(operation->image->format);
    uint64_t rest = 0;
    for (uint32_t first = 0; first + 4 <= operation->width; first += 4) {
        uint64_t asked = operation->lanes >> first;
        bool is_whole = first + 8 <= operation->width && are_alike(choice, first, 8);
        bool is_linear = choice->is_linear[first] != 0;
        if (is_whole && (asked & 0xff) != 0) {
            functions[kind][is_linear][1](operation, choice, layers, first);
        } else if (!is_whole && (asked & 0xf) != 0) {
            if (are_alike(choice, first, 4)) {
                functions[kind][is_linear][0](operation, choice, layers, first);
            } else {
                rest |= (operation->lanes >> first & 0xf) << first;
            }
        }
        first += is_whole ? 4 : 0;
    }
    uint32_t done = operation->width & ~3u;
    return done < operation->width ? rest | (operation->lanes >> done << done) : rest;
}
