// SPDX-License-Identifier: MIT
//
// The facts behind explain_print and explain_print_json, gathered once from the checked syntax tree
// (and, where there is one, the IR). All of it lives in the module's arena.
#pragma once

#include "base/vector.h"
#include "facts/limits.h"
#include "shader/explain/explain.h"
#include "shader/explain/json.h"
#include "shader/explain/layout.h"

struct explain_variable {
    const struct ast_declaration *declaration;
    const struct ast_declaration *function; // NULL: module scope
    enum access_mode access;                // of a storage texture, the one in its type
    bool has_bytes;         // false: the size depends on an override or on the binding
    uint64_t bytes;         // of the store type; of a binding, the least one
    uint64_t element_bytes; // runtime-sized: of one more element, else 0
    bool is_indexed;        // private and function: indexed by a value known only at run time
    bool contains_array;
    bool is_storage_texture;
};

// A function that an entry point may call, and the one that calls it on the shortest way there.
struct explain_reach {
    const struct ast_declaration *function;
    uint32_t caller; // index into the list; the entry point, at 0, names itself
};

struct explain_use {
    uint32_t variable; // index into explain_facts.variables
    uint32_t reach;    // where it is named
    uint32_t rank;     // 0: has a binding; 1 + the address space
    uint32_t group;
    uint32_t binding;
    uint32_t stages; // bits 1 << enum shader_stage
};

// A limit whose default, in core or in compatibility mode, the entry point passes.
struct explain_limit {
    enum limit_name name;
    uint64_t needed;
    uint64_t core;
    uint64_t compatibility;
};

struct explain_entry {
    const struct ast_declaration *function;
    enum shader_stage stage;
    uint32_t workgroup_size[3]; // 0: depends on an override
    VECTOR(struct explain_reach) reached;
    VECTOR(struct explain_use) uses; // module-scope variables, resources by group and binding first
    uint64_t private_bytes;
    uint64_t function_bytes;  // along the chain of calls that needs most
    uint64_t workgroup_bytes; // each variable rounded up to 16
    bool is_workgroup_known;
    VECTOR(struct explain_limit) limits; // passed ones
};

struct explain_facts {
    struct explain_module *module;
    struct layout_types layout;
    VECTOR(struct explain_variable) variables; // module scope first, both in the order of the text
    uint32_t module_variable_count;
    VECTOR(struct explain_entry) entries;
};

// False when out of memory. The constants must have passed explain_check_constants.
bool explain_gather(struct explain_module *module, const struct explain_options *options,
    struct explain_facts *out);
// A sentence on the overrides that leave sizes unknown; false, and nothing, when all are known.
bool explain_print_missing(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_options *options);
bool explain_gather_variables(struct explain_facts *facts);
bool explain_gather_limits(struct explain_facts *facts, struct explain_entry *entry);

// Sentences about a variable; each appends to out.
void explain_print_space(struct text_buffer *out, const struct explain_variable *variable);
void explain_print_access(struct text_buffer *out, const struct explain_variable *variable);
void explain_print_scope(struct text_buffer *out, const struct explain_variable *variable);
void explain_print_lifetime(struct text_buffer *out, const struct explain_variable *variable);
void explain_print_admitted(struct text_buffer *out, const struct explain_variable *variable);
void explain_print_reason(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable);
// Why the variable will not be kept in registers; false, and nothing, when it may be.
bool explain_print_registers(struct text_buffer *out, const struct explain_variable *variable);
// "var<storage, read_write> particles: array<Particle>".
void explain_print_declaration(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable);
// "main -> step -> load".
void explain_print_chain(
    struct text_buffer *out, const struct explain_entry *entry, uint32_t reach);

// The only vertex and the only fragment entry point as one: what both reach, for their pipeline's
// layout. has_both is false when the module has none or several of one kind, or when they give one
// binding to different variables; the rest of *out is then not set. False when out of memory.
bool explain_merge_render(
    struct explain_facts *facts, struct explain_entry *out, bool *out_has_both);

// The entries of createBindGroupLayout, as C and as JavaScript, for each group that is used.
void explain_print_layouts_c(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry);
void explain_print_layouts_js(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry);
// The same as a JSON array of groups.
void explain_put_layouts(
    struct json *json, const struct explain_facts *facts, const struct explain_entry *entry);

// How many workgroups of an entry point are resident at once in a pool of workgroup memory.
struct explain_pool {
    const char *name;
    uint64_t pool_bytes;
    uint64_t reserved_bytes;   // of each workgroup, by the system
    uint32_t workgroup_limit;  // 0: not counted
    uint32_t invocation_limit; // 0: not counted
};
extern const struct explain_pool explain_pools[];
extern const uint32_t explain_pool_count;
// invocation_count 0: unknown, then not counted.
uint64_t explain_count_resident(
    const struct explain_pool *pool, uint64_t workgroup_bytes, uint64_t invocation_count);
