// SPDX-License-Identifier: MIT
//
// Depth and stencil of whole pictures against an account of each pixel: every compare function and
// format, random stencil states on both faces, depth from the shader, passes that only read, and
// passes without colors.
#include "raster_rect.h"

#define PIXELS (RECT_SIDE * RECT_SIDE)
#define RECTS 40u

struct account {
    float depth[PIXELS];
    uint8_t stencil[PIXELS];
    uint8_t color[PIXELS][4];
};
static struct account wanted;

static uint8_t colors[PIXELS][4];
static float depths[PIXELS];
static uint16_t depths16[PIXELS];
static uint8_t stencils[PIXELS];

static bool compare(WGPUCompareFunction function, float a, float b) {
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

static uint8_t operate(WGPUStencilOperation operation, uint8_t value, uint8_t reference) {
    switch (operation) {
    case WGPUStencilOperation_Zero:
        return 0;
    case WGPUStencilOperation_Replace:
        return reference;
    case WGPUStencilOperation_Invert:
        return (uint8_t)(255 - value);
    case WGPUStencilOperation_IncrementClamp:
        return value == 255 ? 255 : (uint8_t)(value + 1);
    case WGPUStencilOperation_DecrementClamp:
        return value == 0 ? 0 : (uint8_t)(value - 1);
    case WGPUStencilOperation_IncrementWrap:
        return (uint8_t)(value + 1);
    case WGPUStencilOperation_DecrementWrap:
        return (uint8_t)(value - 1);
    default:
        return value;
    }
}

static void init_account(void) {
    memset(&wanted, 0, sizeof(wanted));
    for (uint32_t i = 0; i < PIXELS; i++) {
        wanted.depth[i] = 1;
    }
}

// One fragment; state NULL: as if always passing and not writing.
static void expect_fragment(const WGPUDepthStencilState *state, const struct rect *rect,
    uint32_t pixel, uint32_t reference, bool has_stencil) {
    const WGPUStencilFaceState *face = rect_is_front(rect) ? &state->stencilFront
                                                           : &state->stencilBack;
    uint8_t ref = (uint8_t)reference;
    uint8_t stored = wanted.stencil[pixel];
    WGPUStencilOperation operation = face->failOp;
    bool passes = !has_stencil ||
        compare(face->compare, (float)(ref & state->stencilReadMask),
            (float)(stored & state->stencilReadMask));
    if (passes) {
        passes = compare(state->depthCompare, rect->depth, wanted.depth[pixel]);
        operation = passes ? face->passOp : face->depthFailOp;
    }
    if (has_stencil) {
        uint8_t mask = (uint8_t)state->stencilWriteMask;
        wanted.stencil[pixel] = (uint8_t)((stored & ~mask) |
            (operate(operation, stored, ref) & mask));
    }
    if (passes && state->depthWriteEnabled == WGPUOptionalBool_True) {
        wanted.depth[pixel] = rect->depth;
    }
    if (passes) {
        for (int i = 0; i < 4; i++) {
            wanted.color[pixel][i] = (uint8_t)lrintf(rect->color[i] * 255);
        }
    }
}

static void expect_rect(const WGPUDepthStencilState *state, const struct rect *rect,
    uint32_t reference, bool has_stencil) {
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
        if (rect_covers_sample(rect, pixel % RECT_SIDE, pixel / RECT_SIDE, 1, 0)) {
            expect_fragment(state, rect, pixel, reference, has_stencil);
        }
    }
}

static void make_rects(struct rect *rects, uint32_t seed) {
    for (uint32_t i = 0; i < RECTS; i++) {
        rects[i] = rect_random(&seed, 255);
        rects[i].depth = (float)(raster_random(&seed) % 9) / 8;
    }
}

// ---------------------------------------------------------------- pictures

struct format {
    WGPUTextureFormat format;
    bool has_depth;
    bool has_stencil;
    uint32_t depth_bytes; // that can be read back
};
static const struct format formats[] = {
    {WGPUTextureFormat_Depth16Unorm, true, false, 2},
    {WGPUTextureFormat_Depth24Plus, true, false, 0},
    {WGPUTextureFormat_Depth32Float, true, false, 4},
    {WGPUTextureFormat_Depth24PlusStencil8, true, true, 0},
    {WGPUTextureFormat_Depth32FloatStencil8, true, true, 4},
    {WGPUTextureFormat_Stencil8, false, true, 0},
};

