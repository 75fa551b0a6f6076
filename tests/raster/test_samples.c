// SPDX-License-Identifier: MIT
//
// Four samples a pixel: which of them rectangles cover, resolved exactly; masks of pipelines and of
// shaders, depth of each sample, shading of each sample, alpha to coverage, occlusion counts.
#include "raster_rect.h"

#define PIXELS (RECT_SIDE * RECT_SIDE)
#define RECTS 30u

static uint8_t got[PIXELS][4];
static uint8_t wanted[PIXELS][4];
static uint8_t samples[PIXELS][4][4]; // pixel, sample, component

static WGPURenderPipeline make_pipeline(
    struct raster_gpu *gpu, const char *fragment, uint32_t mask, bool has_depth) {
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, fragment);
    description.descriptor.multisample.count = 4;
    description.descriptor.multisample.mask = mask;
    if (has_depth) {
        description.depth_stencil.format = WGPUTextureFormat_Depth24Plus;
        description.depth_stencil.depthCompare = WGPUCompareFunction_Less;
        description.depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
        description.descriptor.depthStencil = &description.depth_stencil;
    }
    return raster_pipeline_create(gpu, &description);
}

static void average_samples(void) {
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
        for (int i = 0; i < 4; i++) {
            uint32_t sum = 0;
            for (int sample = 0; sample < 4; sample++) {
                sum += samples[pixel][sample][i];
            }
            wanted[pixel][i] = (uint8_t)((sum + 2) / 4);
        }
    }
}

static void set_sample(uint32_t pixel, uint32_t sample, const float color[4]) {
    for (int i = 0; i < 4; i++) {
        samples[pixel][sample][i] = (uint8_t)lrintf(color[i] * 255);
    }
}

struct targets {
    WGPUTexture samples;
    WGPUTexture resolved;
    WGPUTexture depth;
};

static struct targets make_targets(struct raster_gpu *gpu) {
    return (struct targets){
        raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, 4),
        raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, 1),
        raster_texture(gpu, WGPUTextureFormat_Depth24Plus, RECT_SIDE, RECT_SIDE, 4),
    };
}

static void check_targets(struct raster_gpu *gpu, struct targets *targets, const char *what) {
    average_samples();
    raster_read(gpu, targets->resolved, 4, got);
    raster_check(got[0], wanted[0], RECT_SIDE, RECT_SIDE, 4, what);
    wgpuTextureRelease(targets->samples);
    wgpuTextureRelease(targets->resolved);
    wgpuTextureRelease(targets->depth);
}

// ---------------------------------------------------------------- coverage and depth

static void draw_rects(struct raster_gpu *gpu, bool has_depth, uint32_t seed) {
    static float depths[PIXELS][4];
    struct rect rects[RECTS];
    memset(samples, 0, sizeof(samples));
    for (uint32_t i = 0; i < PIXELS * 4; i++) {
        depths[i / 4][i % 4] = 1;
    }
    uint32_t random = seed;
    for (uint32_t i = 0; i < RECTS; i++) {
        uint32_t mask = i % 2 == 0 ? 0xffffffff : 0xfffffff0 | i;
        rects[i] = rect_random(&random, 255);
        rects[i].depth = (float)(raster_random(&random) % 16) / 16;
        for (uint32_t at = 0; at < PIXELS * 4; at++) {
            uint32_t pixel = at / 4;
            uint32_t sample = at % 4;
            bool is_covered = rect_covers_sample(
                &rects[i], pixel % RECT_SIDE, pixel / RECT_SIDE, 4, sample);
            if (is_covered && (mask >> sample & 1) != 0 &&
                (!has_depth || rects[i].depth < depths[pixel][sample])) {
                depths[pixel][sample] = rects[i].depth;
                set_sample(pixel, sample, rects[i].color);
            }
        }
    }
    struct targets targets = make_targets(gpu);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, targets.samples, targets.resolved);
    if (has_depth) {
        raster_pass_add_depth(&pass, targets.depth, true, false);
    }
    raster_pass_begin(gpu, &pass);
    for (uint32_t i = 0; i < RECTS; i++) {
        WGPURenderPipeline pipeline = make_pipeline(
            gpu, rect_fragment_code, i % 2 == 0 ? 0xffffffff : 0xfffffff0 | i, has_depth);
        wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
        rect_draw(pass.pass, buffer, i, 1);
        wgpuRenderPipelineRelease(pipeline);
    }
    raster_pass_end(gpu, &pass);
    check_targets(gpu, &targets, has_depth ? "depth of samples" : "samples");
    wgpuBufferRelease(buffer);
}

