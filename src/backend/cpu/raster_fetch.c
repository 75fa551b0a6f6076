// SPDX-License-Identifier: MIT
//
// Vertex data to words: every vertex format, into rows of a batch. Called by workers. An element that
// does not lie in its buffer whole reads as zero bytes.
#include "backend/cpu/raster_geometry.h"

#include <string.h>

// ---------------------------------------------------------------- where values come from

static const struct backend_vertex_attribute *find_attribute(
    const struct backend_render_pipeline_state *state, uint32_t location) {
    for (uint32_t i = 0; i < state->vertex_attribute_count; i++) {
        if (state->vertex_attributes[i].location == location) {
            return &state->vertex_attributes[i];
        }
    }
    return NULL;
}

static void init_attribute(struct raster_fetch_value *value, const struct raster_draw *draw,
    const struct backend_vertex_attribute *attribute) {
    const struct backend_vertex_buffer_layout *layout =
        &draw->pipeline->state.vertex_buffers[attribute->buffer];
    const struct raster_vertex_buffer *buffer = &draw->vertex_buffers[attribute->buffer];
    value->format = vertex_format_get_info(attribute->format);
    if (value->format == NULL) {
        return;
    }
    value->kind = RASTER_FETCH_ATTRIBUTE;
    value->is_per_instance = layout->is_per_instance;
    value->stride_bytes = layout->stride_bytes;
    uint64_t element_bytes = value->format->size_bytes;
    value->has_room = buffer->data != NULL && attribute->offset_bytes <= buffer->size_bytes &&
        buffer->size_bytes - attribute->offset_bytes >= element_bytes;
    if (value->has_room) {
        value->data = buffer->data + attribute->offset_bytes;
        value->end_bytes = buffer->size_bytes - attribute->offset_bytes - element_bytes;
    }
}

void raster_fetch_init(struct raster_fetch *fetch, const struct raster_draw *draw) {
    const struct raster_interface *inputs = &draw->pipeline->vertex.inputs;
    fetch->value_count = 0;
    for (uint32_t i = 0; i < inputs->value_count && i < RASTER_FETCH_CAPACITY; i++) {
        const struct raster_interface_value *input = &inputs->values[i];
        struct raster_fetch_value *value = &fetch->values[fetch->value_count++];
        *value = (struct raster_fetch_value){
            .kind = RASTER_FETCH_NOTHING,
            .is_float = input->scalar == TYPE_F32 || input->scalar == TYPE_F16,
            .first_word = input->first_word,
            .word_count = input->word_count,
        };
        if (input->is_builtin) {
            value->kind = input->builtin == BUILTIN_VALUE_VERTEX_INDEX
                ? RASTER_FETCH_VERTEX_INDEX
                : RASTER_FETCH_INSTANCE_INDEX;
            continue;
        }
        const struct backend_vertex_attribute *attribute = find_attribute(
            &draw->pipeline->state, input->location);
        if (attribute != NULL) {
            init_attribute(value, draw, attribute);
        }
    }
}

// ---------------------------------------------------------------- components