static void check_picture(
    struct raster_gpu *gpu, const struct format *format, WGPUTexture color, WGPUTexture depth) {
    char what[64];
    snprintf(what, sizeof(what), "format %d", (int)format->format);
    raster_read(gpu, color, 4, colors);
    raster_check(colors[0], wanted.color[0], RECT_SIDE, RECT_SIDE, 4, what);
    if (format->depth_bytes == 4) {
        raster_read_layer(gpu, depth, WGPUTextureAspect_DepthOnly, 0, 4, depths);
        raster_check((uint8_t *)depths, (uint8_t *)wanted.depth, RECT_SIDE, RECT_SIDE, 4, what);
    }
    if (format->depth_bytes == 2) {
        static uint16_t codes[PIXELS];
        for (uint32_t i = 0; i < PIXELS; i++) {
            codes[i] = (uint16_t)floor((double)wanted.depth[i] * 65535 + 0.5);
        }
        raster_read_layer(gpu, depth, WGPUTextureAspect_DepthOnly, 0, 2, depths16);
        raster_check((uint8_t *)depths16, (uint8_t *)codes, RECT_SIDE, RECT_SIDE, 2, what);
    }
    if (format->has_stencil) {
        raster_read_layer(gpu, depth, WGPUTextureAspect_StencilOnly, 0, 1, stencils);
        raster_check(stencils, wanted.stencil, RECT_SIDE, RECT_SIDE, 1, what);
    }
}

#define PIPELINES 8u

static WGPURenderPipeline make_pipeline(
    struct raster_gpu *gpu, const struct format *format, const WGPUDepthStencilState *state) {
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, rect_fragment_code);
    description.depth_stencil = *state;
    description.depth_stencil.format = format->format;
    if (!format->has_depth) {
        description.depth_stencil.depthWriteEnabled = WGPUOptionalBool_Undefined;
        description.depth_stencil.depthCompare = WGPUCompareFunction_Undefined;
    }
    description.descriptor.depthStencil = &description.depth_stencil;
    return raster_pipeline_create(gpu, &description);
}

// Rectangle i is drawn with state i modulo their number.
static void draw_picture(struct raster_gpu *gpu, const struct format *format,
    const WGPUDepthStencilState *states, uint32_t state_count, uint32_t seed) {
    static struct rect rects[RECTS];
    WGPURenderPipeline pipelines[PIPELINES];
    make_rects(rects, seed);
    init_account();
    for (uint32_t i = 0; i < state_count; i++) {
        pipelines[i] = make_pipeline(gpu, format, &states[i]);
    }
    WGPUTexture color = raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, 1);
    WGPUTexture depth = raster_texture(gpu, format->format, RECT_SIDE, RECT_SIDE, 1);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, color, NULL);
    raster_pass_add_depth(&pass, depth, format->has_depth, format->has_stencil);
    raster_pass_begin(gpu, &pass);
    for (uint32_t i = 0; i < RECTS; i++) {
        uint32_t reference = i * 29 + 0x100;
        wgpuRenderPassEncoderSetPipeline(pass.pass, pipelines[i % state_count]);
        wgpuRenderPassEncoderSetStencilReference(pass.pass, reference);
        rect_draw(pass.pass, buffer, i, 1);
        expect_rect(&states[i % state_count], &rects[i], reference, format->has_stencil);
    }
    raster_pass_end(gpu, &pass);
    check_picture(gpu, format, color, depth);
    wgpuBufferRelease(buffer);
    wgpuTextureRelease(color);
    wgpuTextureRelease(depth);
    for (uint32_t i = 0; i < state_count; i++) {
        wgpuRenderPipelineRelease(pipelines[i]);
    }
}