static void draw_samples(struct raster_gpu *gpu) {
    for (uint32_t seed = 1; seed <= 3; seed++) {
        draw_rects(gpu, false, seed);
        draw_rects(gpu, true, seed + 10);
    }
}

TEST(samples_are_covered_and_tested_by_themselves) {
    raster_run(draw_samples);
}

// ---------------------------------------------------------------- shaders that know samples

// Draws one triangle over all but the left half of the leftmost column.
static void draw_one(struct raster_gpu *gpu, const char *fragment, bool has_alpha_to_coverage,
    const float color[4], struct targets *targets) {
    struct rect rect = {
        0.5f, 0, 4 * RECT_SIDE, 4 * RECT_SIDE, 0, {color[0], color[1], color[2], color[3]}};
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, fragment);
    description.descriptor.multisample.count = 4;
    description.descriptor.multisample.alphaToCoverageEnabled = has_alpha_to_coverage;
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, &rect, sizeof(rect));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, targets->samples, targets->resolved);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(pass.pass, 0, buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDraw(pass.pass, 3, 1, 0, 0);
    raster_pass_end(gpu, &pass);
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
}

static bool is_covered(uint32_t pixel, uint32_t sample) { // by that triangle
    return pixel % RECT_SIDE != 0 || sample == 1 || sample == 3;
}

static void draw_sample_masks(struct raster_gpu *gpu) {
    // The mask that comes in is in green; the one that goes out depends on the column.
    static const char fragment[] =
        "struct Result { @location(0) color: vec4f, @builtin(sample_mask) mask: u32 }\n"
        "@fragment fn fs(@builtin(position) at: vec4f, @builtin(sample_mask) mask: u32)\n"
        "    -> Result {\n"
        "    return Result(vec4f(1, f32(mask) / 255, 0, 1), u32(at.x));\n"
        "}\n";
    static const float none[4] = {0};
    struct targets targets = make_targets(gpu);
    draw_one(gpu, fragment, false, none, &targets);
    memset(samples, 0, sizeof(samples));
    for (uint32_t at = 0; at < PIXELS * 4; at++) {
        uint32_t x = at / 4 % RECT_SIDE;
        if (is_covered(at / 4, at % 4) && (x >> at % 4 & 1) != 0) {
            float mask = x == 0 ? 10 : 15;
            set_sample(at / 4, at % 4, (float[4]){1, mask / 255, 0, 1});
        }
    }
    check_targets(gpu, &targets, "sample masks");
}

TEST(sample_masks_in_and_out) {
    raster_run(draw_sample_masks);
}

static void draw_sample_shading(struct raster_gpu *gpu) {
    // A color of each sample.
    static const char fragment[] =
        "@fragment fn fs(@builtin(position) at: vec4f, @builtin(sample_index) i: u32)\n"
        "    -> @location(0) vec4f {\n"
        "    return vec4f(f32(1u << (i * 2)) / 255, floor(at.x) / 255, 0, 1);\n"
        "}\n";
    static const float none[4] = {0};
    struct targets targets = make_targets(gpu);
    draw_one(gpu, fragment, false, none, &targets);
    memset(samples, 0, sizeof(samples));
    for (uint32_t at = 0; at < PIXELS * 4; at++) {
        if (is_covered(at / 4, at % 4)) {
            float red = (float)(1u << (at % 4 * 2));
            float green = (float)(at / 4 % RECT_SIDE);
            set_sample(at / 4, at % 4, (float[4]){red / 255, green / 255, 0, 1});
        }
    }
    check_targets(gpu, &targets, "shading of samples");
}

TEST(shading_of_each_sample) {
    raster_run(draw_sample_shading);
}

