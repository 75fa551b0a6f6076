// SPDX-License-Identifier: MIT
//
// The software rasteriser: what its stages hand to each other. Runs on the queue thread and, where a
// function says so, on the pool's workers; between draws it keeps nothing but memory for reuse.
//
//   draw.c                command state, indirect arguments, bindings -> struct raster_draw
//   raster_index.c        a draw's vertex numbers, restarts and repetitions
//   raster_fetch.c        vertex data of all formats -> words
//   raster_vertex.c       groups of vertices -> batches of the vertex kernel, on the pool
//   raster_assemble.c     vertices -> points, lines, triangles
//   raster_clip.c         what crosses the clip volume's sides -> what is inside
//   raster_lines.c        lines and points as areas
//   raster_setup.c        clipped primitives -> struct raster_primitive, in screen space
//   raster_tile.c         primitives -> tiles of TILE x TILE pixels, a job each on the pool
//   raster_coverage.c     a primitive in a tile -> quads with sample masks
//   raster_interpolate.c  planes -> rows of the fragment kernel's inputs
//   raster_fragment.c     quads -> batches of the fragment kernel: helper lanes, late tests
//   raster_depth*.c       depth and stencil tests, occlusion counts
//   raster_blend*.c       blending, write masks, alpha to coverage, stores to attachments
//
// Order: within a tile, primitives are executed in the order of the draw, so every pixel sees
// WebGPU's order; tiles run in any order and share no pixel.
//
// Coordinates: the framebuffer's, x to the right, y down, pixel centres at .5. Fixed-point positions
// have RASTER_SUBPIXEL_BITS bits of fraction. Sample positions are those of WebGPU ("standard sample
// patterns" of 1 and 4 samples). All edges follow the top-left rule.
#pragma once

#include <stdatomic.h>

#include "backend/backend.h"
#include "backend/cpu/cpu_priv.h"
#include "backend/cpu/texel.h"

#define RASTER_SUBPIXEL_BITS 8
#define RASTER_TILE 64u // pixels, width and height of a tile
#define RASTER_SAMPLE_LIMIT 4u

// ---------------------------------------------------------------- pipelines (render_pipeline.c)

// A value that goes into or out of a stage, and its rows in a batch (struct jit_batch).
struct raster_interface_value {
    bool is_builtin;
    enum builtin_value builtin;
    uint32_t location;
    uint32_t blend_source;
    uint8_t interpolation; // as in struct ir_interface
    uint8_t sampling;
    enum type_kind scalar; // TYPE_F32, TYPE_I32, TYPE_U32, TYPE_BOOL
    uint32_t first_word;
    uint32_t word_count;
};
struct raster_interface {
    struct raster_interface_value *values;
    uint32_t value_count;
    uint32_t word_count;
};
#define RASTER_NO_WORD UINT32_MAX
// The first word of a built-in value; RASTER_NO_WORD: the stage lacks it.
uint32_t raster_find_builtin(const struct raster_interface *interface, enum builtin_value builtin);

// One word that the fragment stage reads and the vertex stage wrote.
struct raster_varying {
    uint16_t vertex_word;   // row of the vertex kernel's outputs
    uint16_t fragment_word; // row of the fragment kernel's inputs
    uint8_t interpolation;  // 0 perspective, 1 linear, 2 flat
    uint8_t sampling;       // 0 center, 1 centroid, 2 sample, 3 first, 4 either
};

struct raster_stage {
    const struct jit_kernel *kernel; // NULL: no fragment stage
    struct cpu_kernel_entry *entry;  // in the adapter's cache
    struct raster_interface inputs;
    struct raster_interface outputs;
    uint32_t slot_count; // bindings, as in compute pipelines
    struct cpu_pipeline_slot *slots;
    bool *is_writable;          // by slot: a storage buffer that the stage may write
    struct jit_buffer *buffers; // the queue thread's: bindings of the next draw
    bool may_write;             // stores to buffers or textures, or atomics
    bool may_discard;           // or writes frag_depth or sample_mask: tests wait for the shader
};

