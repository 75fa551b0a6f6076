// SPDX-License-Identifier: MIT
//
// What generated code calls where a wide access is not possible: partial vectors, indices out of
// range, scattered stores under a mask. Many threads run it at once on memory that shaders may race
// for: each word moves as one relaxed atomic access, as a plain one does in generated code.
#include "shader/kernel/slow_path.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
static uint32_t load_word(const uint8_t *place) {
    return __atomic_load_n((const uint32_t *)(const void *)place, __ATOMIC_RELAXED);
}
static void store_word(uint8_t *place, uint32_t word) {
    __atomic_store_n((uint32_t *)(void *)place, word, __ATOMIC_RELAXED);
}
#else
static uint32_t load_word(const uint8_t *place) {
    return *(const volatile uint32_t *)(const void *)place;
}
static void store_word(uint8_t *place, uint32_t word) {
    *(volatile uint32_t *)(void *)place = word;
}
#endif

void kernel_run_slow_load(const uint8_t *base, const uint32_t *offsets, uint64_t bits, uint32_t *words,
    uint32_t word_count, uint64_t word_set, uint32_t width) {
    for (uint32_t lane = 0; lane < width; lane++) {
        bool is_on = (bits >> lane & 1u) != 0;
        const uint8_t *row = is_on ? base + offsets[lane] : NULL;
        for (uint32_t w = 0; w < word_count; w++) {
            bool is_read = is_on && (word_set >> w & 1u) != 0;
            words[w * width + lane] = is_read ? load_word(row + 4 * (size_t)w) : 0;
        }
    }
}

void kernel_run_slow_store(uint8_t *base, const uint32_t *offsets, uint64_t bits,
    const uint32_t *words, uint32_t word_count, uint64_t word_set, uint32_t width) {
    for (uint32_t lane = 0; lane < width; lane++) {
        if ((bits >> lane & 1u) == 0) {
            continue;
        }
        uint8_t *row = base + offsets[lane];
        for (uint32_t w = 0; w < word_count; w++) {
            if ((word_set >> w & 1u) != 0) {
                store_word(row + 4 * (size_t)w, words[w * width + lane]);
            }
        }
    }
}
