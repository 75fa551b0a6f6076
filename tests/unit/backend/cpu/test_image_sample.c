// SPDX-License-Identifier: MIT
//
// Sampling and gathering against image_reference.h, over random textures, views, samplers, lanes and
// coordinates; then any bits as coordinates, which must read nothing outside a texture.
#include "backend/cpu/image.h"

#include "check.h"
#include "unit/backend/cpu/image_reference.h"

#define WIDTH_LIMIT 64u
#define ROW_LIMIT 10u

// One random operation with its operands.
struct trial {
    struct backend_texture texture;
    struct backend_texture_view view;
    struct backend_sampler state;
    struct cpu_image image;
    struct cpu_sampler sampler;
    struct jit_texture_call call;
    uint32_t axis_count;
    bool is_array;
    uint64_t lanes;
    uint32_t arguments[ROW_LIMIT * WIDTH_LIMIT];
    uint32_t results[4 * WIDTH_LIMIT];
};

static const struct {
    uint32_t view;
    enum texture_dimension dimension;
    uint8_t axis_count;
    bool is_array;
} shapes[] = {
    {WGPUTextureViewDimension_1D, TEXTURE_DIMENSION_1D, 1, false},
    {WGPUTextureViewDimension_2D, TEXTURE_DIMENSION_2D, 2, false},
    {WGPUTextureViewDimension_2DArray, TEXTURE_DIMENSION_2D_ARRAY, 2, true},
    {WGPUTextureViewDimension_3D, TEXTURE_DIMENSION_3D, 3, false},
    {WGPUTextureViewDimension_Cube, TEXTURE_DIMENSION_CUBE, 3, false},
    {WGPUTextureViewDimension_CubeArray, TEXTURE_DIMENSION_CUBE_ARRAY, 3, true},
};

static bool is_compare(uint32_t opcode) {
    return opcode == IR_TEXTURE_SAMPLE_COMPARE || opcode == IR_TEXTURE_SAMPLE_COMPARE_LEVEL ||
        opcode == IR_TEXTURE_GATHER_COMPARE;
}

static bool is_gather(uint32_t opcode) {
    return opcode == IR_TEXTURE_GATHER || opcode == IR_TEXTURE_GATHER_COMPARE;
}

static bool is_implicit(uint32_t opcode) {
    return opcode == IR_TEXTURE_SAMPLE || opcode == IR_TEXTURE_SAMPLE_BIAS ||
        opcode == IR_TEXTURE_SAMPLE_COMPARE;
}

static void choose_texture(struct trial *trial, uint32_t shape, uint32_t opcode) {
    static const uint32_t colors[] = {WGPUTextureFormat_RGBA8Unorm,
        WGPUTextureFormat_RGBA8UnormSrgb, WGPUTextureFormat_BGRA8Unorm, WGPUTextureFormat_R8Unorm,
        WGPUTextureFormat_RG8Snorm, WGPUTextureFormat_RGBA16Float, WGPUTextureFormat_R32Float,
        WGPUTextureFormat_RG11B10Ufloat, WGPUTextureFormat_RGB10A2Unorm,
        WGPUTextureFormat_RGBA32Float, WGPUTextureFormat_RGBA16Unorm};
    static const uint32_t depths[] = {WGPUTextureFormat_Depth16Unorm,
        WGPUTextureFormat_Depth32Float, WGPUTextureFormat_Depth24Plus};
    bool can_be_depth = shapes[shape].dimension != TEXTURE_DIMENSION_1D &&
        shapes[shape].dimension != TEXTURE_DIMENSION_3D && opcode != IR_TEXTURE_SAMPLE_BIAS &&
        opcode != IR_TEXTURE_SAMPLE_GRAD && opcode != IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE;
    bool is_depth = is_compare(opcode) || (can_be_depth && reference_random(4) == 0);
    uint32_t format = is_depth ? depths[reference_random(3)]
                               : colors[reference_random(sizeof(colors) / sizeof(colors[0]))];
    bool is_cube = shapes[shape].dimension >= TEXTURE_DIMENSION_CUBE;
    uint32_t size[3] = {1 + reference_random(20), 1 + reference_random(20), 1};
    if (reference_random(4) == 0) {
        size[0] = 1u << reference_random(6);
        size[1] = 1u << reference_random(6);
    }
    if (is_cube) {
        size[1] = size[0];
        size[2] = shapes[shape].is_array ? 6 * (1 + reference_random(3)) : 6;
    } else if (shapes[shape].is_array || shapes[shape].axis_count == 3) {
        size[2] = 1 + reference_random(7);
    } else if (shapes[shape].axis_count == 1) {
        size[1] = 1;
    }
    uint32_t largest = size[0] > size[1] ? size[0] : size[1];
    uint32_t level_count = 1;
    while (largest >> level_count != 0) {
        level_count++;
    }
    reference_texture_init(&trial->texture, format, shapes[shape].view, size, level_count, 1);
    reference_view_init(&trial->view, &trial->texture, shapes[shape].view);
    trial->view.base_mip_level = reference_random(level_count);
    trial->view.mip_level_count = 1 + reference_random(level_count - trial->view.base_mip_level);
    if (shapes[shape].is_array && !is_cube) {
        trial->view.base_array_layer = reference_random(size[2]);
        trial->view.array_layer_count = 1 +
            reference_random(size[2] - trial->view.base_array_layer);
    }
    trial->call.is_depth = is_depth;
}

