// SPDX-License-Identifier: MIT
//
// From an object file, as LLVM writes it for one module (ELF, 64 bits, little-endian, x86-64 or
// AArch64, position-independent), to an image that can be placed anywhere. The code generator and
// tests use it. Safe from any thread.
#pragma once

#include "base/text.h"
#include "shader/kernel/kernel_image.h"

// entry: the name of the function that the image is for. Damaged objects, symbols that symbol.def
// does not have, data that could change and relocations that are not known are errors: false, with a
// reason appended to out_error, and an empty image.
bool kernel_link(const void *object, size_t size_bytes, const char *entry,
    struct kernel_image *out_image, struct text_buffer *out_error);
