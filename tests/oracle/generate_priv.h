// SPDX-License-Identifier: MIT
//
// What the files of the generator share. One thread.
#pragma once

#include "base/vector.h"
#include "oracle/generate.h"

enum base_type { BASE_BOOL, BASE_I32, BASE_U32, BASE_F32 };
enum shape { SHAPE_VALUE, SHAPE_MATRIX, SHAPE_ARRAY, SHAPE_STRUCT }; // VALUE: scalar or vector

typedef uint32_t gtype; // index into generator.types

struct type_row {
    enum shape shape;
    enum base_type base;
    uint32_t count; // components, columns, elements, members
    uint32_t rows;
    gtype element; // array
    gtype members[6];
    const char *name;  // as WGSL writes it
    bool is_shareable; // no bool inside
};

enum variable_kind {
    VARIABLE_LET,      // let, parameter, loop counter: not assigned
    VARIABLE_VAR,      // function or private variable
    VARIABLE_STORAGE,  // a reference to this invocation's own part of a storage buffer, writable
    VARIABLE_READ_ONLY // uniform or read-only storage reference, or a runtime array of it
};

struct variable_row {
    const char *name; // an expression of the type
    gtype type;
    enum variable_kind kind;
    bool is_uniform; // the analysis of WGSL finds it uniform too
    bool is_private; // a module variable of the private space
    bool is_local;   // a function variable: &name may be passed
};

// A floating-point expression carries |x| <= bound and that x is a multiple of 2^-fraction_bits.
struct expression {
    const char *text;
    bool is_constant;
    double bound;
    uint32_t fraction_bits;
};

struct function_row {
    const char *name;
    gtype result; // 0: none
    gtype parameters[4];
    bool is_pointer[4]; // ptr<function, T>
    uint32_t parameter_count;
    bool has_barrier; // only from uniform control flow
    bool is_storage;  // takes a pointer to this invocation's element and a number; only from main
};

struct generator {
    struct generate_random random;
    struct arena *arena;
    struct text_buffer *out;
    struct generated_program *program;
    bool has_failed;
    VECTOR(struct type_row) types;         // arena; index 0 unused
    VECTOR(struct variable_row) variables; // arena; in scope
    VECTOR(struct function_row) functions; // arena
    uint32_t indent;
    uint32_t next_name;
    int32_t budget; // statements that may still be written
    uint32_t loop_depth;
    uint32_t call_depth;  // calls in the expression at hand
    uint32_t index_depth; // indices within indices
    bool may_call;        // inside main or a helper whose cost is not counted yet
    bool is_in_main;
    bool may_return;
    gtype result;          // of the function at hand
    bool is_uniform;       // control flow at hand
    uint32_t breakable;    // loops around that break and continue may leave from here
    bool is_switch_inside; // the innermost of loop and switch is a switch
    bool allows_inexact;
    bool has_workgroup; // workgroup arrays exist
    bool is_fragment;
    bool has_override_size;
    uint32_t workgroup_count; // invocations of a workgroup
    gtype workgroup_element;
    gtype value_types[4][5]; // [base][count], count 1..4
};

// generate_type.c
bool generate_types(struct generator *g);
gtype generate_pick_value_type(struct generator *g);
gtype generate_pick_type(struct generator *g, bool is_shareable); // any shape
gtype generate_value_type(const struct generator *g, enum base_type base, uint32_t count);
gtype generate_array_type(struct generator *g, gtype element, uint32_t count);
static inline const struct type_row *generate_type_row(const struct generator *g, gtype type) {
    return &g->types.items[type];
}

// generate.c
const char *generate_format(struct generator *g, const char *format, ...) TEXT_PRINTF(2, 3);
void generate_line(struct generator *g, const char *format, ...) TEXT_PRINTF(2, 3);
const char *generate_name(struct generator *g, const char *prefix);
bool generate_chance(struct generator *g, uint32_t percent);
uint32_t generate_below(struct generator *g, uint32_t bound);
void generate_declare(struct generator *g, struct variable_row row);

// generate_expression.c: an expression of the type. is_uniform: uniform by WGSL's analysis.
struct expression generate_expression(
    struct generator *g, gtype type, uint32_t depth, bool is_uniform);
// The same, quantised where it is a float, so that it may be stored and used again.
const char *generate_stored(struct generator *g, gtype type, uint32_t depth, bool is_uniform);
// A path from the variable to something of the type, NULL when chance found none.
const char *generate_path(struct generator *g, const struct variable_row *variable, gtype wanted,
    bool is_uniform, gtype *out_type);
// generate_value.c
struct expression generate_bool(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform);
struct expression generate_integer(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform);
struct expression generate_float(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform);
struct expression generate_leaf(struct generator *g, gtype type, bool is_uniform);
struct expression generate_runtime_leaf(struct generator *g, gtype type, bool is_uniform);
struct expression generate_literal(struct generator *g, gtype type);
const char *generate_quantised(struct generator *g, struct expression e, uint32_t count);
const char *generate_index(struct generator *g, uint32_t count, bool is_uniform);

// generate_statement.c
void generate_block(struct generator *g, uint32_t statement_count);
void generate_statement(struct generator *g);
const char *generate_call(struct generator *g, gtype result, uint32_t depth);
// generate_uniform.c: statements of uniform control flow, with barriers.
void generate_uniform_statement(struct generator *g, uint32_t depth);
