// SPDX-License-Identifier: MIT
//
// A compiled kernel as bytes: machine code and constants linked to each other, able to run wherever
// pages are. What it needs of the process is a list of words to fill in. The code generator makes
// images of the objects that LLVM writes (kernel_link.h); the CPU backend places them in memory and
// keeps them on disk (kernel_store.h). Images are plain data; functions are safe from any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_symbol {
#define KERNEL_SYMBOL(name, function) KERNEL_SYMBOL_##name,
#include "shader/kernel/symbol.def"
    KERNEL_SYMBOL_SELF, // not a function: where the image itself begins
    KERNEL_SYMBOL_COUNT
};

// The name that objects use; "" for KERNEL_SYMBOL_SELF. Static.
const char *kernel_symbol_name(enum kernel_symbol symbol);

// Eight bytes of the image that become the symbol's address plus the addend.
struct kernel_fixup {
    uint32_t offset_bytes;
    uint32_t symbol; // enum kernel_symbol
    uint64_t addend;
};

struct kernel_image {
    uint8_t *bytes; // heap, MEMORY_JIT
    struct kernel_fixup *fixups; // heap, MEMORY_JIT
    uint32_t size_bytes;
    uint32_t fixup_count;
    uint32_t entry_offset_bytes; // of the function
    uint32_t code_bytes;         // of machine code, for people
};

// Frees what the image holds; zero-initialised is valid.
void kernel_image_finish(struct kernel_image *image);

// Whether all offsets are inside the image and all symbols are known, so that it can be placed.
bool kernel_image_is_consistent(const struct kernel_image *image);

// An image in memory: pages that can be read and executed, and never written again.
struct kernel_code {
    void *pages;
    size_t size_bytes;
};

// Copies a consistent image into pages of its own and fills in its words. out_entry: the function's
// address. false: the system gives no memory, or none that may be executed.
bool kernel_code_create(
    const struct kernel_image *image, struct kernel_code *out_code, void **out_entry);
void kernel_code_destroy(struct kernel_code *code); // zero-initialised is valid

// Alignment that placed images have, and so the largest that is promised to their parts.
#define KERNEL_IMAGE_ALIGNMENT 4096u
