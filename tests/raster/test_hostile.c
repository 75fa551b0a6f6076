// SPDX-License-Identifier: MIT
//
// Draws of anything: positions of random bits, infinite, not numbers, far away; indices beyond the
// buffers; depths and biases without measure. Nothing may crash, nothing may be touched outside the
// scissor rectangle, and the number of threads must not show.
#include "raster_helper.h"

#define VERTICES 300u

static const char code[] =
    "struct Out { @builtin(position) at: vec4f, @location(0) color: vec4f,\n"
    "             @location(1) @interpolate(linear, centroid) more: vec2f }\n"
    "@vertex fn vs(@location(0) at: vec4f, @builtin(vertex_index) i: u32) -> Out {\n"
    "    return Out(at, vec4f(at.xy, f32(i), 1), at.zw);\n"
    "}\n"
    "@fragment fn fs(in: Out, @builtin(front_facing) front: bool) -> @location(0) vec4f {\n"
    "    return vec4f(in.color.x, in.more.x, dpdx(in.color.z), select(0.25, 1, front));\n"
    "}\n";
static const char code_depth[] =
    "struct Out { @builtin(position) at: vec4f, @location(0) color: vec4f }\n"
    "@vertex fn vs(@location(0) at: vec4f) -> Out { return Out(at, at.wzyx); }\n"
    "struct Result { @builtin(frag_depth) depth: f32, @builtin(sample_mask) mask: u32,\n"
    "                @location(0) color: vec4f }\n"
    "@fragment fn fs(in: Out) -> Result {\n"
    "    return Result(in.color.x, u32(in.at.x) * 7 + 3, in.color);\n"
    "}\n";

static float random_number(uint32_t *state) {
    static const float strange[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 1e-38f, 1e-45f,
        3e38f, -3e38f, 1e10f, -1e7f, 65536, 0.5f};
    uint32_t choice = raster_random(state) % 8;
    if (choice == 0) {
        uint32_t bits = raster_random(state);
        float number = 0;
        memcpy(&number, &bits, sizeof(number));
        return number;
    }
    if (choice == 1) {
        return strange[raster_random(state) % (sizeof(strange) / sizeof(strange[0]))];
    }
    float scale = choice == 2 ? 100.0f : choice == 3 ? 1e5f : 1.5f;
    return ((float)(raster_random(state) % 2000001) / 1000000 - 1) * scale;
}

struct size {
    uint32_t width, height;
};
static const struct size sizes[] = {{1, 1}, {64, 64}, {257, 3}, {2, 500}, {130, 131}};

static uint8_t texels[500 * 500 * 4];

// Everything of a case follows from its number.
static void set_state(struct raster_pipeline *description, uint32_t number, uint32_t *random) {
    static const WGPUPrimitiveTopology topologies[] = {WGPUPrimitiveTopology_PointList,
        WGPUPrimitiveTopology_LineList, WGPUPrimitiveTopology_LineStrip,
        WGPUPrimitiveTopology_TriangleList, WGPUPrimitiveTopology_TriangleStrip};
    WGPUPrimitiveTopology topology = topologies[number % 5];
    bool is_strip = topology == WGPUPrimitiveTopology_LineStrip ||
        topology == WGPUPrimitiveTopology_TriangleStrip;
    bool has_triangles = topology >= WGPUPrimitiveTopology_TriangleList;
    description->descriptor.primitive.topology = topology;
    description->descriptor.primitive.cullMode = (WGPUCullMode)(WGPUCullMode_None +
        (has_triangles ? raster_random(random) % 3 : 0));
    description->descriptor.primitive.stripIndexFormat = is_strip ? WGPUIndexFormat_Uint32
                                                                  : WGPUIndexFormat_Undefined;
    description->descriptor.primitive.unclippedDepth = raster_random(random) % 2;
    description->descriptor.multisample.count = number / 5 % 2 == 0 ? 1 : 4;
    description->depth_stencil.format = WGPUTextureFormat_Depth32Float;
    description->depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
    description->depth_stencil.depthCompare = (WGPUCompareFunction)(WGPUCompareFunction_Never +
        raster_random(random) % 8);
    if (has_triangles) {
        description->depth_stencil.depthBias = (int32_t)raster_random(random);
        do {
            description->depth_stencil.depthBiasSlopeScale = random_number(random);
        } while (!isfinite(description->depth_stencil.depthBiasSlopeScale));
    }
    description->descriptor.depthStencil = &description->depth_stencil;
}

