// SPDX-License-Identifier: MIT
//
// Render passes as the executor sees them: attachments, the state that commands set, and what of it
// one draw is. The rest is the rasteriser's (raster.h).
#include "backend/cpu/execute_priv.h"

#include <string.h>

#include <webgpu/webgpu.h>

#include "backend/cpu/image.h"
#include "backend/host_buffer.h"
#include "backend/host_texture.h"
#include "facts/vertex_format.h"

// ---------------------------------------------------------------- passes

static struct raster_target get_target(
    const struct backend_texture_view *view, enum texture_aspect aspect, uint32_t slice) {
    const struct host_texture_plane *plane = view == NULL
        ? NULL
        : host_texture_find_plane(view->texture, aspect);
    if (plane == NULL) {
        return (struct raster_target){0};
    }
    const struct host_texture_level *level = &plane->levels[view->base_mip_level];
    uint32_t image = view->dimension == WGPUTextureViewDimension_3D ? slice
                                                                    : view->base_array_layer;
    // A color view may have another format than its texture: sRGB or not.
    uint32_t format = aspect == TEXTURE_ASPECT_COLOR ? view->format : plane->format;
    return (struct raster_target){
        .data = level->data + level->image_bytes * image,
        .row_bytes = level->row_bytes,
        .format = format,
        .texel_bytes = plane->block_bytes / view->texture->sample_count,
        .codec = cpu_texel_codec_get(format),
    };
}

static void begin_pass(struct cpu_pass *pass, const struct command_begin_render_pass *begin) {
    struct cpu_render_state *state = &pass->render;
    const struct command_depth_stencil_attachment *depth = &begin->depth_stencil;
    state->pass = (struct raster_pass){
        .width = begin->width,
        .height = begin->height,
        .sample_count = begin->sample_count,
        .color_count = begin->color_count,
        .depth = get_target(depth->view, TEXTURE_ASPECT_DEPTH, 0),
        .stencil = get_target(depth->view, TEXTURE_ASPECT_STENCIL, 0),
        .is_depth_read_only = depth->is_depth_read_only,
        .is_stencil_read_only = depth->is_stencil_read_only,
    };
    for (uint32_t i = 0; i < begin->color_count; i++) {
        state->pass.colors[i] = get_target(
            begin->colors[i].view, TEXTURE_ASPECT_COLOR, begin->colors[i].depth_slice);
    }
    state->draw = (struct raster_draw){
        .pass = &state->pass,
        .viewport = {0, 0, (float)begin->width, (float)begin->height},
        .depth_range = {0, 1},
        .scissor = {0, 0, begin->width, begin->height},
    };
    cpu_render_reset(pass);
}

void cpu_render_reset(struct cpu_pass *pass) {
    struct cpu_render_state *state = &pass->render;
    state->pipeline = NULL;
    memset(state->draw.vertex_buffers, 0, sizeof(state->draw.vertex_buffers));
    state->index_buffer = (struct raster_vertex_buffer){0};
    cpu_bind_reset(pass);
}

static void begin_query(struct cpu_render_state *state, const struct command_header *header) {
    host_render_pass_execute(&state->host, header);
    atomic_store(&state->passed_samples, 0);
    state->pass.passed_samples = &state->passed_samples;
}

static void end_query(struct cpu_render_state *state, const struct command_header *header) {
    state->host.passed_samples = atomic_load(&state->passed_samples);
    state->pass.passed_samples = NULL;
    host_render_pass_execute(&state->host, header);
}

// ---------------------------------------------------------------- state

static void set_pipeline(struct cpu_pass *pass, struct backend_render_pipeline *pipeline) {
    if (pipeline == pass->render.pipeline) {
        return;
    }
    pass->render.pipeline = pipeline;
    pass->has_changed = true;
    if (pass->device->watchdog != NULL) {
        cpu_watchdog_set_label(pass->device->watchdog,
            "batch of vertices or fragments of render pipeline", text_from_string(pipeline->label));
    }
}

