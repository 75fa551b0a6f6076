// SPDX-License-Identifier: MIT
//
// Between the files of the checker: its state and what each file offers the others. wgsl_check (in
// check.c) runs them in this order: directives, resolve_*.c (names to declarations, dependency
// order), then each module-scope declaration in that order (check_*.c), then what needs the whole
// module (check_entry_*.c, check_alias.c, check_uniformity.c). One thread.
//
// An error is reported once, where it is found; what depends on it then has type index 0 and stays
// silent. Functions that return bool give false after an error was reported.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/try.h"
#include "base/vector.h"
#include "shader/wgsl/ast.h"
#include "shader/wgsl/builtin_table.h"
#include "shader/wgsl/const_eval.h"
#include "shader/wgsl/const_value.h"
#include "shader/wgsl/diagnostic.h"
#include "shader/wgsl/extension.h"
#include "shader/wgsl/wgsl.h"

// WGSL §Limits, and limits of this compiler.
enum {
    LIMIT_STRUCT_MEMBERS = 1023,
    LIMIT_TYPE_NESTING = 15,
    LIMIT_BRACE_NESTING = 127,
    LIMIT_PARAMETERS = 255,
    LIMIT_SWITCH_SELECTORS = 1023,
    // Beyond what the specification asks for (8192, 8192 and 2047).
    LIMIT_PRIVATE_BYTES = 65536,
    LIMIT_FUNCTION_BYTES = 65536,
    LIMIT_ARRAY_ELEMENTS = 32767,
};

// What restricts the stages that may call a function; the first place of each in a function.
enum check_use_kind {
    CHECK_USE_COMPUTE_ONLY,
    CHECK_USE_FRAGMENT_ONLY,
    CHECK_USE_NOT_VERTEX,
    CHECK_USE_KIND_COUNT,
};
// How memory is accessed, for alias analysis.
enum check_access { CHECK_ACCESS_READ = 1, CHECK_ACCESS_WRITE = 2 };
struct check_global_access {
    struct ast_declaration *variable;
    uint32_t access; // set of enum check_access
    struct source_span span;
};
struct check_use {
    const char *name; // of the function or statement; NULL: none
    struct source_span span;
};

// What a module-scope declaration refers to, and what the checker notes about it.
struct uniform_tags; // check_uniformity_priv.h
struct check_node {
    struct ast_declaration **dependencies; // module-scope declarations, each once
    struct source_span *spans;             // where each is named
    uint32_t dependency_count;
    bool is_specialised; // reached by the entry point of the pipeline
    bool is_broken;      // part of a cycle, or its kind of error makes every use silent
    uint32_t visited;    // the last walk that came by
    struct check_use *uses; // functions: CHECK_USE_KIND_COUNT of them, NULL: none at all
    // Functions: module-scope variables that the body accesses itself, and how memory is accessed
    // through each parameter, in called functions too.
    VECTOR(struct check_global_access) accesses; // arena
    uint8_t *parameter_access;
    struct uniform_tags *uniformity; // functions: NULL until analysed
    // Variables: where the function that is being checked has its entry in `accesses`.
    uint32_t access_owner; // index of the function, + 1
    uint32_t access_position;
};

// The loop whose body or continuing block is being checked, innermost first.
struct check_loop {
    struct check_loop *outer;
    struct source_span body; // the loop's body, up to the continuing block
    uint32_t first_continue; // where the first `continue` of this loop is, UINT32_MAX: none
    struct source_span continue_span;
    bool is_in_continuing;
};

struct checker {
    struct ast_module *module;
    struct arena *arena;
    struct type_table *types;
    struct diagnostic_list *diagnostics;
    const struct wgsl_options *options;
    uint32_t enabled;  // set of enum wgsl_extension named by enable directives
    uint32_t required; // set of enum wgsl_language_extension named by requires directives
    struct builtin_cache builtins;
    struct builtin_structures structures;
    struct const_evaluator evaluator;
    uint32_t skip_evaluation; // over 0: inside an operand that is not evaluated
    // Pipeline creation (check_pipeline.c): overrides have values. is_specialised: what is being
    // checked is part of the pipeline, so that its override-expressions are evaluated.
    const struct wgsl_pipeline *pipeline;
    bool is_specialised;

    struct check_node *nodes; // by ast_declaration.index of module-scope declarations
    uint32_t walk;            // number of the last walk over the nodes
    uint32_t suggestion_count;
    bool has_collective; // some call needs uniform control flow in the workgroup or draw
    bool has_subgroup;   // some call needs it in the subgroup

