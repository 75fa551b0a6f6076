// SPDX-License-Identifier: MIT
//
// "Did you mean": the nearest of some names to one that is not found. The parser, the checker and
// the tools that take names from a user call it. No state: any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define SUGGEST_NAME_LIMIT 32 // longer names have no neighbours

struct suggest_search {
    struct text name;
    struct text best;       // empty: none is near
    uint32_t best_distance; // candidates at or above it are not near
    uint32_t seen_count;
};

// False when the name is empty or too long to look for.
bool suggest_begin(struct suggest_search *search, struct text name);
void suggest_consider(struct suggest_search *search, struct text candidate);

// The nearest of the words, or NULL when none is near.
const char *suggest_nearest(struct text name, const char *const *words, size_t count);
