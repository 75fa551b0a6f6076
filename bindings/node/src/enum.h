// SPDX-License-Identifier: MIT
//
// WebGPU's enumerations: words in JavaScript, numbers in webgpu.h. Constant tables, safe from any
// thread.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct enum_word {
    const char *word;
    uint32_t value;
};

struct enum_table {
    const char *name;
    size_t count;
    const struct enum_word *words;
};

#define WORD(word, value)
#define ENUM(id, name, ...) extern const struct enum_table enum_##id;
#include "enum.def"

bool enum_find_value(
    const struct enum_table *table, const char *word, size_t length, uint32_t *out_value);
// NULL if the value has no word.
const char *enum_find_word(const struct enum_table *table, uint32_t value);
