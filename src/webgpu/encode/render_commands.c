// SPDX-License-Identifier: MIT
//
// What is set for draws, and draws. All that is set counts as used by the whole pass or bundle; the
// state is checked before the first draw that uses it.
#include "webgpu/encode/render_commands.h"

#include "webgpu/encode/encoder.h"
#include "webgpu/encode/pass.h"
#include "webgpu/track/usage_scope.h"
#include "webgpu/validate/pass.h"
#include "webgpu/validate/render_commands.h"

void render_fail_memory(struct gpu_render_commands *commands) {
    encoder_fail_text(
        &commands->pass.error, WGPUErrorType_OutOfMemory, "out of memory while encoding");
}

void render_count_draws(struct gpu_render_commands *commands, uint64_t count) {
    commands->draw_count += count;
    commands->pass.recording->draw_count += count;
}

// ---------------------------------------------------------------- setting state

void render_set_pipeline(struct gpu_render_commands *commands, const char *what,
    struct WGPURenderPipelineImpl *pipeline) {
    struct gpu_pass *pass = &commands->pass;
    if (!pass_accepts(pass, what)) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_set_render_pipeline(commands, pipeline, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    if (commands->pipeline == pipeline ||
        !encoder_use(pass->recording, &pass->error, &pipeline->object)) {
        return;
    }
    commands->pipeline = pipeline;
    commands->are_buffers_checked = false;
    pass->is_state_checked = false;
    struct command_set_render_pipeline *command = COMMAND_APPEND(
        pass->recording->stream, SET_RENDER_PIPELINE, set_render_pipeline);
    if (command != NULL) {
        command->pipeline = pipeline->backend;
    }
}

void render_set_bind_group(struct gpu_render_commands *commands, const char *what, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets) {
    struct gpu_pass *pass = &commands->pass;
    pass_set_bind_group(pass, what, index, group, offset_count, offsets);
    if (group != NULL && !pass->error.has_error && !pass->is_state_checked &&
        index < GPU_BIND_GROUP_SLOTS && pass->slots[index].group == group &&
        !usage_scope_add_group(&commands->scope, group, index, pass->call_count)) {
        render_fail_memory(commands);
    }
    commands->are_buffers_checked = commands->are_buffers_checked && pass->is_state_checked;
}

static bool use_buffer(struct gpu_render_commands *commands, struct WGPUBufferImpl *buffer,
    enum gpu_usage_place place, uint32_t slot) {
    struct gpu_pass *pass = &commands->pass;
    if (!encoder_use(pass->recording, &pass->error, &buffer->object)) {
        return false;
    }
    if (!usage_scope_add_buffer(&commands->scope, buffer, place, slot, pass->call_count)) {
        render_fail_memory(commands);
        return false;
    }
    return true;
}

static uint64_t get_size(
    const struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes) {
    if (size_bytes != WGPU_WHOLE_SIZE) {
        return size_bytes;
    }
    return buffer != NULL && offset_bytes < buffer->size_bytes ? buffer->size_bytes - offset_bytes
                                                               : 0;
}

void render_set_index_buffer(struct gpu_render_commands *commands, const char *what,
    struct WGPUBufferImpl *buffer, WGPUIndexFormat format, uint64_t offset_bytes,
    uint64_t size_bytes) {
    struct gpu_pass *pass = &commands->pass;
    if (!pass_accepts(pass, what)) {
        return;
    }
    struct validate_error error = {0};
    size_bytes = get_size(buffer, offset_bytes, size_bytes);
    if (!validate_set_index_buffer(commands, buffer, format, offset_bytes, size_bytes, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    bool is_set = commands->index_buffer == buffer && commands->index_format == format &&
        commands->index_offset_bytes == offset_bytes && commands->index_size_bytes == size_bytes;
    if (is_set || !use_buffer(commands, buffer, GPU_USAGE_INDEX_BUFFER, 0)) {
        return;
    }
    commands->index_buffer = buffer;
    commands->index_format = format;
    commands->index_offset_bytes = offset_bytes;
    commands->index_size_bytes = size_bytes;
    struct command_set_index_buffer *command = COMMAND_APPEND(
        pass->recording->stream, SET_INDEX_BUFFER, set_index_buffer);
    if (command != NULL) {
        command->buffer = buffer->backend;
        command->format = format;
        command->offset_bytes = offset_bytes;
        command->size_bytes = size_bytes;
    }
}

void render_set_vertex_buffer(struct gpu_render_commands *commands, const char *what, uint32_t slot,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes) {
    struct gpu_pass *pass = &commands->pass;
    if (!pass_accepts(pass, what)) {
        return;
    }
    struct validate_error error = {0};
    size_bytes = get_size(buffer, offset_bytes, size_bytes);
    if (!validate_set_vertex_buffer(commands, slot, buffer, offset_bytes, size_bytes, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    const struct gpu_vertex_buffer *set = &commands->vertex_buffers[slot];
    bool is_set = set->buffer == buffer && set->offset_bytes == offset_bytes &&
        set->size_bytes == size_bytes;
    if (is_set ||
        (buffer != NULL && !use_buffer(commands, buffer, GPU_USAGE_VERTEX_BUFFER, slot))) {
        return;
    }
    commands->vertex_buffers[slot] = (struct gpu_vertex_buffer){buffer, offset_bytes, size_bytes};
    commands->are_buffers_checked = false;
    struct command_set_vertex_buffer *command = COMMAND_APPEND(
        pass->recording->stream, SET_VERTEX_BUFFER, set_vertex_buffer);
    if (command != NULL) {
        command->buffer = buffer != NULL ? buffer->backend : NULL;
        command->slot = slot;
        command->offset_bytes = offset_bytes;
        command->size_bytes = size_bytes;
    }
}

// ---------------------------------------------------------------- draws

static bool check_bound(struct gpu_render_commands *commands, struct validate_error *error) {
    struct gpu_pass *pass = &commands->pass;
    struct WGPURenderPipelineImpl *pipeline = commands->pipeline;
    if (!validate_bound_state(pass, &pipeline->object, &pipeline->interface, "draw", error)) {
        return false;
    }
    if (usage_is_harmless(pass, &pipeline->interface)) {
        return true;
    }
    if (!usage_collect(pass, &pipeline->interface)) {
        render_fail_memory(commands);
        return false;
    }
    return validate_draw_uses(pass, error);
}

static bool check_state(struct gpu_render_commands *commands, struct validate_error *error) {
    struct gpu_pass *pass = &commands->pass;
    if (commands->pipeline == NULL) {
        return BROKEN(error, BOUND_PIPELINE,
            gpu_object_get_name(&pass->object, pass->object.class_of->kind).text, "draw");
    }
    if (!pass->is_state_checked && !check_bound(commands, error)) {
        return false;
    }
    if (!commands->are_buffers_checked && !validate_draw_buffers(commands, error)) {
        return false;
    }
    pass->is_state_checked = true;
    commands->are_buffers_checked = true;
    return true;
}

void render_draw(struct gpu_render_commands *commands, const char *what, uint32_t vertex_count,
    uint32_t instance_count, uint32_t first_vertex, uint32_t first_instance) {
    struct gpu_pass *pass = &commands->pass;
    if (!pass_accepts(pass, what)) {
        return;
    }
    struct validate_error error = {0};
    if (!check_state(commands, &error) ||
        !validate_draw_ranges(commands, (uint64_t)first_vertex + vertex_count,
            (uint64_t)first_instance + instance_count, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    render_count_draws(commands, 1);
    struct command_draw *command = COMMAND_APPEND(pass->recording->stream, DRAW, draw);
    if (command != NULL) {
        command->vertex_count = vertex_count;
        command->instance_count = instance_count;
        command->first_vertex = first_vertex;
        command->first_instance = first_instance;
    }
}

void render_draw_indexed(struct gpu_render_commands *commands, const char *what,
    uint32_t index_count, uint32_t instance_count, uint32_t first_index, int32_t base_vertex,
    uint32_t first_instance) {
    struct gpu_pass *pass = &commands->pass;
    if (!pass_accepts(pass, what)) {
        return;
    }
    struct validate_error error = {0};
    if (!check_state(commands, &error) || !validate_draw_index_buffer(commands, &error) ||
        !validate_draw_index_range(commands, first_index, index_count, &error) ||
        !validate_draw_ranges(commands, 0, (uint64_t)first_instance + instance_count, &error)) {
        encoder_fail(&pass->error, &error);
        return;
    }
    render_count_draws(commands, 1);
    struct command_draw_indexed *command = COMMAND_APPEND(
        pass->recording->stream, DRAW_INDEXED, draw_indexed);
    if (command != NULL) {
        command->index_count = index_count;
        command->instance_count = instance_count;
        command->first_index = first_index;
        command->base_vertex = base_vertex;
        command->first_instance = first_instance;
    }
}

// True when an indirect draw may be recorded.
static bool check_indirect(struct gpu_render_commands *commands, const char *what, bool is_indexed,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes) {
    struct gpu_pass *pass = &commands->pass;
    if (!pass_accepts(pass, what)) {
        return false;
    }
    struct validate_error error = {0};
    if (!check_state(commands, &error) ||
        (is_indexed && !validate_draw_index_buffer(commands, &error)) ||
        !validate_indirect(pass, buffer, offset_bytes, is_indexed ? 20 : 16, &error)) {
        encoder_fail(&pass->error, &error);
        return false;
    }
    if (!use_buffer(commands, buffer, GPU_USAGE_INDIRECT_BUFFER, 0)) {
        return false;
    }
    render_count_draws(commands, 1);
    return true;
}

void render_draw_indirect(struct gpu_render_commands *commands, const char *what,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes) {
    if (!check_indirect(commands, what, false, buffer, offset_bytes)) {
        return;
    }
    struct command_draw_indirect *command = COMMAND_APPEND(
        commands->pass.recording->stream, DRAW_INDIRECT, draw_indirect);
    if (command != NULL) {
        command->buffer = buffer->backend;
        command->offset_bytes = offset_bytes;
    }
}

void render_draw_indexed_indirect(struct gpu_render_commands *commands, const char *what,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes) {
    if (!check_indirect(commands, what, true, buffer, offset_bytes)) {
        return;
    }
    struct command_draw_indexed_indirect *command = COMMAND_APPEND(
        commands->pass.recording->stream, DRAW_INDEXED_INDIRECT, draw_indexed_indirect);
    if (command != NULL) {
        command->buffer = buffer->backend;
        command->offset_bytes = offset_bytes;
    }
}
