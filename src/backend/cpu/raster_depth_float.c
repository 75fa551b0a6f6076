// SPDX-License-Identifier: MIT
//
// Depth of 32 bits alone, the common case, by vectors of four: the pixels of a quad with one sample,
// the samples of a pixel with four. Lanes stay in order. Workers.
#include "backend/cpu/raster_depth_priv.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__SSE2__)

// All bits of the lanes whose relation to what is stored is accepted.
static inline __m128 compare(const __m128 accepted[4], __m128 depth, __m128 stored) {
    __m128 less = _mm_and_ps(_mm_cmplt_ps(depth, stored), accepted[0]);
    __m128 equal = _mm_and_ps(_mm_cmpeq_ps(depth, stored), accepted[1]);
    __m128 greater = _mm_and_ps(_mm_cmpgt_ps(depth, stored), accepted[2]);
    __m128 unordered = _mm_and_ps(_mm_cmpunord_ps(depth, stored), accepted[3]);
    return _mm_or_ps(_mm_or_ps(less, equal), _mm_or_ps(greater, unordered));
}

static inline __m128 choose(__m128 mask, __m128 yes, __m128 no) {
    return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
}

// A quad whose pixels all lie in the attachment; the lanes that pass.
static inline uint32_t test_quad(const struct depth_test *test, const __m128 accepted[4],
    uint8_t *top, const float *depths, __m128 covered) {
    uint8_t *bottom = top + test->row_bytes;
    __m128 stored = _mm_castsi128_ps(_mm_unpacklo_epi64(
        _mm_loadl_epi64((const void *)top), _mm_loadl_epi64((const void *)bottom)));
    __m128 depth = _mm_loadu_ps(depths);
    __m128 passes = _mm_and_ps(covered, compare(accepted, depth, stored));
    if (test->is_written) {
        __m128i next = _mm_castps_si128(choose(passes, depth, stored));
        _mm_storel_epi64((void *)top, next);
        _mm_storel_epi64((void *)bottom, _mm_unpackhi_epi64(next, next));
    }
    return (uint32_t)_mm_movemask_ps(passes);
}

static void test_quads(const struct depth_test *test, const __m128 accepted[4],
    struct raster_fragments *fragments, uint32_t first, uint32_t end) {
    const __m128i zero = _mm_setzero_si128();
    for (uint32_t lane = first; lane < end; lane += 4) {
        uint8_t *coverage = &fragments->coverage[lane];
        uint32_t bytes = 0;
        memcpy(&bytes, coverage, 4);
        uint32_t x = fragments->x[lane];
        uint32_t y = fragments->y[lane];
        if (x + 1 >= test->width || y + 1 >= test->height) {
            // A quad that hangs over the attachment's edge.
            for (uint32_t i = 0; i < 4; i++) {
                if (coverage[i] != 0) {
                    uint8_t *at = test->data + fragments->y[lane + i] * test->row_bytes +
                        (uint64_t)fragments->x[lane + i] * 4;
                    coverage[i] = raster_test_float_depth(test, at, fragments->depth[0][lane + i]);
                }
            }
            continue;
        }
        __m128i words = _mm_unpacklo_epi16(
            _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)bytes), zero), zero);
        __m128 covered = _mm_castsi128_ps(_mm_cmpgt_epi32(words, zero));
        uint8_t *top = test->data + y * test->row_bytes + (uint64_t)x * 4;
        uint32_t passes = test_quad(test, accepted, top, fragments->depth[0] + lane, covered);
        bytes = passes * 0x00204081u & 0x01010101u; // bit i to bit 8 i
        memcpy(coverage, &bytes, 4);
    }
}

static void test_pixels(const struct depth_test *test, const __m128 accepted[4],
    struct raster_fragments *fragments, uint32_t first, uint32_t end) {
    const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
    for (uint32_t lane = first; lane < end; lane += 4) {
        __m128 depths[4];
        for (uint32_t i = 0; i < 4; i++) {
            depths[i] = _mm_loadu_ps(fragments->depth[i] + lane);
        }
        _MM_TRANSPOSE4_PS(depths[0], depths[1], depths[2], depths[3]);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t coverage = fragments->coverage[lane + i];
            if (coverage == 0) {
                continue;
            }
            float *at = (void *)(test->data + fragments->y[lane + i] * test->row_bytes +
                (uint64_t)fragments->x[lane + i] * 16);
            __m128 stored = _mm_loadu_ps(at);
            __m128i chosen = _mm_and_si128(_mm_set1_epi32((int)coverage), bits);
            __m128 covered = _mm_castsi128_ps(_mm_cmpeq_epi32(chosen, bits));
            __m128 passes = _mm_and_ps(covered, compare(accepted, depths[i], stored));
            if (test->is_written) {
                _mm_storeu_ps(at, choose(passes, depths[i], stored));
            }
            fragments->coverage[lane + i] = (uint8_t)_mm_movemask_ps(passes);
        }
    }
}

bool raster_test_float_depths(const struct depth_test *test, struct raster_fragments *fragments,
    uint32_t first, uint32_t end, uint32_t sample_count) {
    __m128 accepted[4];
    for (uint32_t i = 0; i < 4; i++) {
        accepted[i] = _mm_castsi128_ps(_mm_set1_epi32(0 - (int)(test->accepted >> i & 1u)));
    }
    if (first % 4 != 0 || end % 4 != 0) {
        return false;
    }
    if (sample_count == 1) {
        test_quads(test, accepted, fragments, first, end);
    } else {
        test_pixels(test, accepted, fragments, first, end);
    }
    return true;
}

#else

bool raster_test_float_depths(const struct depth_test *test, struct raster_fragments *fragments,
    uint32_t first, uint32_t end, uint32_t sample_count) {
    (void)test;
    (void)fragments;
    (void)first;
    (void)end;
    (void)sample_count;
    return false;
}

#endif
