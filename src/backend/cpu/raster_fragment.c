// SPDX-License-Identifier: MIT
//
// Fragments on their way: quads of blocks gather in a worker's batch, in order; a full batch goes
// through the fragment kernel, the late tests and into the attachments. With early tests quads that
// have no survivor never take room in the batch. Workers.
#include "backend/cpu/raster_tile.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// ---------------------------------------------------------------- executing a batch

// Lanes with a sample alive.
static uint64_t find_live(const struct raster_fragments *fragments) {
    uint64_t live = 0;
#if defined(__SSE2__)
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane += 16) {
        const void *at = fragments->coverage + lane;
        __m128i dead = _mm_cmpeq_epi8(_mm_loadu_si128(at), _mm_setzero_si128());
        live |= (uint64_t)(~(uint32_t)_mm_movemask_epi8(dead) & 0xffffu) << lane;
    }
#else
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        live |= (uint64_t)(fragments->coverage[lane] != 0) << lane;
    }
#endif
    bool is_full = fragments->lane_count == JIT_BATCH_LANES;
    return is_full ? live : live & (((uint64_t)1 << fragments->lane_count) - 1);
}

// Takes what the kernel says of coverage and depth. live: before it.
static void apply_outputs(
    const struct raster_plan *plan, struct raster_worker *worker, uint64_t live) {
    struct raster_fragments *fragments = &worker->fragments;
    uint32_t count = fragments->lane_count;
    if ((live & ~worker->batch.live) != 0) {
        for (uint32_t lane = 0; lane < count; lane++) {
            uint32_t is_alive = (uint32_t)(worker->batch.live >> lane) & 1;
            fragments->coverage[lane] &= (uint8_t)(0 - is_alive);
        }
    }
    if (plan->sample_mask_out_word != RASTER_NO_WORD) {
        const uint32_t *row = worker->outputs +
            (size_t)plan->sample_mask_out_word * JIT_BATCH_LANES;
        for (uint32_t lane = 0; lane < count; lane++) {
            fragments->coverage[lane] &= (uint8_t)(row[lane] & 0xff);
        }
    }
    if (plan->depth_out_word == RASTER_NO_WORD) {
        return;
    }
    const uint32_t *row = worker->outputs + (size_t)plan->depth_out_word * JIT_BATCH_LANES;
    float low = plan->draw->depth_range[0];
    float high = plan->draw->depth_range[1];
    for (uint32_t lane = 0; lane < count; lane++) {
        float depth = 0;
        memcpy(&depth, &row[lane], sizeof(depth));
        depth = depth > low ? depth : low; // NaN too
        depth = depth < high ? depth : high;
        for (uint32_t sample = 0; sample < plan->sample_count; sample++) {
            fragments->depth[sample][lane] = depth;
        }
    }
}

void raster_fragment_flush(const struct raster_plan *plan, struct raster_worker *worker) {
    struct raster_fragments *fragments = &worker->fragments;
    if (fragments->lane_count == 0) {
        return;
    }
    uint64_t live = find_live(fragments);
    worker->batch.live = live;
    worker->batch.lane_count = fragments->lane_count;
    plan->kernel->function(&worker->dispatch, 0, 1, worker->scratch, worker->progress);
    apply_outputs(plan, worker, live);
    if (plan->draw->pipeline->state.has_alpha_to_coverage) {
        raster_alpha_to_coverage(plan->draw, fragments, worker->outputs);
    }
    if (plan->has_tests && !plan->has_early_tests) {
        raster_test_depth_stencil(plan->draw, fragments, 0, fragments->lane_count, true);
    }
    raster_blend(plan->draw, fragments, worker->outputs);
    fragments->lane_count = 0;
}

// ---------------------------------------------------------------- gathering

// Bit q of 16: the quad q of the block has a lane in `lanes`.
static inline uint32_t find_quads(uint64_t lanes) {
    lanes |= lanes >> 1;
    lanes |= lanes >> 2;
    lanes &= UINT64_C(0x1111111111111111);
    // Bits 4 q to bits q.
    lanes = (lanes | lanes >> 3) & UINT64_C(0x0303030303030303);
    lanes = (lanes | lanes >> 6) & UINT64_C(0x000f000f000f000f);
    lanes = (lanes | lanes >> 12) & UINT64_C(0x000000ff000000ff);
    return (uint32_t)((lanes | lanes >> 24) & 0xffff);
}

static inline uint32_t lowest_bit(uint32_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(bits);
#else
    uint32_t index = 0;
    while ((bits >> index & 1) == 0) {
        index++;
    }
    return index;
#endif
}

// The four lanes of a quad, a byte each: bit s for sample s.
static inline uint32_t quad_coverage(
    const struct raster_plan *plan, const struct raster_block *block, uint32_t quad) {
    uint32_t bytes = 0;
    for (uint32_t sample = 0; sample < plan->sample_count; sample++) {
        uint32_t bits = (uint32_t)(block->covered[sample] >> (4 * quad)) & 0xf;
        // Bit i to bit 8 i.
        bytes |= (bits * 0x00204081u & 0x01010101u) << sample;
    }
    return bytes;
}

static inline void store_bytes(uint8_t *out, uint32_t bytes) {
    for (uint32_t i = 0; i < 4; i++) {
        out[i] = (uint8_t)(bytes >> (8 * i));
    }
}

