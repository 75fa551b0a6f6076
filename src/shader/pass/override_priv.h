// SPDX-License-Identifier: MIT
//
// Between the two files of override substitution. See pass.h.
#pragma once

#include "base/text.h"
#include "shader/pass/pass_priv.h"

// A value of the `initialisation` function: its bytes, or why it has none.
struct override_value {
    const void *bytes;
    const char *error;
};

struct override_state {
    struct ir_module *module;
    struct arena *scratch;
    struct text_buffer *out_error;
    bool has_error;
    const void **given;            // by override: the pipeline constant's bytes, or NULL
    struct override_value *values; // by value of the initialisation function
};

// Keeps the first message.
void override_report(struct override_state *s, const char *format, ...) TEXT_PRINTF(2, 3);
// Computes all values. An error belongs to the value that it spoils: it matters only where that
// value is needed. False when out of memory.
bool override_evaluate(struct override_state *s);
// An override's value: given, or its initial value. NULL when out of memory.
const struct override_value *override_get(struct override_state *s, uint32_t index);
