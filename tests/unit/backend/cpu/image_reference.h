// SPDX-License-Identifier: MIT
//
// What texture operations give, worked out one lane at a time in doubles from the words of WebGPU,
// WGSL and Vulkan's sampling formulas, and textures to work it out on. Each level of a texture is an
// allocation of its own, so that a sanitizer sees every read outside it. One thread.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/image.h"
#include "backend/host_texel.h"
#include "facts/texture_format.h"

#include <webgpu/webgpu.h>

static uint64_t reference_state = 0x2545f4914f6cdd1du;

static inline uint32_t reference_random(uint32_t count) {
    reference_state ^= reference_state << 13;
    reference_state ^= reference_state >> 7;
    reference_state ^= reference_state << 17;
    return (uint32_t)(reference_state >> 24) % count;
}

static inline double reference_between(double least, double most) {
    return least + (most - least) * reference_random(1u << 24) / (1u << 24);
}

static inline uint32_t reference_word(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static inline float reference_float(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

// ---------------------------------------------------------------- textures

// view_dimension decides; layers count as in a view: cubes have 6 each.
static inline void reference_texture_init(struct backend_texture *texture, uint32_t format,
    uint32_t view_dimension, const uint32_t size[3], uint32_t level_count, uint32_t sample_count) {
    memset(texture, 0, sizeof(*texture));
    bool is_3d = view_dimension == WGPUTextureViewDimension_3D;
    texture->dimension = is_3d                          ? WGPUTextureDimension_3D
        : view_dimension == WGPUTextureViewDimension_1D ? WGPUTextureDimension_1D
                                                        : WGPUTextureDimension_2D;
    texture->format = format;
    texture->mip_level_count = level_count;
    texture->sample_count = sample_count;
    texture->plane_count = 1;
    const struct texture_format_info *info = texture_format_get_info(format);
    struct host_texture_plane *plane = &texture->planes[0];
    plane->aspect = info->aspect;
    plane->format = format;
    plane->block_bytes = info->block_bytes * sample_count;
    plane->block_width = info->block_width;
    plane->block_height = info->block_height;
    for (uint32_t i = 0; i < level_count; i++) {
        struct host_texture_level *level = &plane->levels[i];
        level->width = size[0] >> i > 1 ? size[0] >> i : 1;
        level->height = size[1] >> i > 1 ? size[1] >> i : 1;
        level->image_count = is_3d ? (size[2] >> i > 1 ? size[2] >> i : 1) : size[2];
        level->row_bytes = (uint64_t)((level->width + info->block_width - 1) / info->block_width) *
            plane->block_bytes;
        level->image_bytes = level->row_bytes *
            ((level->height + info->block_height - 1) / info->block_height);
        size_t size_bytes = level->image_bytes * level->image_count;
        level->data = malloc(size_bytes);
        for (size_t at = 0; at < size_bytes; at++) {
            level->data[at] = (uint8_t)reference_random(256);
        }
        // Floats of random bits are mostly huge or nothing.
        uint32_t step = info->block_bytes;
        bool is_float = info->sample == TEXTURE_SAMPLE_FLOAT ||
            info->sample == TEXTURE_SAMPLE_FLOAT32 || info->sample == TEXTURE_SAMPLE_DEPTH;
        for (size_t at = 0; is_float && !texture_format_is_compressed(info) && at < size_bytes;
             at += step) {
            double value[4];
            for (uint32_t c = 0; c < 4; c++) {
                value[c] = reference_between(0, 1);
            }
            host_texel_encode(format, value, level->data + at);
        }
    }
}

static inline void reference_texture_finish(struct backend_texture *texture) {
    for (uint32_t i = 0; i < texture->mip_level_count; i++) {
        free(texture->planes[0].levels[i].data);
    }
}

static inline void reference_view_init(
    struct backend_texture_view *view, struct backend_texture *texture, uint32_t dimension) {
    *view = (struct backend_texture_view){
        .texture = texture,
        .format = texture->format,
        .dimension = dimension,
        .aspect = texture->planes[0].aspect,
        .mip_level_count = texture->mip_level_count,
        .array_layer_count = dimension == WGPUTextureViewDimension_3D
            ? 1
            : texture->planes[0].levels[0].image_count,
    };
}

// ---------------------------------------------------------------- one lane

struct reference {
    const struct backend_texture_view *view;
    const struct backend_sampler *sampler;
    const struct jit_texture_call *call;
    uint32_t axis_count;
    bool is_cube;
    bool is_comparing;
    float depth_reference;
    int32_t layer; // as given
    bool is_close; // to where a small error chooses another texel: not to be compared
};

#define REFERENCE_CLOSE 2e-3

static inline double reference_floor(struct reference *reference, double value) {
    if (fabs(value - nearbyint(value)) < REFERENCE_CLOSE) {
        reference->is_close = true;
    }
    return floor(value);
}

static inline const struct host_texture_level *reference_level(
    const struct reference *reference, uint32_t level) {
    return &reference->view->texture->planes[0].levels[reference->view->base_mip_level + level];
}

static inline void reference_texel(struct reference *reference, uint32_t level, uint32_t x,
    uint32_t y, uint32_t image, double out[4]) {
    const struct host_texture_level *from = reference_level(reference, level);
    const struct host_texture_plane *plane = &reference->view->texture->planes[0];
    image += reference->view->base_array_layer;
    host_texel_decode(reference->view->format,
        from->data + image * from->image_bytes + y * from->row_bytes + x * plane->block_bytes, out);
    if (reference->is_comparing) {
        double depth = out[0];
        double wanted = reference->depth_reference;
        if (reference->view->format == WGPUTextureFormat_Depth16Unorm) {
            wanted = wanted > 0 ? (wanted < 1 ? wanted : 1) : 0;
        }
        switch (reference->sampler->compare) {
        case WGPUCompareFunction_Never:
            out[0] = 0;
            break;
        case WGPUCompareFunction_Less:
            out[0] = wanted < depth;
            break;
        case WGPUCompareFunction_Equal:
            out[0] = wanted == depth;
            break;
        case WGPUCompareFunction_LessEqual:
            out[0] = wanted <= depth;
            break;
        case WGPUCompareFunction_Greater:
            out[0] = wanted > depth;
            break;
        case WGPUCompareFunction_NotEqual:
            out[0] = wanted != depth;
            break;
        case WGPUCompareFunction_GreaterEqual:
            out[0] = wanted >= depth;
            break;
        default:
            out[0] = 1;
        }
    }
}

static inline int64_t reference_wrap(int64_t texel, int64_t size, uint32_t mode) {
    if (mode == WGPUAddressMode_Repeat) {
        return (texel % size + size) % size;
    }
    if (mode == WGPUAddressMode_MirrorRepeat) {
        int64_t phase = (texel % (2 * size) + 2 * size) % (2 * size);
        return phase < size ? phase : 2 * size - 1 - phase;
    }
    return texel < 0 ? 0 : texel >= size ? size - 1 : texel;
}

// The face that a direction hits, and where on it.
static inline uint32_t reference_project(const double direction[3], double out_uv[2]) {
    double x = direction[0];
    double y = direction[1];
    double z = direction[2];
    double s = 0;
    double t = 0;
    double major = 0;
    uint32_t face = 0;
    if (fabs(z) >= fabs(x) && fabs(z) >= fabs(y)) {
        face = z < 0 ? 5 : 4;
        s = z < 0 ? -x : x;
        t = -y;
        major = fabs(z);
    } else if (fabs(y) >= fabs(x)) {
        face = y < 0 ? 3 : 2;
        s = x;
        t = y < 0 ? -z : z;
        major = fabs(y);
    } else {
        face = x < 0 ? 1 : 0;
        s = x < 0 ? z : -z;
        t = -y;
        major = fabs(x);
    }
    out_uv[0] = 0.5 * (s / major + 1);
    out_uv[1] = 0.5 * (t / major + 1);
    return face;
}

// The direction of a point on the plane of a face, u and v from 0 to 1 within it.
static inline void reference_unproject(uint32_t face, double u, double v, double out[3]) {
    double s = 2 * u - 1;
    double t = 2 * v - 1;
    const double directions[6][3] = {
        {1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
    memcpy(out, directions[face], sizeof(directions[face]));
}

// A texel of a cube's face, or of the face beside it. False: there is none.
static inline bool reference_cube_texel(struct reference *reference, uint32_t level, uint32_t cube,
    uint32_t face, int64_t x, int64_t y, double out[4]) {
    int64_t size = reference_level(reference, level)->width;
    bool is_x_out = x < 0 || x >= size;
    bool is_y_out = y < 0 || y >= size;
    if (is_x_out && is_y_out) {
        return false;
    }
    if (is_x_out || is_y_out) {
        double direction[3];
        double uv[2];
        reference_unproject(
            face, ((double)x + 0.5) / (double)size, ((double)y + 0.5) / (double)size, direction);
        face = reference_project(direction, uv);
        x = (int64_t)floor(uv[0] * (double)size);
        y = (int64_t)floor(uv[1] * (double)size);
    }
    reference_texel(reference, level, (uint32_t)x, (uint32_t)y, 6 * cube + face, out);
    return true;
}

// The layer, or cube, or 0.
static inline uint32_t reference_layer(const struct reference *reference) {
    uint32_t count = reference->view->array_layer_count / (reference->is_cube ? 6 : 1);
    if (reference->call->is_layer_signed != 0 && reference->layer < 0) {
        return 0;
    }
    return (uint32_t)reference->layer < count ? (uint32_t)reference->layer : count - 1;
}

// One level. coordinates: as in the shader.
static inline void reference_sample_level(struct reference *reference, uint32_t level,
    bool is_linear, const double coordinates[3], double out[4]) {
    const struct host_texture_level *from = reference_level(reference, level);
    const int64_t sizes[3] = {from->width, from->height, from->image_count};
    double at[3] = {coordinates[0], coordinates[1], coordinates[2]};
    uint32_t axis_count = reference->axis_count;
    uint32_t face = 0;
    if (reference->is_cube) {
        axis_count = 2;
        face = reference_project(coordinates, at);
    }
    double base[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};
    for (uint32_t i = 0; i < axis_count; i++) {
        double place = at[i] * (double)sizes[i] + reference->call->offset[i];
        base[i] = is_linear ? floor(place - 0.5) : reference_floor(reference, place);
        weight[i] = is_linear ? place - 0.5 - base[i] : 0;
    }
    memset(out, 0, 4 * sizeof(out[0]));
    double total = 0;
    for (uint32_t corner = 0; corner < 1u << axis_count; corner++) {
        double part = 1;
        int64_t texel[3] = {0, 0, 0};
        for (uint32_t i = 0; i < axis_count; i++) {
            bool is_second = (corner >> i & 1) != 0;
            part *= is_second ? weight[i] : 1 - weight[i];
            texel[i] = (int64_t)base[i] + is_second;
        }
        if (part == 0) {
            continue;
        }
        double value[4];
        if (reference->is_cube) {
            uint32_t cube = reference->call->dimension == TEXTURE_DIMENSION_CUBE_ARRAY
                ? reference_layer(reference)
                : 0;
            if (!is_linear) {
                texel[0] = reference_wrap(texel[0], sizes[0], WGPUAddressMode_ClampToEdge);
                texel[1] = reference_wrap(texel[1], sizes[1], WGPUAddressMode_ClampToEdge);
            }
            if (!reference_cube_texel(reference, level, cube, face, texel[0], texel[1], value)) {
                // The mean of the other three, of which each takes a third of the part.
                double sum[4] = {0, 0, 0, 0};
                for (uint32_t other = 0; other < 4; other++) {
                    double third[4];
                    if (other != corner) {
                        reference_cube_texel(reference, level, cube, face,
                            (int64_t)base[0] + (other & 1), (int64_t)base[1] + (other >> 1), third);
                        for (uint32_t c = 0; c < 4; c++) {
                            sum[c] += third[c] / 3;
                        }
                    }
                }
                memcpy(value, sum, sizeof(sum));
            }
        } else {
            for (uint32_t i = 0; i < axis_count; i++) {
                texel[i] = reference_wrap(texel[i], sizes[i], reference->sampler->address_modes[i]);
            }
            uint32_t image = axis_count == 3 ? (uint32_t)texel[2]
                : reference->call->dimension == TEXTURE_DIMENSION_2D_ARRAY
                ? reference_layer(reference)
                : 0;
            reference_texel(reference, level, (uint32_t)texel[0], (uint32_t)texel[1], image, value);
        }
        for (uint32_t c = 0; c < 4; c++) {
            out[c] += part * value[c];
        }
        total += part;
    }
    for (uint32_t c = 0; c < 4; c++) {
        out[c] /= total;
    }
}

// Levels by the level of detail before clamping.
static inline void reference_sample(
    struct reference *reference, double detail, const double coordinates[3], double out[4]) {
    const struct backend_sampler *sampler = reference->sampler;
    detail = fmin(fmax(detail, (double)sampler->lod_min_clamp), (double)sampler->lod_max_clamp);
    reference->is_close |= fabs(detail) < REFERENCE_CLOSE && detail != 0 &&
        sampler->mag_filter != sampler->min_filter;
    bool is_linear = (detail <= 0 ? sampler->mag_filter : sampler->min_filter) ==
        WGPUFilterMode_Linear;
    detail = fmin(fmax(detail, 0), reference->view->mip_level_count - 1);
    if (sampler->mipmap_filter == WGPUMipmapFilterMode_Nearest) {
        uint32_t level = detail == floor(detail)
            ? (uint32_t)detail
            : (uint32_t)reference_floor(reference, detail + 0.5);
        reference_sample_level(reference, level, is_linear, coordinates, out);
        return;
    }
    uint32_t level = (uint32_t)detail;
    reference_sample_level(reference, level, is_linear, coordinates, out);
    double weight = detail - level;
    if (weight > 0) {
        double next[4];
        reference_sample_level(reference, level + 1, is_linear, coordinates, next);
        for (uint32_t c = 0; c < 4; c++) {
            out[c] += (next[c] - out[c]) * weight;
        }
    }
}

// The length in texels of a step of the coordinates.
static inline double reference_step(
    const struct reference *reference, const double coordinates[3], const double step[3]) {
    const struct host_texture_level *base = reference_level(reference, 0);
    if (reference->is_cube) {
        // By a small difference on the face of the point.
        double uv[2];
        double moved[2];
        uint32_t face = reference_project(coordinates, uv);
        const double h = 1e-7;
        double direction[3];
        for (uint32_t i = 0; i < 3; i++) {
            direction[i] = coordinates[i] + h * step[i];
        }
        if (reference_project(direction, moved) != face) {
            return NAN;
        }
        return hypot(moved[0] - uv[0], moved[1] - uv[1]) / h * base->width;
    }
    const double sizes[3] = {base->width, base->height, base->image_count};
    double sum = 0;
    for (uint32_t i = 0; i < reference->axis_count; i++) {
        sum += step[i] * sizes[i] * step[i] * sizes[i];
    }
    return sqrt(sum);
}