static struct raster_vertex_buffer get_range(
    const struct backend_buffer *buffer, uint64_t offset_bytes, uint64_t size_bytes) {
    if (buffer == NULL) {
        return (struct raster_vertex_buffer){0};
    }
    return (struct raster_vertex_buffer){buffer->data + offset_bytes, size_bytes};
}

static void set_viewport(struct raster_draw *draw, const struct command_set_viewport *set) {
    draw->viewport[0] = set->x;
    draw->viewport[1] = set->y;
    draw->viewport[2] = set->width;
    draw->viewport[3] = set->height;
    draw->depth_range[0] = set->min_depth;
    draw->depth_range[1] = set->max_depth;
}

static void set_scissor(struct raster_draw *draw, const struct command_set_scissor_rect *set) {
    draw->scissor[0] = set->x;
    draw->scissor[1] = set->y;
    draw->scissor[2] = set->width;
    draw->scissor[3] = set->height;
}

// ---------------------------------------------------------------- draws

// What stages of a draw run with.
struct dispatches {
    struct jit_dispatch vertex;
    struct jit_dispatch fragment;
};

static bool fill_stage(
    struct cpu_pass *pass, struct raster_stage *stage, struct jit_dispatch *out_dispatch) {
    if (pass->has_changed &&
        !cpu_bind_fill(pass, stage->slots, stage->slot_count, stage->buffers)) {
        return false;
    }
    *out_dispatch = (struct jit_dispatch){
        .buffers = stage->buffers,
        .immediates = pass->immediates,
        .cancel = queue_thread_cancel_flag(pass->device->queue),
        .texture = cpu_image_call,
    };
    return true;
}

// Replaces the bindings by guarded copies, where that is asked for.
static bool enter_guard(
    struct cpu_guard *guard, const struct raster_stage *stage, struct jit_dispatch *dispatch) {
    if (guard == NULL || stage->slot_count == 0) {
        return true;
    }
    dispatch->buffers = cpu_guard_enter(guard, stage->buffers, stage->slot_count);
    return dispatch->buffers != NULL;
}

static void leave_guard(struct cpu_guard *guard, const struct raster_stage *stage) {
    if (guard != NULL && stage->slot_count != 0) {
        cpu_guard_leave(guard, stage->buffers, stage->is_writable, stage->slot_count);
    }
}

static uint64_t get_scratch_bytes(const struct backend_render_pipeline *pipeline) {
    uint64_t vertex = pipeline->vertex.kernel->scratch_bytes;
    uint64_t fragment = pipeline->fragment.kernel == NULL
        ? 0
        : pipeline->fragment.kernel->scratch_bytes;
    return vertex > fragment ? vertex : fragment;
}

// All that a draw needs beside its arguments; false: the device is lost.
static bool prepare(struct cpu_pass *pass, struct dispatches *dispatches) {
    struct cpu_device *device = pass->device;
    struct backend_render_pipeline *pipeline = pass->render.pipeline;
    if (pipeline == NULL) {
        cpu_lose(device, "a draw reached the CPU adapter without a pipeline");
        return false;
    }
    if (!fill_stage(pass, &pipeline->vertex, &dispatches->vertex) ||
        !fill_stage(pass, &pipeline->fragment, &dispatches->fragment)) {
        return false;
    }
    pass->has_changed = false;
    if (device->raster == NULL) {
        device->raster = raster_create(device);
    }
    if (device->raster == NULL || !cpu_scratch_reserve(device, get_scratch_bytes(pipeline) + 64)) {
        cpu_lose(device, "out of memory: no room for what the stages of a draw work with");
        return false;
    }
    if (!enter_guard(device->guard, &pipeline->vertex, &dispatches->vertex) ||
        !enter_guard(device->fragment_guard, &pipeline->fragment, &dispatches->fragment)) {
        cpu_lose(device, "out of memory: no room for guarded copies of a draw's bindings");
        return false;
    }
    return true;
}