// Lanes of one quad, of the samples in `samples`.
static void set_quad(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_block *block, uint32_t quad, uint32_t samples, uint32_t lane) {
    struct raster_fragments *fragments = &worker->fragments;
    uint32_t x = block->x + quad % 4 * 2;
    uint32_t y = block->y + quad / 4 * 2;
    for (uint32_t i = 0; i < 4; i++) {
        fragments->x[lane + i] = (uint16_t)(x + i % 2);
        fragments->y[lane + i] = (uint16_t)(y + i / 2);
    }
    uint32_t covered = quad_coverage(plan, block, quad);
    store_bytes(worker->covered + lane, covered);
    store_bytes(fragments->coverage + lane, covered & samples * 0x01010101u);
}

static void move_quad(
    const struct raster_plan *plan, struct raster_worker *worker, uint32_t from, uint32_t to) {
    struct raster_fragments *fragments = &worker->fragments;
    memcpy(fragments->x + to, fragments->x + from, 4 * sizeof(fragments->x[0]));
    memcpy(fragments->y + to, fragments->y + from, 4 * sizeof(fragments->y[0]));
    memcpy(fragments->coverage + to, fragments->coverage + from, 4);
    memcpy(worker->covered + to, worker->covered + from, 4);
    for (uint32_t sample = 0; sample < plan->sample_count; sample++) {
        memcpy(fragments->depth[sample] + to, fragments->depth[sample] + from,
            4 * sizeof(fragments->depth[0][0]));
    }
}

// Takes the quads of lanes [first, end) that nothing covers out; the new end.
static uint32_t drop_dead_quads(
    const struct raster_plan *plan, struct raster_worker *worker, uint32_t first, uint32_t end) {
    uint32_t to = first;
    for (uint32_t from = first; from < end; from += 4) {
        uint32_t coverage = 0;
        memcpy(&coverage, worker->fragments.coverage + from, 4);
        if (coverage == 0) {
            continue;
        }
        if (from != to) {
            move_quad(plan, worker, from, to);
        }
        to += 4;
    }
    return to;
}

// Lanes [first, end) have places and coverage: gives them the rest, and room in the batch.
static void finish_lanes(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, uint32_t sample_index, uint32_t first, uint32_t end) {
    struct raster_fragments *fragments = &worker->fragments;
    memset(fragments->is_front_facing + first, primitive->is_front_facing, end - first);
    if (plan->needs_depth) {
        raster_interpolate_depth(plan, worker, primitive, first, end);
    }
    if (plan->has_tests && plan->has_early_tests) {
        fragments->lane_count = end;
        raster_test_depth_stencil(plan->draw, fragments, first, end, true);
        end = drop_dead_quads(plan, worker, first, end);
    }
    if (plan->kernel == NULL) {
        fragments->lane_count = 0;
        return;
    }
    if (plan->is_sample_shaded) {
        memset(worker->sample_index + first, (int)sample_index, end - first);
    }
    raster_interpolate_inputs(plan, worker, primitive, first, end);
    fragments->lane_count = end;
    if (end == JIT_BATCH_LANES) {
        raster_fragment_flush(plan, worker);
    }
}

// Adds quads, of the samples in `samples`.
static void add_quads(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, const struct raster_block *block, uint32_t quads,
    uint32_t samples, uint32_t sample_index) {
    while (quads != 0) {
        uint32_t first = worker->fragments.lane_count;
        uint32_t lane = first;
        for (; quads != 0 && lane < JIT_BATCH_LANES; lane += 4) {
            set_quad(plan, worker, block, lowest_bit(quads), samples, lane);
            quads &= quads - 1;
        }
        finish_lanes(plan, worker, primitive, sample_index, first, lane);
    }
}

// Adds a block that is covered whole: it is a batch by itself.
static void add_whole(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, const struct raster_block *block) {
    static const uint8_t columns[16] = {0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7};
    static const uint8_t rows[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
    struct raster_fragments *fragments = &worker->fragments;
    raster_fragment_flush(plan, worker);
    for (uint32_t first = 0; first < JIT_BATCH_LANES; first += 16) {
        uint32_t y = block->y + first / 8;
        for (uint32_t i = 0; i < 16; i++) {
            fragments->x[first + i] = (uint16_t)(block->x + columns[i]);
            fragments->y[first + i] = (uint16_t)(y + rows[i]);
        }
    }
    memset(worker->covered, (1 << plan->sample_count) - 1, JIT_BATCH_LANES);
    memset(fragments->coverage, (int)plan->sample_mask, JIT_BATCH_LANES);
    finish_lanes(plan, worker, primitive, 0, 0, JIT_BATCH_LANES);
}

void raster_fragment_add(const struct raster_plan *plan, struct raster_worker *worker,
    const struct raster_primitive *primitive, const struct raster_block *block) {
    if (!plan->is_sample_shaded) {
        uint64_t lanes = 0;
        uint64_t common = UINT64_MAX;
        for (uint32_t sample = 0; sample < plan->sample_count; sample++) {
            lanes |= (plan->sample_mask >> sample & 1) != 0 ? block->covered[sample] : 0;
            common &= block->covered[sample];
        }
        if (common == UINT64_MAX && plan->sample_mask != 0) {
            add_whole(plan, worker, primitive, block);
        } else {
            add_quads(plan, worker, primitive, block, find_quads(lanes), plan->sample_mask, 0);
        }
        return;
    }
    for (uint32_t sample = 0; sample < plan->sample_count; sample++) {
        if ((plan->sample_mask >> sample & 1) != 0) {
            add_quads(plan, worker, primitive, block, find_quads(block->covered[sample]),
                1u << sample, sample);
        }
    }
}
