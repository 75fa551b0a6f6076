// SPDX-License-Identifier: MIT
//
// GPUShaderModule. For the environment's thread.

#pragma once

#include "object.h"

struct shader_module {
    struct object object;
    // The source, in UTF-8, if it has characters beyond ASCII: places in messages count UTF-16 code
    // units then, not bytes. NULL: they are the same.
    char *source;
    size_t source_length;
};