static WGPUDepthStencilState default_state(void) {
    WGPUStencilFaceState keep = {WGPUCompareFunction_Always, WGPUStencilOperation_Keep,
        WGPUStencilOperation_Keep, WGPUStencilOperation_Keep};
    WGPUDepthStencilState state = WGPU_DEPTH_STENCIL_STATE_INIT;
    state.stencilFront = state.stencilBack = keep;
    state.depthWriteEnabled = WGPUOptionalBool_False;
    state.depthCompare = WGPUCompareFunction_Always;
    return state;
}

static void draw_depths(struct raster_gpu *gpu) {
    for (int i = 0; i < 5; i++) {
        for (int function = 0; function < 8; function++) {
            WGPUDepthStencilState states[2] = {default_state(), default_state()};
            states[0].depthCompare = (WGPUCompareFunction)(WGPUCompareFunction_Never + function);
            states[0].depthWriteEnabled = WGPUOptionalBool_True;
            // Something in the depth buffer for the functions that never pass 1.
            states[1].depthCompare = WGPUCompareFunction_Always;
            states[1].depthWriteEnabled = function % 2 == 0 ? WGPUOptionalBool_True
                                                            : WGPUOptionalBool_False;
            draw_picture(gpu, &formats[i], states, 2, (uint32_t)(i * 8 + function + 1));
        }
    }
}

TEST(every_depth_function_in_every_format) {
    raster_run(draw_depths);
}

static void draw_stencils(struct raster_gpu *gpu) {
    uint32_t random = 4;
    for (int i = 3; i < 6; i++) {
        for (uint32_t round = 0; round < 4; round++) {
            WGPUDepthStencilState states[PIPELINES];
            for (uint32_t j = 0; j < PIPELINES; j++) {
                states[j] = default_state();
                WGPUStencilFaceState *faces[2] = {&states[j].stencilFront, &states[j].stencilBack};
                for (int k = 0; k < 2; k++) {
                    faces[k]->compare = (WGPUCompareFunction)(WGPUCompareFunction_Never +
                        raster_random(&random) % 8);
                    faces[k]->failOp = (WGPUStencilOperation)(1 + raster_random(&random) % 8);
                    faces[k]->passOp = (WGPUStencilOperation)(1 + raster_random(&random) % 8);
                    if (formats[i].has_depth) {
                        faces[k]->depthFailOp = (WGPUStencilOperation)(1 +
                            raster_random(&random) % 8);
                    }
                }
                if (formats[i].has_depth) {
                    states[j].depthCompare = (WGPUCompareFunction)(WGPUCompareFunction_Never +
                        raster_random(&random) % 8);
                    states[j].depthWriteEnabled = j % 2 == 0 ? WGPUOptionalBool_True
                                                             : WGPUOptionalBool_False;
                }
                states[j].stencilReadMask = raster_random(&random) & 0xff;
                states[j].stencilWriteMask = raster_random(&random) & 0xff;
            }
            draw_picture(gpu, &formats[i], states, PIPELINES, round + 50);
        }
    }
}

TEST(random_stencil_states) {
    raster_run(draw_stencils);
}

// ---------------------------------------------------------------- depth from the shader

