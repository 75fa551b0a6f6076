// SPDX-License-Identifier: MIT
//
// The command stream: what an encoder records and a backend executes, in order. Everything in it
// has been validated; it names backend objects, which the submitter keeps alive until the
// submission's serial has completed. Recording is by one thread at a time and takes no lock;
// reading is safe from any thread once recording has ended.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"
#include "facts/texture_format.h"

struct backend_buffer;
struct backend_texture;
struct backend_bind_group;
struct backend_compute_pipeline;
struct backend_render_pipeline;
struct backend_query_set;
struct backend_texture_view;
struct command_stream;

enum command_kind {
#define COMMAND(id, name) COMMAND_##id,
#include "backend/command.def"
    COMMAND_KIND_COUNT
};

// Each command starts with its header; size_bytes is the whole command's, a multiple of 8, trailing
// arrays included.
struct command_header {
    uint32_t kind;
    uint32_t size_bytes;
};

struct command_copy_buffer_to_buffer {
    struct command_header header;
    struct backend_buffer *source;
    struct backend_buffer *destination;
    uint64_t source_offset_bytes;
    uint64_t destination_offset_bytes;
    uint64_t size_bytes;
};

struct command_clear_buffer {
    struct command_header header;
    struct backend_buffer *buffer;
    uint64_t offset_bytes;
    uint64_t size_bytes;
};

// The bytes follow the struct when data is NULL (small writes); else data is a MEMORY_STAGING block
// that the stream owns.
struct command_write_buffer {
    struct command_header header;
    struct backend_buffer *buffer;
    uint64_t offset_bytes;
    uint64_t size_bytes;
    void *data;
};

// A corner of a box of texels in one mip level: x and y in texels, multiples of the texel block; z
// is a depth slice or an array layer. DEPTH_STENCIL means both aspects.
struct command_texel_place {
    struct backend_texture *texture;
    enum texture_aspect aspect;
    uint32_t mip_level;
    uint32_t origin[3];
};

// How texels lie in bytes: rows of texel blocks, images of rows. What a copy does not need is 0.
struct command_texel_layout {
    uint64_t offset_bytes;
    uint64_t row_pitch_bytes;
    uint64_t rows_per_image;
};

// size: in texels, a multiple of the texel block; depth slices or array layers.
struct command_copy_buffer_to_texture {
    struct command_header header;
    struct backend_buffer *source;
    struct command_texel_layout layout;
    struct command_texel_place destination;
    uint32_t size[3];
};

struct command_copy_texture_to_buffer {
    struct command_header header;
    struct command_texel_place source;
    struct backend_buffer *destination;
    struct command_texel_layout layout;
    uint32_t size[3];
};

struct command_copy_texture_to_texture {
    struct command_header header;
    struct command_texel_place source;
    struct command_texel_place destination;
    uint32_t size[3];
};

// The bytes follow the struct when data is NULL (small writes); else data is a MEMORY_STAGING block
// that the stream owns.
struct command_write_texture {
    struct command_header header;
    struct command_texel_place destination;
    struct command_texel_layout layout;
    uint32_t size[3];
    void *data;
};

struct command_begin_compute_pass {
    struct command_header header;
    const char *label; // in the stream's arena, may be NULL
};

struct command_end_compute_pass {
    struct command_header header;
};

struct command_set_compute_pipeline {
    struct command_header header;
    struct backend_compute_pipeline *pipeline;
};

// dynamic_offset_count uint32_t offsets (bytes) follow, in the layout's binding order.
struct command_set_bind_group {
    struct command_header header;
    struct backend_bind_group *group; // NULL unsets
    uint32_t index;
    uint32_t dynamic_offset_count;
};

// size_bytes bytes follow.
struct command_set_immediates {
    struct command_header header;
    uint32_t offset_bytes;
    uint32_t size_bytes;
};

struct command_dispatch {
    struct command_header header;
    uint32_t workgroups[3]; // any may be 0: nothing runs
};

// Three u32 at the offset; nothing runs when one exceeds `limit` (WebGPU: a no-op).
struct command_dispatch_indirect {
    struct command_header header;
    struct backend_buffer *buffer;
    uint64_t offset_bytes;
    uint32_t limit; // maxComputeWorkgroupsPerDimension in force
};

// The most color attachments that any device offers.
#define COMMAND_COLOR_ATTACHMENT_CAPACITY 8

// A color attachment: views of one subresource, or of one slice of a 3D texture. The views belong
// to objects that the submission keeps alive.
struct command_color_attachment {
    const struct backend_texture_view *view; // NULL: a hole
    const struct backend_texture_view *resolve_target; // or NULL
    uint32_t depth_slice; // of a 3D view, else 0
    uint32_t load_op;     // WGPULoadOp
    uint32_t store_op;    // WGPUStoreOp
    double clear_value[4];
};

// view NULL: none. Operations of an aspect that the format lacks, or that is read-only, are
// Undefined: read-only aspects are loaded and stored unchanged.
struct command_depth_stencil_attachment {
    const struct backend_texture_view *view;
    uint32_t depth_load_op;
    uint32_t depth_store_op;
    float depth_clear_value;
    bool is_depth_read_only;
    uint32_t stencil_load_op;
    uint32_t stencil_store_op;
    uint32_t stencil_clear_value;
    bool is_stencil_read_only;
};

