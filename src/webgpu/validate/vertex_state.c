// SPDX-License-Identifier: MIT
//
// Rules of vertex buffers, their attributes, and the shader inputs that they feed.
#include <stdio.h>

#include "base/try.h"
#include "facts/vertex_format.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/render_pipeline.h"

// WebGPU's null: no attributes, and not even a step mode.
static bool is_hole(const WGPUVertexBufferLayout *buffer) {
    return buffer->stepMode == WGPUVertexStepMode_Undefined && buffer->attributeCount == 0;
}

static bool validate_attribute(const struct WGPUDeviceImpl *device,
    const WGPUVertexBufferLayout *buffer, uint32_t slot, uint32_t index, const char *name,
    struct validate_error *error) {
    const WGPUVertexAttribute *attribute = &buffer->attributes[index];
    const uint64_t *limits = device->limits.values;
    TRY(validate_no_chain(attribute->nextInChain, name, error));
    const struct vertex_format_info *format = vertex_format_get_info(attribute->format);
    if (format == NULL) {
        return BROKEN(error, RENDER_ENUM, name, "vertex format", (unsigned)attribute->format);
    }
    if (attribute->shaderLocation >= limits[LIMIT_maxVertexAttributes]) {
        return BROKEN(error, VERTEX_LOCATION, name, slot, index, attribute->shaderLocation,
            ULL(limits[LIMIT_maxVertexAttributes]));
    }
    uint64_t end = buffer->arrayStride != 0 ? buffer->arrayStride
                                            : limits[LIMIT_maxVertexBufferArrayStride];
    if (attribute->offset > end || format->size_bytes > end - attribute->offset) {
        return BROKEN(error, VERTEX_RANGE, name, slot, index, attribute->shaderLocation,
            ULL(attribute->offset), format->size_bytes, format->word,
            buffer->arrayStride != 0 ? "arrayStride"
                                     : "the limit maxVertexBufferArrayStride (arrayStride is 0)",
            ULL(end));
    }
    uint32_t alignment = format->size_bytes < 4 ? format->size_bytes : 4;
    if (attribute->offset % alignment != 0) {
        return BROKEN(error, VERTEX_OFFSET, name, slot, index, attribute->shaderLocation,
            ULL(attribute->offset), alignment, format->word);
    }
    return true;
}

static bool validate_buffer(const struct WGPUDeviceImpl *device,
    const WGPUVertexBufferLayout *buffer, uint32_t slot, const char *name,
    struct backend_vertex_buffer_layout *out, struct validate_error *error) {
    uint64_t stride_limit = device->limits.values[LIMIT_maxVertexBufferArrayStride];
    TRY(validate_no_chain(buffer->nextInChain, name, error));
    if (is_hole(buffer)) {
        return true;
    }
    uint32_t step_mode = 0;
    TRY(validate_render_enum(buffer->stepMode, WGPUVertexStepMode_Vertex,
        WGPUVertexStepMode_Instance, "vertex step mode", name, &step_mode, error));
    if (buffer->arrayStride > stride_limit) {
        return BROKEN(
            error, VERTEX_STRIDE_LIMIT, name, slot, ULL(buffer->arrayStride), ULL(stride_limit));
    }
    if (buffer->arrayStride % 4 != 0) {
        return BROKEN(error, VERTEX_STRIDE, name, slot, ULL(buffer->arrayStride));
    }
    *out = (struct backend_vertex_buffer_layout){
        .is_used = true,
        .is_per_instance = step_mode == WGPUVertexStepMode_Instance,
        .stride_bytes = buffer->arrayStride,
    };
    return true;
}

// Where an attribute that is number `at` of the state stands in its buffer.
static uint32_t find_index(
    const WGPUVertexState *vertex, const struct backend_render_pipeline_state *state, uint32_t at) {
    uint32_t slot = state->vertex_attributes[at].buffer;
    uint32_t index = 0;
    while (index < vertex->buffers[slot].attributeCount &&
        vertex->buffers[slot].attributes[index].shaderLocation !=
            state->vertex_attributes[at].location) {
        index++;
    }
    return index;
}

static bool add_attribute(const WGPUVertexState *vertex, uint32_t slot, uint32_t index,
    const char *name, struct backend_render_pipeline_state *out, struct validate_error *error) {
    const WGPUVertexAttribute *attribute = &vertex->buffers[slot].attributes[index];
    for (uint32_t i = 0; i < out->vertex_attribute_count; i++) {
        const struct backend_vertex_attribute *other = &out->vertex_attributes[i];
        if (other->location == attribute->shaderLocation) {
            return BROKEN(error, VERTEX_LOCATION_TWICE, name, find_index(vertex, out, i),
                other->buffer, index, slot, attribute->shaderLocation);
        }
    }
    out->vertex_attributes[out->vertex_attribute_count++] = (struct backend_vertex_attribute){
        .format = attribute->format,
        .location = attribute->shaderLocation,
        .buffer = slot,
        .offset_bytes = attribute->offset,
    };
    return true;
}

