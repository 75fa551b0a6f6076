// SPDX-License-Identifier: MIT
//
// Rectangles with a depth and a color, an instance each: the pictures of the tests of depth,
// stencil, blending and samples are made of them. For the main file of one test.
#pragma once

#include "raster_helper.h"

#define RECT_SIDE 32u // pixels of the attachments, width and height
#define RECT_UNITS 16 // positions are multiples of a sixteenth of a pixel

struct rect {
    float left, top, right, bottom; // pixels; left > right turns it over
    float depth;
    float color[4];
};

static const char rect_vertex_code[] =
    "struct Out { @builtin(position) at: vec4f, @location(0) @interpolate(flat) color: vec4f }\n"
    "@vertex fn vs(@builtin(vertex_index) i: u32, @location(0) rect: vec4f,\n"
    "              @location(1) depth: f32, @location(2) color: vec4f) -> Out {\n"
    "    let x = select(rect.x, rect.z, (i & 1) == 1);\n"
    "    let y = select(rect.y, rect.w, (i & 2) == 2);\n"
    "    return Out(vec4f(x / 16 - 1, 1 - y / 16, depth, 1), color);\n"
    "}\n";
static const char rect_fragment_code[] =
    "@fragment fn fs(@location(0) @interpolate(flat) color: vec4f) -> @location(0) vec4f {\n"
    "    return color;\n"
    "}\n";

static inline void rect_pipeline_init(
    struct raster_gpu *gpu, struct raster_pipeline *pipeline, const char *fragment_code) {
    char text[4096];
    snprintf(text, sizeof(text), "%s%s", rect_vertex_code, fragment_code);
    raster_pipeline_init(gpu, pipeline, text);
    pipeline->descriptor.primitive.topology = WGPUPrimitiveTopology_TriangleStrip;
    raster_pipeline_add(pipeline, 0, WGPUVertexFormat_Float32x4, 16, 0);
    raster_pipeline_add(pipeline, 0, WGPUVertexFormat_Float32, 4, 1);
    raster_pipeline_add(pipeline, 0, WGPUVertexFormat_Float32x4, 16, 2);
    pipeline->buffers[0].stepMode = WGPUVertexStepMode_Instance;
}

static inline void rect_draw(
    WGPURenderPassEncoder pass, WGPUBuffer rects, uint32_t first, uint32_t count) {
    wgpuRenderPassEncoderSetVertexBuffer(pass, 0, rects, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDraw(pass, 4, count, 0, first);
}

static inline float rect_position(uint32_t *state) {
    return (float)(raster_random(state) % ((RECT_SIDE + 8) * RECT_UNITS)) / RECT_UNITS - 4;
}

// Somewhere, seen from either side; color components are multiples of 1 / `steps`.
static inline struct rect rect_random(uint32_t *state, uint32_t steps) {
    struct rect rect = {rect_position(state), rect_position(state), rect_position(state),
        rect_position(state), 0, {0}};
    if (rect.top > rect.bottom) {
        float top = rect.top;
        rect.top = rect.bottom;
        rect.bottom = top;
    }
    for (int i = 0; i < 4; i++) {
        rect.color[i] = (float)(raster_random(state) % (steps + 1)) / (float)steps;
    }
    return rect;
}

static inline bool rect_is_front(const struct rect *rect) { // with frontFace CCW
    return rect->left > rect->right;
}

// Left and top edges belong to it. x and y in pixels.
static inline bool rect_covers(const struct rect *rect, float x, float y) {
    float left = rect->left < rect->right ? rect->left : rect->right;
    float right = rect->left < rect->right ? rect->right : rect->left;
    return x >= left && x < right && y >= rect->top && y < rect->bottom;
}

// The positions of samples in a pixel: WebGPU's standard pattern of four, or the centre.
static inline void rect_sample_position(
    uint32_t sample_count, uint32_t sample, float *out_x, float *out_y) {
    static const float xs[4] = {0.375f, 0.875f, 0.125f, 0.625f};
    static const float ys[4] = {0.125f, 0.375f, 0.625f, 0.875f};
    *out_x = sample_count == 1 ? 0.5f : xs[sample];
    *out_y = sample_count == 1 ? 0.5f : ys[sample];
}

static inline bool rect_covers_sample(
    const struct rect *rect, uint32_t x, uint32_t y, uint32_t sample_count, uint32_t sample) {
    float dx = 0;
    float dy = 0;
    rect_sample_position(sample_count, sample, &dx, &dy);
    return rect_covers(rect, (float)x + dx, (float)y + dy);
}