static void draw_frag_depths(struct raster_gpu *gpu) {
    // Each pixel's own depth; what is above the viewport's range is clamped to it.
    static const char fragment[] =
        "struct Result { @location(0) color: vec4f, @builtin(frag_depth) depth: f32 }\n"
        "@fragment fn fs(@builtin(position) at: vec4f,\n"
        "                @location(0) @interpolate(flat) color: vec4f) -> Result {\n"
        "    return Result(color, floor(at.x) / 32);\n"
        "}\n";
    static const struct rect rects[2] = {
        {0, 0, RECT_SIDE, RECT_SIDE, 0.9f, {1, 0, 0, 1}},
        {0, 0, RECT_SIDE, RECT_SIDE, 0.1f, {0, 1, 0, 1}},
    };
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, fragment);
    description.depth_stencil.format = WGPUTextureFormat_Depth32Float;
    description.depth_stencil.depthCompare = WGPUCompareFunction_Less;
    description.depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
    description.descriptor.depthStencil = &description.depth_stencil;
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUTexture color = raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, 1);
    WGPUTexture depth = raster_texture(
        gpu, WGPUTextureFormat_Depth32Float, RECT_SIDE, RECT_SIDE, 1);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, color, NULL);
    raster_pass_add_depth(&pass, depth, true, false)->depthClearValue = 0.5f;
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderSetViewport(pass.pass, 0, 0, RECT_SIDE, RECT_SIDE, 0, 0.375f);
    rect_draw(pass.pass, buffer, 0, 1);
    wgpuRenderPassEncoderSetViewport(pass.pass, 0, 0, RECT_SIDE, RECT_SIDE, 0.125f, 0.25f);
    rect_draw(pass.pass, buffer, 1, 1);
    raster_pass_end(gpu, &pass);
    for (uint32_t i = 0; i < PIXELS; i++) {
        float shader = (float)(i % RECT_SIDE) / 32;
        float first = fminf(shader, 0.375f); // always less than 0.5
        float second = fminf(fmaxf(shader, 0.125f), 0.25f);
        wanted.depth[i] = second < first ? second : first;
        static const uint8_t red[4] = {255, 0, 0, 255};
        static const uint8_t green[4] = {0, 255, 0, 255};
        memcpy(wanted.color[i], second < first ? green : red, 4);
    }
    check_picture(gpu, &formats[2], color, depth);
    wgpuBufferRelease(buffer);
    wgpuTextureRelease(color);
    wgpuTextureRelease(depth);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(shaders_give_depth) {
    raster_run(draw_frag_depths);
}

// ---------------------------------------------------------------- passes that only read

static void draw_read_only(struct raster_gpu *gpu) {
    static const struct rect rects[2] = {
        {4, 4, 20, 20, 0.25f, {0, 0, 0, 0}},
        {0, 0, RECT_SIDE, RECT_SIDE, 0.5f, {1, 1, 1, 1}},
    };
    // Depth alone first: no fragment stage, no color.
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, rect_fragment_code);
    description.descriptor.fragment = NULL;
    description.depth_stencil = default_state();
    description.depth_stencil.format = WGPUTextureFormat_Depth32Float;
    description.depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
    description.descriptor.depthStencil = &description.depth_stencil;
    WGPURenderPipeline depth_only = raster_pipeline_create(gpu, &description);
    WGPUDepthStencilState state = default_state();
    state.depthCompare = WGPUCompareFunction_Less;
    WGPURenderPipeline reading = make_pipeline(gpu, &formats[2], &state);
    WGPUTexture color = raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, 1);
    WGPUTexture depth = raster_texture(
        gpu, WGPUTextureFormat_Depth32Float, RECT_SIDE, RECT_SIDE, 1);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add_depth(&pass, depth, true, false);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, depth_only);
    rect_draw(pass.pass, buffer, 0, 1);
    raster_pass_end(gpu, &pass);

    raster_pass_init(&pass);
    raster_pass_add(&pass, color, NULL);
    WGPURenderPassDepthStencilAttachment *attachment = raster_pass_add_depth(
        &pass, depth, false, false);
    attachment->depthReadOnly = WGPU_TRUE;
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, reading);
    rect_draw(pass.pass, buffer, 1, 1);
    raster_pass_end(gpu, &pass);

    for (uint32_t i = 0; i < PIXELS; i++) {
        bool is_near = rect_covers_sample(&rects[0], i % RECT_SIDE, i / RECT_SIDE, 1, 0);
        wanted.depth[i] = is_near ? 0.25f : 1;
        memset(wanted.color[i], is_near ? 0 : 255, 4);
    }
    check_picture(gpu, &formats[2], color, depth);
    wgpuBufferRelease(buffer);
    wgpuTextureRelease(color);
    wgpuTextureRelease(depth);
    wgpuRenderPipelineRelease(depth_only);
    wgpuRenderPipelineRelease(reading);
}

TEST(depth_alone_and_depth_that_is_only_read) {
    raster_run(draw_read_only);
}

CHECK_MAIN(every_depth_function_in_every_format, random_stencil_states, shaders_give_depth,
    depth_alone_and_depth_that_is_only_read)
