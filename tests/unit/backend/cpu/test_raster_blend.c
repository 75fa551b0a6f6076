// SPDX-License-Identifier: MIT
//
// Blending against the equations written out in doubles: every factor with every factor in every
// operation on every kind of format, write masks, samples, order, outputs that are too wide, too
// narrow or missing, and alpha to coverage.
#include "backend/cpu/raster.h"

#include "backend/host_texel.h"
#include "check.h"

#include <webgpu/webgpu.h>

#define SIDE 8u // pixels of the attachments: one batch covers each once
#define TARGET_BYTES (SIDE * SIDE * 4 * HOST_TEXEL_BYTES)

struct scene {
    struct backend_render_pipeline pipeline;
    struct raster_interface_value values[3];
    struct raster_pass pass;
    struct raster_draw draw;
    struct raster_fragments fragments;
    uint8_t data[2][TARGET_BYTES];
    uint32_t outputs[12]
                    [JIT_BATCH_LANES]; // rows 0..3 color 0, 4..7 its second source, 8..11 color 1
};

static uint32_t random_state;
static uint32_t next_random(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static double next_number(double least, double most) {
    return least + (most - least) * (next_random() % 4096) / 4095;
}

static void set_output(struct scene *scene, uint32_t row, uint32_t lane, float value) {
    memcpy(&scene->outputs[row][lane], &value, sizeof(value));
}

static float get_output(const struct scene *scene, uint32_t row, uint32_t lane) {
    float value = 0;
    memcpy(&value, &scene->outputs[row][lane], sizeof(value));
    return value;
}

static void add_target(struct scene *scene, uint32_t format, uint32_t texel_bytes) {
    uint32_t index = scene->pass.color_count++;
    scene->pipeline.state.target_count = scene->pass.color_count;
    scene->pass.colors[index] = (struct raster_target){
        .data = scene->data[index],
        .row_bytes = (uint64_t)SIDE * texel_bytes * scene->pass.sample_count,
        .format = format,
        .texel_bytes = texel_bytes,
        .codec = cpu_texel_codec_get(format),
    };
    scene->pipeline.state.targets[index] = (struct backend_color_target){
        .format = format, .write_mask = WGPUColorWriteMask_All};
}

static void init_scene(struct scene *scene, uint32_t sample_count) {
    memset(scene, 0, sizeof(*scene));
    scene->pass = (struct raster_pass){.width = SIDE, .height = SIDE, .sample_count = sample_count};
    scene->values[0] = (struct raster_interface_value){
        .scalar = TYPE_F32, .location = 0, .first_word = 0, .word_count = 4};
    scene->values[1] = (struct raster_interface_value){
        .scalar = TYPE_F32, .location = 0, .blend_source = 1, .first_word = 4, .word_count = 4};
    scene->values[2] = (struct raster_interface_value){
        .scalar = TYPE_F32, .location = 1, .first_word = 8, .word_count = 4};
    scene->pipeline.fragment.outputs = (struct raster_interface){
        .values = scene->values, .value_count = 3, .word_count = 12};
    scene->pipeline.state.sample_count = sample_count;
    scene->draw = (struct raster_draw){.pass = &scene->pass, .pipeline = &scene->pipeline};
    scene->fragments.lane_count = JIT_BATCH_LANES;
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        uint32_t quad = lane / 4;
        scene->fragments.x[lane] = (uint16_t)(quad % 4 * 2 + lane % 2);
        scene->fragments.y[lane] = (uint16_t)(quad / 4 * 2 + lane / 2 % 2);
        scene->fragments.coverage[lane] = (uint8_t)((1u << sample_count) - 1);
    }
}

static uint8_t *find_texel(struct scene *scene, uint32_t target, uint32_t lane, uint32_t sample) {
    const struct raster_target *color = &scene->pass.colors[target];
    uint32_t pixel = scene->fragments.y[lane] * SIDE + scene->fragments.x[lane];
    return scene->data[target] +
        (size_t)(pixel * scene->pass.sample_count + sample) * color->texel_bytes;
}