bool validate_vertex_state(const struct WGPUDeviceImpl *device, const WGPUVertexState *vertex,
    const char *name, struct backend_render_pipeline_state *out, struct validate_error *error) {
    const uint64_t *limits = device->limits.values;
    TRY(validate_no_chain(vertex->nextInChain, name, error));
    if (vertex->bufferCount > limits[LIMIT_maxVertexBuffers]) {
        return BROKEN(error, VERTEX_BUFFER_COUNT, name, ULL(vertex->bufferCount),
            ULL(limits[LIMIT_maxVertexBuffers]));
    }
    out->vertex_buffer_count = (uint32_t)vertex->bufferCount;
    uint64_t attribute_count = 0;
    for (uint32_t slot = 0; slot < vertex->bufferCount; slot++) {
        const WGPUVertexBufferLayout *buffer = &vertex->buffers[slot];
        TRY(validate_buffer(device, buffer, slot, name, &out->vertex_buffers[slot], error));
        attribute_count += buffer->attributeCount;
    }
    if (attribute_count > limits[LIMIT_maxVertexAttributes]) {
        return BROKEN(error, VERTEX_COUNT, name, ULL(attribute_count), "",
            ULL(limits[LIMIT_maxVertexAttributes]));
    }
    for (uint32_t slot = 0; slot < vertex->bufferCount; slot++) {
        const WGPUVertexBufferLayout *buffer = &vertex->buffers[slot];
        for (uint32_t i = 0; i < buffer->attributeCount; i++) {
            TRY(validate_attribute(device, buffer, slot, i, name, error));
            TRY(add_attribute(vertex, slot, i, name, out, error));
        }
    }
    return true;
}

// ---------------------------------------------------------------- the shader's inputs

static bool does_fit(enum vertex_base base, enum type_kind scalar) {
    switch (base) {
    case VERTEX_BASE_FLOAT:
        return scalar == TYPE_F32 || scalar == TYPE_F16;
    case VERTEX_BASE_UINT:
        return scalar == TYPE_U32;
    case VERTEX_BASE_SINT:
        break;
    }
    return scalar == TYPE_I32;
}

static bool validate_input(const WGPUVertexState *vertex, const struct reflect_io *input,
    const char *entry, const char *name, const struct backend_render_pipeline_state *state,
    struct validate_error *error) {
    static const char *const wanted[] = {"f32 or f16", "u32", "i32"};
    uint32_t at = 0;
    while (at < state->vertex_attribute_count &&
        state->vertex_attributes[at].location != input->location) {
        at++;
    }
    if (at == state->vertex_attribute_count) {
        return BROKEN(error, VERTEX_INPUT_MISSING, name, entry, validate_cut_name(input->name).text,
            input->location);
    }
    const struct vertex_format_info *format = vertex_format_get_info(
        state->vertex_attributes[at].format);
    if (!does_fit(format->base, input->scalar)) {
        return BROKEN(error, VERTEX_INPUT_TYPE, name, entry, validate_cut_name(input->name).text,
            validate_describe_io_type(input).text, input->location, find_index(vertex, state, at),
            state->vertex_attributes[at].buffer, format->word, wanted[format->base]);
    }
    return true;
}

bool validate_vertex_inputs(const struct WGPUDeviceImpl *device, const WGPUVertexState *vertex,
    const struct reflect_entry_point *entry_point, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error) {
    struct rule_words entry = validate_cut_name(entry_point->name);
    uint64_t limit = device->limits.values[LIMIT_maxVertexAttributes];
    uint64_t count = state->vertex_attribute_count;
    if (!device->is_core) {
        count += reflect_has_builtin(entry_point, BUILTIN_VALUE_VERTEX_INDEX);
        count += reflect_has_builtin(entry_point, BUILTIN_VALUE_INSTANCE_INDEX);
        if (count > limit) {
            return BROKEN(error, VERTEX_COUNT, name, ULL(count),
                " (vertex_index and instance_index among them, on a device in compatibility mode)",
                ULL(limit));
        }
    }
    for (uint32_t i = 0; i < entry_point->input_count; i++) {
        TRY(validate_input(vertex, &entry_point->inputs[i], entry.text, name, state, error));
    }
    return true;
}
