// SPDX-License-Identifier: MIT
//
// A rasteriser for tests: a vertex kernel written in C that hands its inputs on, a draw that can be
// changed at will, and the primitives that come out, kept in order. One thread, one fixture a test.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/cpu/raster_geometry.h"
#include "base/memory.h"
#include "check.h"

// Words of a vertex: position, then the attributes a test wants.
#define FIXTURE_WORDS 12u
#define FIXTURE_VALUES 6u

struct raster_fixture {
    struct cpu_device device;
    struct raster raster;
    struct jit_kernel kernel;
    struct backend_render_pipeline pipeline;
    struct raster_interface_value inputs[FIXTURE_VALUES];
    struct raster_interface_value outputs[FIXTURE_VALUES];
    struct raster_varying varyings[FIXTURE_WORDS];
    struct raster_pass pass;
    struct jit_dispatch dispatch;
    atomic_uint cancel;
    struct raster_draw draw;
    // What came out.
    uint8_t *primitives;
    uint32_t primitive_count;
    uint32_t hand_on_count;
    // Vertices that the kernel shaded.
    atomic_uint shaded_count;
};

static struct raster_fixture *fixture_of_kernel;

// Outputs are the inputs; lanes that are nobody's get what must not matter.
static void fixture_kernel(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
    void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    for (uint64_t i = first; i < end; i++) {
        const struct jit_batch *batch = &dispatch->batches[i];
        for (uint32_t word = 0; word < FIXTURE_WORDS; word++) {
            const uint32_t *input = batch->inputs + word * JIT_BATCH_LANES;
            uint32_t *output = batch->outputs + word * JIT_BATCH_LANES;
            for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
                output[lane] = lane < batch->lane_count ? input[lane] : 0xffc0ffeeu;
            }
        }
        atomic_fetch_add(&fixture_of_kernel->shaded_count, batch->lane_count);
        atomic_fetch_add_explicit(progress, 1, memory_order_relaxed);
    }
}

static enum backend_status fixture_hand_on(struct raster *raster, const struct raster_draw *draw,
    const uint8_t *primitives, uint32_t count) {
    (void)raster;
    struct raster_fixture *fixture = fixture_of_kernel;
    size_t bytes = raster_primitive_bytes(draw->pipeline->varying_count);
    fixture->primitives = memory_resize(
        MEMORY_TEST, fixture->primitives, (fixture->primitive_count + (size_t)count) * bytes + 1);
    memcpy(fixture->primitives + fixture->primitive_count * bytes, primitives, count * bytes);
    fixture->primitive_count += count;
    fixture->hand_on_count++;
    return BACKEND_OK;
}

static inline const struct raster_primitive *fixture_get(
    const struct raster_fixture *fixture, uint32_t number) {
    return (const void *)(fixture->primitives +
        number * raster_primitive_bytes(fixture->pipeline.varying_count));
}

// A vertex as tests write it; words that are not floats go through memcpy.
struct fixture_vertex {
    float position[4];
    float values[FIXTURE_WORDS - 4];
};

static inline void fixture_set_attribute(struct raster_fixture *fixture, uint32_t number,
    uint32_t first_word, uint32_t word_count, WGPUVertexFormat format) {
    fixture->inputs[number] = (struct raster_interface_value){
        .location = number,
        .scalar = TYPE_F32,
        .first_word = first_word,
        .word_count = word_count,
    };
    fixture->pipeline.state.vertex_attributes[number] = (struct backend_vertex_attribute){
        .format = format,
        .location = number,
        .buffer = 0,
        .offset_bytes = first_word * sizeof(float),
    };
    fixture->pipeline.state.vertex_attribute_count = number + 1;
    fixture->pipeline.vertex.inputs.value_count = number + 1;
}

