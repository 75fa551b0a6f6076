// SPDX-License-Identifier: MIT
//
// Depth and stencil of fragments against the attachments, one sample of one lane after the other:
// lanes of a batch may be the same pixel, and the later one must see what the earlier one wrote.
#include "backend/cpu/raster_depth_priv.h"

#include <string.h>

#include <webgpu/webgpu.h>

static uint32_t get_accepted(uint32_t compare) {
    switch (compare) {
    case WGPUCompareFunction_Never:
        return 0;
    case WGPUCompareFunction_Less:
        return LESS;
    case WGPUCompareFunction_Equal:
        return EQUAL;
    case WGPUCompareFunction_LessEqual:
        return LESS | EQUAL;
    case WGPUCompareFunction_Greater:
        return GREATER;
    case WGPUCompareFunction_NotEqual:
        return LESS | GREATER | UNORDERED;
    case WGPUCompareFunction_GreaterEqual:
        return GREATER | EQUAL;
    default:
        return LESS | EQUAL | GREATER | UNORDERED;
    }
}

static inline uint32_t relate_stencils(uint32_t reference, uint32_t stored) {
    return reference < stored ? LESS : reference == stored ? EQUAL : GREATER;
}

// ---------------------------------------------------------------- tests

struct stencil_face {
    uint32_t accepted;
    uint32_t fail_op;
    uint32_t depth_fail_op;
    uint32_t pass_op;
};

struct stencil_test {
    uint8_t *data; // NULL: as above
    uint64_t row_bytes;
    uint32_t pixel_bytes;
    uint32_t reference;
    uint32_t read_mask;
    uint32_t write_mask;          // 0: nothing is written
    struct stencil_face faces[2]; // back, front
};

static struct depth_test get_depth_test(const struct raster_draw *draw) {
    const struct backend_render_pipeline_state *state = &draw->pipeline->state;
    const struct raster_pass *pass = draw->pass;
    struct depth_test test = {
        .data = pass->depth.data,
        .row_bytes = pass->depth.row_bytes,
        .pixel_bytes = pass->depth.texel_bytes * pass->sample_count,
        .width = pass->width,
        .height = pass->height,
        .is_unorm16 = pass->depth.format == WGPUTextureFormat_Depth16Unorm,
        .is_written = state->is_depth_write_enabled && !pass->is_depth_read_only,
        .accepted = get_accepted(state->depth_compare),
    };
    bool is_idle = !test.is_written && test.accepted == (LESS | EQUAL | GREATER | UNORDERED);
    if (state->depth_stencil_format == WGPUTextureFormat_Undefined || is_idle) {
        test.data = NULL;
    }
    return test;
}

static struct stencil_face get_face(const struct backend_stencil_face *face) {
    return (struct stencil_face){
        .accepted = get_accepted(face->compare),
        .fail_op = face->fail_op,
        .depth_fail_op = face->depth_fail_op,
        .pass_op = face->pass_op,
    };
}

static bool is_face_idle(const struct stencil_face *face) {
    return face->accepted == (LESS | EQUAL | GREATER | UNORDERED) &&
        face->depth_fail_op == WGPUStencilOperation_Keep &&
        face->pass_op == WGPUStencilOperation_Keep;
}

static struct stencil_test get_stencil_test(const struct raster_draw *draw) {
    const struct backend_render_pipeline_state *state = &draw->pipeline->state;
    const struct raster_pass *pass = draw->pass;
    struct stencil_test test = {
        .data = pass->stencil.data,
        .row_bytes = pass->stencil.row_bytes,
        .pixel_bytes = pass->stencil.texel_bytes * pass->sample_count,
        .reference = draw->stencil_reference & 0xffu,
        .read_mask = state->stencil_read_mask & 0xffu,
        .write_mask = pass->is_stencil_read_only ? 0 : state->stencil_write_mask & 0xffu,
        .faces = {get_face(&state->stencil_back), get_face(&state->stencil_front)},
    };
    bool is_idle = is_face_idle(&test.faces[0]) && is_face_idle(&test.faces[1]);
    if (state->depth_stencil_format == WGPUTextureFormat_Undefined || is_idle) {
        test.data = NULL;
    }
    return test;
}

// ---------------------------------------------------------------- depth

static inline uint16_t to_unorm16(float depth) {
    double clamped = depth > 0 ? (depth < 1 ? (double)depth : 1) : 0; // NaN: 0
    return (uint16_t)(clamped * 65535 + 0.5);
}

static inline bool test_unorm16_depth(const struct depth_test *test, uint8_t *at, float depth) {
    uint16_t stored = 0;
    uint16_t code = to_unorm16(depth);
    memcpy(&stored, at, sizeof(stored));
    bool passes = (relate_depths((float)code, (float)stored) & test->accepted) != 0;
    if (passes && test->is_written) {
        memcpy(at, &code, sizeof(code));
    }
    return passes;
}

