// SPDX-License-Identifier: MIT
//
// Blending in whole pictures, with numbers that make it exact: small dyadic ones in float formats,
// sums of codes in normalised ones; write masks, several targets, two sources, order.
#include "raster_rect.h"

#define PIXELS (RECT_SIDE * RECT_SIDE)
#define RECTS 24u

static float got[PIXELS][4];
static float wanted[PIXELS][4];

// ---------------------------------------------------------------- float targets

static float get_factor(WGPUBlendFactor factor, const float source[4], const float target[4],
    const float constant[4], int i) {
    switch (factor) {
    case WGPUBlendFactor_Zero:
        return 0;
    case WGPUBlendFactor_Src:
        return source[i];
    case WGPUBlendFactor_OneMinusSrc:
        return 1 - source[i];
    case WGPUBlendFactor_SrcAlpha:
        return source[3];
    case WGPUBlendFactor_OneMinusSrcAlpha:
        return 1 - source[3];
    case WGPUBlendFactor_Dst:
        return target[i];
    case WGPUBlendFactor_OneMinusDst:
        return 1 - target[i];
    case WGPUBlendFactor_DstAlpha:
        return target[3];
    case WGPUBlendFactor_OneMinusDstAlpha:
        return 1 - target[3];
    case WGPUBlendFactor_SrcAlphaSaturated:
        return i == 3 ? 1 : fminf(source[3], 1 - target[3]);
    case WGPUBlendFactor_Constant:
        return constant[i];
    case WGPUBlendFactor_OneMinusConstant:
        return 1 - constant[i];
    default:
        return 1;
    }
}

static float combine(const WGPUBlendComponent *state, const float source[4], const float target[4],
    const float constant[4], int i) {
    float a = source[i] * get_factor(state->srcFactor, source, target, constant, i);
    float b = target[i] * get_factor(state->dstFactor, source, target, constant, i);
    switch (state->operation) {
    case WGPUBlendOperation_Subtract:
        return a - b;
    case WGPUBlendOperation_ReverseSubtract:
        return b - a;
    case WGPUBlendOperation_Min:
        return fminf(source[i], target[i]);
    case WGPUBlendOperation_Max:
        return fmaxf(source[i], target[i]);
    default:
        return a + b;
    }
}

static WGPUBlendComponent random_component(uint32_t *state) {
    WGPUBlendComponent component = WGPU_BLEND_COMPONENT_INIT;
    component.operation = (WGPUBlendOperation)(1 + raster_random(state) % 5);
    component.srcFactor = WGPUBlendFactor_One;
    component.dstFactor = WGPUBlendFactor_One;
    if (component.operation < WGPUBlendOperation_Min) {
        component.srcFactor = (WGPUBlendFactor)(1 + raster_random(state) % 13);
        component.dstFactor = (WGPUBlendFactor)(1 + raster_random(state) % 13);
    }
    return component;
}

static void expect_blend(
    const struct rect *rect, const WGPUBlendState *blend, uint32_t mask, const float constant[4]) {
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
        if (!rect_covers_sample(rect, pixel % RECT_SIDE, pixel / RECT_SIDE, 1, 0)) {
            continue;
        }
        float result[4];
        for (int i = 0; i < 4; i++) {
            result[i] = combine(
                i < 3 ? &blend->color : &blend->alpha, rect->color, wanted[pixel], constant, i);
        }
        for (int i = 0; i < 4; i++) {
            if ((mask >> i & 1) != 0) {
                wanted[pixel][i] = result[i];
            }
        }
    }
}

// f32 arithmetic on both sides, but one operation more or less exact here and there: compared to
// some last places.
static void check_floats(const char *what) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < PIXELS * 4; i++) {
        float a = got[i / 4][i % 4];
        float b = wanted[i / 4][i % 4];
        if (!(fabsf(a - b) <= 1e-5f * fmaxf(1, fabsf(b))) && wrong++ == 0) {
            fprintf(stderr, "    %s: pixel %u, component %u: %g, wanted %g\n", what, i / 4, i % 4,
                (double)a, (double)b);
        }
    }
    CHECK_EQ(wrong, 0);
}

