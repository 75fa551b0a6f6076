// SPDX-License-Identifier: MIT
//
// Which samples a primitive covers in a tile, exactly. Edge functions are linear, so that a tile and
// then each block of it are decided by two corners an edge; only blocks that an edge crosses are
// looked at sample by sample. Workers.
//
// A sample of pixel (px, py) lies at (256 px + u, 256 py + v), so its edge value is
// 256 (a px + b py) + (a u + b v + c), and not negative exactly when
// a px + b py + floor((a u + b v + c) / 256) is not: the small form, in steps of whole pixels.
#include "backend/cpu/raster_tile.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LANES JIT_BATCH_LANES
#define ALL_LANES UINT64_MAX

// An edge in small form, relative to the tile.
struct tile_edge {
    int64_t a;
    int64_t b;
    int64_t c[RASTER_SAMPLE_LIMIT]; // at the tile's first pixel
    int64_t least;                  // of c
    int64_t greatest;
    int64_t below; // from a block's first pixel to where the edge is least, and greatest, in it
    int64_t above;
    int32_t steps[LANES]; // from a block's first pixel to each lane; where has_steps
};

struct tile_cover {
    const struct raster_plan *plan;
    struct raster_worker *worker;
    const struct raster_primitive *primitive;
    uint32_t left; // of the tile
    uint32_t top;
    uint32_t x; // pixels of the tile that may be touched, relative to it
    uint32_t y;
    uint32_t right;
    uint32_t bottom;
    uint32_t edge_count; // of edges that cross that area
    bool is_wide;        // values need 64 bits
    struct tile_edge edges[4];
};

static inline int64_t floor_256(int64_t value) {
    return value >= 0 ? value / 256 : -((255 - value) / 256);
}

// ---------------------------------------------------------------- lanes of a block

// Lanes whose column is below n; and whose row is.
static inline uint64_t lanes_left_of(uint32_t n) {
    // Columns 2 q and 2 q + 1 are bits 0, 2 and 1, 3 of the quads q, q + 4, q + 8, q + 12.
    if (n >= RASTER_BLOCK) {
        return ALL_LANES;
    }
    uint64_t columns = ((uint64_t)1 << (n / 2 * 4)) - 1;
    if (n % 2 != 0) {
        columns |= (uint64_t)0x5 << (n / 2 * 4);
    }
    return columns * UINT64_C(0x0001000100010001);
}
static inline uint64_t lanes_above(uint32_t n) {
    if (n >= RASTER_BLOCK) {
        return ALL_LANES;
    }
    uint64_t rows = ((uint64_t)1 << (n / 2 * 16)) - 1;
    if (n % 2 != 0) {
        rows |= UINT64_C(0x3333) << (n / 2 * 16);
    }
    return rows;
}

// Bit l: values[l] is negative.
static inline uint64_t collect_signs(const int32_t values[LANES]) {
    uint64_t signs = 0;
#if defined(__SSE2__)
    for (uint32_t i = 0; i < LANES; i += 16) {
        const __m128i *at = (const __m128i *)(const void *)(values + i);
        __m128i low = _mm_packs_epi32(_mm_loadu_si128(at), _mm_loadu_si128(at + 1));
        __m128i high = _mm_packs_epi32(_mm_loadu_si128(at + 2), _mm_loadu_si128(at + 3));
        signs |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << i;
    }
#else
    for (uint32_t i = 0; i < LANES; i++) {
        signs |= (uint64_t)((uint32_t)values[i] >> 31) << i;
    }
#endif
    return signs;
}

static void fill_steps(struct tile_edge *edge) {
    int32_t a = (int32_t)edge->a;
    int32_t b = (int32_t)edge->b;
    for (uint32_t quad = 0; quad < LANES / 4; quad++) {
        int32_t base = 2 * a * (int32_t)(quad % 4) + 2 * b * (int32_t)(quad / 4);
        edge->steps[4 * quad] = base;
        edge->steps[4 * quad + 1] = base + a;
        edge->steps[4 * quad + 2] = base + b;
        edge->steps[4 * quad + 3] = base + a + b;
    }
}

