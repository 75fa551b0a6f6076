// SPDX-License-Identifier: MIT
//
// What the compiler knows of a shader, told to people and to programs: the variables and where they
// live, what each entry point reaches and needs, the module's interface. Called by the command line.
// One module belongs to one thread.
//
// A module that is invalid by the uniform address space's layout rules alone is analysed all the
// same: those are the modules that need explaining. layout.h has the layouts of types.
#pragma once

#include <stdbool.h>

#include "shader/compile/compile.h"
#include "shader/wgsl/ast.h"

struct explain_module {
    // Source, diagnostics and arena; ir and reflection are set when is_complete. is_valid is the
    // compiler's verdict.
    struct compile_module base;
    struct ast_module *ast;        // checked; NULL when the text was refused whole
    bool is_checked;               // no error, except of uniform layout rules
    bool is_complete;              // is_checked, and lowered to IR
    bool requires_standard_layout; // requires uniform_buffer_standard_layout
};

// Compiles the text, which is copied, with every extension admitted. `extra` is appended to it (for
// a type that a user asks about); empty: nothing. NULL only when out of memory.
struct explain_module *explain_module_create(struct text wgsl, struct text name, struct text extra);
void explain_module_destroy(struct explain_module *module); // NULL is allowed

struct explain_options {
    const struct compile_constant *constants; // pipeline constants, for sizes that depend on them
    uint32_t constant_count;
};

// False when a constant names no override, is given twice or does not fit its type, with a sentence
// that says so; or when out of memory, without. Wants module->is_checked.
bool explain_check_constants(struct explain_module *module, const struct explain_options *options,
    struct text_buffer *out_error);

// Each appends to `out` and wants module->is_checked. False when out of memory.
bool explain_print(
    struct explain_module *module, const struct explain_options *options, struct text_buffer *out);
bool explain_print_json(
    struct explain_module *module, const struct explain_options *options, struct text_buffer *out);
// The module's interface; docs/reflect.md is the schema. Wants module->is_complete.
bool explain_print_reflection(struct explain_module *module, struct text_buffer *out);
