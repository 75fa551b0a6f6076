// SPDX-License-Identifier: MIT
//
// The C half of accesses to memory in generated code: words[w * width + lane] <-> the word at
// base + offsets[lane] + 4 w, for the lanes in bits and the words in word_set; a load gives 0 in the
// others. Called by generated code alone, by many threads at once, through symbol.def.
#pragma once

#include <stdint.h>

void kernel_run_slow_load(const uint8_t *base, const uint32_t *offsets, uint64_t bits,
    uint32_t *words, uint32_t word_count, uint64_t word_set, uint32_t width);
void kernel_run_slow_store(uint8_t *base, const uint32_t *offsets, uint64_t bits,
    const uint32_t *words, uint32_t word_count, uint64_t word_set, uint32_t width);