// A target of that size, of one sample, viewport and scissor all of it; triangles of vertices whose
// values are perspective varyings, as many as asked for. vertices: the test's, until the end.
static inline void fixture_init(struct raster_fixture *fixture, uint32_t threads, uint32_t width,
    uint32_t height, uint32_t varying_count) {
    memset(fixture, 0, sizeof(*fixture));
    fixture_of_kernel = fixture;
    fixture->device.base.thread_count = threads;
    fixture->device.pool = cpu_pool_create(threads, false);
    CHECK(fixture->device.pool != NULL);
    fixture->raster.device = &fixture->device;
    fixture->raster.hand_on = fixture_hand_on;
    fixture->kernel = (struct jit_kernel){
        .function = fixture_kernel,
        .input_words = FIXTURE_WORDS,
        .output_words = FIXTURE_WORDS,
    };
    struct backend_render_pipeline *pipeline = &fixture->pipeline;
    pipeline->vertex.kernel = &fixture->kernel;
    pipeline->vertex.inputs.values = fixture->inputs;
    pipeline->vertex.inputs.word_count = FIXTURE_WORDS;
    pipeline->vertex.outputs.values = fixture->outputs;
    pipeline->vertex.outputs.word_count = FIXTURE_WORDS;
    pipeline->vertex.outputs.value_count = 1;
    fixture->outputs[0] = (struct raster_interface_value){
        .is_builtin = true,
        .builtin = BUILTIN_VALUE_POSITION,
        .scalar = TYPE_F32,
        .word_count = 4,
    };
    for (uint32_t i = 0; i < 3; i++) {
        fixture_set_attribute(fixture, i, i * 4, 4, WGPUVertexFormat_Float32x4);
    }
    pipeline->state.vertex_buffer_count = 1;
    pipeline->state.vertex_buffers[0] = (struct backend_vertex_buffer_layout){
        .is_used = true,
        .stride_bytes = sizeof(struct fixture_vertex),
    };
    pipeline->state.topology = WGPUPrimitiveTopology_TriangleList;
    pipeline->state.front_face = WGPUFrontFace_CCW;
    pipeline->state.cull_mode = WGPUCullMode_None;
    pipeline->state.sample_count = 1;
    pipeline->varyings = fixture->varyings;
    pipeline->varying_count = varying_count;
    for (uint32_t i = 0; i < varying_count; i++) {
        fixture->varyings[i].vertex_word = (uint16_t)(4 + i);
    }
    pipeline->clip_distance_word = RASTER_NO_WORD;
    fixture->pass = (struct raster_pass){.width = width, .height = height, .sample_count = 1};
    fixture->dispatch.cancel = &fixture->cancel;
    fixture->draw = (struct raster_draw){
        .pass = &fixture->pass,
        .pipeline = pipeline,
        .vertex_dispatch = &fixture->dispatch,
        .instance_count = 1,
        .viewport = {0, 0, (float)width, (float)height},
        .depth_range = {0, 1},
        .scissor = {0, 0, width, height},
    };
}

static inline void fixture_set_vertices(
    struct raster_fixture *fixture, const struct fixture_vertex *vertices, uint32_t count) {
    fixture->draw.vertex_buffers[0] = (struct raster_vertex_buffer){
        (const uint8_t *)vertices, count * sizeof(*vertices)};
    fixture->draw.vertex_count = count;
}

static inline enum backend_status fixture_draw(struct raster_fixture *fixture) {
    fixture->primitive_count = 0;
    fixture->hand_on_count = 0;
    fixture->shaded_count = 0;
    return raster_primitives(&fixture->raster, &fixture->draw);
}

static inline void fixture_finish(struct raster_fixture *fixture) {
    raster_primitive_memory_destroy(fixture->raster.primitive_memory);
    cpu_pool_destroy(fixture->device.pool);
    memory_pages_free(MEMORY_JIT, fixture->device.scratch,
        (size_t)fixture->device.scratch_stride_bytes * fixture->device.base.thread_count);
    memory_free(fixture->primitives);
}

// Whether the edges of a primitive have a point, in subpixels.
static inline bool primitive_covers(
    const struct raster_primitive *primitive, int64_t x, int64_t y) {
    for (uint32_t i = 0; i < primitive->edge_count; i++) {
        const struct raster_edge *edge = &primitive->edges[i];
        if (edge->a * x + edge->b * y + edge->c < 0) {
            return false;
        }
    }
    return true;
}

// Whether a pixel's centre is drawn: in the box and between the edges.
static inline bool primitive_draws(const struct raster_primitive *primitive, int32_t x, int32_t y) {
    return x >= primitive->left && x < primitive->right && y >= primitive->top &&
        y < primitive->bottom &&
        primitive_covers(primitive, x * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2,
            y * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2);
}

static inline double plane_at(const struct raster_primitive *primitive,
    const struct raster_plane *plane, double x, double y) {
    return (double)plane->base + (double)plane->dx * (x - (double)primitive->x0) +
        (double)plane->dy * (y - (double)primitive->y0);
}

// A varying, by the rules of raster.h.
static inline double varying_at(const struct raster_primitive *primitive, uint32_t number,
    uint8_t interpolation, double x, double y) {
    const struct raster_plane *plane = &primitive->varyings[number];
    if (plane->dx == 0 && plane->dy == 0) {
        return (double)plane->base;
    }
    double value = plane_at(primitive, plane, x, y);
    bool has_slope = primitive->inverse_w.dx != 0 || primitive->inverse_w.dy != 0;
    return interpolation == RASTER_PERSPECTIVE && has_slope
        ? value / plane_at(primitive, &primitive->inverse_w, x, y)
        : value;
}

// A generator of numbers, the same on every machine.
static inline uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}
static inline double random_between(uint64_t *state, double least, double most) {
    return least + (most - least) * (next_random(state) / 2147483648.0);
}
