// SPDX-License-Identifier: MIT
//
// The enable extensions by their words, for callers that know features and not the front end.
#include "shader/compile/compile.h"

#include <string.h>

#include "shader/wgsl/extension.h"

uint32_t compile_find_extension(const char *word) {
    static const struct {
        const char *word;
        uint32_t bit;
    } rows[] = {
#define ENABLE_EXTENSION(name, word_of_it) {#word_of_it, WGSL_EXTENSION_##name},
#include "shader/wgsl/extension.def"
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].word, word) == 0) {
            return rows[i].bit;
        }
    }
    return 0;
}
