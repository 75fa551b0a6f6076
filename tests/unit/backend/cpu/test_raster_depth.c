// SPDX-License-Identifier: MIT
//
// Depth and stencil tests of the rasteriser against a plain account of them, one sample at a time:
// every compare function, every operation, masks, faces, formats, sample counts, missing aspects,
// and a batch that meets the same pixels again.
#include "backend/cpu/raster.h"

#include "check.h"

#include <webgpu/webgpu.h>

#define SIDE 8u // pixels of the attachments, width and height

// ---------------------------------------------------------------- a scene

struct scene {
    struct backend_render_pipeline pipeline;
    struct raster_pass pass;
    struct raster_draw draw;
    struct raster_fragments fragments;
    _Atomic uint64_t passed;
    float depths[SIDE * SIDE * 4];
    uint16_t depths16[SIDE * SIDE * 4];
    uint8_t stencils[SIDE * SIDE * 4];
};

static uint32_t random_state;
static uint32_t next_random(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// Depths that are often equal, sometimes out of range and sometimes not numbers.
static float next_depth(void) {
    uint32_t choice = next_random() % 24;
    return choice == 0 ? NAN : choice == 1 ? 1.25f : choice == 2 ? -0.5f : (float)(choice % 6) / 5;
}

static void init_scene(struct scene *scene, uint32_t format, uint32_t sample_count, uint32_t seed) {
    memset(scene, 0, sizeof(*scene));
    random_state = seed;
    bool is_unorm16 = format == WGPUTextureFormat_Depth16Unorm;
    bool has_depth = format != WGPUTextureFormat_Stencil8;
    bool has_stencil = format == WGPUTextureFormat_Stencil8 ||
        format == WGPUTextureFormat_Depth24PlusStencil8 ||
        format == WGPUTextureFormat_Depth32FloatStencil8;
    for (uint32_t i = 0; i < SIDE * SIDE * 4; i++) {
        scene->depths[i] = (float)(next_random() % 6) / 5;
        scene->depths16[i] = (uint16_t)(next_random() % 6 * 13107);
        scene->stencils[i] = (uint8_t)(next_random() % 5 * 63 + next_random() % 4);
    }
    scene->pass = (struct raster_pass){.width = SIDE,
        .height = SIDE,
        .sample_count = sample_count,
        .passed_samples = &scene->passed};
    if (has_depth) {
        scene->pass.depth = (struct raster_target){
            .data = is_unorm16 ? (uint8_t *)scene->depths16 : (uint8_t *)scene->depths,
            .texel_bytes = is_unorm16 ? 2 : 4,
            .row_bytes = (uint64_t)SIDE * sample_count * (is_unorm16 ? 2 : 4),
            .format = is_unorm16 ? WGPUTextureFormat_Depth16Unorm : WGPUTextureFormat_Depth32Float,
        };
    }
    if (has_stencil) {
        scene->pass.stencil = (struct raster_target){.data = scene->stencils,
            .texel_bytes = 1,
            .row_bytes = (uint64_t)SIDE * sample_count,
            .format = WGPUTextureFormat_Stencil8};
    }
    struct backend_stencil_face keep = {WGPUCompareFunction_Always, WGPUStencilOperation_Keep,
        WGPUStencilOperation_Keep, WGPUStencilOperation_Keep};
    scene->pipeline.state = (struct backend_render_pipeline_state){.depth_stencil_format = format,
        .depth_compare = WGPUCompareFunction_Always,
        .stencil_front = keep,
        .stencil_back = keep,
        .stencil_read_mask = 0xffffffff,
        .stencil_write_mask = 0xffffffff,
        .sample_count = sample_count};
    scene->draw = (struct raster_draw){.pass = &scene->pass, .pipeline = &scene->pipeline};
    // Sixteen quads over four places: each is met several times in one batch.
    scene->fragments.lane_count = JIT_BATCH_LANES;
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane += 4) {
        uint32_t x = next_random() % 2 * 2;
        uint32_t y = next_random() % 2 * 6;
        bool is_front = next_random() % 2 == 0;
        for (uint32_t i = 0; i < 4; i++) {
            scene->fragments.x[lane + i] = (uint16_t)(x + i % 2);
            scene->fragments.y[lane + i] = (uint16_t)(y + i / 2);
            scene->fragments.coverage[lane + i] = (uint8_t)(next_random() % 16 &
                ((1u << sample_count) - 1));
            scene->fragments.is_front_facing[lane + i] = is_front;
            for (uint32_t sample = 0; sample < sample_count; sample++) {
                scene->fragments.depth[sample][lane + i] = next_depth();
            }
        }
    }
}

// ---------------------------------------------------------------- the plain account

static bool compare(uint32_t function, double a, double b) {
    switch (function) {
    case WGPUCompareFunction_Never:
        return false;
    case WGPUCompareFunction_Less:
        return a < b;
    case WGPUCompareFunction_Equal:
        return a == b;
    case WGPUCompareFunction_LessEqual:
        return a <= b;
    case WGPUCompareFunction_Greater:
        return a > b;
    case WGPUCompareFunction_NotEqual:
        return a != b;
    case WGPUCompareFunction_GreaterEqual:
        return a >= b;
    default:
        return true;
    }
}