static void choose_sampler(struct trial *trial, uint32_t opcode) {
    struct backend_sampler *state = &trial->state;
    for (uint32_t i = 0; i < 3; i++) {
        state->address_modes[i] = 1 + reference_random(3);
    }
    state->mag_filter = 1 + reference_random(2);
    state->min_filter = 1 + reference_random(2);
    state->mipmap_filter = 1 + reference_random(2);
    bool is_clamped = reference_random(3) == 0;
    state->lod_min_clamp = is_clamped ? (float)reference_between(0, 3) : 0;
    state->lod_max_clamp = is_clamped ? (float)reference_between(3, 5) : 32;
    state->compare = is_compare(opcode) ? 1 + reference_random(8) : 0;
    state->max_anisotropy = 1;
    cpu_sampler_init(&trial->sampler, state);
}

static float choose_coordinate(uint32_t shape) {
    if (shapes[shape].dimension >= TEXTURE_DIMENSION_CUBE) {
        return (float)reference_between(-1, 1);
    }
    return (
        float)(reference_random(3) != 0 ? reference_between(-0.2, 1.2) : reference_between(-5, 5));
}

static void choose_operands(struct trial *trial, uint32_t shape, uint32_t opcode) {
    uint32_t width = trial->call.width;
    uint32_t *row = trial->arguments;
    double scale = pow(2, reference_between(-8, 1));
    for (uint32_t i = 0; i < trial->axis_count; i++, row += width) {
        float base = 0;
        for (uint32_t lane = 0; lane < width; lane++) {
            float at = choose_coordinate(shape);
            // Quads: near each other where derivatives count.
            base = lane % 4 == 0 ? at : base;
            if (is_implicit(opcode) && lane % 4 != 0) {
                at = base + (float)reference_between(-scale, scale);
            }
            row[lane] = reference_word(at);
        }
    }
    for (uint32_t lane = 0; trial->is_array && lane < width; lane++) {
        row[lane] = (uint32_t)((int32_t)reference_random(10) - 2);
    }
    row += trial->is_array ? width : 0;
    for (uint32_t i = 0; i < 2 * trial->axis_count; i++, row += width) {
        for (uint32_t lane = 0; lane < width; lane++) {
            double value = reference_between(-scale, scale);
            if (opcode == IR_TEXTURE_SAMPLE_BIAS) {
                value = reference_between(-4, 4) * (reference_random(8) == 0 ? 6 : 1);
            } else if (is_compare(opcode)) {
                value = reference_between(-0.1, 1.1);
            } else if (opcode == IR_TEXTURE_SAMPLE_LEVEL) {
                value = reference_between(-1, 6);
            }
            row[lane] = reference_word((float)value);
            if (opcode == IR_TEXTURE_SAMPLE_LEVEL && trial->call.is_depth != 0) {
                row[lane] = (uint32_t)((int32_t)reference_random(8) - 1);
            }
        }
    }
}

