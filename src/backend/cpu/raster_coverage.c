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

// An edge in small form, relative to the area.
struct tile_edge {
    int64_t a;
    int64_t b;
    int64_t c[RASTER_SAMPLE_LIMIT]; // at the area's first pixel
    int64_t least;                  // of c
    int64_t greatest;
    int64_t below; // from a block's first pixel to where the edge is least, and greatest, in it
    int64_t above;
};

// The part of a tile that a primitive may touch, in whole blocks.
struct tile_cover {
    const struct raster_plan *plan;
    struct raster_worker *worker;
    const struct raster_primitive *primitive;
    uint32_t left; // the first pixel of the first block
    uint32_t top;
    uint32_t x; // pixels that may be touched, relative to it
    uint32_t y;
    uint32_t right;
    uint32_t bottom;
    uint32_t edge_count; // of edges that cross the area
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

// Lanes at which an edge is negative that is `base` at the block's first pixel, of the first
// `row_count` rows of quads. All values fit into 32 bits.
static inline uint64_t find_negative(
    const struct tile_edge *edge, int32_t base, uint32_t row_count) {
    int32_t a = (int32_t)edge->a;
    int32_t b = (int32_t)edge->b;
    uint64_t negative = 0;
#if defined(__SSE2__)
    __m128i quads[4];
    quads[0] = _mm_add_epi32(_mm_set1_epi32(base), _mm_setr_epi32(0, a, b, a + b));
    for (uint32_t i = 1; i < 4; i++) {
        quads[i] = _mm_add_epi32(quads[i - 1], _mm_set1_epi32(2 * a));
    }
    for (uint32_t row = 0; row < row_count; row++) {
        __m128i low = _mm_packs_epi32(quads[0], quads[1]);
        __m128i high = _mm_packs_epi32(quads[2], quads[3]);
        negative |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << 16 * row;
        for (uint32_t i = 0; i < 4; i++) {
            quads[i] = _mm_add_epi32(quads[i], _mm_set1_epi32((int32_t)(2 * (uint32_t)b)));
        }
    }
#else
    for (uint32_t lane = 0; lane < 16 * row_count; lane++) {
        int32_t x = (int32_t)(lane / 4 % 4 * 2 + lane % 2);
        int32_t y = (int32_t)(lane / 16 * 2 + lane / 2 % 2);
        negative |= (uint64_t)(base + a * x + b * y < 0) << lane;
    }
#endif
    return negative;
}

// ---------------------------------------------------------------- blocks

// Lanes of one sample that are inside of the edges named by `crossing`, for values of 32 bits.
static inline uint64_t cover_lanes(
    const struct tile_cover *cover, uint32_t sample, uint32_t x, uint32_t y, uint32_t crossing) {
    uint32_t rows = cover->bottom - y < RASTER_BLOCK ? (cover->bottom - y + 1) / 2 : 4;
    uint64_t outside = 0;
    for (uint32_t i = 0; i < cover->edge_count; i++) {
        if ((crossing >> i & 1) != 0) {
            const struct tile_edge *edge = &cover->edges[i];
            int32_t base = (int32_t)(edge->c[sample] + edge->a * x + edge->b * y);
            outside |= find_negative(edge, base, rows);
        }
    }
    return ~outside;
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

// Hands on a block that the edges named by `crossing` cross, and no others.
static void fill_block(const struct tile_cover *cover, uint32_t x, uint32_t y, uint32_t crossing) {
    uint32_t left = cover->x > x ? cover->x - x : 0;
    uint32_t top = cover->y > y ? cover->y - y : 0;
    uint64_t lanes = lanes_left_of(cover->right - x) & ~lanes_left_of(left) &
        lanes_above(cover->bottom - y) & ~lanes_above(top);
    struct raster_block block;
    block.x = cover->left + x;
    block.y = cover->top + y;
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
    fill_block(cover, x, y, crossing);
}

// ---------------------------------------------------------------- tiles

// Adds an edge where it crosses the blocks of the area; false when all of them are outside.
static inline bool add_edge(
    struct tile_cover *cover, const struct raster_edge *edge, int64_t width, int64_t height) {
    struct tile_edge *out = &cover->edges[cover->edge_count];
    out->a = edge->a;
    out->b = edge->b;
    int64_t at_area = edge->a * cover->left + edge->b * cover->top;
    for (uint32_t i = 0; i < cover->plan->sample_count; i++) {
        const struct raster_sample_place *place = &cover->plan->samples[i];
        out->c[i] = floor_256(edge->a * place->x + edge->b * place->y + edge->c) + at_area;
        out->least = i == 0 || out->c[i] < out->least ? out->c[i] : out->least;
        out->greatest = i == 0 || out->c[i] > out->greatest ? out->c[i] : out->greatest;
    }
    int64_t to_right = out->a * (width - 1);
    int64_t to_bottom = out->b * (height - 1);
    int64_t greatest = out->greatest + (to_right > 0 ? to_right : 0) +
        (to_bottom > 0 ? to_bottom : 0);
    int64_t least = out->least + (to_right < 0 ? to_right : 0) + (to_bottom < 0 ? to_bottom : 0);
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
    cover->is_wide = cover->is_wide || greatest > INT32_MAX || least < INT32_MIN ||
        greatest - least > INT32_MAX;
    cover->edge_count++;
    return true;
}

void raster_cover_tile(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t left, uint32_t top) {
    uint32_t x0 = primitive->left > (int64_t)left ? (uint32_t)primitive->left : left;
    uint32_t y0 = primitive->top > (int64_t)top ? (uint32_t)primitive->top : top;
    uint32_t x1 = left + RASTER_TILE;
    uint32_t y1 = top + RASTER_TILE;
    x1 = primitive->right < (int64_t)x1 ? (uint32_t)primitive->right : x1;
    y1 = primitive->bottom < (int64_t)y1 ? (uint32_t)primitive->bottom : y1;
    if (x0 >= x1 || y0 >= y1) {
        return;
    }
    struct tile_cover cover;
    cover.plan = plan;
    cover.worker = worker;
    cover.primitive = primitive;
    // What fits into one block is one, wherever it begins; more are those of the tile.
    bool is_one = x1 - x0 / 2 * 2 <= RASTER_BLOCK && y1 - y0 / 2 * 2 <= RASTER_BLOCK;
    uint32_t grain = is_one ? 2 : RASTER_BLOCK;
    cover.left = x0 / grain * grain;
    cover.top = y0 / grain * grain;
    cover.x = x0 - cover.left;
    cover.y = y0 - cover.top;
    cover.right = x1 - cover.left;
    cover.bottom = y1 - cover.top;
    cover.edge_count = 0;
    cover.is_wide = false;
    uint32_t width = (cover.right + RASTER_BLOCK - 1) / RASTER_BLOCK * RASTER_BLOCK;
    uint32_t height = (cover.bottom + RASTER_BLOCK - 1) / RASTER_BLOCK * RASTER_BLOCK;
    for (uint32_t i = 0; i < primitive->edge_count; i++) {
        if (!add_edge(&cover, &primitive->edges[i], width, height)) {
            return;
        }
    }
    if (is_one) {
        fill_block(&cover, 0, 0, (1u << cover.edge_count) - 1);
        return;
    }
    for (uint32_t y = 0; y < height; y += RASTER_BLOCK) {
        for (uint32_t x = 0; x < width; x += RASTER_BLOCK) {
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