// The number of samples follows alpha; which ones they are is the adapter's choice.
static void draw_alpha_to_coverage(struct raster_gpu *gpu) {
    uint8_t before = 0;
    for (int step = 0; step <= 8; step++) {
        float color[4] = {1, 0, 0, (float)step / 8};
        struct targets targets = make_targets(gpu);
        draw_one(gpu, rect_fragment_code, true, color, &targets);
        raster_read(gpu, targets.resolved, 4, got);
        uint8_t red = got[5][0]; // quarters of 255
        CHECK_NEAR(red, color[3] * 255, step == 0 || step == 8 ? 0 : 33);
        CHECK(red >= before);
        before = red;
        for (uint32_t pixel = 1; pixel < RECT_SIDE; pixel++) {
            CHECK_EQ(got[pixel][0], red);
        }
        wgpuTextureRelease(targets.samples);
        wgpuTextureRelease(targets.resolved);
        wgpuTextureRelease(targets.depth);
    }
}

TEST(alpha_to_coverage) {
    raster_run(draw_alpha_to_coverage);
}

// ---------------------------------------------------------------- occlusion

static void draw_occlusion(struct raster_gpu *gpu) {
    struct rect rects[3] = {
        {0, 0, 8, 8, 0.5f, {1, 1, 1, 1}},
        {4, 4, 12, 12, 0.75f, {1, 1, 1, 1}}, // behind, where both are
        {1, 1, 2, 2, 0.875f, {1, 1, 1, 1}},  // hidden
    };
    for (uint32_t count = 1; count <= 4; count += 3) {
        struct raster_pipeline description;
        rect_pipeline_init(gpu, &description, rect_fragment_code);
        description.descriptor.multisample.count = count;
        description.depth_stencil.format = WGPUTextureFormat_Depth32Float;
        description.depth_stencil.depthCompare = WGPUCompareFunction_Less;
        description.depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
        description.descriptor.depthStencil = &description.depth_stencil;
        WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
        WGPUTexture color = raster_texture(
            gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, count);
        WGPUTexture depth = raster_texture(
            gpu, WGPUTextureFormat_Depth32Float, RECT_SIDE, RECT_SIDE, count);
        WGPUQuerySetDescriptor query = WGPU_QUERY_SET_DESCRIPTOR_INIT;
        query.type = WGPUQueryType_Occlusion;
        query.count = 4;
        WGPUQuerySet queries = wgpuDeviceCreateQuerySet(gpu->api.device, &query);
        WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
        WGPUBuffer results = api_buffer(
            &gpu->api, "results", 32, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
        struct raster_pass pass;
        raster_pass_init(&pass);
        raster_pass_add(&pass, color, NULL);
        raster_pass_add_depth(&pass, depth, true, false);
        pass.descriptor.occlusionQuerySet = queries;
        raster_pass_begin(gpu, &pass);
        wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
        for (uint32_t i = 0; i < 3; i++) {
            wgpuRenderPassEncoderBeginOcclusionQuery(pass.pass, i);
            rect_draw(pass.pass, buffer, i, 1);
            wgpuRenderPassEncoderEndOcclusionQuery(pass.pass);
        }
        wgpuRenderPassEncoderEnd(pass.pass);
        wgpuCommandEncoderResolveQuerySet(pass.encoder, queries, 0, 4, results, 0);
        wgpuRenderPassEncoderRelease(pass.pass);
        raster_submit(gpu, pass.encoder);
        for (uint32_t i = 0; i < pass.view_count; i++) {
            wgpuTextureViewRelease(pass.views[i]);
        }
        uint64_t values[4];
        raster_read_buffer(gpu, results, values, sizeof(values));
        // alba counts samples, though only zero or not is promised.
        CHECK_EQ(values[0], 64 * count);
        CHECK_EQ(values[1], (64 - 16) * count);
        CHECK_EQ(values[2], 0);
        CHECK_EQ(values[3], 0);
        wgpuBufferRelease(buffer);
        wgpuBufferRelease(results);
        wgpuQuerySetRelease(queries);
        wgpuTextureRelease(color);
        wgpuTextureRelease(depth);
        wgpuRenderPipelineRelease(pipeline);
    }
}

TEST(occlusion_queries_count_samples) {
    raster_run(draw_occlusion);
}

CHECK_MAIN(samples_are_covered_and_tested_by_themselves, sample_masks_in_and_out,
    shading_of_each_sample, alpha_to_coverage, occlusion_queries_count_samples)