static void trial_init(struct trial *trial, uint32_t opcode, uint32_t shape) {
    memset(trial, 0, sizeof(*trial));
    trial->axis_count = shapes[shape].axis_count;
    trial->is_array = shapes[shape].is_array;
    trial->call = (struct jit_texture_call){
        .opcode = opcode,
        .dimension = (uint8_t)shapes[shape].dimension,
        .sampled_type = TYPE_F32,
        .component = (uint8_t)reference_random(4),
        .width = (uint8_t)(4 << reference_random(5)),
        .is_layer_signed = reference_random(2) != 0,
        .is_level_signed = reference_random(2) != 0,
    };
    bool can_be_offset = shapes[shape].dimension == TEXTURE_DIMENSION_2D ||
        shapes[shape].dimension == TEXTURE_DIMENSION_2D_ARRAY ||
        (shapes[shape].dimension == TEXTURE_DIMENSION_3D && !is_gather(opcode));
    for (uint32_t i = 0; can_be_offset && opcode != IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE &&
         i < trial->axis_count && reference_random(2) == 0;
         i++) {
        trial->call.offset[i] = (int8_t)((int32_t)reference_random(16) - 8);
    }
    choose_texture(trial, shape, opcode);
    choose_sampler(trial, opcode);
    choose_operands(trial, shape, opcode);
    cpu_image_init(&trial->image, &trial->view);
    trial->lanes = reference_random(4) == 0 ? reference_random(1u << 24) : ~(uint64_t)0;
}

static void trial_run(struct trial *trial) {
    cpu_image_call(&trial->call, &trial->image.seen, &trial->sampler, trial->lanes,
        trial->arguments, trial->results);
}

// The level of detail that a lane asks for.
static double get_detail(
    const struct trial *trial, const struct reference *reference, uint32_t lane) {
    uint32_t width = trial->call.width;
    uint32_t quad = lane & ~3u;
    const uint32_t *rest = trial->arguments + (size_t)(trial->axis_count + trial->is_array) * width;
    uint32_t opcode = trial->call.opcode;
    double at[3] = {0, 0, 0};
    double steps[2][3] = {{0, 0, 0}, {0, 0, 0}};
    if (opcode == IR_TEXTURE_SAMPLE_LEVEL) {
        return trial->call.is_depth == 0       ? (double)reference_float(rest[lane])
            : trial->call.is_level_signed != 0 ? (double)(int32_t)rest[lane]
                                               : (double)rest[lane];
    }
    if (!is_implicit(opcode) && opcode != IR_TEXTURE_SAMPLE_GRAD) {
        return 0;
    }
    for (uint32_t i = 0; i < trial->axis_count; i++) {
        const uint32_t *row = trial->arguments + (size_t)i * width;
        if (is_implicit(opcode)) {
            at[i] = reference_float(row[quad]);
            steps[0][i] = (double)reference_float(row[quad + 1]) - at[i];
            steps[1][i] = (double)reference_float(row[quad + 2]) - at[i];
        } else {
            at[i] = reference_float(row[lane]);
            steps[0][i] = reference_float(rest[(size_t)i * width + lane]);
            steps[1][i] = reference_float(rest[(size_t)(trial->axis_count + i) * width + lane]);
        }
    }
    double longest = fmax(
        reference_step(reference, at, steps[0]), reference_step(reference, at, steps[1]));
    double bias = 0;
    if (opcode == IR_TEXTURE_SAMPLE_BIAS) {
        bias = fmin(fmax((double)reference_float(rest[lane]), -16), 15.99);
    }
    return log2(longest) + bias;
}

// What a lane should give; false: too close to a border to be sure.
static bool get_expected(const struct trial *trial, uint32_t lane, double out[4]) {
    uint32_t width = trial->call.width;
    struct reference reference = {
        .view = &trial->view,
        .sampler = &trial->state,
        .call = &trial->call,
        .axis_count = trial->axis_count,
        .is_cube = trial->call.dimension >= TEXTURE_DIMENSION_CUBE,
        .is_comparing = is_compare(trial->call.opcode),
    };
    double at[3] = {0, 0, 0};
    for (uint32_t i = 0; i < trial->axis_count; i++) {
        at[i] = reference_float(trial->arguments[(size_t)i * width + lane]);
    }
    uint32_t rest = trial->axis_count + trial->is_array;
    if (trial->is_array) {
        reference.layer = (int32_t)trial->arguments[(size_t)trial->axis_count * width + lane];
    }
    reference.depth_reference = reference_float(trial->arguments[(size_t)rest * width + lane]);
    if (trial->call.opcode == IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE) {
        const struct host_texture_level *base = reference_level(&reference, 0);
        at[0] = fmin(fmax(at[0], 0.5 / base->width), 1 - 0.5 / base->width);
        at[1] = fmin(fmax(at[1], 0.5 / base->height), 1 - 0.5 / base->height);
    }
    double detail = get_detail(trial, &reference, lane);
    if (isnan(detail)) {
        return false;
    }
    reference_sample(&reference, detail, at, out);
    return !reference.is_close;
}