// ---------------------------------------------------------------- the plain account

enum range { UNORM, SNORM, FLOAT, UFLOAT };

static double clamp(double value, enum range range) {
    double least = range == SNORM ? -1 : 0;
    return range >= FLOAT ? value : value < least ? least : value > 1 ? 1 : value;
}

struct inputs {
    double source[4], source1[4], target[4], constant[4];
    enum range range;
};

static double get_factor(const struct inputs *in, uint32_t factor, int i) {
    switch (factor) {
    case WGPUBlendFactor_Zero:
        return 0;
    case WGPUBlendFactor_One:
        return 1;
    case WGPUBlendFactor_Src:
        return in->source[i];
    case WGPUBlendFactor_OneMinusSrc:
        return 1 - in->source[i];
    case WGPUBlendFactor_SrcAlpha:
        return in->source[3];
    case WGPUBlendFactor_OneMinusSrcAlpha:
        return 1 - in->source[3];
    case WGPUBlendFactor_Dst:
        return in->target[i];
    case WGPUBlendFactor_OneMinusDst:
        return 1 - in->target[i];
    case WGPUBlendFactor_DstAlpha:
        return in->target[3];
    case WGPUBlendFactor_OneMinusDstAlpha:
        return 1 - in->target[3];
    case WGPUBlendFactor_SrcAlphaSaturated:
        return i == 3 ? 1 : fmin(in->source[3], 1 - in->target[3]);
    case WGPUBlendFactor_Constant:
        return in->constant[i];
    case WGPUBlendFactor_OneMinusConstant:
        return 1 - in->constant[i];
    case WGPUBlendFactor_Src1:
        return in->source1[i];
    case WGPUBlendFactor_OneMinusSrc1:
        return 1 - in->source1[i];
    case WGPUBlendFactor_Src1Alpha:
        return in->source1[3];
    default:
        return 1 - in->source1[3];
    }
}

static double blend(const struct inputs *in, const struct backend_blend_component *state, int i) {
    double source = in->source[i] * clamp(get_factor(in, state->src_factor, i), in->range);
    double target = in->target[i] * clamp(get_factor(in, state->dst_factor, i), in->range);
    switch (state->operation) {
    case WGPUBlendOperation_Add:
        return source + target;
    case WGPUBlendOperation_Subtract:
        return source - target;
    case WGPUBlendOperation_ReverseSubtract:
        return target - source;
    case WGPUBlendOperation_Min:
        return fmin(in->source[i], in->target[i]);
    default:
        return fmax(in->source[i], in->target[i]);
    }
}

// What f32 arithmetic may lose beside what the doubles say.
#define SLACK 1e-6

// `got` is what the format makes of something as near to `wanted` as f32 gets.
static bool is_encoded(uint32_t format, double wanted, int component, double got) {
    double slack = SLACK * fmax(1, fabs(wanted));
    double bounds[2];
    for (int i = 0; i < 2; i++) {
        double value[4] = {0, 0, 0, 1};
        double decoded[4];
        uint8_t bytes[HOST_TEXEL_BYTES];
        value[component] = i == 0 ? wanted - slack : wanted + slack;
        host_texel_encode(format, value, bytes);
        host_texel_decode(format, bytes, decoded);
        bounds[i] = decoded[component];
    }
    return got >= bounds[0] && got <= bounds[1];
}

// ---------------------------------------------------------------- factors, operations, formats

struct format {
    uint32_t format;
    uint32_t texel_bytes;
    int component_count;
    enum range range;
};

