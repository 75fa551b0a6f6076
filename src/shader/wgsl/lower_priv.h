// SPDX-License-Identifier: MIT
//
// Lowering of a checked syntax tree into the IR: what its files share.
//   lower.c             the module: variables, overrides, functions, entry points
//   lower_interface.c   the parameters and results of entry points
//   lower_statement.c   statements that do not branch
//   lower_control.c     if, switch, loops
//   lower_expression.c  expressions; the walk along left spines
//   lower_operator.c    operators and conversions
//   lower_builtin.c     calls of built-in functions
//   lower_constant.c    constants
//
// Errors: what cannot be lowered is reported once and lowering goes on with zero values, to find
// all in one run. A failed allocation sets ir_module.has_failed, which the builder turns into
// no-ops; lowering checks it at the end.
#pragma once

#include "base/vector.h"
#include "shader/ir/ir_builder.h"
#include "shader/wgsl/ast.h"
#include "shader/wgsl/builtin_table.h"
#include "shader/wgsl/const_value.h"
#include "shader/wgsl/diagnostic.h"

struct constant_slot {
    const struct const_value *value;
    uint32_t constant;
};

// What `break` leaves.
enum break_target { BREAK_NOTHING, BREAK_LOOP, BREAK_SWITCH };

struct lower {
    struct ast_module *module;
    struct ir_module *ir;
    struct type_table *types;
    struct diagnostic_list *diagnostics;
    struct ir_builder at; // where operations go now
    bool is_terminated;   // the current region has ended: what follows is dead
    uint32_t nesting;     // regions open in the current function
    enum break_target break_target;
    bool has_exit;         // a break that leaves the innermost loop or switch was lowered
    bool has_continue;     // the innermost loop's continuing block is reached
    bool is_out_of_memory; // an allocation outside the arena failed
    const struct ast_declaration *function;
    struct ir_entry_point *entry; // of the function, NULL: not an entry point
    // Large constants, by the value that they hold: open addressing, at most half full.
    struct constant_slot *constants;
    uint32_t constant_capacity;
    uint32_t constant_count;
    uint64_t constant_bytes; // written so far for large constants; see lower_constant.c
    // Structure declarations by type index.
    const struct ast_declaration **structures;
    uint32_t structure_count;
    uint32_t *marks; // by variable, then override: the last function that names it, + 1
};

// An allocation failed: nothing more is built.
static inline void lower_fail(struct lower *lower) {
    lower->is_out_of_memory = true;
    lower->ir->has_failed = true;
}
static inline struct ir_span lower_span(struct source_span span) {
    return (struct ir_span){span.begin, span.end};
}
static inline type_id lower_type_of(const struct lower *lower, ir_value value) {
    return ir_value_is_set(value)
        ? ir_value_type(&lower->ir->functions.items[lower->at.function], value)
        : (type_id){0};
}
static inline enum type_kind lower_kind_of(const struct lower *lower, type_id type) {
    return type_kind_of(lower->types, type);
}

// ---- lower_expression.c

// The value of an expression, loaded if the load rule applies; for a reference that is not loaded
// and for pointers, the IR pointer.
ir_value lower_expression(struct lower *lower, struct ast_expression *expression);
// One component, element or member as a value.
ir_value lower_extract(struct lower *lower, ir_value composite, uint32_t index);

// ---- lower_operator.c

ir_value lower_binary(struct lower *lower, enum binary_operator op, ir_value left, ir_value right);
ir_value lower_unary(struct lower *lower, enum unary_operator op, ir_value operand);
// T(e) for scalars, vectors and matrices of the same shape.
ir_value lower_convert(struct lower *lower, ir_value value, type_id to);

// ---- lower_builtin.c

ir_value lower_builtin_call(struct lower *lower, struct ast_expression *call);

// ---- lower_constant.c

// An IR constant's index for a value that is not abstract; UINT32_MAX when memory ran out.
uint32_t lower_constant_index(struct lower *lower, const struct const_value *value);
ir_value lower_constant(struct lower *lower, const struct const_value *value);
bool lower_is_abstract(const struct lower *lower, type_id type);

// ---- lower_statement.c, lower_control.c

void lower_block(struct lower *lower, const struct ast_block *block);
void lower_statement(struct lower *lower, const struct ast_statement *statement);
void lower_if(struct lower *lower, const struct ast_statement *statement);
void lower_switch(struct lower *lower, const struct ast_statement *statement);
void lower_loop(struct lower *lower, const struct ast_statement *statement);
void lower_for(struct lower *lower, const struct ast_statement *statement);
void lower_while(struct lower *lower, const struct ast_statement *statement);
// Ends the current region.
void lower_terminate(struct lower *lower, enum ir_opcode terminator, const ir_value *operands,
    uint32_t operand_count);

// ---- lower_interface.c

// Fills inputs and outputs of the entry point.
void lower_entry_interface(
    struct lower *lower, const struct ast_declaration *function, struct ir_entry_point *entry);
// Gives the parameters of an entry point their values, at the beginning of its body.
void lower_entry_inputs(struct lower *lower, const struct ast_declaration *function);
// Stores an entry point's result to its outputs.
void lower_entry_outputs(struct lower *lower, ir_value result);