// How many trials' lanes were compared; differences are counted and the first are printed.
static uint32_t check_sampling(uint32_t opcode, uint32_t trial_count, uint32_t *out_differences) {
    uint32_t compared = 0;
    *out_differences = 0;
    for (uint32_t number = 0; number < trial_count; number++) {
        uint32_t shape = number % 6;
        bool is_flat = shapes[shape].dimension == TEXTURE_DIMENSION_2D;
        bool has_depth = shapes[shape].dimension != TEXTURE_DIMENSION_1D &&
            shapes[shape].dimension != TEXTURE_DIMENSION_3D;
        if ((opcode == IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE && !is_flat) ||
            (is_compare(opcode) && !has_depth)) {
            continue;
        }
        struct trial trial;
        trial_init(&trial, opcode, shape);
        trial_run(&trial);
        uint32_t width = trial.call.width;
        for (uint32_t lane = 0; lane < width; lane++) {
            double expected[4];
            if ((trial.lanes >> lane & 1) == 0 || !get_expected(&trial, lane, expected)) {
                continue;
            }
            compared++;
            for (uint32_t c = 0; c < (trial.call.is_depth != 0 ? 1u : 4u); c++) {
                double got = reference_float(trial.results[(size_t)c * width + lane]);
                if (fabs(got - expected[c]) > 2e-3 || isnan(got)) {
                    if (*out_differences < 5) {
                        fprintf(stderr,
                            "    trial %u shape %u lane %u of %u component %u: %g, not %g\n",
                            (unsigned)number, (unsigned)shape, (unsigned)lane, (unsigned)width,
                            (unsigned)c, got, expected[c]);
                    }
                    ++*out_differences;
                }
            }
        }
        reference_texture_finish(&trial.texture);
    }
    return compared;
}

static void check_opcode(uint32_t opcode, uint32_t trial_count) {
    uint32_t differences = 0;
    CHECK(check_sampling(opcode, trial_count, &differences) > 4000);
    CHECK_EQ(differences, 0);
}

// ---------------------------------------------------------------- gathering

// The four texels of a lane in WGSL's order; false: too close to a border to be sure.
static bool get_gathered(const struct trial *trial, uint32_t lane, double out[4]) {
    uint32_t width = trial->call.width;
    struct backend_sampler nearest = trial->state;
    nearest.mag_filter = nearest.min_filter = WGPUFilterMode_Nearest;
    nearest.mipmap_filter = WGPUMipmapFilterMode_Nearest;
    struct reference reference = {
        .view = &trial->view,
        .sampler = &nearest,
        .call = &trial->call,
        .axis_count = trial->axis_count,
        .is_cube = trial->call.dimension >= TEXTURE_DIMENSION_CUBE,
        .is_comparing = is_compare(trial->call.opcode),
    };
    double at[3] = {0, 0, 0};
    for (uint32_t i = 0; i < trial->axis_count; i++) {
        at[i] = reference_float(trial->arguments[(size_t)i * width + lane]);
    }
    uint32_t rest = trial->axis_count + trial->is_array;
    if (trial->is_array) {
        reference.layer = (int32_t)trial->arguments[(size_t)trial->axis_count * width + lane];
    }
    reference.depth_reference = reference_float(trial->arguments[(size_t)rest * width + lane]);
    const struct host_texture_level *base = reference_level(&reference, 0);
    // The texels around a point are those nearest to the corners of a texel around it.
    static const double corners[4][2] = {{-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}};
    uint32_t component = trial->call.is_depth != 0 ? 0 : trial->call.component;
    for (uint32_t i = 0; i < 4; i++) {
        double texel[4];
        if (reference.is_cube) {
            double uv[2];
            uint32_t face = reference_project(at, uv);
            uint32_t cube = trial->is_array ? reference_layer(&reference) : 0;
            double x = reference_floor(&reference, uv[0] * base->width + corners[i][0]);
            double y = reference_floor(&reference, uv[1] * base->width + corners[i][1]);
            if (!reference_cube_texel(&reference, 0, cube, face, (int64_t)x, (int64_t)y, texel)) {
                return false;
            }
        } else {
            double moved[3] = {
                at[0] + corners[i][0] / base->width, at[1] + corners[i][1] / base->height, 0};
            reference_sample_level(&reference, 0, false, moved, texel);
        }
        out[i] = texel[component];
    }
    return !reference.is_close;
}

