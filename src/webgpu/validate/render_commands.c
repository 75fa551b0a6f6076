// SPDX-License-Identifier: MIT
//
// Rules of what is set for draws, and of draws.
#include "webgpu/validate/render_commands.h"

#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/buffer.h"
#include "webgpu/validate/words.h"

#define NAME gpu_object_get_name(&commands->object, commands->object.class_of->kind).text

// ---------------------------------------------------------------- layouts

bool validate_layouts_are_equal(
    const struct gpu_render_layout *a, const struct gpu_render_layout *b) {
    bool are_equal = a->depth_stencil_format == b->depth_stencil_format &&
        a->sample_count == b->sample_count;
    for (uint32_t i = 0; i < COMMAND_COLOR_ATTACHMENT_CAPACITY; i++) {
        are_equal = are_equal && a->color_formats[i] == b->color_formats[i];
    }
    return are_equal;
}

struct layout_words validate_describe_layout(const struct gpu_render_layout *layout) {
    struct layout_words words;
    size_t capacity = sizeof(words.text);
    size_t length = (size_t)snprintf(words.text, capacity, "color formats [");
    for (uint32_t i = 0; i < layout->color_count; i++) {
        bool is_hole = layout->color_formats[i] == WGPUTextureFormat_Undefined;
        length += (size_t)snprintf(words.text + length, capacity - length, "%s%s",
            i != 0 ? ", " : "", is_hole ? "none" : words_for_format(layout->color_formats[i]));
    }
    bool has_depth = layout->depth_stencil_format != WGPUTextureFormat_Undefined;
    snprintf(words.text + length, capacity - length, "], %s%s and %u sample%s",
        has_depth ? "depth-stencil format " : "no depth-stencil format",
        has_depth ? words_for_format(layout->depth_stencil_format) : "", layout->sample_count,
        layout->sample_count == 1 ? "" : "s");
    return words;
}

uint32_t validate_count_color_bytes(const struct gpu_render_layout *layout) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < layout->color_count; i++) {
        if (layout->color_formats[i] != WGPUTextureFormat_Undefined) {
            bytes = texture_format_add_render_bytes(
                bytes, texture_format_get_info(layout->color_formats[i]));
        }
    }
    return bytes;
}

// ---------------------------------------------------------------- setting state

bool validate_set_render_pipeline(struct gpu_render_commands *commands,
    struct WGPURenderPipelineImpl *pipeline, struct validate_error *error) {
    const struct WGPUDeviceImpl *device = commands->object.device;
    if (pipeline == NULL || !gpu_is_usable(&pipeline->object, device)) {
        return BROKEN(error, SET_RENDER_PIPELINE, NAME, GPU_NAME(pipeline, RENDER_PIPELINE),
            rule_describe_unusable(pipeline != NULL ? &pipeline->object : NULL, device));
    }
    if (!validate_layouts_are_equal(&commands->layout, &pipeline->layout)) {
        return BROKEN(error, SET_RENDER_LAYOUT, NAME, GPU_NAME(pipeline, RENDER_PIPELINE),
            validate_describe_layout(&pipeline->layout).text,
            validate_describe_layout(&commands->layout).text);
    }
    if (pipeline->writes_depth && commands->is_depth_read_only) {
        return BROKEN(
            error, SET_RENDER_READ_ONLY, NAME, GPU_NAME(pipeline, RENDER_PIPELINE), "depth");
    }
    if (pipeline->writes_stencil && commands->is_stencil_read_only) {
        return BROKEN(
            error, SET_RENDER_READ_ONLY, NAME, GPU_NAME(pipeline, RENDER_PIPELINE), "stencil");
    }
    return true;
}