// The counts of pass->render.draw are set.
static void draw(struct cpu_pass *pass) {
    struct cpu_device *device = pass->device;
    struct raster_draw *draw = &pass->render.draw;
    struct dispatches dispatches;
    if (draw->vertex_count == 0 || draw->instance_count == 0 || !prepare(pass, &dispatches)) {
        return;
    }
    struct backend_render_pipeline *pipeline = pass->render.pipeline;
    draw->pipeline = pipeline;
    draw->vertex_dispatch = &dispatches.vertex;
    draw->fragment_dispatch = &dispatches.fragment;
    if (device->watchdog != NULL) {
        cpu_watchdog_begin(device->watchdog);
    }
    enum backend_status status = raster_draw(device->raster, draw);
    if (device->watchdog != NULL) {
        cpu_watchdog_end(device->watchdog);
    }
    leave_guard(device->guard, &pipeline->vertex);
    leave_guard(device->fragment_guard, &pipeline->fragment);
    if (status != BACKEND_OK) {
        cpu_lose(device, "out of memory: no room for the vertices or primitives of a draw");
    }
}

static void draw_vertices(struct cpu_pass *pass, uint32_t vertex_count, uint32_t instance_count,
    uint32_t first_vertex, uint32_t first_instance) {
    struct raster_draw *arguments = &pass->render.draw;
    arguments->index_data = NULL;
    arguments->vertex_count = vertex_count;
    arguments->instance_count = instance_count;
    arguments->first_vertex = first_vertex;
    arguments->base_vertex = 0;
    arguments->first_instance = first_instance;
    draw(pass);
}

static void draw_indices(struct cpu_pass *pass, uint32_t index_count, uint32_t instance_count,
    uint32_t first_index, int32_t base_vertex, uint32_t first_instance) {
    struct raster_draw *arguments = &pass->render.draw;
    arguments->index_data = pass->render.index_buffer.data;
    arguments->index_size_bytes = pass->render.index_buffer.size_bytes;
    arguments->index_format = pass->render.index_format;
    arguments->vertex_count = index_count;
    arguments->instance_count = instance_count;
    arguments->first_vertex = first_index;
    arguments->base_vertex = base_vertex;
    arguments->first_instance = first_instance;
    draw(pass);
}

// ---------------------------------------------------------------- indirect draws

// Whether instances [first, first + count) are in all buffers that are stepped by instance.
static bool are_instances_inside(
    const struct cpu_render_state *state, uint32_t first, uint32_t count) {
    if (state->pipeline == NULL || count == 0) {
        return true;
    }
    const struct backend_render_pipeline_state *layout = &state->pipeline->state;
    for (uint32_t i = 0; i < layout->vertex_attribute_count; i++) {
        const struct backend_vertex_attribute *attribute = &layout->vertex_attributes[i];
        const struct backend_vertex_buffer_layout *buffer =
            &layout->vertex_buffers[attribute->buffer];
        if (!buffer->is_per_instance) {
            continue;
        }
        uint64_t last = (uint64_t)first + count - 1;
        uint64_t end = last * buffer->stride_bytes + attribute->offset_bytes +
            vertex_format_get_info(attribute->format)->size_bytes;
        if (end > state->draw.vertex_buffers[attribute->buffer].size_bytes) {
            return false;
        }
    }
    return true;
}

static bool is_instance_range_allowed(
    const struct cpu_pass *pass, uint32_t first_instance, uint32_t instance_count) {
    return (first_instance == 0 || pass->device->has_indirect_first_instance) &&
        are_instances_inside(&pass->render, first_instance, instance_count);
}

static void draw_indirect(struct cpu_pass *pass, const struct command_draw_indirect *command) {
    uint32_t words[4];
    memcpy(words, command->buffer->data + command->offset_bytes, sizeof(words));
    if (is_instance_range_allowed(pass, words[3], words[1])) {
        draw_vertices(pass, words[0], words[1], words[2], words[3]);
    }
}