static int operate(uint32_t operation, int value, int reference) {
    switch (operation) {
    case WGPUStencilOperation_Keep:
        return value;
    case WGPUStencilOperation_Zero:
        return 0;
    case WGPUStencilOperation_Replace:
        return reference;
    case WGPUStencilOperation_Invert:
        return 255 - value;
    case WGPUStencilOperation_IncrementClamp:
        return value == 255 ? 255 : value + 1;
    case WGPUStencilOperation_DecrementClamp:
        return value == 0 ? 0 : value - 1;
    case WGPUStencilOperation_IncrementWrap:
        return value == 255 ? 0 : value + 1;
    default:
        return value == 0 ? 255 : value - 1;
    }
}

static bool expect_sample(struct scene *scene, uint32_t lane, uint32_t sample) {
    const struct backend_render_pipeline_state *state = &scene->pipeline.state;
    uint32_t place = (scene->fragments.y[lane] * SIDE + scene->fragments.x[lane]) *
            scene->pass.sample_count +
        sample;
    bool has_stencil = scene->pass.stencil.data != NULL;
    bool has_depth = scene->pass.depth.data != NULL;
    const struct backend_stencil_face *face = scene->fragments.is_front_facing[lane]
        ? &state->stencil_front
        : &state->stencil_back;
    int reference = (int)(scene->draw.stencil_reference & 255);
    int read_mask = (int)(state->stencil_read_mask & 255);
    int write_mask = scene->pass.is_stencil_read_only ? 0 : (int)(state->stencil_write_mask & 255);
    bool passes_stencil = !has_stencil ||
        compare(face->compare, reference & read_mask, scene->stencils[place] & read_mask);
    bool passes_depth = true;
    float depth = scene->fragments.depth[sample][lane];
    bool is_unorm16 = scene->pass.depth.format == WGPUTextureFormat_Depth16Unorm;
    double code = depth > 0 ? fmin(floor(depth * 65535.0 + 0.5), 65535) : 0;
    if (has_depth && is_unorm16) {
        passes_depth = compare(state->depth_compare, code, scene->depths16[place]);
    } else if (has_depth) {
        passes_depth = compare(state->depth_compare, depth, scene->depths[place]);
    }
    if (has_stencil) {
        uint32_t operation = !passes_stencil ? face->fail_op
            : !passes_depth                  ? face->depth_fail_op
                                             : face->pass_op;
        int value = operate(operation, scene->stencils[place], reference);
        scene->stencils[place] = (uint8_t)((scene->stencils[place] & ~write_mask) |
            (value & write_mask));
    }
    bool is_written = state->is_depth_write_enabled && !scene->pass.is_depth_read_only;
    if (has_depth && passes_stencil && passes_depth && is_written) {
        if (is_unorm16) {
            scene->depths16[place] = (uint16_t)code;
        } else {
            scene->depths[place] = depth;
        }
    }
    return passes_stencil && passes_depth;
}

static void expect(struct scene *scene, uint32_t first, uint32_t end) {
    for (uint32_t lane = first; lane < end; lane++) {
        for (uint32_t sample = 0; sample < scene->pass.sample_count; sample++) {
            uint8_t bit = (uint8_t)(1u << sample);
            if ((scene->fragments.coverage[lane] & bit) == 0) {
                continue;
            }
            if (expect_sample(scene, lane, sample)) {
                scene->passed++;
            } else {
                scene->fragments.coverage[lane] &= (uint8_t)~bit;
            }
        }
    }
}

// Draws both ways; `change` sets the state, of equal scenes in both.
typedef void (*change_function)(struct scene *scene, uint32_t number);

static bool check_scene(uint32_t format, uint32_t sample_count, change_function change,
    uint32_t number, uint32_t first, uint32_t end) {
    static struct scene drawn;
    static struct scene expected;
    init_scene(&drawn, format, sample_count, number + 1);
    init_scene(&expected, format, sample_count, number + 1);
    change(&drawn, number);
    change(&expected, number);
    raster_test_depth_stencil(&drawn.draw, &drawn.fragments, first, end, true);
    expect(&expected, first, end);
    bool ok = CHECK_EQ(drawn.passed, expected.passed);
    ok &= CHECK_BYTES(drawn.fragments.coverage, expected.fragments.coverage, JIT_BATCH_LANES);
    ok &= CHECK_BYTES(drawn.depths, expected.depths, sizeof(drawn.depths));
    ok &= CHECK_BYTES(drawn.depths16, expected.depths16, sizeof(drawn.depths16));
    ok &= CHECK_BYTES(drawn.stencils, expected.stencils, sizeof(drawn.stencils));
    if (!ok) {
        fprintf(stderr, "    format %u, %u samples, number %u\n", format, sample_count, number);
    }
    return ok;
}