// Viewport and scissor rectangle begin as the whole attachment, depth range 0 to 1, blend constant
// and stencil reference as 0.
struct command_begin_render_pass {
    struct command_header header;
    const char *label; // in the stream's arena, may be NULL
    uint32_t width;    // of every attachment, in texels
    uint32_t height;
    uint32_t sample_count;
    uint32_t color_count;
    struct command_color_attachment colors[COMMAND_COLOR_ATTACHMENT_CAPACITY];
    struct command_depth_stencil_attachment depth_stencil;
    struct backend_query_set *occlusion_query_set; // or NULL
};

struct command_end_render_pass {
    struct command_header header;
};

struct command_set_render_pipeline {
    struct command_header header;
    struct backend_render_pipeline *pipeline;
};

struct command_set_vertex_buffer {
    struct command_header header;
    struct backend_buffer *buffer; // NULL unsets
    uint32_t slot;
    uint64_t offset_bytes;
    uint64_t size_bytes;
};

struct command_set_index_buffer {
    struct command_header header;
    struct backend_buffer *buffer;
    uint32_t format; // WGPUIndexFormat
    uint64_t offset_bytes;
    uint64_t size_bytes;
};

struct command_set_viewport {
    struct command_header header;
    float x;
    float y;
    float width;
    float height;
    float min_depth;
    float max_depth;
};

struct command_set_scissor_rect {
    struct command_header header;
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
};

struct command_set_blend_constant {
    struct command_header header;
    double color[4];
};

struct command_set_stencil_reference {
    struct command_header header;
    uint32_t reference;
};

struct command_begin_occlusion_query {
    struct command_header header;
    uint32_t index; // in the pass's occlusion query set
};

struct command_end_occlusion_query {
    struct command_header header;
};

struct command_draw {
    struct command_header header;
    uint32_t vertex_count;
    uint32_t instance_count;
    uint32_t first_vertex;
    uint32_t first_instance;
};

struct command_draw_indexed {
    struct command_header header;
    uint32_t index_count;
    uint32_t instance_count;
    uint32_t first_index;
    int32_t base_vertex;
    uint32_t first_instance;
};

// Four u32 at the offset. Nothing is drawn when first_instance is not 0 and the device lacks
// indirect-first-instance, or when the range reaches beyond an instance-stepped buffer.
struct command_draw_indirect {
    struct command_header header;
    struct backend_buffer *buffer;
    uint64_t offset_bytes;
};

// Five u32 at the offset, likewise.
struct command_draw_indexed_indirect {
    struct command_header header;
    struct backend_buffer *buffer;
    uint64_t offset_bytes;
};

// The commands of a render bundle, whose object the submission keeps alive. Pipeline, bind groups,
// immediate data, vertex and index buffers are unset before and after it.
struct command_execute_bundle {
    struct command_header header;
    const struct command_stream *stream;
};

// Nanoseconds since some moment of the device's. Passes' timestampWrites are this command before
// the pass's begin and after its end.
struct command_write_timestamp {
    struct command_header header;
    struct backend_query_set *query_set;
    uint32_t index;
};

struct command_resolve_query_set {
    struct command_header header;
    struct backend_query_set *query_set;
    uint32_t first;
    uint32_t count;
    struct backend_buffer *destination;
    uint64_t destination_offset_bytes;
};

struct command_push_debug_group {
    struct command_header header;
    const char *label;
};

struct command_pop_debug_group {
    struct command_header header;
};

struct command_insert_debug_marker {
    struct command_header header;
    const char *label;
};

// A stream is a list of blocks; commands never straddle two.
struct command_block {
    struct command_block *next;
    uint32_t used_bytes;
    uint32_t capacity_bytes;
    // commands follow, aligned to 8
};

struct command_stream {
    struct command_block *first;
    struct command_block *last;
    struct arena strings; // labels
    bool has_failed;      // an allocation failed; the stream must not be submitted
};

void command_stream_init(struct command_stream *stream);
// Frees blocks, labels and staging blocks owned by WRITE_BUFFER and WRITE_TEXTURE
// commands.
void command_stream_finish(struct command_stream *stream);
// Appends size_bytes (rounded up to 8) of command with its header filled in; NULL when out of
// memory (has_failed is set). The rest is uninitialised.
void *command_stream_append(struct command_stream *stream, enum command_kind kind,
                            size_t size_bytes);
// Label copy in the stream, NULL for an empty label or when out of memory.
const char *command_stream_label(struct command_stream *stream, struct text label);

#define COMMAND_APPEND(stream, KIND, name) \
    ((struct command_##name *)command_stream_append((stream), COMMAND_##KIND, \
                                                    sizeof(struct command_##name)))

// Iteration: start with a zeroed cursor; returns NULL at the end.
struct command_cursor {
    const struct command_block *block;
    uint32_t offset_bytes;
    bool has_started;
};
const struct command_header *command_stream_next(const struct command_stream *stream,
                                                 struct command_cursor *cursor);
