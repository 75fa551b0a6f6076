// SPDX-License-Identifier: MIT
//
// Between the files of the uniformity analysis (WGSL §Uniformity). For each function a graph is
// built whose edge from X to Y says "X is uniform only if Y is"; check_uniformity.c explores it,
// check_uniformity_flow.c walks statements and follows the values of variables,
// check_uniformity_expression.c walks expressions and calls. See check_priv.h for threads.
#pragma once

#include "shader/wgsl/check_priv.h"

typedef uint32_t uniform_node;

// What the analysis asks for is uniform in: one run each.
enum uniform_scope {
    UNIFORM_SCOPE_WORKGROUP, // or draw: barriers, derivatives
    UNIFORM_SCOPE_SUBGROUP,  // subgroup and quad functions
};

// Rules that diagnostic filters name (WGSL §Filterable Triggering Rules).
enum uniform_rule { UNIFORM_RULE_DERIVATIVE, UNIFORM_RULE_SUBGROUP, UNIFORM_RULE_COUNT };

// The graph's fixed nodes.
enum {
    UNIFORM_NONE,
    UNIFORM_MAYBE_NOT, // what reaches it may be non-uniform
    UNIFORM_START,     // control flow where the function begins
    UNIFORM_RETURN,    // the value that the function returns
    UNIFORM_FIXED_COUNT,
};

enum uniform_reason {
    UNIFORM_REASON_NONE,
    UNIFORM_REASON_CONDITION, // control flow depends on it
    UNIFORM_REASON_VALUE,     // the name of a variable or let where it gets a value
    UNIFORM_REASON_BUILTIN,   // a built-in value that differs between invocations
    UNIFORM_REASON_MEMORY,    // memory that other invocations may write
    UNIFORM_REASON_CALL,      // a call whose result may differ
};

struct uniform_vertex {
    uint32_t first_edge; // 0: none
    uint8_t reason;      // enum uniform_reason
    struct source_span span;
};

struct uniform_edge {
    uniform_node from;
    uniform_node to;
    uint32_t next; // of the same `from`
};

// Something that must be uniform, and the call that asks for it.
struct uniform_requirement {
    uniform_node node;
    struct source_span span;                 // the call, or the argument that must be uniform
    const char *name;                        // of the built-in function at the end of the chain
    bool is_value;                           // the argument must be uniform, not the control flow
    uint8_t severity;                        // enum ast_severity, but not off
    const struct uniform_tags *callee;       // of the called function; NULL for built-ins
    const struct ast_declaration *parameter; // of the called function, with is_value
};

enum uniform_parameter_tag {
    UNIFORM_PARAMETER_REQUIRED = 1 << 0,
    UNIFORM_PARAMETER_CONTENTS_REQUIRED = 1 << 1,
    UNIFORM_PARAMETER_RETURN = 1 << 2,
    UNIFORM_PARAMETER_POINTER_MAYBE_NOT = 1 << 3,
    // The severities (enum ast_severity) of the first two, two bits each.
    UNIFORM_PARAMETER_SEVERITY_SHIFT = 4,
    UNIFORM_PARAMETER_CONTENTS_SEVERITY_SHIFT = 6,
};

// After the call, what parameter `to` points to depends on parameter `from`, or on its contents.
struct uniform_transfer {
    uint8_t to;
    uint8_t from;
    bool is_contents;
};

// What callers need to know of a function.
struct uniform_tags {
    bool needs_uniform_call;
    uint8_t call_severity; // of needs_uniform_call: enum ast_severity
    bool returns_maybe_not;
    const char *name;        // of the built-in function that makes the call or a parameter required
    struct source_span span; // the call in this function that needs it
    const struct uniform_tags *callee; // of the function called there; NULL for a built-in
    struct source_span return_span;    // why the result may differ
    uint8_t *parameters;               // sets of enum uniform_parameter_tag
    struct uniform_transfer *transfers;
    uint32_t transfer_count;
};

// A set of variables with a node each: the joins at the end of a branch, loop or switch.
struct uniform_merge_entry {
    uint32_t variable; // + 1; 0: free
    uint32_t count;    // paths that bring their own value
    uniform_node node;
};
struct uniform_merge {
    struct uniform_merge_entry *entries; // open addressing
    uint32_t capacity;
    uint32_t used;
    uint32_t total; // paths that arrive
};