static const struct format formats[] = {
    {WGPUTextureFormat_RGBA8Unorm, 4, 4, UNORM},
    {WGPUTextureFormat_BGRA8Unorm, 4, 4, UNORM},
    {WGPUTextureFormat_RGBA8UnormSrgb, 4, 4, UNORM},
    {WGPUTextureFormat_BGRA8UnormSrgb, 4, 4, UNORM},
    {WGPUTextureFormat_R8Unorm, 1, 1, UNORM},
    {WGPUTextureFormat_RG8Unorm, 2, 2, UNORM},
    {WGPUTextureFormat_R8Snorm, 1, 1, SNORM},
    {WGPUTextureFormat_RGBA8Snorm, 4, 4, SNORM},
    {WGPUTextureFormat_RGB10A2Unorm, 4, 4, UNORM},
    {WGPUTextureFormat_RG11B10Ufloat, 4, 3, UFLOAT},
    {WGPUTextureFormat_RGBA16Unorm, 8, 4, UNORM},
    {WGPUTextureFormat_RG16Snorm, 4, 2, SNORM},
    {WGPUTextureFormat_R16Float, 2, 1, FLOAT},
    {WGPUTextureFormat_RGBA16Float, 8, 4, FLOAT},
    {WGPUTextureFormat_R32Float, 4, 1, FLOAT},
    {WGPUTextureFormat_RG32Float, 8, 2, FLOAT},
    {WGPUTextureFormat_RGBA32Float, 16, 4, FLOAT},
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

static void fill_numbers(struct scene *scene, const struct format *format) {
    double least = format->range == UFLOAT ? 0 : -1.5;
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        for (uint32_t row = 0; row < 12; row++) {
            set_output(scene, row, lane, (float)next_number(least, 1.5));
        }
        for (uint32_t sample = 0; sample < scene->pass.sample_count; sample++) {
            double value[4];
            for (int i = 0; i < 4; i++) {
                value[i] = next_number(least, 1.5);
            }
            host_texel_encode(format->format, value, find_texel(scene, 0, lane, sample));
        }
    }
    for (int i = 0; i < 4; i++) {
        scene->draw.blend_constant[i] = (float)next_number(least, 1.5);
    }
}

static struct inputs get_inputs(
    struct scene *scene, const struct format *format, const double target[4], uint32_t lane) {
    struct inputs in = {.range = format->range};
    for (int i = 0; i < 4; i++) {
        in.source[i] = clamp((double)get_output(scene, (uint32_t)i, lane), format->range);
        in.source1[i] = clamp((double)get_output(scene, (uint32_t)i + 4, lane), format->range);
        in.constant[i] = clamp((double)scene->draw.blend_constant[i], format->range);
        in.target[i] = target[i];
    }
    return in;
}

static bool check_texel(struct scene *scene, const struct format *format, const double before[4],
    uint32_t lane, uint32_t sample) {
    const struct backend_color_target *state = &scene->pipeline.state.targets[0];
    struct inputs in = get_inputs(scene, format, before, lane);
    double after[4];
    host_texel_decode(format->format, find_texel(scene, 0, lane, sample), after);
    bool is_drawn = (scene->fragments.coverage[lane] >> sample & 1) != 0;
    for (int i = 0; i < format->component_count; i++) {
        bool is_written = is_drawn && (state->write_mask >> i & 1) != 0;
        double wanted = state->has_blend ? blend(&in, i < 3 ? &state->color : &state->alpha, i)
                                         : in.source[i];
        bool ok = is_written ? is_encoded(format->format, wanted, i, after[i])
                             : after[i] == before[i];
        if (!CHECK(ok)) {
            fprintf(stderr,
                "    format %u, lane %u, sample %u, component %d: %g, wanted %g; source %g %g, "
                "was %g; color %u %u %u, alpha %u %u %u\n",
                format->format, lane, sample, i, after[i], wanted, in.source[i], in.source[3],
                in.target[i], state->color.operation, state->color.src_factor,
                state->color.dst_factor, state->alpha.operation, state->alpha.src_factor,
                state->alpha.dst_factor);
            return false;
        }
    }
    return true;
}

