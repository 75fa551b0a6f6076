// SPDX-License-Identifier: MIT
//
// See enum.h.

#include "enum.h"

#include <alba/alba.h>
#include <string.h>
#include <webgpu/webgpu.h>

#define WORD(word, value) {word, (uint32_t)(value)},
#define ENUM(id, name, ...) static const struct enum_word id##_words[] = {__VA_ARGS__};
#include "enum.def"

#define WORD(word, value)
#define ENUM(id, name, ...) \
    const struct enum_table enum_##id = { \
        name, sizeof id##_words / sizeof id##_words[0], id##_words};
#include "enum.def"

bool enum_find_value(
    const struct enum_table *table, const char *word, size_t length, uint32_t *out_value) {
    for (size_t i = 0; i < table->count; i++) {
        const char *candidate = table->words[i].word;
        if (strncmp(candidate, word, length) == 0 && candidate[length] == '\0') {
            *out_value = table->words[i].value;
            return true;
        }
    }
    return false;
}

const char *enum_find_word(const struct enum_table *table, uint32_t value) {
    for (size_t i = 0; i < table->count; i++) {
        if (table->words[i].value == value) {
            return table->words[i].word;
        }
    }
    return NULL;
}
