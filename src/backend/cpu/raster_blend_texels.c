// SPDX-License-Identifier: MIT
//
// Texels of quads in memory: two pixels of a quad lie side by side, the others a row below. Loops
// exist once for each texel size, so that a texel is one load or store.
#include "backend/cpu/raster_blend_priv.h"

#include <string.h>

// The pixels of a quad: lanes 0 and 1, lanes 2 and 3.
struct quad {
    uint8_t *upper;
    uint8_t *lower;
};

static inline struct quad find_quad(const struct raster_target *target,
    const struct raster_fragments *fragments, size_t pixel_bytes, uint32_t lane) {
    uint8_t *upper = target->data + fragments->y[lane] * target->row_bytes +
        fragments->x[lane] * pixel_bytes;
    // Wherever a lower lane is covered there is a row below.
    return (struct quad){upper, upper + target->row_bytes};
}

static inline uint32_t load_coverage(const uint8_t *coverage) {
    uint32_t word;
    memcpy(&word, coverage, sizeof(word));
    return word;
}

// ---------------------------------------------------------------- loads

static inline void gather(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, uint32_t sample,
    struct blend_span span, uint8_t *out_texels, size_t bytes) {
    size_t pixel_bytes = bytes * sample_count;
    for (uint32_t lane = span.first; lane < span.end; lane += 4) {
        if (load_coverage(coverage + lane) == 0) {
            continue;
        }
        struct quad quad = find_quad(target, fragments, pixel_bytes, lane);
        if (sample_count == 1 && load_coverage(coverage + lane) == 0x01010101u) {
            memcpy(out_texels + lane * bytes, quad.upper, 2 * bytes);
            memcpy(out_texels + (lane + 2) * bytes, quad.lower, 2 * bytes);
            continue;
        }
        for (uint32_t i = 0; i < 4; i++) {
            const uint8_t *pixel = (i < 2 ? quad.upper : quad.lower) + (i & 1u) * pixel_bytes;
            if (coverage[lane + i] != 0) {
                memcpy(out_texels + (lane + i) * bytes, pixel + sample * bytes, bytes);
            }
        }
    }
}

void raster_blend_gather(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, uint32_t sample,
    struct blend_span span, uint8_t *out_texels) {
    switch (target->texel_bytes) {
    case 1:
        gather(target, sample_count, fragments, coverage, sample, span, out_texels, 1);
        break;
    case 2:
        gather(target, sample_count, fragments, coverage, sample, span, out_texels, 2);
        break;
    case 4:
        gather(target, sample_count, fragments, coverage, sample, span, out_texels, 4);
        break;
    case 8:
        gather(target, sample_count, fragments, coverage, sample, span, out_texels, 8);
        break;
    default:
        gather(target, sample_count, fragments, coverage, sample, span, out_texels, 16);
        break;
    }
}

uint32_t raster_blend_find_uniform(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, struct blend_span span, uint8_t *out_coverage) {
    size_t bytes = target->texel_bytes;
    size_t pixel_bytes = bytes * sample_count;
    uint8_t all = (uint8_t)((1u << sample_count) - 1);
    uint32_t count = 0;
    for (uint32_t lane = span.first; lane < span.end; lane += 4) {
        struct quad quad = find_quad(target, fragments, pixel_bytes, lane);
        for (uint32_t i = 0; i < 4; i++) {
            const uint8_t *pixel = (i < 2 ? quad.upper : quad.lower) + (i & 1u) * pixel_bytes;
            // Each byte equals the one a texel before it.
            bool is_uniform = fragments->coverage[lane + i] == all &&
                memcmp(pixel, pixel + bytes, pixel_bytes - bytes) == 0;
            out_coverage[lane + i] = is_uniform ? all : 0;
            count += is_uniform;
        }
    }
    return count;
}

// ---------------------------------------------------------------- stores