static bool check_scene(struct scene *scene, const struct format *format) {
    static double before[JIT_BATCH_LANES][4][4];
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        for (uint32_t sample = 0; sample < scene->pass.sample_count; sample++) {
            host_texel_decode(
                format->format, find_texel(scene, 0, lane, sample), before[lane][sample]);
        }
    }
    raster_blend(&scene->draw, &scene->fragments, scene->outputs[0]);
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        for (uint32_t sample = 0; sample < scene->pass.sample_count; sample++) {
            if (!check_texel(scene, format, before[lane][sample], lane, sample)) {
                return false;
            }
        }
    }
    return true;
}

TEST(every_factor_and_operation) {
    static struct scene scene;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        for (uint32_t number = 0; number < 5 * 17 * 17; number++) {
            random_state = number;
            init_scene(&scene, 1);
            add_target(&scene, formats[i].format, formats[i].texel_bytes);
            fill_numbers(&scene, &formats[i]);
            struct backend_blend_component color = {
                .operation = WGPUBlendOperation_Add + number / 289,
                .src_factor = WGPUBlendFactor_Zero + number % 17,
                .dst_factor = WGPUBlendFactor_Zero + number / 17 % 17,
            };
            struct backend_blend_component alpha = {
                .operation = WGPUBlendOperation_Add + (number / 289 + number) % 5,
                .src_factor = WGPUBlendFactor_Zero + (number + 5) % 17,
                .dst_factor = WGPUBlendFactor_Zero + (number / 17 + 11) % 17,
            };
            scene.pipeline.state.targets[0].has_blend = true;
            scene.pipeline.state.targets[0].color = number % 2 == 0 ? color : alpha;
            scene.pipeline.state.targets[0].alpha = number % 2 == 0 ? alpha : color;
            // A quarter of the lanes, to be done in time; which ones differs.
            for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
                scene.fragments.coverage[lane] = (lane + number) % 4 == 0;
            }
            if (!check_scene(&scene, &formats[i])) {
                break;
            }
        }
    }
}

TEST(write_masks_and_samples) {
    static struct scene scene;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        for (uint32_t number = 0; number < 64; number++) {
            random_state = number + 1;
            init_scene(&scene, number / 32 == 0 ? 1 : 4);
            add_target(&scene, formats[i].format, formats[i].texel_bytes);
            fill_numbers(&scene, &formats[i]);
            scene.pipeline.state.targets[0].write_mask = number % 16;
            scene.pipeline.state.targets[0].has_blend = number / 16 % 2 == 1;
            scene.pipeline.state.targets[0].color = (struct backend_blend_component){
                WGPUBlendOperation_Add, WGPUBlendFactor_SrcAlpha, WGPUBlendFactor_OneMinusSrcAlpha};
            scene.pipeline.state.targets[0].alpha = (struct backend_blend_component){
                WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_OneMinusSrcAlpha};
            for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
                scene.fragments.coverage[lane] &= (uint8_t)next_random();
            }
            if (!check_scene(&scene, &formats[i])) {
                break;
            }
        }
    }
}

// What is not written keeps its bits, those of no number included.
TEST(masked_components_keep_their_bits) {
    static struct scene scene;
    init_scene(&scene, 1);
    add_target(&scene, WGPUTextureFormat_RGBA16Float, 8);
    memset(scene.data[0], 0xff, sizeof(scene.data[0]));
    scene.pipeline.state.targets[0].write_mask = WGPUColorWriteMask_Green;
    raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
    static const uint8_t wanted[8] = {0xff, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff};
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        CHECK_BYTES(find_texel(&scene, 0, lane, 0), wanted, 8);
    }
}

static struct backend_blend_component component(uint32_t operation, uint32_t src, uint32_t dst) {
    return (struct backend_blend_component){operation, src, dst};
}