static void draw_number(struct raster_gpu *gpu, uint32_t number) {
    static float vertices[VERTICES][4];
    static uint32_t indices[VERTICES];
    uint32_t random = number * 2654435761u + 1;
    struct size size = sizes[number % (sizeof(sizes) / sizeof(sizes[0]))];
    for (uint32_t i = 0; i < VERTICES * 4; i++) {
        vertices[i / 4][i % 4] = i % 4 == 3 && raster_random(&random) % 2 == 0
            ? 1
            : random_number(&random);
    }
    for (uint32_t i = 0; i < VERTICES; i++) {
        uint32_t choice = raster_random(&random);
        indices[i] = choice % 9 == 0 ? choice : choice % 400; // some beyond the vertices
    }
    struct raster_pipeline description;
    raster_pipeline_init(gpu, &description, number % 3 == 0 ? code_depth : code);
    raster_pipeline_add(&description, 0, WGPUVertexFormat_Float32x4, 16, 0);
    set_state(&description, number, &random);
    uint32_t sample_count = description.descriptor.multisample.count;
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUTexture color = raster_texture(
        gpu, WGPUTextureFormat_RGBA8Unorm, size.width, size.height, sample_count);
    WGPUTexture resolved = sample_count == 1
        ? NULL
        : raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, size.width, size.height, 1);
    WGPUTexture depth = raster_texture(
        gpu, WGPUTextureFormat_Depth32Float, size.width, size.height, sample_count);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, vertices, sizeof(vertices));
    WGPUBuffer index = raster_buffer(gpu, WGPUBufferUsage_Index, indices, sizeof(indices));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, color, resolved)->clearValue = (WGPUColor){0.2, 0.4, 0.6, 0.8};
    raster_pass_add_depth(&pass, depth, true, false)->depthClearValue = 0.5f;
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(pass.pass, 0, buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetIndexBuffer(
        pass.pass, index, WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
    uint32_t left = raster_random(&random) % (size.width + 1);
    uint32_t top = raster_random(&random) % (size.height + 1);
    if (number % 2 == 0) {
        wgpuRenderPassEncoderSetScissorRect(
            pass.pass, left, top, size.width - left, size.height - top);
        // As far out and as large as may be.
        wgpuRenderPassEncoderSetViewport(pass.pass, -1000.25f, 300.5f, 8000, 7000.75f, 0.25f, 0.5f);
    } else {
        left = top = 0;
    }
    wgpuRenderPassEncoderDraw(pass.pass, VERTICES, 1, 0, 0);
    wgpuRenderPassEncoderDrawIndexed(pass.pass, VERTICES, 2, 0, (int32_t)random, 0);
    wgpuRenderPassEncoderDrawIndexed(pass.pass, VERTICES, 1, 0, 0, 0);
    raster_pass_end(gpu, &pass);
    raster_read(gpu, resolved != NULL ? resolved : color, 4, texels);
    static const uint8_t cleared[4] = {51, 102, 153, 204};
    uint32_t touched = 0;
    for (uint32_t y = 0; y < size.height; y++) {
        for (uint32_t x = 0; x < size.width; x++) {
            bool is_outside = x < left || y < top;
            touched += is_outside && memcmp(&texels[(y * size.width + x) * 4], cleared, 4) != 0;
        }
    }
    if (!CHECK_EQ(touched, 0)) {
        fprintf(stderr, "    case %u\n", number);
    }
    wgpuBufferRelease(buffer);
    wgpuBufferRelease(index);
    wgpuTextureRelease(color);
    wgpuTextureRelease(depth);
    if (resolved != NULL) {
        wgpuTextureRelease(resolved);
    }
    wgpuRenderPipelineRelease(pipeline);
}

static void draw_anything(struct raster_gpu *gpu) {
    for (uint32_t number = 0; number < 60; number++) {
        draw_number(gpu, number);
    }
}

TEST(anything_may_be_drawn) {
    raster_run(draw_anything);
}

CHECK_MAIN(anything_may_be_drawn)