// ---------------------------------------------------------------- blocks

// Lanes of one sample that are inside of the edges named by `crossing`, for values of 32 bits.
static uint64_t cover_lanes(
    const struct tile_cover *cover, uint32_t sample, uint32_t x, uint32_t y, uint32_t crossing) {
    int32_t values[LANES];
    bool is_first = true;
    for (uint32_t i = 0; i < cover->edge_count; i++) {
        if ((crossing >> i & 1) == 0) {
            continue;
        }
        const struct tile_edge *edge = &cover->edges[i];
        int32_t base = (int32_t)(edge->c[sample] + edge->a * x + edge->b * y);
        if (is_first) {
            for (uint32_t lane = 0; lane < LANES; lane++) {
                values[lane] = base + edge->steps[lane];
            }
        } else {
            for (uint32_t lane = 0; lane < LANES; lane++) {
                values[lane] |= base + edge->steps[lane];
            }
        }
        is_first = false;
    }
    return ~collect_signs(values);
}

// The same for any size of values.
static uint64_t cover_lanes_wide(
    const struct tile_cover *cover, uint32_t sample, uint32_t x, uint32_t y, uint32_t crossing) {
    uint64_t covered = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t lane_x = x + lane / 4 % 4 * 2 + lane % 2;
        uint32_t lane_y = y + lane / 16 * 2 + lane / 2 % 2;
        bool is_inside = true;
        for (uint32_t i = 0; i < cover->edge_count; i++) {
            const struct tile_edge *edge = &cover->edges[i];
            int64_t value = edge->c[sample] + edge->a * lane_x + edge->b * lane_y;
            is_inside = is_inside && ((crossing >> i & 1) == 0 || value >= 0);
        }
        covered |= (uint64_t)is_inside << lane;
    }
    return covered;
}

static void cover_block(const struct tile_cover *cover, uint32_t x, uint32_t y) {
    uint32_t crossing = 0;
    for (uint32_t i = 0; i < cover->edge_count; i++) {
        const struct tile_edge *edge = &cover->edges[i];
        int64_t base = edge->a * x + edge->b * y;
        if (base + edge->above + edge->greatest < 0) {
            return;
        }
        crossing |= (uint32_t)(base + edge->below + edge->least < 0) << i;
    }
    uint32_t left = cover->x > x ? cover->x - x : 0;
    uint32_t top = cover->y > y ? cover->y - y : 0;
    uint64_t lanes = lanes_left_of(cover->right - x) & ~lanes_left_of(left) &
        lanes_above(cover->bottom - y) & ~lanes_above(top);
    struct raster_block block = {.x = cover->left + x, .y = cover->top + y};
    uint64_t any = 0;
    for (uint32_t sample = 0; sample < cover->plan->sample_count; sample++) {
        uint64_t covered = lanes;
        if (crossing != 0) {
            covered &= cover->is_wide ? cover_lanes_wide(cover, sample, x, y, crossing)
                                      : cover_lanes(cover, sample, x, y, crossing);
        }
        block.covered[sample] = covered;
        any |= covered;
    }
    if (any != 0) {
        raster_fragment_add(cover->plan, cover->worker, cover->primitive, &block);
    }
}

// ---------------------------------------------------------------- tiles