struct uniform_variable {
    uniform_node value;
    uint32_t time;  // when the value was set
    uint32_t stamp; // the last level that logged it
    uint32_t seen;  // dedupe of merges
};

struct uniform_log_entry {
    uint32_t variable;
    uniform_node value;
    uint32_t time;
};

// A loop or switch that a break leaves.
struct uniform_target {
    struct uniform_target *outer;
    bool is_loop;
    uint32_t time;
    size_t log_begin;
    struct uniform_merge exits;
    struct uniform_merge continues;
    struct uniform_merge starts; // loops: the values at the start of an iteration
};

struct uniformity {
    struct checker *checker;
    struct ast_function *function;
    enum uniform_scope scope;
    uint8_t severities[UNIFORM_RULE_COUNT]; // enum ast_severity in force here
    VECTOR(struct uniform_vertex) vertices;
    VECTOR(struct uniform_edge) edges; // index 0 unused
    VECTOR(struct uniform_requirement) requirements;
    VECTOR(struct uniform_variable) variables; // locals by ast_declaration.index
    VECTOR(struct uniform_log_entry) log;
    VECTOR(struct ast_expression *) spine;
    uniform_node *parameter_nodes; // param_i
    uniform_node *contents_nodes;  // param_i_contents, UNIFORM_NONE where there is none
    uniform_node *final_nodes;     // Value_return_i_contents
    struct uniform_target *target;
    uint32_t time;
    uint32_t level;
    uint32_t seen;
    bool has_failed;
};

#define UNIFORM_EDGE_LIMIT (1u << 22)

uniform_node uniform_add_node(
    struct uniformity *u, enum uniform_reason reason, struct source_span span);
void uniform_add_edge(struct uniformity *u, uniform_node from, uniform_node to);
// A node with edges to both; UNIFORM_NONE is ignored.
uniform_node uniform_join(struct uniformity *u, uniform_node a, uniform_node b);
void uniform_require(
    struct uniformity *u, uniform_node node, struct uniform_requirement requirement);

// check_uniformity_expression.c: the value's node, with control flow `flow` at the expression.
uniform_node uniform_expression(
    struct uniformity *u, struct ast_expression *expression, uniform_node flow);

// check_uniformity_flow.c
// The severities that the attributes' filters leave in force; `before` gets those to put back.
void uniform_filter(struct uniformity *u, const struct ast_attribute_list *attributes,
    uint8_t before[UNIFORM_RULE_COUNT]);
void uniform_filter_end(struct uniformity *u, const uint8_t before[UNIFORM_RULE_COUNT]);
void uniform_body(struct uniformity *u);
// A full reference or full pointer, as x, (x), *&x and &x: what is written is the whole variable.
bool uniform_is_full(const struct ast_expression *expression);

// check_uniformity_value.c
struct uniform_merge_entry *uniform_merge_find(
    const struct uniform_merge *merge, uint32_t variable);
void uniform_merge_finish(struct uniform_merge *merge);
// One path arrives: everything that was changed since the log had that length brings its value.
void uniform_merge_path(struct uniformity *u, struct uniform_merge *merge, size_t log_begin);
// Puts the values back to what they were when the log had that length.
void uniform_restore(struct uniformity *u, size_t log_begin);
// After all paths: what any of them changed becomes the join of all. Frees the merge.
void uniform_apply(struct uniformity *u, struct uniform_merge *merge);
// From here on every variable is logged anew.
void uniform_next_level(struct uniformity *u);
uniform_node uniform_get_value(struct uniformity *u, uint32_t variable);
void uniform_set_value(struct uniformity *u, uint32_t variable, uniform_node value);
// Gives a local declaration its number and first value.
void uniform_declare(struct uniformity *u, struct ast_declaration *declaration, uniform_node value);
// The number of the variable behind a root identifier (a local variable, or a parameter that points
// into the function address space); false for others.
bool uniform_is_tracked(const struct uniformity *u, const struct ast_declaration *root);
