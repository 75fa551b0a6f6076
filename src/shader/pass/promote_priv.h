// SPDX-License-Identifier: MIT
//
// Between the two files of promotion: which variables, and the walk that renames them.
#pragma once

#include "base/vector.h"
#include "shader/pass/pass_priv.h"

struct promote_slot {
    ir_op_id var;
    ir_region_id region;     // where the variable is made
    ir_region_id continuing; // of the loop whose body that is, none elsewhere
    bool is_continued;       // used in that continuing region: one more parameter of it
    type_id type;
    uint32_t first_store; // index + 1 into stores
    bool is_promoted;
};
struct promote_store {
    ir_region_id region;
    uint32_t next;
};
struct promote_entry {
    uint32_t slot;
    ir_op_id op;
};

struct promoter {
    struct ir_module *module;
    uint32_t function;
    struct arena *scratch;
    const uint32_t *regions;
    uint32_t region_count;
    uint32_t value_count;
    uint32_t old_op_count;
    uint32_t *slot_of; // by value, of pointers to the variable or to a component: slot + 1
    VECTOR(struct promote_slot) slots;
    VECTOR(struct promote_store) stores;
    VECTOR(struct promote_entry) entries;
    uint32_t *entered; // by operation: the last slot + 1 that was entered
    uint32_t *first;   // by operation: where its slots begin in list; one more at the end
    uint32_t *list;
    uint32_t *
        continued; // by operation: first slot + 1 that is a parameter of the continuing region only
    uint32_t *next_continued; // by slot: the next one of the loop, + 1
    uint32_t *region_begin;   // by region: its place in the nesting, and the end of what is inside
    uint32_t *region_end;
    uint32_t *exit_counts; // by control operation: how many terminators carry its slots
    uint64_t weight;       // operands, parameters and results that promotion makes
    ir_value *current;     // by slot
    struct pass_map map;
};

struct promote_context {
    ir_op_id if_op;
    ir_op_id switch_op;
    ir_op_id loop;
};

// The access that a pointer value is, NULL for the variable itself.
static inline const struct ir_op *promote_component(const struct promoter *p, ir_value pointer) {
    const struct ir_op *op = pass_definition(&p->module->functions.items[p->function], pointer);
    return op != NULL && op->opcode == IR_ACCESS ? op : NULL;
}

// promote_rename.c: rewrites a region and what is nested in it. False when out of memory.
bool promote_region(struct promoter *p, ir_region_id region, const struct promote_context *context);
