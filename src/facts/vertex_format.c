// SPDX-License-Identifier: MIT
//
// The rows of vertex_format.def as tables indexed by WGPUVertexFormat, and by AlbaVertexFormat from its first on. Any thread.
#include "facts/vertex_format.h"

#include <stddef.h>

#include <alba/alba.h>
#include <webgpu/webgpu.h>

#define INDEX_WGPU(name) WGPUVertexFormat_##name
#define INDEX_Alba(name) \
    LAST_STANDARD + 1 + AlbaVertexFormat_##name - AlbaVertexFormat_Snorm10_10_10_2

enum { LAST_STANDARD = WGPUVertexFormat_Unorm8x4BGRA };

static const struct vertex_format_info rows[] = {
#define VERTEX_FORMAT(header, name, word, base, encoding, components, bytes) \
    [INDEX_##header(name)] = {word, VERTEX_BASE_##base, VERTEX_ENCODING_##encoding, components, \
        bytes},
#include "facts/vertex_format.def"
};

const struct vertex_format_info *vertex_format_get_info(uint32_t format) {
    uint32_t index = format;
    if (format > LAST_STANDARD) {
        if (format < AlbaVertexFormat_Snorm10_10_10_2) {
            return NULL;
        }
        index = LAST_STANDARD + 1 + (format - AlbaVertexFormat_Snorm10_10_10_2);
    }
    return index < sizeof(rows) / sizeof(rows[0]) && rows[index].word != NULL ? &rows[index] : NULL;
}
