// SPDX-License-Identifier: MIT
//
// Subgroup and quad operations through the code generator, with partial subgroups and invocations that
// are not active, against what the width says: a subgroup is the invocations of one vector.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jit/jit_run.h"

struct form {
    enum jit_level level;
    uint32_t width, jam;
};
static const struct form forms[] = {{JIT_LEVEL_SSE42, 4, 1}, {JIT_LEVEL_SSE42, 4, 4},
    {JIT_LEVEL_AVX2, 8, 1}, {JIT_LEVEL_AVX2, 8, 2}, {JIT_LEVEL_AVX2, 16, 1},
    {JIT_LEVEL_AVX2, 64, 1}, {JIT_LEVEL_AVX512, 16, 2}, {JIT_LEVEL_AVX2, 0, 0}};

#define LANES 43u
#define ROWS 20u

static uint32_t input(uint32_t lane) {
    return (lane * 2654435761u) >> 7 & 1023u;
}
static bool is_active(uint32_t lane) {
    return lane % 5 != 2 && lane % 7 != 0;
}

struct expected {
    uint32_t first, count, ballot[2], sum, before, least, greatest, all_bits, any_bits;
    uint32_t odd_bits; // xor
};

// Of the active lanes of the lane's subgroup; `before` is the sum of those below it.
static struct expected expect(uint32_t lane, uint32_t width) {
    uint32_t begin = lane / width * width;
    struct expected r = {.first = UINT32_MAX, .least = UINT32_MAX, .all_bits = UINT32_MAX};
    for (uint32_t i = begin; i < begin + width && i < LANES; i++) {
        if (!is_active(i)) {
            continue;
        }
        r.first = r.first == UINT32_MAX ? i : r.first;
        r.count++;
        r.ballot[(i - begin) / 32] |= (input(i) % 2) << (i - begin) % 32;
        r.sum += input(i);
        r.before += i < lane ? input(i) : 0;
        r.least = input(i) < r.least ? input(i) : r.least;
        r.greatest = input(i) > r.greatest ? input(i) : r.greatest;
        r.all_bits &= input(i);
        r.any_bits |= input(i);
        r.odd_bits ^= input(i);
    }
    return r;
}

static const char text[] =
    "enable subgroups;\n"
    "diagnostic(off, subgroup_uniformity);\n"
    "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
    "@group(0) @binding(1) var<storage, read_write> r: array<array<u32, 43>>;\n"
    "@compute @workgroup_size(43) fn main(@builtin(local_invocation_index) i: u32,\n"
    "  @builtin(subgroup_invocation_id) id: u32, @builtin(subgroup_size) size: u32,\n"
    "  @builtin(subgroup_id) which: u32, @builtin(num_subgroups) count: u32) {\n"
    "  if (i % 5u == 2u || i % 7u == 0u) { return; }\n"
    "  let v = a[i];\n"
    "  r[0][i] = id;\n"
    "  r[1][i] = size | (which << 8u) | (count << 16u);\n"
    "  r[2][i] = subgroupAdd(v);\n"
    "  r[3][i] = subgroupExclusiveAdd(v);\n"
    "  r[4][i] = u32(subgroupInclusiveAdd(f32(v)));\n"
    "  r[5][i] = subgroupMin(v);\n"
    "  r[6][i] = u32(subgroupMax(f32(v)));\n"
    "  r[7][i] = subgroupAnd(v);\n"
    "  r[8][i] = subgroupOr(v);\n"
    "  r[9][i] = subgroupXor(v);\n"
    "  let b = subgroupBallot(v % 2u == 1u);\n"
    "  r[10][i] = b.x;\n"
    "  r[11][i] = b.y | b.z | b.w;\n"
    "  r[12][i] = u32(subgroupElect());\n"
    "  r[13][i] = subgroupBroadcastFirst(i);\n"
    "  r[14][i] = u32(subgroupAll(v < 900u)) | (u32(subgroupAny(v > 900u)) << 1u);\n"
    "  r[15][i] = subgroupShuffleXor(i, 1u);\n"
    "  r[16][i] = subgroupShuffle(i, (id + v) % size);\n"
    "  r[17][i] = quadSwapDiagonal(vec2u(0, i)).y;\n"
    "  r[18][i] = subgroupShuffleUp(i, 2u);\n"
    "  r[19][i] = subgroupMul(select(1u, 3u, v % 2u == 1u));\n"
    "}\n";

static bool is_source_active(uint32_t lane) {
    return lane < LANES && is_active(lane);
}

