// SPDX-License-Identifier: MIT
//
// The vertex formats of WebGPU (vertex_format.def) by WGPUVertexFormat value, AlbaVertexFormat ones among them. Constant, any thread.
#pragma once

#include <stdint.h>

enum vertex_base { VERTEX_BASE_FLOAT, VERTEX_BASE_UINT, VERTEX_BASE_SINT };

// How components are stored: all of the same width, except in the packed formats.
enum vertex_encoding {
    VERTEX_ENCODING_UINT,
    VERTEX_ENCODING_SINT,
    VERTEX_ENCODING_UNORM,
    VERTEX_ENCODING_SNORM,
    VERTEX_ENCODING_FLOAT,
    VERTEX_ENCODING_UNORM_BGRA,
    VERTEX_ENCODING_UNORM_10_10_10_2, // from the lowest bits of a word
    VERTEX_ENCODING_SNORM_10_10_10_2
};

struct vertex_format_info {
    const char *word; // WebGPU's name: "float32x3"
    enum vertex_base base; // what shaders see: f32 or f16, u32, i32
    enum vertex_encoding encoding;
    uint8_t component_count;
    uint8_t size_bytes;
};

// NULL for values that the standard lacks.
const struct vertex_format_info *vertex_format_get_info(uint32_t format);