    struct ast_declaration *function; // the function whose body is being checked, or NULL
    struct check_loop *loop;          // the innermost loop, or NULL
    bool is_break_of_switch;          // a break here leaves a switch
    bool is_break_allowed;            // a break here leaves a loop's body or a switch
    uint32_t brace_depth;
    uint64_t function_bytes;               // of the function's variables so far
    VECTOR(struct ast_expression *) spine; // shared stack of check_expression
    uint32_t next_override_id;
};

// ---- check.c -----------------------------------------------------------------------------------
bool check_out_of_memory(struct checker *checker); // reports; always false
bool check_has_enabled(const struct checker *checker, enum wgsl_extension extension);
// Reports unless the extension is enabled; `what` names what needs it.
bool check_need_extension(struct checker *checker, enum wgsl_extension extension, const char *word,
    struct source_span span, const char *what);
void check_directives(struct checker *checker);
struct text check_source_text(const struct checker *checker, struct source_span span);
// The type's text in the arena, for messages; never NULL.
const char *check_type_text(struct checker *checker, type_id type);

// ---- resolve_*.c -------------------------------------------------------------------------------
enum predeclared_kind {
    PREDECLARED_TYPE,
    PREDECLARED_GENERATOR,
    PREDECLARED_SPACE,        // a: enum address_space
    PREDECLARED_ACCESS,       // a: enum access_mode
    PREDECLARED_TEXEL_FORMAT, // a: row of the texel format table
    PREDECLARED_BUILTIN,      // a: enum builtin_id
};
struct predeclared {
    const char *word;
    uint8_t kind;      // enum predeclared_kind
    uint8_t type_kind; // types and generators: enum type_kind
    uint16_t a;        // vector size, matrix columns, texture dimension
    uint16_t b;        // matrix rows; aliases: enum type_kind of the element in the high byte
};
// The row that ast_name.predeclared (less 1) or an identifier's `detail` names.
const struct predeclared *predeclared_get(uint32_t row);
uint32_t predeclared_count(void);
// Interns all predeclared names, so that ast_name.predeclared is set. False: out of memory.
bool predeclared_intern(struct checker *checker);
// The type of a PREDECLARED_TYPE row.
type_id predeclared_type(struct checker *checker, const struct predeclared *row);

// Names to declarations for the whole module, and the order of declarations.
bool resolve_module(struct checker *checker);
bool resolve_order(struct checker *checker);
// Adds "did you mean" to an error about a name. scope: the local declarations in scope.
void resolve_suggest(struct checker *checker, struct diagnostic *diagnostic,
    struct source_span span, struct text name, struct ast_declaration *const *locals,
    size_t local_count);

// ---- check_pipeline.c --------------------------------------------------------------------------
// Marks what the pipeline's entry point reaches: check_node.is_specialised.
void check_pipeline_reach(struct checker *checker);
// The override's value in the pipeline; NULL: not given.
const struct const_value *check_pipeline_value(
    struct checker *checker, const struct ast_declaration *declaration, type_id type);

// ---- check_type.c ------------------------------------------------------------------------------
// The type that an expression names; index 0 after an error.
type_id check_type_expression(struct checker *checker, struct ast_expression *expression);
type_id check_concrete(
    struct checker *checker, type_id type); // WGSL §Conversion Rank, concretization
void check_struct(struct checker *checker, struct ast_declaration *declaration);
// The type a callee without template arguments infers (vec3(...)), handled by check_construct.c.

// ---- check_expression.c ------------------------------------------------------------------------
// Checks and evaluates; the result is in the node. Afterwards type is index 0 after an error.
void check_expression(struct checker *checker, struct ast_expression *expression);
// The same, and the load rule: false when there is no value.
bool check_value(struct checker *checker, struct ast_expression *expression);
// The type of the value that an expression gives after the load rule.
type_id check_value_type(const struct checker *checker, const struct ast_expression *expression);
// Applies the load rule to a checked expression.
bool check_load(struct checker *checker, struct ast_expression *expression);
// Converts a checked value to a type if an automatic conversion exists; silent false otherwise.
bool check_can_convert(
    struct checker *checker, const struct ast_expression *expression, type_id to);
// Does it; reports values out of range. The conversion must exist.
bool check_convert(struct checker *checker, struct ast_expression *expression, type_id to);
// check_can_convert, and TYPE_MISMATCH naming `what` when there is none.
bool check_convert_or_report(
    struct checker *checker, struct ast_expression *expression, type_id to, const char *what);