static inline uint32_t float_word(float value) {
    uint32_t word = 0;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static inline uint32_t half_word(uint32_t half) {
    uint32_t sign = (half & 0x8000u) << 16;
    uint32_t exponent = (half >> 10) & 31u;
    uint32_t fraction = half & 0x3ffu;
    if (exponent == 0) {
        return sign | float_word((float)fraction * 0x1p-24f);
    }
    return sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
}

static inline float snorm(int32_t value, float most) {
    float quotient = (float)value / most;
    return quotient > -1.0f ? quotient : -1.0f;
}

// The component from its bits, which are at the bottom of `bits`.
static inline uint32_t decode(enum vertex_encoding encoding, uint32_t width, uint32_t bits) {
    int32_t signed_value = (int32_t)(bits << (32 - width)) >> (32 - width);
    switch (encoding) {
    case VERTEX_ENCODING_UINT:
        return bits;
    case VERTEX_ENCODING_SINT:
        return (uint32_t)signed_value;
    case VERTEX_ENCODING_UNORM:
    case VERTEX_ENCODING_UNORM_BGRA:
    case VERTEX_ENCODING_UNORM_10_10_10_2:
        return float_word((float)bits / (float)(((uint64_t)1 << width) - 1));
    case VERTEX_ENCODING_SNORM:
    case VERTEX_ENCODING_SNORM_10_10_10_2:
        return float_word(snorm(signed_value, (float)(((uint64_t)1 << (width - 1)) - 1)));
    case VERTEX_ENCODING_FLOAT:
        return width == 16 ? half_word(bits) : bits;
    }
    return 0;
}

// Rows of components, each of `width` bits, one after the other in memory. Called with constants, so
// that each case becomes a loop of its own.
static inline void decode_rows(const uint8_t *const *elements, uint32_t lane_count,
    uint32_t component_count, enum vertex_encoding encoding, uint32_t width, uint32_t *rows) {
    for (uint32_t component = 0; component < component_count; component++) {
        uint32_t *row = rows + (size_t)component * JIT_BATCH_LANES;
        size_t offset = (size_t)component * (width / 8);
        for (uint32_t lane = 0; lane < lane_count; lane++) {
            uint32_t bits = 0;
            if (width == 8) {
                bits = elements[lane][offset];
            } else if (width == 16) {
                uint16_t half = 0;
                memcpy(&half, elements[lane] + offset, sizeof(half));
                bits = half;
            } else {
                memcpy(&bits, elements[lane] + offset, sizeof(bits));
            }
            row[lane] = decode(encoding, width, bits);
        }
    }
}

static void decode_bgra(
    const uint8_t *const *elements, uint32_t lane_count, uint32_t component_count, uint32_t *rows) {
    static const uint8_t places[4] = {2, 1, 0, 3};
    for (uint32_t component = 0; component < component_count; component++) {
        for (uint32_t lane = 0; lane < lane_count; lane++) {
            rows[component * JIT_BATCH_LANES + lane] = decode(
                VERTEX_ENCODING_UNORM, 8, elements[lane][places[component]]);
        }
    }
}

static void decode_packed(const uint8_t *const *elements, uint32_t lane_count,
    uint32_t component_count, enum vertex_encoding encoding, uint32_t *rows) {
    for (uint32_t component = 0; component < component_count; component++) {
        uint32_t width = component < 3 ? 10 : 2;
        for (uint32_t lane = 0; lane < lane_count; lane++) {
            uint32_t word = 0;
            memcpy(&word, elements[lane], sizeof(word));
            uint32_t bits = word >> (10 * component) & ((1u << width) - 1);
            rows[component * JIT_BATCH_LANES + lane] = decode(encoding, width, bits);
        }
    }
}

static void decode_norm_rows(const uint8_t *const *elements, uint32_t lane_count, uint32_t count,
    enum vertex_encoding encoding, uint32_t width, uint32_t *rows) {
    if (encoding == VERTEX_ENCODING_UNORM) {
        if (width == 8) {
            decode_rows(elements, lane_count, count, VERTEX_ENCODING_UNORM, 8, rows);
        } else {
            decode_rows(elements, lane_count, count, VERTEX_ENCODING_UNORM, 16, rows);
        }
    } else if (width == 8) {
        decode_rows(elements, lane_count, count, VERTEX_ENCODING_SNORM, 8, rows);
    } else {
        decode_rows(elements, lane_count, count, VERTEX_ENCODING_SNORM, 16, rows);
    }
}

static void decode_element_rows(const struct vertex_format_info *format,
    const uint8_t *const *elements, uint32_t lane_count, uint32_t count, uint32_t *rows) {
    uint32_t width = format->size_bytes * 8u / format->component_count;
    switch (format->encoding) {
    case VERTEX_ENCODING_UINT:
    case VERTEX_ENCODING_SINT:
    case VERTEX_ENCODING_FLOAT:
        if (width == 32) {
            decode_rows(elements, lane_count, count, VERTEX_ENCODING_UINT, 32, rows);
        } else if (format->encoding == VERTEX_ENCODING_FLOAT) {
            decode_rows(elements, lane_count, count, VERTEX_ENCODING_FLOAT, 16, rows);
        } else {
            decode_rows(elements, lane_count, count, format->encoding, width, rows);
        }
        break;
    case VERTEX_ENCODING_UNORM:
    case VERTEX_ENCODING_SNORM:
        decode_norm_rows(elements, lane_count, count, format->encoding, width, rows);
        break;
    case VERTEX_ENCODING_UNORM_BGRA:
        decode_bgra(elements, lane_count, count, rows);
        break;
    case VERTEX_ENCODING_UNORM_10_10_10_2:
    case VERTEX_ENCODING_SNORM_10_10_10_2:
        decode_packed(elements, lane_count, count, format->encoding, rows);
        break;
    }
}

// ---------------------------------------------------------------- a batch

static void fill_row(uint32_t *row, uint32_t lane_count, uint32_t word) {
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        row[lane] = word;
    }
}

static void fetch_attribute(const struct raster_fetch_value *value, const uint32_t *numbers,
    uint32_t lane_count, uint32_t *rows) {
    static const uint8_t zeros[16];
    const uint8_t *elements[JIT_BATCH_LANES];
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint64_t offset_bytes = numbers[lane] * value->stride_bytes;
        bool fits = value->has_room && offset_bytes <= value->end_bytes;
        elements[lane] = fits ? value->data + offset_bytes : zeros;
    }
    uint32_t given = value->format->component_count;
    decode_element_rows(value->format, elements, lane_count,
        given < value->word_count ? given : value->word_count, rows);
}

void raster_fetch_batch(const struct raster_fetch *fetch, const uint32_t *vertices,
    const uint32_t *instances, uint32_t lane_count, uint32_t *rows) {
    for (uint32_t i = 0; i < fetch->value_count; i++) {
        const struct raster_fetch_value *value = &fetch->values[i];
        uint32_t *first_row = rows + (size_t)value->first_word * JIT_BATCH_LANES;
        uint32_t given = 0;
        switch (value->kind) {
        case RASTER_FETCH_VERTEX_INDEX:
            memcpy(first_row, vertices, lane_count * sizeof(*vertices));
            continue;
        case RASTER_FETCH_INSTANCE_INDEX:
            memcpy(first_row, instances, lane_count * sizeof(*instances));
            continue;
        case RASTER_FETCH_ATTRIBUTE:
            fetch_attribute(
                value, value->is_per_instance ? instances : vertices, lane_count, first_row);
            given = value->format->component_count;
            break;
        case RASTER_FETCH_NOTHING:
            break;
        }
        for (uint32_t component = given; component < value->word_count; component++) {
            uint32_t one = value->is_float ? float_word(1.0f) : 1u;
            fill_row(first_row + (size_t)component * JIT_BATCH_LANES, lane_count,
                component == 3 ? one : 0u);
        }
    }
}
