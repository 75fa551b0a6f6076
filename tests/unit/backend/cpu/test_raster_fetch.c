// SPDX-License-Identifier: MIT
//
// Vertex data to words: every vertex format with values from arithmetic on its name, components that
// lack and that are too many, steps, strides, offsets, and what lies outside of the buffer.

#include <alba/alba.h>

#include "primitive_fixture.h"

static const uint32_t formats[] = {
#define FORMAT_WGPU(name) WGPUVertexFormat_##name
#define FORMAT_Alba(name) AlbaVertexFormat_##name
#define VERTEX_FORMAT(header, name, word, base, encoding, components, bytes) FORMAT_##header(name),
#include "facts/vertex_format.def"
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

// ---------------------------------------------------------------- a reference, bit by bit

// Bits [first, first + count) of an element, little endian.
static uint64_t get_bits(const uint8_t *element, uint32_t first, uint32_t count) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bit = first + i;
        bits |= (uint64_t)(element[bit / 8] >> (bit % 8) & 1) << i;
    }
    return bits;
}

static double half_value(uint64_t bits) {
    double sign = bits >> 15 != 0 ? -1 : 1;
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024;
    if (exponent == 31) {
        return fraction != 0 ? NAN : sign * INFINITY;
    }
    return exponent == 0 ? sign * ldexp(fraction, -14) : sign * ldexp(1 + fraction, exponent - 15);
}

// The word of a component, from the format's name alone.
static uint32_t wanted_word(const char *name, uint32_t size_bytes, uint32_t components,
    uint32_t component, const uint8_t *element) {
    bool is_packed = strstr(name, "10-10-10-2") != NULL;
    uint32_t width = is_packed ? (component == 3 ? 2 : 10) : size_bytes * 8 / components;
    uint32_t place = component;
    if (strstr(name, "bgra") != NULL && component < 3) {
        place = 2 - component;
    }
    uint64_t bits = get_bits(element, is_packed ? component * 10 : place * width, width);
    int64_t number = bits >> (width - 1) != 0 ? (int64_t)bits - ((int64_t)1 << width)
                                              : (int64_t)bits;
    float value = 0;
    uint32_t word = 0;
    if (strncmp(name, "uint", 4) == 0) {
        return (uint32_t)bits;
    }
    if (strncmp(name, "sint", 4) == 0) {
        return (uint32_t)(int32_t)number;
    }
    if (strncmp(name, "unorm", 5) == 0) {
        value = (float)((double)bits / (ldexp(1, (int)width) - 1));
    } else if (strncmp(name, "snorm", 5) == 0) {
        value = (float)fmax((double)number / (ldexp(1, (int)width - 1) - 1), -1);
    } else if (width == 16) {
        value = (float)half_value(bits);
    } else {
        return (uint32_t)bits;
    }
    memcpy(&word, &value, sizeof(word));
    return word;
}

static bool same_word(uint32_t a, uint32_t b) {
    // Of numbers that are none only that they are none counts.
    bool a_is_nan = (a & 0x7fffffffu) > 0x7f800000u;
    bool b_is_nan = (b & 0x7fffffffu) > 0x7f800000u;
    return a == b || (a_is_nan && b_is_nan);
}

// ---------------------------------------------------------------- the tests

#define DATA_BYTES 4096u

static void set_up(struct raster_fixture *fixture, uint32_t format, uint32_t word_count) {
    fixture_init(fixture, 1, 64, 64, 0);
    fixture_set_attribute(fixture, 0, 0, word_count, (WGPUVertexFormat)format);
    const struct vertex_format_info *info = vertex_format_get_info(format);
    fixture->inputs[0].scalar = info->base == VERTEX_BASE_FLOAT ? TYPE_F32
        : info->base == VERTEX_BASE_UINT                        ? TYPE_U32
                                                                : TYPE_I32;
}

static uint32_t default_word(const struct vertex_format_info *info, uint32_t component) {
    return component < 3 ? 0 : info->base == VERTEX_BASE_FLOAT ? 0x3f800000u : 1;
}

