// SPDX-License-Identifier: MIT
//
// Makes a failing program smaller: lines and blocks are removed, blocks unwrapped, expressions replaced
// by their operands, as long as the caller's predicate holds. One thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

// True when the text still shows the failure.
typedef bool (*reduce_predicate)(void *user, struct text text);

// Replaces *text by a smaller one for which the predicate holds, within at most `attempt_limit` calls.
// The text given satisfies it. False when out of memory; then *text is a valid intermediate result.
bool reduce_text(
    struct text_buffer *text, reduce_predicate predicate, void *user, uint32_t attempt_limit);