static inline void scatter(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, struct blend_span span,
    const uint8_t *texels, size_t bytes) {
    size_t pixel_bytes = bytes * sample_count;
    for (uint32_t lane = span.first; lane < span.end; lane += 4) {
        uint32_t covered = load_coverage(coverage + lane);
        if (covered == 0) {
            continue;
        }
        struct quad quad = find_quad(target, fragments, pixel_bytes, lane);
        if (sample_count == 1 && covered == 0x01010101u) {
            memcpy(quad.upper, texels + lane * bytes, 2 * bytes);
            memcpy(quad.lower, texels + (lane + 2) * bytes, 2 * bytes);
            continue;
        }
        for (uint32_t i = 0; i < 4; i++) {
            uint8_t *at = (i < 2 ? quad.upper : quad.lower) + (i & 1u) * pixel_bytes;
            const uint8_t *texel = texels + (lane + i) * bytes;
            if (coverage[lane + i] == 15) { // all of four samples
                memcpy(at, texel, bytes);
                memcpy(at + bytes, texel, bytes);
                memcpy(at + 2 * bytes, texel, bytes);
                memcpy(at + 3 * bytes, texel, bytes);
                continue;
            }
            for (uint32_t rest = coverage[lane + i]; rest != 0; rest >>= 1, at += bytes) {
                if ((rest & 1u) != 0) {
                    memcpy(at, texel, bytes);
                }
            }
        }
    }
}

// As scatter, of some bits alone.
static inline void scatter_bits(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, const uint8_t *bits,
    struct blend_span span, const uint8_t *texels, size_t bytes) {
    size_t pixel_bytes = bytes * sample_count;
    uint64_t written[2] = {0};
    memcpy(written, bits, bytes);
    for (uint32_t lane = span.first; lane < span.end; lane++) {
        if (coverage[lane] == 0) {
            continue;
        }
        uint64_t texel[2] = {0};
        memcpy(texel, texels + lane * bytes, bytes);
        uint8_t *at = find_quad(target, fragments, pixel_bytes, lane).upper;
        for (uint32_t rest = coverage[lane]; rest != 0; rest >>= 1, at += bytes) {
            if ((rest & 1u) != 0) {
                uint64_t stored[2] = {0};
                memcpy(stored, at, bytes);
                stored[0] = (stored[0] & ~written[0]) | (texel[0] & written[0]);
                stored[1] = (stored[1] & ~written[1]) | (texel[1] & written[1]);
                memcpy(at, stored, bytes);
            }
        }
    }
}

static void scatter_some(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, const uint8_t *bits,
    struct blend_span span, const uint8_t *texels) {
    switch (target->texel_bytes) {
    case 1:
        scatter_bits(target, sample_count, fragments, coverage, bits, span, texels, 1);
        break;
    case 2:
        scatter_bits(target, sample_count, fragments, coverage, bits, span, texels, 2);
        break;
    case 4:
        scatter_bits(target, sample_count, fragments, coverage, bits, span, texels, 4);
        break;
    case 8:
        scatter_bits(target, sample_count, fragments, coverage, bits, span, texels, 8);
        break;
    default:
        scatter_bits(target, sample_count, fragments, coverage, bits, span, texels, 16);
        break;
    }
}

void raster_blend_scatter(const struct raster_target *target, uint32_t sample_count,
    const struct raster_fragments *fragments, const uint8_t *coverage, const uint8_t *bits,
    struct blend_span span, const uint8_t *texels) {
    if (bits != NULL) {
        scatter_some(target, sample_count, fragments, coverage, bits, span, texels);
        return;
    }
    switch (target->texel_bytes) {
    case 1:
        scatter(target, sample_count, fragments, coverage, span, texels, 1);
        break;
    case 2:
        scatter(target, sample_count, fragments, coverage, span, texels, 2);
        break;
    case 4:
        scatter(target, sample_count, fragments, coverage, span, texels, 4);
        break;
    case 8:
        scatter(target, sample_count, fragments, coverage, span, texels, 8);
        break;
    default:
        scatter(target, sample_count, fragments, coverage, span, texels, 16);
        break;
    }
}