TEST(every_format_gives_its_values) {
    static uint8_t data[DATA_BYTES];
    uint64_t random = 5;
    for (uint32_t i = 0; i < DATA_BYTES; i++) {
        // Every half word value class, extremes often.
        uint32_t byte = next_random(&random);
        data[i] = (uint8_t)(byte % 4 == 0 ? 0xff * (byte >> 8 & 1) : byte >> 4);
    }
    uint32_t vertices[JIT_BATCH_LANES];
    uint32_t instances[JIT_BATCH_LANES] = {0};
    static uint32_t rows[FIXTURE_WORDS * JIT_BATCH_LANES];
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        const struct vertex_format_info *info = vertex_format_get_info(formats[f]);
        for (uint32_t words = 1; words <= 4; words++) {
            struct raster_fixture fixture;
            set_up(&fixture, formats[f], words);
            fixture.pipeline.state.vertex_attributes[0].offset_bytes = 4;
            fixture.pipeline.state.vertex_buffers[0].stride_bytes = 28;
            fixture.draw.vertex_buffers[0] = (struct raster_vertex_buffer){data, DATA_BYTES};
            for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
                vertices[lane] = next_random(&random) % (DATA_BYTES / 28 - 1);
            }
            struct raster_fetch fetch;
            raster_fetch_init(&fetch, &fixture.draw);
            raster_fetch_batch(&fetch, vertices, instances, JIT_BATCH_LANES, rows);
            for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
                const uint8_t *element = data + 4 + vertices[lane] * 28;
                for (uint32_t c = 0; c < words; c++) {
                    uint32_t wanted = c < info->component_count
                        ? wanted_word(
                              info->word, info->size_bytes, info->component_count, c, element)
                        : default_word(info, c);
                    uint32_t got = rows[c * JIT_BATCH_LANES + lane];
                    if (!same_word(got, wanted)) {
                        fprintf(stderr, "%s, component %u\n", info->word, c);
                        CHECK_EQ(got, wanted);
                    }
                }
            }
            fixture_finish(&fixture);
        }
    }
}

TEST(every_half_float_is_exact) {
    static uint8_t data[65536 * 2];
    for (uint32_t i = 0; i < 65536; i++) {
        data[2 * i] = (uint8_t)i;
        data[2 * i + 1] = (uint8_t)(i >> 8);
    }
    struct raster_fixture fixture;
    set_up(&fixture, WGPUVertexFormat_Float16, 1);
    fixture.pipeline.state.vertex_buffers[0].stride_bytes = 2;
    fixture.draw.vertex_buffers[0] = (struct raster_vertex_buffer){data, sizeof(data)};
    struct raster_fetch fetch;
    raster_fetch_init(&fetch, &fixture.draw);
    for (uint32_t first = 0; first < 65536; first += JIT_BATCH_LANES) {
        uint32_t vertices[JIT_BATCH_LANES];
        uint32_t rows[JIT_BATCH_LANES];
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            vertices[lane] = first + lane;
        }
        raster_fetch_batch(&fetch, vertices, vertices, JIT_BATCH_LANES, rows);
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            float value = (float)half_value(first + lane);
            uint32_t wanted = 0;
            memcpy(&wanted, &value, sizeof(wanted));
            CHECK(same_word(rows[lane], wanted));
        }
    }
    fixture_finish(&fixture);
}

// The buffer ends where the heap block ends, so that reading further is seen by a sanitizer.
TEST(elements_outside_of_the_buffer_are_zero) {
    static const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 100, 0x0fffffffu, 0x10000000u,
        0x1fffffffu, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu};
    enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        const struct vertex_format_info *info = vertex_format_get_info(formats[f]);
        for (uint64_t size_bytes = 0; size_bytes < 70; size_bytes++) {
            struct raster_fixture fixture;
            set_up(&fixture, formats[f], 4);
            fixture.pipeline.state.vertex_attributes[0].offset_bytes = 8;
            fixture.pipeline.state.vertex_buffers[0].stride_bytes = 16;
            uint8_t *data = memory_allocate(MEMORY_TEST, size_bytes);
            memset(data, 0xa5, size_bytes);
            fixture.draw.vertex_buffers[0] = (struct raster_vertex_buffer){data, size_bytes};
            struct raster_fetch fetch;
            raster_fetch_init(&fetch, &fixture.draw);
            uint32_t rows[4 * JIT_BATCH_LANES];
            raster_fetch_batch(&fetch, numbers, numbers, NUMBERS, rows);
            for (uint32_t lane = 0; lane < NUMBERS; lane++) {
                uint64_t end = (uint64_t)numbers[lane] * 16 + 8 + info->size_bytes;
                static const uint8_t zeros[16];
                const uint8_t *element = end <= size_bytes ? data + end - info->size_bytes : zeros;
                for (uint32_t c = 0; c < info->component_count; c++) {
                    CHECK(same_word(rows[c * JIT_BATCH_LANES + lane],
                        wanted_word(
                            info->word, info->size_bytes, info->component_count, c, element)));
                }
            }
            memory_free(data);
            fixture_finish(&fixture);
        }
    }
}

