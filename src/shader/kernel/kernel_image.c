// SPDX-License-Identifier: MIT
//
// Placing images: copy, fill in, make executable.
#include "shader/kernel/kernel_image.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_memory.h"
#include "shader/kernel/slow_path.h"

const char *kernel_symbol_name(enum kernel_symbol symbol) {
    static const char *const names[KERNEL_SYMBOL_COUNT] = {
#define KERNEL_SYMBOL(name, function) [KERNEL_SYMBOL_##name] = #name,
#include "shader/kernel/symbol.def"
        [KERNEL_SYMBOL_SELF] = "",
    };
    return names[symbol];
}

void kernel_image_finish(struct kernel_image *image) {
    memory_free(image->bytes);
    memory_free(image->fixups);
    *image = (struct kernel_image){0};
}

bool kernel_image_is_consistent(const struct kernel_image *image) {
    if (image->entry_offset_bytes >= image->size_bytes || image->size_bytes > INT32_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < image->fixup_count; i++) {
        const struct kernel_fixup *fixup = &image->fixups[i];
        if (fixup->symbol >= KERNEL_SYMBOL_COUNT || image->size_bytes < 8 ||
            fixup->offset_bytes > image->size_bytes - 8) {
            return false;
        }
    }
    return true;
}

static uint64_t symbol_address(enum kernel_symbol symbol, const void *self) {
    switch (symbol) {
#define KERNEL_SYMBOL(name, function) \
    case KERNEL_SYMBOL_##name:        \
        return (uint64_t)(uintptr_t)function;
#include "shader/kernel/symbol.def"
    case KERNEL_SYMBOL_SELF:
        return (uint64_t)(uintptr_t)self;
    case KERNEL_SYMBOL_COUNT:
        break;
    }
    return 0;
}

bool kernel_code_create(
    const struct kernel_image *image, struct kernel_code *out_code, void **out_entry) {
    uint8_t *pages = memory_pages_allocate(MEMORY_JIT, image->size_bytes);
    if (pages == NULL) {
        return false;
    }
    memcpy(pages, image->bytes, image->size_bytes);
    for (uint32_t i = 0; i < image->fixup_count; i++) {
        const struct kernel_fixup *fixup = &image->fixups[i];
        uint64_t word =
            symbol_address((enum kernel_symbol)fixup->symbol, pages) + fixup->addend;
        memcpy(pages + fixup->offset_bytes, &word, sizeof(word));
    }
    if (!os_pages_make_executable(pages, image->size_bytes)) {
        memory_pages_free(MEMORY_JIT, pages, image->size_bytes);
        return false;
    }
    *out_code = (struct kernel_code){.pages = pages, .size_bytes = image->size_bytes};
    *out_entry = pages + image->entry_offset_bytes;
    return true;
}

void kernel_code_destroy(struct kernel_code *code) {
    memory_pages_free(MEMORY_JIT, code->pages, code->size_bytes);
    *code = (struct kernel_code){0};
}