struct backend_render_pipeline {
    char *label;
    struct cpu_kernel_cache *cache;
    struct backend_render_pipeline_state state;
    struct raster_stage vertex;
    struct raster_stage fragment;
    struct raster_varying *varyings;
    uint32_t varying_count;
    uint32_t clip_distance_word; // of the vertex stage's outputs, or RASTER_NO_WORD
    uint32_t clip_distance_count;
    bool is_sample_shaded; // a fragment invocation for each sample
    bool has_early_tests;  // depth and stencil are tested and written before the shader
};

// backend_device_functions.render_pipeline_create.
enum backend_status cpu_render_pipeline_create(struct backend_device *device,
    const struct backend_render_pipeline_description *description,
    struct backend_render_pipeline **out_pipeline, struct text_buffer *out_message);
void cpu_render_pipeline_destroy(struct backend_render_pipeline *pipeline); // NULL is allowed

// ---------------------------------------------------------------- passes and draws

// An attachment's image; samples of a texel follow each other. data NULL: none.
struct raster_target {
    uint8_t *data;
    uint64_t row_bytes;
    uint32_t format;      // WGPUTextureFormat, of one aspect
    uint32_t texel_bytes; // of one sample
    const struct cpu_texel_codec *codec;
};

struct raster_pass {
    uint32_t width;
    uint32_t height;
    uint32_t sample_count;
    uint32_t color_count;
    struct raster_target colors[COMMAND_COLOR_ATTACHMENT_CAPACITY];
    struct raster_target depth;
    struct raster_target stencil;
    bool is_depth_read_only;
    bool is_stencil_read_only;
    _Atomic uint64_t *passed_samples; // of the occlusion query in progress, or NULL
};

struct raster_vertex_buffer {
    const uint8_t *data; // NULL: none is set
    uint64_t size_bytes;
};

// One draw. Pointers are borrowed until raster_draw returns.
struct raster_draw {
    const struct raster_pass *pass;
    const struct backend_render_pipeline *pipeline;
    const struct jit_dispatch
        *vertex_dispatch; // bindings of the stage; batches is the rasteriser's
    const struct jit_dispatch *fragment_dispatch;
    struct raster_vertex_buffer vertex_buffers[BACKEND_VERTEX_BUFFER_CAPACITY];
    const uint8_t *index_data; // NULL: not indexed
    uint64_t index_size_bytes; // whole range of the index buffer
    uint32_t index_format;     // WGPUIndexFormat
    uint32_t vertex_count;     // or index count
    uint32_t instance_count;
    uint32_t first_vertex; // or first index
    int32_t base_vertex;
    uint32_t first_instance;
    float viewport[4]; // x, y, width, height
    float depth_range[2];
    uint32_t scissor[4]; // x, y, width, height, inside the attachments
    float blend_constant[4];
    uint32_t stencil_reference;
};

// Buffers for reuse, one a device; the queue thread's.
struct raster;
struct raster *raster_create(struct cpu_device *device); // NULL: out of memory
void raster_destroy(struct raster *raster);              // NULL is allowed
// Executes one draw whole. Robust: vertex and index data out of range are read as 0 or from inside
// the buffer. OUT_OF_MEMORY when working memory cannot be had: the draw may have happened in part.
enum backend_status raster_draw(struct raster *raster, const struct raster_draw *draw);

// ---------------------------------------------------------------- primitives

// value(x, y) = base + dx * (x - x0) + dy * (y - y0), with x0, y0 of the primitive.
struct raster_plane {
    float base;
    float dx;
    float dy;
};

// A side of a primitive in fixed point: a sample at (x, y) is inside when a * x + b * y + c >= 0, the
// top-left rule being part of c. x and y have RASTER_SUBPIXEL_BITS bits of fraction.
struct raster_edge {
    int64_t a;
    int64_t b;
    int64_t c;
};