static void draw_indexed_indirect(
    struct cpu_pass *pass, const struct command_draw_indexed_indirect *command) {
    uint32_t words[5];
    memcpy(words, command->buffer->data + command->offset_bytes, sizeof(words));
    uint32_t index_bytes = pass->render.index_format == WGPUIndexFormat_Uint16 ? 2 : 4;
    uint64_t end = ((uint64_t)words[2] + words[0]) * index_bytes;
    // WebGPU "resolve indices": an index out of bounds leaves nothing to draw.
    if (end <= pass->render.index_buffer.size_bytes &&
        is_instance_range_allowed(pass, words[4], words[1])) {
        int32_t base_vertex = 0;
        memcpy(&base_vertex, &words[3], sizeof(base_vertex));
        draw_indices(pass, words[0], words[1], words[2], base_vertex, words[4]);
    }
}

// ---------------------------------------------------------------- commands

static bool execute_draw(struct cpu_pass *pass, const struct command_header *header) {
    switch (header->kind) {
    case COMMAND_DRAW: {
        const struct command_draw *command = (const struct command_draw *)header;
        draw_vertices(pass, command->vertex_count, command->instance_count, command->first_vertex,
            command->first_instance);
        return true;
    }
    case COMMAND_DRAW_INDEXED: {
        const struct command_draw_indexed *command = (const struct command_draw_indexed *)header;
        draw_indices(pass, command->index_count, command->instance_count, command->first_index,
            command->base_vertex, command->first_instance);
        return true;
    }
    case COMMAND_DRAW_INDIRECT:
        draw_indirect(pass, (const struct command_draw_indirect *)header);
        return true;
    case COMMAND_DRAW_INDEXED_INDIRECT:
        draw_indexed_indirect(pass, (const struct command_draw_indexed_indirect *)header);
        return true;
    default:
        return false;
    }
}

static bool execute_set(struct cpu_pass *pass, const struct command_header *header) {
    struct cpu_render_state *state = &pass->render;
    switch (header->kind) {
    case COMMAND_SET_RENDER_PIPELINE:
        set_pipeline(pass, ((const struct command_set_render_pipeline *)header)->pipeline);
        return true;
    case COMMAND_SET_VERTEX_BUFFER: {
        const struct command_set_vertex_buffer *set = (const struct command_set_vertex_buffer *)
            header;
        state->draw.vertex_buffers[set->slot] = get_range(
            set->buffer, set->offset_bytes, set->size_bytes);
        return true;
    }
    case COMMAND_SET_INDEX_BUFFER: {
        const struct command_set_index_buffer *set = (const struct command_set_index_buffer *)
            header;
        state->index_buffer = get_range(set->buffer, set->offset_bytes, set->size_bytes);
        state->index_format = set->format;
        return true;
    }
    case COMMAND_SET_VIEWPORT:
        set_viewport(&state->draw, (const struct command_set_viewport *)header);
        return true;
    case COMMAND_SET_SCISSOR_RECT:
        set_scissor(&state->draw, (const struct command_set_scissor_rect *)header);
        return true;
    case COMMAND_SET_BLEND_CONSTANT:
        for (int i = 0; i < 4; i++) {
            state->draw.blend_constant[i] =
                (float)((const struct command_set_blend_constant *)header)->color[i];
        }
        return true;
    case COMMAND_SET_STENCIL_REFERENCE:
        state->draw.stencil_reference =
            ((const struct command_set_stencil_reference *)header)->reference;
        return true;
    default:
        return false;
    }
}

bool cpu_render_execute(struct cpu_pass *pass, const struct command_header *header) {
    struct cpu_render_state *state = &pass->render;
    switch (header->kind) {
    case COMMAND_BEGIN_RENDER_PASS:
        begin_pass(pass, (const struct command_begin_render_pass *)header);
        return host_render_pass_execute(&state->host, header);
    case COMMAND_END_RENDER_PASS:
        return host_render_pass_execute(&state->host, header);
    case COMMAND_BEGIN_OCCLUSION_QUERY:
        begin_query(state, header);
        return true;
    case COMMAND_END_OCCLUSION_QUERY:
        end_query(state, header);
        return true;
    default:
        return execute_set(pass, header) || execute_draw(pass, header);
    }
}
