// SPDX-License-Identifier: MIT
//
// Between the files of simplification. See pass.h.
#pragma once

#include "shader/pass/pass_priv.h"

#define SIMPLIFY_INPUT_LIMIT 32u

struct simplifier {
    struct ir_module *module;
    uint32_t function;
    struct arena *scratch;
    struct pass_map map;
    // Common subexpressions: operations in scope, by hash.
    uint32_t *buckets; // index of the newest operation of a chain
    uint32_t bucket_mask;
    uint32_t *chain;       // by operation: the next one of its bucket
    uint32_t *scope_stack; // buckets in the order in which they were filled
    uint32_t scope_count;
    uint32_t op_count; // operations that chain and scope_stack have room for
    // Loads of writable memory merge while nothing may have written it: each space counts its
    // writes.
    uint32_t *load_epochs; // by operation: the count of its space when it was entered
    uint32_t epochs[SPACE_COUNT];
    uint8_t *is_fixed; // by value: the same wherever it is computed in the function, and uniform
    // Components of inputs, each taken out once, next to the input, for the whole function.
    struct {
        ir_value vector;
        uint32_t component;
        ir_value result;
    } inputs[SIMPLIFY_INPUT_LIMIT];
    uint32_t input_count;
    uint32_t change_count;
};

// simplify.c: a load of memory that nobody writes while the program runs.
bool simplify_is_read_only_load(const struct simplifier *s, const struct ir_op *op);

static inline struct ir_function *simplify_function(const struct simplifier *s) {
    return &s->module->functions.items[s->function];
}

// simplify_algebra.c: the value that an operation equals, 0 when none simpler is known. May change
// the operation in place. Operands are final.
ir_value simplify_algebra(struct simplifier *s, ir_op_id id);
// simplify_fold.c: the constant that an operation of constants equals, or 0.
ir_value simplify_fold(struct simplifier *s, ir_op_id id);
// simplify_control.c: rewrites a control operation before its regions are walked. Returns the
// operation at which the walk of its region goes on; *out_is_gone says that `id` was removed.
ir_op_id simplify_constant_branch(struct simplifier *s, ir_op_id id, bool *out_is_gone);
// After the walk of its regions: a small `if` without effects becomes selects, parameters of a
// continuing region with one way in become what is passed.
bool simplify_after_regions(struct simplifier *s, ir_op_id id, bool *out_is_gone);
// dead_code.c
bool remove_dead_code(struct ir_module *module, uint32_t function, bool *out_changed);