// Two quads of one batch on the same pixels: dst = 2 dst + src would give another number in the
// other order.
TEST(lanes_of_one_pixel_are_in_order) {
    static struct scene scene;
    for (uint32_t sample_count = 1; sample_count <= 4; sample_count += 3) {
        init_scene(&scene, sample_count);
        add_target(&scene, WGPUTextureFormat_R32Float, 4);
        for (uint32_t i = 0; i < 4; i++) {
            scene.draw.blend_constant[i] = 2;
        }
        scene.pipeline.state.targets[0].has_blend = true;
        scene.pipeline.state.targets[0].color = component(
            WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_Constant);
        scene.pipeline.state.targets[0].alpha = scene.pipeline.state.targets[0].color;
        double wanted[4] = {0};
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            bool is_here = lane / 4 % 3 != 1; // every third quad elsewhere
            scene.fragments.x[lane] = (uint16_t)(lane % 2 + (is_here ? 2 : 6));
            scene.fragments.y[lane] = (uint16_t)(lane / 2 % 2);
            float value = (float)(1 + lane / 4 % 7);
            set_output(&scene, 0, lane, value);
            if (is_here) {
                wanted[lane % 4] = wanted[lane % 4] * 2 + (double)value;
            }
        }
        raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
        for (uint32_t lane = 0; lane < 4; lane++) {
            for (uint32_t sample = 0; sample < sample_count; sample++) {
                float got = 0;
                memcpy(&got, find_texel(&scene, 0, lane, sample), sizeof(got));
                CHECK_NEAR(got, wanted[lane], 0);
            }
        }
        // Without blending the last one stays.
        scene.pipeline.state.targets[0].has_blend = false;
        raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
        float got = 0;
        memcpy(&got, find_texel(&scene, 0, 0, sample_count - 1), sizeof(got));
        CHECK_NEAR(got, 1 + 15 % 7, 0);
    }
}

TEST(integers_are_stored_as_they_are) {
    static struct scene scene;
    init_scene(&scene, 1);
    add_target(&scene, WGPUTextureFormat_RGBA32Sint, 16);
    scene.values[0].scalar = TYPE_I32;
    scene.pipeline.state.targets[0].write_mask = WGPUColorWriteMask_Red | WGPUColorWriteMask_Green |
        WGPUColorWriteMask_Alpha;
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        for (uint32_t row = 0; row < 4; row++) {
            scene.outputs[row][lane] = 0x80000000u + lane * 4 + row;
        }
    }
    raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        uint32_t got[4];
        memcpy(got, find_texel(&scene, 0, lane, 0), sizeof(got));
        for (uint32_t i = 0; i < 4; i++) {
            CHECK_EQ(got[i], i == 2 ? 0 : 0x80000000u + lane * 4 + i);
        }
    }
}

// Two targets: the first without an output, then the second; and a hole.
TEST(targets_without_output_are_unchanged) {
    static struct scene scene;
    for (uint32_t missing = 0; missing < 2; missing++) {
        init_scene(&scene, 1);
        add_target(&scene, WGPUTextureFormat_RGBA8Unorm, 4);
        add_target(&scene, WGPUTextureFormat_RGBA8Unorm, 4);
        memset(scene.data, 0x55, sizeof(scene.data));
        scene.values[missing == 0 ? 0 : 2].location = 7;
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            for (uint32_t row = 0; row < 12; row++) {
                set_output(&scene, row, lane, 1);
            }
        }
        raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            for (uint32_t target = 0; target < 2; target++) {
                CHECK_EQ(find_texel(&scene, target, lane, 0)[0], target == missing ? 0x55 : 0xff);
            }
        }
        scene.pass.colors[1 - missing].data = NULL;
        scene.pipeline.state.targets[1 - missing].format = WGPUTextureFormat_Undefined;
        raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
        CHECK_EQ(find_texel(&scene, missing, 0, 0)[0], 0x55);
    }
}

