// SPDX-License-Identifier: MIT
//
// Between the two files of scalarisation: components of values, and the operations. See pass.h.
#pragma once

#include "shader/pass/pass_priv.h"

struct scalariser {
    struct ir_module *module;
    uint32_t function;
    struct arena *scratch;
    ir_value **components; // by value: its scalars, NULL when it is no vector or not split yet
    uint32_t value_count;  // values that existed at the start
    struct pass_map map;
};

static inline struct ir_function *scalarise_function(const struct scalariser *s) {
    return &s->module->functions.items[s->function];
}
static inline uint32_t scalarise_count(const struct scalariser *s, ir_value value) {
    return type_component_count(&s->module->types, ir_value_type(scalarise_function(s), value));
}
static inline bool scalarise_is_vector(const struct scalariser *s, type_id type) {
    return type_kind_of(&s->module->types, type) == TYPE_VECTOR;
}

// The components of a vector value that was seen before, or of a constant. NULL when out of memory.
const ir_value *scalarise_components(struct scalariser *s, struct ir_builder *b, ir_value vector);
// Rewrites one operation without regions; *out_replaced says that it is to be unlinked.
bool scalarise_operation(struct scalariser *s, ir_op_id id, bool *out_replaced);