static const uint32_t formats[] = {WGPUTextureFormat_Depth16Unorm, WGPUTextureFormat_Depth24Plus,
    WGPUTextureFormat_Depth32Float, WGPUTextureFormat_Depth24PlusStencil8,
    WGPUTextureFormat_Depth32FloatStencil8, WGPUTextureFormat_Stencil8};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

static void check_numbers(change_function change, uint32_t count) {
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        for (uint32_t sample_count = 1; sample_count <= 4; sample_count += 3) {
            for (uint32_t number = 0; number < count; number++) {
                if (!check_scene(formats[i], sample_count, change, number, 0, JIT_BATCH_LANES)) {
                    return;
                }
            }
        }
    }
}

// ---------------------------------------------------------------- tests

static void change_depth(struct scene *scene, uint32_t number) {
    scene->pipeline.state.depth_compare = WGPUCompareFunction_Never + number % 8;
    scene->pipeline.state.is_depth_write_enabled = number / 8 % 2 == 1;
    scene->pass.is_depth_read_only = number / 16 == 1;
}

TEST(every_depth_compare_function) {
    check_numbers(change_depth, 32);
}

// All functions, and operations in all three places, on both faces.
static void change_stencil(struct scene *scene, uint32_t number) {
    struct backend_stencil_face *faces[2] = {
        &scene->pipeline.state.stencil_front, &scene->pipeline.state.stencil_back};
    for (uint32_t i = 0; i < 2; i++) {
        *faces[i] = (struct backend_stencil_face){
            .compare = WGPUCompareFunction_Never + (number + 3 * i) % 8,
            .fail_op = WGPUStencilOperation_Keep + (number / 8 + i) % 8,
            .depth_fail_op = WGPUStencilOperation_Keep + (number / 8 + 3 + 2 * i) % 8,
            .pass_op = WGPUStencilOperation_Keep + (number / 8 + 5 + 4 * i) % 8,
        };
    }
    scene->pipeline.state.depth_compare = WGPUCompareFunction_Never + number / 3 % 8;
    scene->pipeline.state.is_depth_write_enabled = number % 2 == 0;
    scene->draw.stencil_reference = number * 2654435761u; // more than 8 bits
}

static void change_masks(struct scene *scene, uint32_t number) {
    change_stencil(scene, number * 5);
    scene->pipeline.state.stencil_read_mask = number % 4 == 0 ? 0 : number * 37;
    scene->pipeline.state.stencil_write_mask = number % 5 == 0 ? 0 : number * 91;
    scene->pass.is_stencil_read_only = number % 7 == 0;
}

TEST(every_stencil_function_and_operation) {
    check_numbers(change_stencil, 64);
}

TEST(stencil_masks) {
    check_numbers(change_masks, 64);
}

TEST(part_of_a_batch) {
    for (uint32_t number = 0; number < 64; number++) {
        check_scene(WGPUTextureFormat_Depth24PlusStencil8, 4, change_stencil, number, 8, 44);
        check_scene(WGPUTextureFormat_Depth32Float, 4, change_depth, number % 32, 4, 60);
    }
}

static void change_nothing(struct scene *scene, uint32_t number) {
    (void)number;
    scene->pipeline.state.depth_stencil_format = WGPUTextureFormat_Undefined;
    scene->pass.depth.data = NULL;
    scene->pass.stencil.data = NULL;
}

TEST(without_attachments_samples_are_counted) {
    check_numbers(change_nothing, 4);
}

TEST(counting_is_optional) {
    static struct scene scene;
    init_scene(&scene, WGPUTextureFormat_Depth32Float, 1, 1);
    raster_test_depth_stencil(&scene.draw, &scene.fragments, 0, JIT_BATCH_LANES, false);
    CHECK_EQ(scene.passed, 0);
    scene.pass.passed_samples = NULL;
    raster_test_depth_stencil(&scene.draw, &scene.fragments, 0, JIT_BATCH_LANES, true);
    CHECK_EQ(scene.passed, 0);
}

// Halves go up, as in a clear of the same value: 0.5 is the code 32768.
TEST(unorm16_is_rounded_before_it_is_compared) {
    static struct scene scene;
    init_scene(&scene, WGPUTextureFormat_Depth16Unorm, 1, 1);
    scene.pipeline.state.depth_compare = WGPUCompareFunction_Equal;
    scene.depths16[0] = 32768;
    scene.fragments.x[0] = scene.fragments.y[0] = 0;
    const float depths[] = {
        0.5f, 32767.6f / 65535, 32768.4f / 65535, 32767.4f / 65535, 32768.6f / 65535};
    const uint8_t passes[] = {1, 1, 1, 0, 0};
    for (int i = 0; i < 5; i++) {
        scene.fragments.coverage[0] = 1;
        scene.fragments.depth[0][0] = depths[i];
        raster_test_depth_stencil(&scene.draw, &scene.fragments, 0, 1, false);
        CHECK_EQ(scene.fragments.coverage[0], passes[i]);
    }
}

CHECK_MAIN(every_depth_compare_function, every_stencil_function_and_operation, stencil_masks,
    part_of_a_batch, without_attachments_samples_are_counted, counting_is_optional,
    unorm16_is_rounded_before_it_is_compared)
