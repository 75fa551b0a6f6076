// SPDX-License-Identifier: MIT
//
// See limits.h.

#include "limits.h"

#include <string.h>

enum limit_class { MAXIMUM, ALIGNMENT };

struct limit {
    const char *name;
    size_t offset; // in struct limit_structs
    size_t size_bytes;
    enum limit_class class;
};

static const struct limit limit_table[LIMIT_COUNT] = {
#define LIMIT(name, type, class) \
    {#name, offsetof(struct limit_structs, limits.name), sizeof(type), class},
#define COMPATIBILITY_LIMIT(name) \
    {#name, offsetof(struct limit_structs, compatibility.name), sizeof(uint32_t), MAXIMUM},
#include "limits.def"
};

void limits_start(struct limit_structs *limits) {
    limits->limits = WGPU_LIMITS_INIT;
    limits->compatibility = WGPU_COMPATIBILITY_MODE_LIMITS_INIT;
    limits->limits.nextInChain = &limits->compatibility.chain;
}

const char *limits_get_name(size_t index) {
    return limit_table[index].name;
}

uint64_t limits_get(const struct limit_structs *limits, size_t index) {
    const char *at = (const char *)limits + limit_table[index].offset;
    uint32_t narrow;
    uint64_t wide;
    if (limit_table[index].size_bytes == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

void limits_set(struct limit_structs *limits, size_t index, uint64_t value) {
    char *at = (char *)limits + limit_table[index].offset;
    uint32_t narrow = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    if (limit_table[index].size_bytes == sizeof narrow) {
        memcpy(at, &narrow, sizeof narrow);
    } else {
        memcpy(at, &value, sizeof value);
    }
}

bool limits_is_alignment(size_t index) {
    return limit_table[index].class == ALIGNMENT;
}

bool limits_find(const char *name, size_t length, size_t *out_index) {
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        if (strncmp(limit_table[i].name, name, length) == 0 &&
            limit_table[i].name[length] == '\0') {
            *out_index = i;
            return true;
        }
    }
    return false;
}