// Adds an edge where it crosses the blocks of the area; false when all of them are outside.
static bool add_edge(struct tile_cover *cover, const struct raster_edge *edge) {
    struct tile_edge *out = &cover->edges[cover->edge_count];
    out->a = edge->a;
    out->b = edge->b;
    int64_t at_tile = edge->a * cover->left + edge->b * cover->top;
    for (uint32_t i = 0; i < cover->plan->sample_count; i++) {
        const struct raster_sample_place *place = &cover->plan->samples[i];
        out->c[i] = floor_256(edge->a * place->x + edge->b * place->y + edge->c) + at_tile;
        out->least = i == 0 || out->c[i] < out->least ? out->c[i] : out->least;
        out->greatest = i == 0 || out->c[i] > out->greatest ? out->c[i] : out->greatest;
    }
    int64_t x0 = cover->x / RASTER_BLOCK * RASTER_BLOCK;
    int64_t y0 = cover->y / RASTER_BLOCK * RASTER_BLOCK;
    int64_t x1 = (cover->right - 1) / RASTER_BLOCK * RASTER_BLOCK + RASTER_BLOCK - 1;
    int64_t y1 = (cover->bottom - 1) / RASTER_BLOCK * RASTER_BLOCK + RASTER_BLOCK - 1;
    int64_t greatest = out->greatest + out->a * (out->a > 0 ? x1 : x0) +
        out->b * (out->b > 0 ? y1 : y0);
    int64_t least = out->least + out->a * (out->a > 0 ? x0 : x1) + out->b * (out->b > 0 ? y0 : y1);
    if (greatest < 0) {
        return false;
    }
    if (least >= 0) {
        return true;
    }
    const int64_t span = RASTER_BLOCK - 1;
    out->above = (out->a > 0 ? out->a * span : 0) + (out->b > 0 ? out->b * span : 0);
    out->below = (out->a < 0 ? out->a * span : 0) + (out->b < 0 ? out->b * span : 0);
    // Within the area all values lie between these two.
    if (greatest > INT32_MAX || least < INT32_MIN || greatest - least > INT32_MAX) {
        cover->is_wide = true;
    } else {
        fill_steps(out);
    }
    cover->edge_count++;
    return true;
}

void raster_cover_tile(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t left, uint32_t top) {
    int64_t x0 = primitive->left - (int64_t)left;
    int64_t y0 = primitive->top - (int64_t)top;
    int64_t x1 = primitive->right - (int64_t)left;
    int64_t y1 = primitive->bottom - (int64_t)top;
    x0 = x0 > 0 ? x0 : 0;
    y0 = y0 > 0 ? y0 : 0;
    x1 = x1 < RASTER_TILE ? x1 : RASTER_TILE;
    y1 = y1 < RASTER_TILE ? y1 : RASTER_TILE;
    if (x0 >= x1 || y0 >= y1) {
        return;
    }
    struct tile_cover cover;
    cover.plan = plan;
    cover.worker = worker;
    cover.primitive = primitive;
    cover.left = left;
    cover.top = top;
    cover.x = (uint32_t)x0;
    cover.y = (uint32_t)y0;
    cover.right = (uint32_t)x1;
    cover.bottom = (uint32_t)y1;
    cover.edge_count = 0;
    cover.is_wide = false;
    for (uint32_t i = 0; i < primitive->edge_count; i++) {
        if (!add_edge(&cover, &primitive->edges[i])) {
            return;
        }
    }
    for (uint32_t y = cover.y / RASTER_BLOCK * RASTER_BLOCK; y < cover.bottom; y += RASTER_BLOCK) {
        for (uint32_t x = cover.x / RASTER_BLOCK * RASTER_BLOCK; x < cover.right;
             x += RASTER_BLOCK) {
            cover_block(&cover, x, y);
        }
    }
}

bool raster_misses(const struct raster_primitive *primitive, uint32_t left, uint32_t top,
    uint32_t right, uint32_t bottom) {
    for (uint32_t i = 0; i < primitive->edge_count; i++) {
        const struct raster_edge *edge = &primitive->edges[i];
        int64_t x = (int64_t)(edge->a > 0 ? right : left) * (1 << RASTER_SUBPIXEL_BITS);
        int64_t y = (int64_t)(edge->b > 0 ? bottom : top) * (1 << RASTER_SUBPIXEL_BITS);
        if (edge->a * x + edge->b * y + edge->c < 0) {
            return true;
        }
    }
    return false;
}
