// SPDX-License-Identifier: MIT
//
// The nearest name by edit distance. Bounded work for each name. See suggest.h for threads.
#include "base/suggest.h"

#define NAME_LIMIT SUGGEST_NAME_LIMIT
#define CANDIDATE_LIMIT 4096

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Edits (insert, delete, replace, swap of neighbours) from a to b; a change of case costs less than
// the unit of 2.
static uint32_t distance(struct text a, struct text b) {
    uint32_t rows[3][NAME_LIMIT + 1];
    for (uint32_t j = 0; j <= b.length; j++) {
        rows[0][j] = 2 * j;
    }
    for (uint32_t i = 1; i <= a.length; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = 2 * i;
        for (uint32_t j = 1; j <= b.length; j++) {
            char x = a.data[i - 1], y = b.data[j - 1];
            uint32_t best = above[j - 1] + (x == y ? 0 : lower(x) == lower(y) ? 1 : 2);
            if (above[j] + 2 < best) {
                best = above[j] + 2;
            }
            if (row[j - 1] + 2 < best) {
                best = row[j - 1] + 2;
            }
            if (i > 1 && j > 1 && x == b.data[j - 2] && a.data[i - 2] == y &&
                above2[j - 2] + 2 < best) {
                best = above2[j - 2] + 2;
            }
            row[j] = best;
        }
    }
    return rows[a.length % 3][b.length];
}

void suggest_consider(struct suggest_search *search, struct text candidate) {
    if (candidate.length == 0 || candidate.length > NAME_LIMIT ||
        search->seen_count++ > CANDIDATE_LIMIT || text_equals(candidate, search->name)) {
        return;
    }
    uint32_t found = distance(search->name, candidate);
    if (found < search->best_distance) {
        search->best_distance = found;
        search->best = candidate;
    }
}

bool suggest_begin(struct suggest_search *search, struct text name) {
    if (name.length == 0 || name.length > NAME_LIMIT) {
        return false;
    }
    // One edit for each three letters, and at least one in names of two letters and more.
    uint32_t edits = (uint32_t)(name.length + 2) / 3;
    *search = (struct suggest_search){
        .name = name, .best_distance = name.length < 2 ? 2 : 2 * edits + 1};
    return true;
}

const char *suggest_nearest(struct text name, const char *const *words, size_t count) {
    struct suggest_search search;
    const char *best = NULL;
    if (!suggest_begin(&search, name)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t before = search.best_distance;
        suggest_consider(&search, text_from_string(words[i]));
        if (search.best_distance < before) {
            best = words[i];
        }
    }
    return best;
}