static void check_gathers(uint32_t opcode) {
    uint32_t compared = 0;
    uint32_t differences = 0;
    for (uint32_t number = 0; number < 2000; number++) {
        uint32_t shape = number % 6;
        if (shapes[shape].axis_count == 1 || shapes[shape].dimension == TEXTURE_DIMENSION_3D) {
            continue;
        }
        struct trial trial;
        trial_init(&trial, opcode, shape);
        trial_run(&trial);
        uint32_t width = trial.call.width;
        for (uint32_t lane = 0; lane < width; lane++) {
            double expected[4];
            if ((trial.lanes >> lane & 1) == 0 || !get_gathered(&trial, lane, expected)) {
                continue;
            }
            compared++;
            for (uint32_t c = 0; c < 4; c++) {
                double got = reference_float(trial.results[(size_t)c * width + lane]);
                differences += !(fabs(got - expected[c]) <= 1e-6);
            }
        }
        reference_texture_finish(&trial.texture);
    }
    CHECK(compared > 4000);
    CHECK_EQ(differences, 0);
}

TEST(four_texels_are_gathered) {
    check_gathers(IR_TEXTURE_GATHER);
    check_gathers(IR_TEXTURE_GATHER_COMPARE);
}

// ---------------------------------------------------------------- anisotropy

// A step of `ratio` texels of level 0 along x and one along y: the result is the mean of as many
// samples of level 0 along x.
TEST(probes_lie_along_the_longer_axis) {
    uint32_t differences = 0;
    for (uint32_t number = 0; number < 200; number++) {
        struct trial trial;
        trial_init(&trial, number % 2 == 0 ? IR_TEXTURE_SAMPLE_GRAD : IR_TEXTURE_SAMPLE, 1);
        struct backend_sampler *state = &trial.state;
        state->mag_filter = state->min_filter = WGPUFilterMode_Linear;
        state->mipmap_filter = WGPUMipmapFilterMode_Linear;
        state->lod_min_clamp = 0;
        state->lod_max_clamp = 32;
        uint32_t limit = 2 + reference_random(15);
        state->max_anisotropy = limit;
        cpu_sampler_init(&trial.sampler, state);
        uint32_t width = trial.call.width;
        uint32_t ratio = 1 + reference_random(limit);
        struct reference reference = {
            .view = &trial.view, .sampler = state, .call = &trial.call, .axis_count = 2};
        double steps[2] = {(double)ratio / trial.image.seen.width, 1.0 / trial.image.seen.height};
        for (uint32_t lane = 0; lane < width; lane++) {
            uint32_t *row = trial.arguments + lane;
            const uint32_t *first = trial.arguments + (lane & ~3u);
            float at[2] = {reference_float(first[0]), reference_float(first[width])};
            row[0] = reference_word(at[0] + (lane & 1 ? (float)steps[0] : 0));
            row[width] = reference_word(at[1] + (lane & 2 ? (float)steps[1] : 0));
            row[2 * width] = reference_word((float)steps[0]);
            row[3 * width] = 0;
            row[4 * width] = 0;
            row[5 * width] = reference_word((float)steps[1]);
        }
        trial_run(&trial);
        for (uint32_t lane = 0; lane < width; lane++) {
            double sum[4] = {0, 0, 0, 0};
            for (uint32_t i = 1; i <= ratio; i++) {
                double at[3] = {reference_float(trial.arguments[lane]) +
                        ((double)i / (ratio + 1) - 0.5) * steps[0],
                    reference_float(trial.arguments[width + lane]), 0};
                double value[4];
                reference_sample_level(&reference, 0, true, at, value);
                for (uint32_t c = 0; c < 4; c++) {
                    sum[c] += value[c] / ratio;
                }
            }
            uint32_t count = trial.call.is_depth != 0 ? 1 : 4;
            for (uint32_t c = 0; c < count && (trial.lanes >> lane & 1) != 0; c++) {
                double got = reference_float(trial.results[(size_t)c * width + lane]);
                differences += !(fabs(got - sum[c]) <= 2e-3);
            }
        }
        reference_texture_finish(&trial.texture);
    }
    CHECK_EQ(differences, 0);
}

