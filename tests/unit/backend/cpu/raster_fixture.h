// SPDX-License-Identifier: MIT
//
// A device, a pipeline with a fragment kernel written in C, and primitives made of corners, for
// tests of the rasteriser from primitives on.
#pragma once

#include <math.h>
#include <string.h>

#include "backend/cpu/cpu_priv.h"
#include "backend/cpu/raster.h"
#include "backend/cpu/raster_priv.h"
#include "base/memory.h"
#include "check.h"

#include <webgpu/webgpu.h>

#define FIXTURE_VALUES 8
#define FIXTURE_VARYINGS 8

struct raster_fixture {
    struct backend_device *device;
    struct raster raster;
    struct jit_kernel kernel;
    struct raster_interface_value inputs[FIXTURE_VALUES];
    struct raster_interface_value outputs[FIXTURE_VALUES];
    struct raster_varying varyings[FIXTURE_VARYINGS];
    struct backend_render_pipeline pipeline;
    struct raster_pass pass;
    struct jit_dispatch dispatch;
    struct raster_draw draw;
    uint8_t *primitives;
    uint32_t primitive_count;
    uint32_t primitive_capacity;
};

static inline void fixture_lost(void *user, struct text reason) {
    (void)user;
    fprintf(stderr, "device lost: %.*s\n", TEXT_ARGS(reason));
}

// An empty pipeline and a pass without attachments. The kernel finds `user` in immediates.
static inline bool fixture_open(struct raster_fixture *fixture, uint32_t threads, uint32_t width,
    uint32_t height, uint32_t sample_count, jit_function function, const void *user) {
    *fixture = (struct raster_fixture){0};
    struct backend_device_options options = {
        .thread_count = threads, .events = {.lost = fixture_lost}};
    struct cpu_kernel_cache *cache = cpu_kernel_cache_create();
    enum backend_status status = cpu_device_create(cache, &options, &fixture->device);
    cpu_kernel_cache_unref(cache);
    if (!CHECK_EQ(status, BACKEND_OK)) {
        return false;
    }
    fixture->raster.device = cpu_device_get(fixture->device);
    fixture->kernel.function = function;
    fixture->pass = (struct raster_pass){
        .width = width, .height = height, .sample_count = sample_count};
    struct backend_render_pipeline *pipeline = &fixture->pipeline;
    pipeline->state.sample_mask = UINT32_MAX;
    pipeline->state.sample_count = sample_count;
    pipeline->fragment.kernel = function == NULL ? NULL : &fixture->kernel;
    pipeline->fragment.inputs.values = fixture->inputs;
    pipeline->fragment.outputs.values = fixture->outputs;
    pipeline->varyings = fixture->varyings;
    fixture->dispatch.immediates = user;
    fixture->draw = (struct raster_draw){
        .pass = &fixture->pass,
        .pipeline = pipeline,
        .fragment_dispatch = &fixture->dispatch,
        .viewport = {0, 0, (float)width, (float)height},
        .depth_range = {0, 1},
        .scissor = {0, 0, width, height},
    };
    return true;
}

static inline void fixture_close(struct raster_fixture *fixture) {
    if (fixture->raster.tile_memory_destroy != NULL) {
        fixture->raster.tile_memory_destroy(fixture->raster.tile_memory);
    }
    memory_free(fixture->primitives);
    memory_free(fixture->pass.colors[0].data);
    memory_free(fixture->pass.depth.data);
    fixture->device->functions->destroy(fixture->device);
}

// Adds a built-in value; its first row.
static inline uint32_t fixture_builtin(struct raster_fixture *fixture, bool is_output,
    enum builtin_value builtin, uint32_t word_count) {
    struct raster_stage *stage = &fixture->pipeline.fragment;
    struct raster_interface *interface = is_output ? &stage->outputs : &stage->inputs;
    uint32_t first = interface->word_count;
    interface->values[interface->value_count++] = (struct raster_interface_value){
        .is_builtin = true, .builtin = builtin, .first_word = first, .word_count = word_count};
    interface->word_count += word_count;
    fixture->kernel.input_words = stage->inputs.word_count;
    fixture->kernel.output_words = stage->outputs.word_count;
    return first;
}