static inline bool test_depth(
    const struct depth_test *test, uint64_t x, uint64_t y, uint32_t sample, float depth) {
    if (test->data == NULL) {
        return true;
    }
    uint8_t *pixel = test->data + y * test->row_bytes + x * test->pixel_bytes;
    return test->is_unorm16 ? test_unorm16_depth(test, pixel + sample * sizeof(uint16_t), depth)
                            : raster_test_float_depth(test, pixel + sample * sizeof(float), depth);
}

// Depth alone, the common case: one loop for each kind of memory.
static void test_depths(const struct depth_test *test, struct raster_fragments *fragments,
    uint32_t first, uint32_t end, uint32_t sample) {
    const float *depths = fragments->depth[sample];
    uint32_t bit = 1u << sample;
    if (test->is_unorm16) {
        for (uint32_t lane = first; lane < end; lane++) {
            if ((fragments->coverage[lane] & bit) != 0 &&
                !test_depth(test, fragments->x[lane], fragments->y[lane], sample, depths[lane])) {
                fragments->coverage[lane] &= (uint8_t)~bit;
            }
        }
        return;
    }
    uint8_t *data = test->data + sample * sizeof(float);
    for (uint32_t lane = first; lane < end; lane++) {
        uint64_t offset_bytes = fragments->y[lane] * test->row_bytes +
            (uint64_t)fragments->x[lane] * test->pixel_bytes;
        if ((fragments->coverage[lane] & bit) != 0 &&
            !raster_test_float_depth(test, data + offset_bytes, depths[lane])) {
            fragments->coverage[lane] &= (uint8_t)~bit;
        }
    }
}

// ---------------------------------------------------------------- stencil

static uint32_t operate(uint32_t operation, uint32_t stored, uint32_t reference) {
    switch (operation) {
    case WGPUStencilOperation_Zero:
        return 0;
    case WGPUStencilOperation_Replace:
        return reference;
    case WGPUStencilOperation_Invert:
        return ~stored & 0xffu;
    case WGPUStencilOperation_IncrementClamp:
        return stored < 255 ? stored + 1 : 255;
    case WGPUStencilOperation_DecrementClamp:
        return stored > 0 ? stored - 1 : 0;
    case WGPUStencilOperation_IncrementWrap:
        return (stored + 1) & 0xffu;
    case WGPUStencilOperation_DecrementWrap:
        return (stored - 1) & 0xffu;
    default:
        return stored; // keep
    }
}

static void test_stencils(const struct stencil_test *stencil, const struct depth_test *depth,
    struct raster_fragments *fragments, uint32_t first, uint32_t end, uint32_t sample) {
    uint32_t bit = 1u << sample;
    uint32_t reference = stencil->reference & stencil->read_mask;
    for (uint32_t lane = first; lane < end; lane++) {
        if ((fragments->coverage[lane] & bit) == 0) {
            continue;
        }
        uint64_t x = fragments->x[lane];
        uint64_t y = fragments->y[lane];
        uint8_t *at = stencil->data + y * stencil->row_bytes + x * stencil->pixel_bytes + sample;
        const struct stencil_face *face = &stencil->faces[fragments->is_front_facing[lane] ? 1 : 0];
        uint32_t relation = relate_stencils(reference, *at & stencil->read_mask);
        uint32_t operation = face->fail_op;
        bool passes = (relation & face->accepted) != 0;
        if (passes) {
            passes = test_depth(depth, x, y, sample, fragments->depth[sample][lane]);
            operation = passes ? face->pass_op : face->depth_fail_op;
        }
        uint32_t value = operate(operation, *at, stencil->reference);
        *at = (uint8_t)((*at & ~stencil->write_mask) | (value & stencil->write_mask));
        if (!passes) {
            fragments->coverage[lane] &= (uint8_t)~bit;
        }
    }
}

// ---------------------------------------------------------------- both

static void count_samples(const struct raster_pass *pass, const struct raster_fragments *fragments,
    uint32_t first, uint32_t end) {
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    uint64_t passed = 0;
    for (uint32_t lane = first; lane < end; lane++) {
        passed += counts[fragments->coverage[lane] & 15u];
    }
    if (passed != 0 && pass->passed_samples != NULL) {
        atomic_fetch_add_explicit(pass->passed_samples, passed, memory_order_relaxed);
    }
}

void raster_test_depth_stencil(const struct raster_draw *draw, struct raster_fragments *fragments,
    uint32_t first, uint32_t end, bool is_counting) {
    struct depth_test depth = get_depth_test(draw);
    struct stencil_test stencil = get_stencil_test(draw);
    uint32_t sample_count = draw->pass->sample_count;
    bool is_done = stencil.data == NULL && depth.data != NULL && !depth.is_unorm16 &&
        raster_test_float_depths(&depth, fragments, first, end, sample_count);
    // Samples do not meet: each goes through all lanes by itself.
    for (uint32_t sample = 0; !is_done && sample < sample_count; sample++) {
        if (stencil.data != NULL) {
            test_stencils(&stencil, &depth, fragments, first, end, sample);
        } else if (depth.data != NULL) {
            test_depths(&depth, fragments, first, end, sample);
        }
    }
    if (is_counting) {
        count_samples(draw->pass, fragments, first, end);
    }
}