// ---------------------------------------------------------------- any bits

// Coordinates, levels, gradients and layers of any bits: results are texels still, or their mixture.
TEST(any_bits_stay_inside) {
    static const uint32_t opcodes[] = {IR_TEXTURE_SAMPLE, IR_TEXTURE_SAMPLE_BIAS,
        IR_TEXTURE_SAMPLE_COMPARE, IR_TEXTURE_SAMPLE_COMPARE_LEVEL, IR_TEXTURE_SAMPLE_GRAD,
        IR_TEXTURE_SAMPLE_LEVEL, IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE, IR_TEXTURE_GATHER,
        IR_TEXTURE_GATHER_COMPARE};
    static const uint32_t specials[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x7f7fffffu,
        0xff7fffffu, 0x80000000u, 0, 1, 0x80000001u, 0x4f000000u, 0xcf000000u, 0x4b000000u,
        0xcb000000u, 0x3f800000u, 0xbf800000u, 0x7fffffffu, 0xffffffffu, 0x33800000u, 0xb3800000u};
    uint32_t outside = 0;
    for (uint32_t number = 0; number < 9000; number++) {
        uint32_t opcode = opcodes[number % 9];
        uint32_t shape = number / 9 % 6;
        bool has_depth = shapes[shape].dimension != TEXTURE_DIMENSION_1D &&
            shapes[shape].dimension != TEXTURE_DIMENSION_3D;
        if (((is_compare(opcode) || is_gather(opcode)) && !has_depth) ||
            (opcode == IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE && shape != 1)) {
            continue;
        }
        struct trial trial;
        trial_init(&trial, opcode, shape);
        trial.state.max_anisotropy = 1 + reference_random(20) * reference_random(2);
        cpu_sampler_init(&trial.sampler, &trial.state);
        uint32_t word_count = ROW_LIMIT * trial.call.width;
        for (uint32_t i = 0; i < word_count; i++) {
            uint32_t choice = reference_random(4);
            if (choice == 0) {
                trial.arguments[i] = specials[reference_random(19)];
            } else if (choice == 1) {
                trial.arguments[i] = reference_random(0xffffffffu);
            }
        }
        trial_run(&trial);
        for (uint32_t lane = 0; lane < trial.call.width; lane++) {
            uint32_t count = trial.call.is_depth != 0 && !is_gather(opcode) ? 1 : 4;
            for (uint32_t c = 0; c < count && (trial.lanes >> lane & 1) != 0; c++) {
                double got = reference_float(trial.results[(size_t)c * trial.call.width + lane]);
                outside += !(got >= -1.00001 && got <= 1.00001);
            }
        }
        reference_texture_finish(&trial.texture);
    }
    CHECK_EQ(outside, 0);
}

TEST(levels_are_sampled) {
    check_opcode(IR_TEXTURE_SAMPLE_LEVEL, 1200);
}

TEST(derivatives_choose_levels) {
    check_opcode(IR_TEXTURE_SAMPLE, 1200);
}

TEST(bias_moves_levels) {
    check_opcode(IR_TEXTURE_SAMPLE_BIAS, 1200);
}

TEST(gradients_choose_levels) {
    check_opcode(IR_TEXTURE_SAMPLE_GRAD, 1200);
}

TEST(depths_are_compared) {
    check_opcode(IR_TEXTURE_SAMPLE_COMPARE, 1200);
    check_opcode(IR_TEXTURE_SAMPLE_COMPARE_LEVEL, 1200);
}

TEST(base_is_clamped_to_its_edge) {
    check_opcode(IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE, 3000);
}

CHECK_MAIN(levels_are_sampled, derivatives_choose_levels, bias_moves_levels,
    gradients_choose_levels, depths_are_compared, base_is_clamped_to_its_edge,
    four_texels_are_gathered, probes_lie_along_the_longer_axis, any_bits_stay_inside)