// Adds an f32 that comes from the vertex stage; its row.
static inline uint32_t fixture_varying(
    struct raster_fixture *fixture, uint8_t interpolation, uint8_t sampling) {
    struct raster_interface *inputs = &fixture->pipeline.fragment.inputs;
    uint32_t word = inputs->word_count++;
    fixture->varyings[fixture->pipeline.varying_count++] = (struct raster_varying){
        .fragment_word = (uint16_t)word, .interpolation = interpolation, .sampling = sampling};
    fixture->kernel.input_words = inputs->word_count;
    return word;
}

// Adds a vec4f color output at location 0 and its target in RGBA8Unorm or RGBA32Float.
static inline uint32_t fixture_color(
    struct raster_fixture *fixture, uint32_t format, uint32_t texel_bytes) {
    struct raster_interface *outputs = &fixture->pipeline.fragment.outputs;
    uint32_t first = outputs->word_count;
    outputs->values[outputs->value_count++] = (struct raster_interface_value){
        .scalar = TYPE_F32, .first_word = first, .word_count = 4};
    outputs->word_count += 4;
    fixture->kernel.output_words = outputs->word_count;
    struct raster_pass *pass = &fixture->pass;
    struct raster_target *target = &pass->colors[0];
    target->row_bytes = (uint64_t)pass->width * pass->sample_count * texel_bytes;
    target->data = memory_allocate_zeroed(MEMORY_TEST, pass->height, target->row_bytes);
    target->format = format;
    target->texel_bytes = texel_bytes;
    target->codec = cpu_texel_codec_get(format);
    pass->color_count = 1;
    fixture->pipeline.state.target_count = 1;
    fixture->pipeline.state.targets[0].format = format;
    fixture->pipeline.state.targets[0].write_mask = WGPUColorWriteMask_All;
    return first;
}

// Depth32Float, cleared to 1, compared by Less and written.
static inline void fixture_depth(struct raster_fixture *fixture) {
    struct raster_pass *pass = &fixture->pass;
    struct raster_target *target = &pass->depth;
    target->texel_bytes = 4;
    target->row_bytes = (uint64_t)pass->width * pass->sample_count * 4;
    target->data = memory_allocate(MEMORY_TEST, (size_t)(target->row_bytes * pass->height));
    float *depths = (float *)(void *)target->data;
    for (uint32_t i = 0; i < pass->width * pass->height * pass->sample_count; i++) {
        depths[i] = 1;
    }
    target->format = WGPUTextureFormat_Depth32Float;
    target->codec = cpu_texel_codec_get(target->format);
    fixture->pipeline.state.depth_stencil_format = WGPUTextureFormat_Depth32Float;
    fixture->pipeline.state.depth_compare = WGPUCompareFunction_Less;
    fixture->pipeline.state.is_depth_write_enabled = true;
}

// ---------------------------------------------------------------- primitives

struct fixture_corner {
    double x; // pixels
    double y;
    double depth;
    double w;
    double values[FIXTURE_VARYINGS];
};

static inline int64_t fixture_fixed(double value) {
    return (int64_t)floor(value * (1 << RASTER_SUBPIXEL_BITS) + 0.5);
}

// The plane through three values at the corners.
static inline struct raster_plane fixture_plane(
    const struct fixture_corner corners[3], const double values[3]) {
    double x1 = corners[1].x - corners[0].x;
    double y1 = corners[1].y - corners[0].y;
    double x2 = corners[2].x - corners[0].x;
    double y2 = corners[2].y - corners[0].y;
    double v1 = values[1] - values[0];
    double v2 = values[2] - values[0];
    double area = x1 * y2 - x2 * y1;
    return (struct raster_plane){.base = (float)values[0],
        .dx = (float)((v1 * y2 - v2 * y1) / area),
        .dy = (float)((v2 * x1 - v1 * x2) / area)};
}

// An edge from one corner to the next, the inside to its right (y down): the winding that
// fixture_triangle makes. Left edges and top edges have their own points inside.
static inline struct raster_edge fixture_edge(
    const struct fixture_corner *from, const struct fixture_corner *to) {
    int64_t x0 = fixture_fixed(from->x);
    int64_t y0 = fixture_fixed(from->y);
    int64_t x1 = fixture_fixed(to->x);
    int64_t y1 = fixture_fixed(to->y);
    struct raster_edge edge = {.a = y0 - y1, .b = x1 - x0};
    edge.c = -(edge.a * x0 + edge.b * y0);
    bool is_left = edge.a > 0;
    bool is_top = edge.a == 0 && edge.b > 0;
    edge.c -= is_left || is_top ? 0 : 1;
    return edge;
}