static void check_lane(const uint32_t *results, uint32_t lane, uint32_t width) {
    struct expected e = expect(lane, width);
    uint32_t id = lane % width, begin = lane - id, product = 1;
    uint32_t all = 1, any = 0;
    for (uint32_t i = begin; i < begin + width; i++) {
        bool takes_part = is_source_active(i);
        product *= takes_part && input(i) % 2 == 1 ? 3 : 1;
        all = takes_part && input(i) >= 900 ? 0 : all;
        any = takes_part && input(i) > 900 ? 1 : any;
    }
    uint32_t want[ROWS] = {id, width | (lane / width) << 8 | ((LANES + width - 1) / width) << 16,
        e.sum, e.before, e.before + input(lane), e.least, e.greatest, e.all_bits, e.any_bits,
        e.odd_bits, e.ballot[0], e.ballot[1], lane == e.first, e.first, all | any << 1, lane ^ 1,
        begin + (id + input(lane)) % width, lane ^ 3, lane - 2, product};
    for (uint32_t row = 0; row < ROWS; row++) {
        // What an inactive invocation has is not defined.
        uint32_t source = row == 15 || row == 16 || row == 17 || row == 18 ? want[row] : lane;
        if (source < begin || !is_source_active(source)) {
            continue;
        }
        if (!CHECK_EQ(results[row * LANES + lane], want[row])) {
            fprintf(stderr, "    row %u, lane %u\n", row, lane);
        }
    }
}

TEST(active_invocations_of_a_vector_take_part) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].level > jit->native_level()) {
            continue;
        }
        struct jit_options options = {.level = forms[i].level,
            .width = forms[i].width,
            .jam = forms[i].jam,
            .poll_cancel = true};
        struct jit_run run;
        uint32_t inputs[LANES], results[ROWS * LANES];
        uint64_t before = check_failure_count;
        if (!CHECK(jit_run_create(&run, text, &options))) {
            fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&run.error)));
            jit_run_destroy(&run);
            continue;
        }
        for (uint32_t lane = 0; lane < LANES; lane++) {
            inputs[lane] = input(lane);
        }
        memset(results, 0xab, sizeof results);
        struct jit_buffer buffers[] = {
            {(uint8_t *)inputs, sizeof inputs}, {(uint8_t *)results, sizeof results}};
        jit_run_dispatch(&run, buffers, 1, 1, 1);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            if (is_active(lane)) {
                check_lane(results, lane, run.kernel->width);
            } else {
                CHECK_EQ(results[lane], 0xababababu);
            }
        }
        if (check_failure_count != before) {
            fprintf(stderr, "    at %s, width %u, jam %u\n", jit_level_word(forms[i].level),
                forms[i].width, forms[i].jam);
        }
        jit_run_destroy(&run);
    }
}

// Helpers and absent lanes count nowhere.
TEST(helpers_of_fragments_take_no_part) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    struct jit_options options = {.level = jit->native_level(), .poll_cancel = true};
    struct jit_run run;
    static uint32_t inputs[JIT_BATCH_LANES], outputs[2 * JIT_BATCH_LANES];
    const uint64_t live = 0x0000f3b5d7e96c2bu;
    struct jit_batch batch = {.inputs = inputs, .outputs = outputs, .live = live, .lane_count = 44};
    if (!CHECK(jit_run_create(&run,
            "enable subgroups;\n"
            "@fragment fn main(@location(0) @interpolate(flat) v: u32) -> @location(0) vec2u {\n"
            "  if (v % 8u == 5u) { discard; }\n"
            "  return vec2u(subgroupAdd(v), subgroupBallot(true).x);\n}\n",
            &options))) {
        fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&run.error)));
        jit_run_destroy(&run);
        return;
    }
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        inputs[lane] = lane;
    }
    batch.live &= ((uint64_t)1 << 44) - 1;
    uint64_t given = batch.live;
    jit_run_batches(&run, NULL, &batch, 0, 1);
    uint32_t width = run.kernel->width;
    for (uint32_t lane = 0; lane < 44; lane++) {
        uint32_t sum = 0, ballot = 0, begin = lane / width * width;
        for (uint32_t i = begin; i < begin + width; i++) {
            bool is_live = (given >> i & 1) != 0 && i % 8 != 5;
            sum += is_live ? i : 0;
            ballot |= (uint32_t)is_live << (i - begin);
        }
        CHECK_EQ(batch.live >> lane & 1, (given >> lane & 1) != 0 && lane % 8 != 5);
        if ((batch.live >> lane & 1) != 0) {
            CHECK_EQ(outputs[lane], sum);
            CHECK_EQ(outputs[JIT_BATCH_LANES + lane], ballot);
        }
    }
    jit_run_destroy(&run);
}

CHECK_MAIN(active_invocations_of_a_vector_take_part, helpers_of_fragments_take_no_part)
