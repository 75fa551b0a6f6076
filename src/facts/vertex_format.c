// SPDX-License-Identifier: MIT
//
// The rows of vertex_format.def as a table indexed by WGPUVertexFormat. Any thread.
#include "facts/vertex_format.h"

#include <stddef.h>

#include <webgpu/webgpu.h>

static const struct vertex_format_info rows[] = {
#define VERTEX_FORMAT(name, word, base, components, bytes) \
    [WGPUVertexFormat_##name] = {word, VERTEX_BASE_##base, components, bytes},
#include "facts/vertex_format.def"
};

const struct vertex_format_info *vertex_format_get_info(uint32_t format) {
    if (format >= sizeof(rows) / sizeof(rows[0]) || rows[format].word == NULL) {
        return NULL;
    }
    return &rows[format];
}