static void draw_random_blends(struct raster_gpu *gpu) {
    static const float constant[4] = {0.5f, 0.25f, 1, 0.75f};
    uint32_t random = 12;
    for (int round = 0; round < 6; round++) {
        struct rect rects[RECTS];
        WGPURenderPipeline pipelines[RECTS];
        for (uint32_t i = 0; i < PIXELS; i++) {
            memcpy(wanted[i], (float[4]){0.5f, 0.25f, 0.125f, 0.5f}, sizeof(wanted[i]));
        }
        for (uint32_t i = 0; i < RECTS; i++) {
            struct raster_pipeline description;
            rects[i] = rect_random(&random, 4);
            rect_pipeline_init(gpu, &description, rect_fragment_code);
            description.targets[0].format = WGPUTextureFormat_RGBA32Float;
            description.blend.color = random_component(&random);
            description.blend.alpha = random_component(&random);
            description.targets[0].blend = &description.blend;
            description.targets[0].writeMask = round % 2 == 0 ? 15 : raster_random(&random) % 16;
            expect_blend(&rects[i], &description.blend, (uint32_t)description.targets[0].writeMask,
                constant);
            pipelines[i] = raster_pipeline_create(gpu, &description);
        }
        WGPUTexture texture = raster_texture(
            gpu, WGPUTextureFormat_RGBA32Float, RECT_SIDE, RECT_SIDE, 1);
        WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
        struct raster_pass pass;
        raster_pass_init(&pass);
        raster_pass_add(&pass, texture, NULL)->clearValue = (WGPUColor){0.5, 0.25, 0.125, 0.5};
        raster_pass_begin(gpu, &pass);
        WGPUColor color = {0.5, 0.25, 1, 0.75};
        wgpuRenderPassEncoderSetBlendConstant(pass.pass, &color);
        for (uint32_t i = 0; i < RECTS; i++) {
            wgpuRenderPassEncoderSetPipeline(pass.pass, pipelines[i]);
            rect_draw(pass.pass, buffer, i, 1);
        }
        raster_pass_end(gpu, &pass);
        raster_read(gpu, texture, 16, got);
        check_floats("random blends");
        for (uint32_t i = 0; i < RECTS; i++) {
            wgpuRenderPipelineRelease(pipelines[i]);
        }
        wgpuBufferRelease(buffer);
        wgpuTextureRelease(texture);
    }
}

TEST(random_blends_of_floats) {
    raster_run(draw_random_blends);
}

// ---------------------------------------------------------------- codes

static uint8_t codes[PIXELS][4];
static uint8_t wanted_codes[PIXELS][4];

static int operate_codes(WGPUBlendOperation operation, int source, int target) {
    switch (operation) {
    case WGPUBlendOperation_Subtract:
        return source - target;
    case WGPUBlendOperation_ReverseSubtract:
        return target - source;
    case WGPUBlendOperation_Min:
        return source < target ? source : target;
    case WGPUBlendOperation_Max:
        return source > target ? source : target;
    default:
        return source + target;
    }
}

// All rectangles in one draw: they meet in the same pixels of the same batches, in their order.
static void draw_code_blends(struct raster_gpu *gpu) {
    static const WGPUTextureFormat formats[] = {
        WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_BGRA8Unorm};
    uint32_t random = 5;
    for (int round = 0; round < 10; round++) {
        WGPUBlendOperation operation = (WGPUBlendOperation)(WGPUBlendOperation_Add + round / 2);
        WGPUTextureFormat format = formats[round % 2];
        struct rect rects[RECTS];
        struct raster_pipeline description;
        rect_pipeline_init(gpu, &description, rect_fragment_code);
        description.targets[0].format = format;
        description.blend.color = (WGPUBlendComponent){
            operation, WGPUBlendFactor_One, WGPUBlendFactor_One};
        description.blend.alpha = description.blend.color;
        description.targets[0].blend = &description.blend;
        WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
        memset(wanted_codes, 128, sizeof(wanted_codes));
        for (uint32_t i = 0; i < RECTS; i++) {
            rects[i] = rect_random(&random, 255);
            for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
                bool is_covered = rect_covers_sample(
                    &rects[i], pixel % RECT_SIDE, pixel / RECT_SIDE, 1, 0);
                for (int j = 0; j < 4 && is_covered; j++) {
                    int byte = format == WGPUTextureFormat_BGRA8Unorm && j < 3 ? 2 - j : j;
                    int source = (int)lrintf(rects[i].color[j] * 255);
                    int value = operate_codes(operation, source, wanted_codes[pixel][byte]);
                    wanted_codes[pixel][byte] = (uint8_t)(value < 0 ? 0
                            : value > 255                           ? 255
                                                                    : value);
                }
            }
        }
        WGPUTexture texture = raster_texture(gpu, format, RECT_SIDE, RECT_SIDE, 1);
        WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
        struct raster_pass pass;
        raster_pass_init(&pass);
        double clear = 128.0 / 255;
        raster_pass_add(&pass, texture, NULL)->clearValue = (WGPUColor){clear, clear, clear, clear};
        raster_pass_begin(gpu, &pass);
        wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
        rect_draw(pass.pass, buffer, 0, RECTS);
        raster_pass_end(gpu, &pass);
        raster_read(gpu, texture, 4, codes);
        raster_check(codes[0], wanted_codes[0], RECT_SIDE, RECT_SIDE, 4, "codes");
        wgpuBufferRelease(buffer);
        wgpuTextureRelease(texture);
        wgpuRenderPipelineRelease(pipeline);
    }
}

TEST(codes_are_blended_in_order) {
    raster_run(draw_code_blends);
}

// ---------------------------------------------------------------- targets

