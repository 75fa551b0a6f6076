// SPDX-License-Identifier: MIT
//
// Between reflect.c, reflect_interface.c and reflect_texture.c. One thread.
#pragma once

#include "base/vector.h"
#include "shader/ir/reflect.h"

typedef VECTOR(struct reflect_pair) reflect_pair_list;

// In place of a pair's sampler: a call of textureLoad, or of another function without a sampler.
#define REFLECT_PAIR_LOAD 0x7ffffffeu
#define REFLECT_PAIR_CALL 0x7fffffffu

// For each function the pairs of a texture and a sampler used in one call, as module variables or
// (with the top bit) parameters of the function. NULL when out of memory.
reflect_pair_list *reflect_collect_pairs(const struct ir_module *module);
void reflect_free_pairs(const struct ir_module *module, reflect_pair_list *lists);
// Fills the entry point's pairs and marks what its textures are used for; the bindings are there already.
bool reflect_describe_pairs(
    const reflect_pair_list *list, struct arena *arena, struct reflect_entry_point *out);
// Fills inputs, outputs and built-in values.
bool reflect_describe_interface(const struct ir_module *module, const struct ir_entry_point *entry,
    struct arena *arena, struct reflect_entry_point *out);