TEST(no_buffer_and_no_attribute_give_zeros) {
    struct raster_fixture fixture;
    set_up(&fixture, WGPUVertexFormat_Uint32, 4);
    fixture.inputs[1] = (struct raster_interface_value){
        .location = 9, .scalar = TYPE_F32, .first_word = 4, .word_count = 4};
    fixture.pipeline.vertex.inputs.value_count = 2;
    struct raster_fetch fetch;
    raster_fetch_init(&fetch, &fixture.draw);
    uint32_t rows[8 * JIT_BATCH_LANES];
    memset(rows, 0xff, sizeof(rows));
    uint32_t numbers[4] = {0, 1, 2, 3};
    raster_fetch_batch(&fetch, numbers, numbers, 4, rows);
    static const uint32_t wanted[8] = {0, 0, 0, 1, 0, 0, 0, 0x3f800000u};
    for (uint32_t word = 0; word < 8; word++) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            CHECK_EQ(rows[word * JIT_BATCH_LANES + lane], wanted[word]);
        }
    }
    fixture_finish(&fixture);
}

TEST(steps_strides_and_built_in_values) {
    struct raster_fixture fixture;
    set_up(&fixture, WGPUVertexFormat_Uint32, 1);
    uint32_t data[64];
    for (uint32_t i = 0; i < 64; i++) {
        data[i] = 1000 + i;
    }
    fixture_set_attribute(&fixture, 1, 1, 1, WGPUVertexFormat_Uint32);
    fixture.pipeline.state.vertex_attributes[1].buffer = 1;
    fixture.pipeline.state.vertex_attributes[1].offset_bytes = 8;
    fixture.pipeline.state.vertex_buffers[0].stride_bytes = 0;
    fixture.pipeline.state.vertex_buffers[1] = (struct backend_vertex_buffer_layout){
        .is_used = true, .is_per_instance = true, .stride_bytes = 4};
    fixture.draw.vertex_buffers[0] = (struct raster_vertex_buffer){(uint8_t *)data, sizeof(data)};
    fixture.draw.vertex_buffers[1] = fixture.draw.vertex_buffers[0];
    fixture.inputs[2] = (struct raster_interface_value){.is_builtin = true,
        .builtin = BUILTIN_VALUE_VERTEX_INDEX,
        .scalar = TYPE_U32,
        .first_word = 2,
        .word_count = 1};
    fixture.inputs[3] = (struct raster_interface_value){.is_builtin = true,
        .builtin = BUILTIN_VALUE_INSTANCE_INDEX,
        .scalar = TYPE_U32,
        .first_word = 3,
        .word_count = 1};
    fixture.pipeline.vertex.inputs.value_count = 4;
    struct raster_fetch fetch;
    raster_fetch_init(&fetch, &fixture.draw);
    uint32_t vertices[4] = {3, 4, 0xfffffffeu, 6};
    uint32_t instances[4] = {7, 7, 8, 9};
    uint32_t rows[4 * JIT_BATCH_LANES];
    raster_fetch_batch(&fetch, vertices, instances, 4, rows);
    for (uint32_t lane = 0; lane < 4; lane++) {
        CHECK_EQ(rows[lane], 1000); // stride 0: every vertex the same
        CHECK_EQ(rows[JIT_BATCH_LANES + lane], 1000 + instances[lane] + 2);
        CHECK_EQ(rows[2 * JIT_BATCH_LANES + lane], vertices[lane]);
        CHECK_EQ(rows[3 * JIT_BATCH_LANES + lane], instances[lane]);
    }
    fixture_finish(&fixture);
}

CHECK_MAIN(every_format_gives_its_values, every_half_float_is_exact,
    elements_outside_of_the_buffer_are_zero, no_buffer_and_no_attribute_give_zeros,
    steps_strides_and_built_in_values)