// A shader may give more components than the format has.
TEST(narrow_formats_take_the_first_components) {
    static struct scene scene;
    init_scene(&scene, 1);
    add_target(&scene, WGPUTextureFormat_RG8Unorm, 2);
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        set_output(&scene, 0, lane, 1);
        set_output(&scene, 1, lane, 0.2f); // 51 of 255
        set_output(&scene, 2, lane, 0.6f);
    }
    raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
    for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
        CHECK_EQ(find_texel(&scene, 0, lane, 0)[0], 255);
        CHECK_EQ(find_texel(&scene, 0, lane, 0)[1], 51);
    }
}

// Zero times infinity is not a number; a factor of zero is not a product.
TEST(what_is_ignored_may_be_anything) {
    static struct scene scene;
    const float strange[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        init_scene(&scene, 1);
        add_target(&scene, WGPUTextureFormat_R32Float, 4);
        scene.pipeline.state.targets[0].has_blend = true;
        scene.pipeline.state.targets[0].color = component(
            WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_Zero);
        scene.pipeline.state.targets[0].alpha = scene.pipeline.state.targets[0].color;
        memcpy(find_texel(&scene, 0, 0, 0), &strange[i], sizeof(float));
        set_output(&scene, 0, 0, 3);
        raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
        float got = 0;
        memcpy(&got, find_texel(&scene, 0, 0, 0), sizeof(got));
        CHECK_NEAR(got, 3, 0);
    }
    init_scene(&scene, 1);
    add_target(&scene, WGPUTextureFormat_RGBA8Unorm, 4);
    scene.pipeline.state.targets[0].has_blend = true;
    scene.pipeline.state.targets[0].color = component(
        WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_One);
    scene.pipeline.state.targets[0].alpha = scene.pipeline.state.targets[0].color;
    memset(scene.data[0], 7, sizeof(scene.data[0]));
    set_output(&scene, 0, 0, NAN);
    set_output(&scene, 1, 0, INFINITY);
    set_output(&scene, 2, 0, -INFINITY);
    raster_blend(&scene.draw, &scene.fragments, scene.outputs[0]);
    static const uint8_t wanted[4] = {7, 255, 7, 7};
    CHECK_BYTES(find_texel(&scene, 0, 0, 0), wanted, 4);
}

static uint32_t count_bits(uint32_t word) {
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) {
        count++;
    }
    return count;
}

TEST(alpha_to_coverage_grows_with_alpha) {
    static struct scene scene;
    init_scene(&scene, 4);
    add_target(&scene, WGPUTextureFormat_RGBA8Unorm, 4);
    uint8_t before = 0;
    for (int step = -64; step <= 320; step++) {
        float alpha = (float)step / 256;
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            scene.fragments.coverage[lane] = lane % 2 == 0 ? 15 : 6;
            set_output(&scene, 3, lane, lane == 63 ? NAN : alpha);
        }
        raster_alpha_to_coverage(&scene.draw, &scene.fragments, scene.outputs[0]);
        uint8_t mask = scene.fragments.coverage[0];
        CHECK_EQ(mask & before, before);
        CHECK_EQ(scene.fragments.coverage[1], mask & 6);
        CHECK_EQ(scene.fragments.coverage[63], 0);
        double wanted = alpha <= 0 ? 0 : alpha >= 1 ? 4 : (double)alpha * 4;
        CHECK_NEAR(count_bits(mask), wanted, alpha <= 0 || alpha >= 1 ? 0 : 0.5);
        before = mask;
    }
}

CHECK_MAIN(every_factor_and_operation, write_masks_and_samples, masked_components_keep_their_bits,
    lanes_of_one_pixel_are_in_order, integers_are_stored_as_they_are,
    targets_without_output_are_unchanged, narrow_formats_take_the_first_components,
    what_is_ignored_may_be_anything, alpha_to_coverage_grows_with_alpha)