static inline int32_t fixture_bound(double value, uint32_t size) {
    return value < 0 ? 0 : value > size ? (int32_t)size : (int32_t)value;
}

// Corners lie on fixed-point positions. NULL: an empty area.
static inline struct raster_primitive *fixture_triangle(
    struct raster_fixture *fixture, const struct fixture_corner given[3]) {
    struct fixture_corner corners[3] = {given[0], given[1], given[2]};
    double area = (corners[1].x - corners[0].x) * (corners[2].y - corners[0].y) -
        (corners[2].x - corners[0].x) * (corners[1].y - corners[0].y);
    if (area == 0) {
        return NULL;
    }
    if (area < 0) {
        corners[1] = given[2];
        corners[2] = given[1];
    }
    uint32_t varying_count = fixture->pipeline.varying_count;
    size_t bytes = raster_primitive_bytes(varying_count);
    if (fixture->primitive_count == fixture->primitive_capacity) {
        fixture->primitive_capacity = 2 * fixture->primitive_capacity + 16;
        fixture->primitives = memory_resize(
            MEMORY_TEST, fixture->primitives, bytes * fixture->primitive_capacity);
    }
    struct raster_primitive *primitive = (void *)(fixture->primitives +
        bytes * fixture->primitive_count);
    memset(primitive, 0, bytes);
    primitive->edge_count = 3;
    primitive->is_front_facing = area > 0;
    primitive->primitive_index = fixture->primitive_count++;
    primitive->x0 = (float)corners[0].x;
    primitive->y0 = (float)corners[0].y;
    double low_x = corners[0].x, high_x = low_x, low_y = corners[0].y, high_y = low_y;
    for (uint32_t i = 0; i < 3; i++) {
        primitive->edges[i] = fixture_edge(&corners[i], &corners[(i + 1) % 3]);
        low_x = fmin(low_x, corners[i].x);
        high_x = fmax(high_x, corners[i].x);
        low_y = fmin(low_y, corners[i].y);
        high_y = fmax(high_y, corners[i].y);
    }
    primitive->left = fixture_bound(floor(low_x), fixture->pass.width);
    primitive->top = fixture_bound(floor(low_y), fixture->pass.height);
    primitive->right = fixture_bound(floor(high_x) + 1, fixture->pass.width);
    primitive->bottom = fixture_bound(floor(high_y) + 1, fixture->pass.height);
    double values[3];
    for (uint32_t i = 0; i < 3; i++) {
        values[i] = corners[i].depth;
    }
    primitive->depth = fixture_plane(corners, values);
    for (uint32_t i = 0; i < 3; i++) {
        values[i] = 1 / corners[i].w;
    }
    primitive->inverse_w = fixture_plane(corners, values);
    for (uint32_t k = 0; k < varying_count; k++) {
        bool is_perspective = fixture->varyings[k].interpolation == 0;
        for (uint32_t i = 0; i < 3; i++) {
            values[i] = corners[i].values[k] / (is_perspective ? corners[i].w : 1);
        }
        primitive->varyings[k] = fixture_plane(corners, values);
        if (fixture->varyings[k].interpolation == 2) {
            primitive->varyings[k] = (struct raster_plane){.base = (float)given[0].values[k]};
        }
    }
    return primitive;
}

static inline enum backend_status fixture_draw(struct raster_fixture *fixture) {
    return raster_tiles(
        &fixture->raster, &fixture->draw, fixture->primitives, fixture->primitive_count);
}

// ---------------------------------------------------------------- what a kernel does with a batch

static inline uint32_t fixture_input(const struct jit_batch *batch, uint32_t word, uint32_t lane) {
    return batch->inputs[word * JIT_BATCH_LANES + lane];
}
static inline float fixture_input_f32(const struct jit_batch *batch, uint32_t word, uint32_t lane) {
    float value;
    memcpy(&value, &batch->inputs[word * JIT_BATCH_LANES + lane], sizeof(value));
    return value;
}
static inline void fixture_output_f32(
    struct jit_batch *batch, uint32_t word, uint32_t lane, float value) {
    memcpy(&batch->outputs[word * JIT_BATCH_LANES + lane], &value, sizeof(value));
}

// Numbers that look random, the same in every run.
static inline uint32_t fixture_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
