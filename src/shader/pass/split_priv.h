// SPDX-License-Identifier: MIT
//
// Between the files of split_composites: how a composite value is represented once it is taken
// apart, and helpers to build on that. Not thread-safe.
#pragma once

#include "shader/pass/pass_priv.h"

// A composite of at most so many scalars and vectors is a list of them; a larger one lives in
// memory.
#define SPLIT_LEAF_LIMIT 64u
// A zero of more leaves than this is stored by loops.
#define SPLIT_FILL_LIMIT 16u
// Types nest at most 15 deep.
#define SPLIT_DEPTH_LIMIT 16u

enum split_kind {
    SPLIT_NONE,
    SPLIT_LEAVES,  // its scalars and vectors in order of declaration, matrices as columns
    SPLIT_MEMORY,  // a pointer to memory that nobody changes as long as the value lives
    SPLIT_CONSTANT // a module constant
};

struct split_form {
    enum split_kind kind;
    ir_value *leaves;
    ir_value pointer;
    uint32_t constant;
};

struct split_state {
    struct ir_module *module;
    struct arena *scratch; // of the pass
    uint32_t *leaf_counts; // by type: count + 1, 0 unknown
    uint32_t leaf_count_count;
    uint32_t *tables; // by constant: variable + 1
    uint32_t table_count;
    // Signatures before the pass, by function.
    const struct split_signature *signatures;
    const char *error;
    // Of the function at hand.
    uint32_t function;
    struct split_form *forms; // by value that existed when the function was begun
    uint32_t form_count;
    struct pass_map map;
    ir_value result_pointer; // where a composite result goes, none for other functions
};

struct split_signature {
    type_id return_type;
    type_id *parameters;
    uint32_t parameter_count;
};

bool split_is_composite(const struct split_state *s, type_id type);
// Scalars and vectors in the type, saturated just above SPLIT_LEAF_LIMIT.
uint32_t split_leaf_count(struct split_state *s, type_id type);
static inline bool split_is_small(struct split_state *s, type_id type) {
    return split_leaf_count(s, type) <= SPLIT_LEAF_LIMIT;
}
uint32_t split_element_count(const struct split_state *s, type_id type);

// The form of an operand. NULL when out of memory.
struct split_form *split_get_form(struct split_state *s, ir_value value);
// The leaves of a small composite's form, or the value itself. NULL when out of memory.
ir_value *split_get_leaves(
    struct split_state *s, struct ir_builder *b, struct split_form *form, type_id type);
// A pointer to memory that holds the value.
ir_value split_materialise(
    struct split_state *s, struct ir_builder *b, struct split_form *form, type_id type);
ir_value *split_load_leaves(struct split_state *s, struct ir_builder *b, ir_value pointer,
    type_id type, enum ir_opcode load);
bool split_store_leaves(struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type,
    const ir_value *leaves);
// Stores any value, composite or not, given by its operand.
bool split_store(struct split_state *s, struct ir_builder *b, ir_value pointer, ir_value value);
// The form of what memory holds: leaves when small, else the pointer, which must stay unchanged.
struct split_form split_form_of_memory(
    struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type);
ir_value split_access_number(struct ir_builder *b, ir_value pointer, uint32_t index);

// split_operation.c: rewrites one operation; *out_replaced says that it is to be unlinked.
bool split_operation(struct split_state *s, ir_op_id id, bool *out_replaced);
// split_variable.c: composite function variables become variables of their parts.
bool split_variables(struct ir_module *module, uint32_t function);