bool validate_set_index_buffer(struct gpu_render_commands *commands, struct WGPUBufferImpl *buffer,
    WGPUIndexFormat format, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error) {
    const struct WGPUDeviceImpl *device = commands->object.device;
    if (buffer == NULL || !gpu_is_usable(&buffer->object, device)) {
        return BROKEN(error, SET_INDEX_BUFFER, NAME, GPU_NAME(buffer, BUFFER),
            rule_describe_unusable(buffer != NULL ? &buffer->object : NULL, device));
    }
    if ((buffer->usage & WGPUBufferUsage_Index) == 0) {
        return BROKEN(error, SET_INDEX_USAGE, NAME, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    if (format != WGPUIndexFormat_Uint16 && format != WGPUIndexFormat_Uint32) {
        return BROKEN(error, SET_INDEX_FORMAT, NAME, (unsigned)format);
    }
    uint32_t index_bytes = validate_index_bytes(format);
    if (offset_bytes % index_bytes != 0) {
        return BROKEN(error, SET_INDEX_OFFSET, NAME, ULL(offset_bytes), index_bytes);
    }
    if (!validate_is_within(offset_bytes, size_bytes, buffer->size_bytes)) {
        return BROKEN(error, SET_INDEX_RANGE, NAME,
            rule_describe_range(offset_bytes, size_bytes, buffer->size_bytes, "").text,
            GPU_NAME(buffer, BUFFER), ULL(buffer->size_bytes));
    }
    return true;
}

bool validate_set_vertex_buffer(struct gpu_render_commands *commands, uint32_t slot,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error) {
    const struct WGPUDeviceImpl *device = commands->object.device;
    uint64_t limit = device->limits.values[LIMIT_maxVertexBuffers];
    if (slot >= limit) {
        return BROKEN(error, SET_VERTEX_SLOT, NAME, slot, ULL(limit));
    }
    if (offset_bytes % 4 != 0) {
        return BROKEN(error, SET_VERTEX_OFFSET, NAME, slot, ULL(offset_bytes));
    }
    uint64_t buffer_bytes = buffer != NULL ? buffer->size_bytes : 0;
    if (!validate_is_within(offset_bytes, size_bytes, buffer_bytes)) {
        return BROKEN(error, SET_VERTEX_RANGE, NAME, slot,
            rule_describe_range(offset_bytes, size_bytes, buffer_bytes, "").text,
            buffer != NULL ? GPU_NAME(buffer, BUFFER) : "NULL, which counts as a buffer",
            ULL(buffer_bytes));
    }
    if (buffer == NULL) {
        return true;
    }
    if (!gpu_is_usable(&buffer->object, device)) {
        return BROKEN(error, SET_VERTEX_BUFFER, NAME, slot, GPU_NAME(buffer, BUFFER),
            rule_describe_unusable(&buffer->object, device));
    }
    if ((buffer->usage & WGPUBufferUsage_Vertex) == 0) {
        return BROKEN(error, SET_VERTEX_USAGE, NAME, slot, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    return true;
}

// ---------------------------------------------------------------- draws

bool validate_draw_buffers(struct gpu_render_commands *commands, struct validate_error *error) {
    struct WGPURenderPipelineImpl *pipeline = commands->pipeline;
    for (uint32_t i = 0; i < pipeline->vertex_slot_count; i++) {
        if (pipeline->vertex_slots[i].is_used && commands->vertex_buffers[i].buffer == NULL) {
            return BROKEN(error, DRAW_VERTEX_BUFFER, NAME, GPU_NAME(pipeline, RENDER_PIPELINE), i);
        }
    }
    int last_group = GPU_BIND_GROUP_SLOTS - 1;
    while (last_group >= 0 && commands->pass.slots[last_group].group == NULL) {
        last_group--;
    }
    int last_buffer = BACKEND_VERTEX_BUFFER_CAPACITY - 1;
    while (last_buffer >= 0 && commands->vertex_buffers[last_buffer].buffer == NULL) {
        last_buffer--;
    }
    uint64_t limit = commands->object.device->limits.values[LIMIT_maxBindGroupsPlusVertexBuffers];
    uint32_t count = (uint32_t)(last_group + 1 + last_buffer + 1);
    if (count > limit) {
        return BROKEN(error, DRAW_SLOTS, NAME, last_group, last_buffer, count, ULL(limit));
    }
    return true;
}

bool validate_draw_ranges(struct gpu_render_commands *commands, uint64_t vertex_end,
    uint64_t instance_end, struct validate_error *error) {
    struct WGPURenderPipelineImpl *pipeline = commands->pipeline;
    for (uint32_t i = 0; i < pipeline->vertex_slot_count; i++) {
        const struct gpu_vertex_slot *slot = &pipeline->vertex_slots[i];
        uint64_t end = slot->is_per_instance ? instance_end : vertex_end;
        if (!slot->is_used || end == 0) {
            continue;
        }
        // Both factors are below 2^33 and 2^14.
        uint64_t needed = (end - 1) * slot->stride_bytes + slot->last_stride_bytes;
        const struct gpu_vertex_buffer *bound = &commands->vertex_buffers[i];
        if (needed > bound->size_bytes) {
            return BROKEN(error, DRAW_VERTEX_RANGE, NAME, GPU_NAME(pipeline, RENDER_PIPELINE),
                slot->is_per_instance ? "instances" : "vertices", ULL(end), ULL(needed), i,
                ULL(slot->stride_bytes), ULL(slot->last_stride_bytes), ULL(bound->size_bytes),
                GPU_NAME(bound->buffer, BUFFER));
        }
    }
    return true;
}

static const char *get_index_word(WGPUIndexFormat format) {
    return format == WGPUIndexFormat_Uint16 ? "Uint16"
        : format == WGPUIndexFormat_Uint32  ? "Uint32"
                                            : "Undefined";
}

bool validate_draw_index_buffer(
    struct gpu_render_commands *commands, struct validate_error *error) {
    struct WGPURenderPipelineImpl *pipeline = commands->pipeline;
    if (commands->index_buffer == NULL) {
        return BROKEN(error, DRAW_INDEX_BUFFER, NAME);
    }
    bool is_strip = pipeline->topology == WGPUPrimitiveTopology_LineStrip ||
        pipeline->topology == WGPUPrimitiveTopology_TriangleStrip;
    if (is_strip && pipeline->strip_index_format != commands->index_format) {
        return BROKEN(error, DRAW_INDEX_FORMAT, NAME, GPU_NAME(pipeline, RENDER_PIPELINE),
            get_index_word(pipeline->strip_index_format), get_index_word(commands->index_format));
    }
    return true;
}

bool validate_draw_index_range(struct gpu_render_commands *commands, uint32_t first_index,
    uint32_t index_count, struct validate_error *error) {
    uint64_t available = commands->index_size_bytes / validate_index_bytes(commands->index_format);
    if ((uint64_t)first_index + index_count > available) {
        return BROKEN(error, DRAW_INDEX_RANGE, NAME, index_count, first_index, ULL(available),
            GPU_NAME(commands->index_buffer, BUFFER));
    }
    return true;
}