// A convex area of the framebuffer, in which planes give depth and varyings: a triangle, a line as a
// parallelogram one pixel wide, a point as the pixel in which it lies.
struct raster_primitive {
    uint32_t edge_count; // 3 or 4; 0: all of the pixels below
    struct raster_edge edges[4];
    int32_t left; // pixels that may be touched: right and bottom are one beyond; inside the scissor
    int32_t top;  // rectangle and the attachment
    int32_t right;
    int32_t bottom;
    bool is_front_facing;
    uint32_t primitive_index;
    float x0;
    float y0;
    struct raster_plane depth;     // viewport applied and bias added; not yet clamped
    struct raster_plane inverse_w; // 1 / w of clip space
    // By pipeline->varyings: perspective: value / w; linear: value; flat: the word's bits are in base
    // (memcpy), dx and dy are 0. A plane whose dx and dy are 0 gives the value itself, undivided,
    // whatever its interpolation, so that constants stay exact; and where inverse_w has no slope
    // (dx and dy 0) perspective is as linear.
    struct raster_plane varyings[];
};
// From one primitive to the next in an array.
static inline size_t raster_primitive_bytes(uint32_t varying_count) {
    size_t bytes = sizeof(struct raster_primitive) + varying_count * sizeof(struct raster_plane);
    size_t alignment = _Alignof(struct raster_primitive);
    return (bytes + alignment - 1) / alignment * alignment;
}

// raster_vertex.c, raster_assemble.c, raster_setup.c: takes the draw to primitives and hands them on,
// some thousand at a time, in the order of the draw, by raster_tiles.
enum backend_status raster_primitives(struct raster *raster, const struct raster_draw *draw);

// raster_tile.c: draws `count` primitives, raster_primitive_bytes apart. Queue thread; uses the pool.
enum backend_status raster_tiles(struct raster *raster, const struct raster_draw *draw,
    const uint8_t *primitives, uint32_t count);

// ---------------------------------------------------------------- fragments

// Fragments on their way into the attachments, by lane of a batch: lanes 4 q to 4 q + 3 are the
// pixels (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1) of the quad q, x and y even. Quads are in the
// order of primitives; two may be the same pixels. With sample shading a quad stands for one sample
// of its pixels. One worker's.
struct raster_fragments {
    uint32_t lane_count; // a multiple of 4
    uint16_t x[JIT_BATCH_LANES];
    uint16_t y[JIT_BATCH_LANES];
    // Samples still alive, bit n for sample n; 0: a helper lane, or killed. Never outside the
    // attachment.
    uint8_t coverage[JIT_BATCH_LANES];
    bool is_front_facing[JIT_BATCH_LANES]; // for stencil
    // By sample: depth of the fragment, clamped to the viewport's depth range; for samples of
    // `coverage`. With frag_depth all samples of a lane get the shader's.
    float depth[RASTER_SAMPLE_LIMIT][JIT_BATCH_LANES];
};

// raster_depth.c. Tests and updates lanes [first, end) in order: samples that fail leave `coverage`.
// Counts those that pass for the occlusion query where `is_counting`. Workers.
void raster_test_depth_stencil(const struct raster_draw *draw, struct raster_fragments *fragments,
    uint32_t first, uint32_t end, bool is_counting);

// raster_blend.c. Alpha to coverage, by the shader's color output 0: takes samples away. Workers.
void raster_alpha_to_coverage(
    const struct raster_draw *draw, struct raster_fragments *fragments, const uint32_t *outputs);
// Blends and stores the color outputs of the fragment kernel (rows of JIT_BATCH_LANES words, by
// pipeline->fragment.outputs) into the samples of `coverage`, lanes in order. Workers.
void raster_blend(const struct raster_draw *draw, const struct raster_fragments *fragments,
    const uint32_t *outputs);
