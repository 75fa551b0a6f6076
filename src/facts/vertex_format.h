// SPDX-License-Identifier: MIT
//
// The vertex formats of WebGPU (vertex_format.def) by WGPUVertexFormat value, AlbaVertexFormat ones among them. Constant, any thread.
#pragma once

#include <stdint.h>

enum vertex_base { VERTEX_BASE_FLOAT, VERTEX_BASE_UINT, VERTEX_BASE_SINT };

struct vertex_format_info {
    const char *word; // WebGPU's name: "float32x3"
    enum vertex_base base; // what shaders see: f32 or f16, u32, i32
    uint8_t component_count;
    uint8_t size_bytes;
};

// NULL for values that the standard lacks.
const struct vertex_format_info *vertex_format_get_info(uint32_t format);