// Four targets, one of them without an output, with masks and formats of their own.
static void draw_targets(struct raster_gpu *gpu) {
    static const char fragment[] =
        "struct Result { @location(0) a: vec4f, @location(1) b: vec4u, @location(3) c: vec2i }\n"
        "@fragment fn fs(@builtin(position) at: vec4f,\n"
        "                @location(0) @interpolate(flat) color: vec4f) -> Result {\n"
        "    let x = u32(at.x);\n"
        "    let y = u32(at.y);\n"
        "    return Result(color, vec4u(x, y, 300, x * y), vec2i(-i32(x), i32(y) - 200));\n"
        "}\n";
    static const WGPUTextureFormat formats[4] = {WGPUTextureFormat_RGBA8Unorm,
        WGPUTextureFormat_RGBA8Uint, WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RG16Sint};
    static const struct rect rect = {0, 0, RECT_SIDE, RECT_SIDE, 0, {1, 0.2f, 0.4f, 0.6f}};
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, fragment);
    description.fragment.targetCount = 4;
    for (int i = 0; i < 4; i++) {
        description.targets[i].format = formats[i];
    }
    description.targets[0].writeMask = WGPUColorWriteMask_Red | WGPUColorWriteMask_Alpha;
    description.targets[2].writeMask = WGPUColorWriteMask_None;
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, &rect, sizeof(rect));
    WGPUTexture textures[4];
    struct raster_pass pass;
    raster_pass_init(&pass);
    for (int i = 0; i < 4; i++) {
        textures[i] = raster_texture(gpu, formats[i], RECT_SIDE, RECT_SIDE, 1);
        raster_pass_add(&pass, textures[i], NULL)->clearValue = (WGPUColor){
            i == 0 ? 0 : 1, 1, 1, i == 0 ? 0 : 1};
    }
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    rect_draw(pass.pass, buffer, 0, 1);
    raster_pass_end(gpu, &pass);
    for (int i = 0; i < 4; i++) {
        for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
            uint32_t x = pixel % RECT_SIDE;
            uint32_t y = pixel / RECT_SIDE;
            uint8_t *texel = wanted_codes[pixel];
            if (i == 0) {
                memcpy(texel, (uint8_t[4]){255, 255, 255, 153}, 4);
            } else if (i == 1) {
                uint32_t product = x * y < 255 ? x * y : 255;
                memcpy(texel, (uint8_t[4]){(uint8_t)x, (uint8_t)y, 255, (uint8_t)product}, 4);
            } else if (i == 2) {
                memset(texel, 255, 4);
            } else {
                memcpy(texel, (int16_t[2]){(int16_t) - (int)x, (int16_t)((int)y - 200)}, 4);
            }
        }
        raster_read(gpu, textures[i], 4, codes);
        raster_check(codes[0], wanted_codes[0], RECT_SIDE, RECT_SIDE, 4, "targets");
        wgpuTextureRelease(textures[i]);
    }
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(several_targets) {
    raster_run(draw_targets);
}

// ---------------------------------------------------------------- two sources

static void draw_two_sources(struct raster_gpu *gpu) {
    if (!wgpuDeviceHasFeature(gpu->api.device, WGPUFeatureName_DualSourceBlending)) {
        CHECK(gpu->thread_count != 0);
        raster_hash(gpu, (const uint8_t *)"", 1);
        return;
    }
    static const char text[] =
        "enable dual_source_blending;\n"
        "struct Result { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }\n"
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
        "    return vec4f(f32(i & 1) * 4 - 1, f32(i & 2) * 2 - 1, 0, 1);\n"
        "}\n"
        "@fragment fn fs(@builtin(position) at: vec4f) -> Result {\n"
        "    return Result(vec4f(0.5), vec4f(floor(at.x) / 32, 0.25, 1, 0.5));\n"
        "}\n";
    struct raster_pipeline description;
    raster_pipeline_init(gpu, &description, text);
    description.targets[0].format = WGPUTextureFormat_RGBA32Float;
    description.blend.color = (WGPUBlendComponent){
        WGPUBlendOperation_Add, WGPUBlendFactor_Src1, WGPUBlendFactor_OneMinusSrc1Alpha};
    description.blend.alpha = (WGPUBlendComponent){
        WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_Src1Alpha};
    description.targets[0].blend = &description.blend;
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUTexture texture = raster_texture(
        gpu, WGPUTextureFormat_RGBA32Float, RECT_SIDE, RECT_SIDE, 1);
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, texture, NULL)->clearValue = (WGPUColor){1, 2, 4, 8};
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderDraw(pass.pass, 3, 1, 0, 0);
    raster_pass_end(gpu, &pass);
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
        float x = (float)(pixel % RECT_SIDE);
        memcpy(wanted[pixel], (float[4]){0.5f * x / 32 + 0.5f, 0.125f + 1, 0.5f + 2, 0.5f + 4},
            sizeof(wanted[pixel]));
    }
    raster_read(gpu, texture, 16, got);
    raster_check((uint8_t *)got, (uint8_t *)wanted, RECT_SIDE, RECT_SIDE, 16, "two sources");
    wgpuTextureRelease(texture);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(two_sources) {
    raster_run(draw_two_sources);
}

CHECK_MAIN(random_blends_of_floats, codes_are_blended_in_order, several_targets, two_sources)