// To the concretization of its type.
bool check_concretize(struct checker *checker, struct ast_expression *expression);
void check_set_span(struct checker *checker, struct source_span span); // of evaluation errors
// A const-expression of i32 or u32 (or abstract, converted to i32), not negative: attributes.
bool check_const_integer(struct checker *checker, struct ast_expression *expression,
    const char *what, int64_t *out_value);
// NOT_CONST or NOT_OVERRIDE, by what is required, with the reason found in the expression.
void check_report_stage(struct checker *checker, const struct ast_expression *expression,
    enum evaluation_stage required, const char *what);

// The expression's value can be computed now: it is constant, or an override-expression of a
// pipeline.
static inline bool check_is_evaluated(
    const struct checker *checker, const struct ast_expression *expression) {
    return checker->skip_evaluation == 0 &&
        (expression->stage == EVALUATION_CONST ||
            (checker->is_specialised && expression->stage == EVALUATION_OVERRIDE));
}

// ---- check_operator.c --------------------------------------------------------------------------
void check_unary(struct checker *checker, struct ast_expression *expression);
void check_binary(struct checker *checker, struct ast_expression *expression);
uint32_t check_binary_builtin(enum binary_operator op); // its row of the built-in table

// ---- check_access.c ----------------------------------------------------------------------------
void check_index(struct checker *checker, struct ast_expression *expression);
void check_member(struct checker *checker, struct ast_expression *expression);
void check_address_of(struct checker *checker, struct ast_expression *expression);
void check_indirection(struct checker *checker, struct ast_expression *expression);

// ---- check_call.c, check_construct.c, check_builtin.c --------------------------------------------
void check_call(struct checker *checker, struct ast_expression *expression);
void check_construct(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type);
void check_construct_inferred(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, const struct predeclared *generator);
void check_builtin_call(
    struct checker *checker, struct ast_expression *expression, struct ast_call *call, uint32_t id);
// check_buffer.c: bufferView, bufferArrayView, bufferLength.
void check_buffer_call(
    struct checker *checker, struct ast_expression *expression, struct ast_call *call, uint32_t id);
// A pointer to a fixed-size buffer becomes one to a smaller or runtime-sized buffer, as an argument.
bool check_is_buffer_limit(const struct type_table *types, type_id from, type_id to);
// Notes that the current function uses something that only some stages may.
void check_note_use(
    struct checker *checker, enum check_use_kind kind, const char *name, struct source_span span);

// ---- check_declaration.c, check_variable.c, check_layout.c ----------------------------------------
// var, let, const, override and const_assert, at module or function scope.
void check_declaration(struct checker *checker, struct ast_declaration *declaration);
void check_variable(struct checker *checker, struct ast_declaration *declaration);
// Reports if the store type may not be in that space.
bool check_store_type(struct checker *checker, enum address_space space, enum access_mode access,
    type_id type, struct source_span span, bool is_pointer);
bool check_uniform_layout(
    struct checker *checker, type_id type, struct source_span span, struct text name);

// ---- check_function.c, check_interface.c, check_statement.c ---------------------------------------
void check_function(struct checker *checker, struct ast_declaration *declaration);
void check_interface_attributes(struct checker *checker, const struct ast_attribute_list *list,
    type_id type, struct ast_interface *interface);
void check_entry_interface(struct checker *checker, struct ast_declaration *declaration);
// The statements of the function's body; gives their behavior.
uint8_t check_body(struct checker *checker, struct ast_declaration *declaration);
uint8_t check_block(struct checker *checker, const struct ast_block *block);
uint8_t check_statement(struct checker *checker, struct ast_statement *statement);
void check_assign(struct checker *checker, struct ast_statement *statement);
void check_increment(struct checker *checker, struct ast_statement *statement);
uint8_t check_switch(struct checker *checker, struct ast_statement *statement);
uint8_t check_loops(struct checker *checker, struct ast_statement *statement);
void check_condition(struct checker *checker, struct ast_expression *condition);
// A local declaration is named in a continuing block: not one that a `continue` jumps over.
void check_continuing_use(struct checker *checker, const struct ast_expression *expression);

// ---- check_entry.c, check_alias.c, check_uniformity.c ---------------------------------------------
void check_entry_points(struct checker *checker);
// The root identifier of a checked reference or pointer expression, NULL if there is none.
struct ast_declaration *check_find_root(const struct ast_expression *expression);
// Notes an access to the memory that the expression refers or points to.
void check_note_access(
    struct checker *checker, const struct ast_expression *expression, uint32_t access);
// The rules about pointer arguments that alias; notes what the callee accesses through them.
void check_pointer_arguments(struct checker *checker, const struct ast_expression *call,
    const struct ast_declaration *callee);
void check_uniformity(struct checker *checker);
