// SPDX-License-Identifier: MIT
//
// The passes, IR to IR, in place. shader/compile runs them in order. Each is linear or nearly so in
// the module's size; recursion follows region nesting and is bounded by IR_NESTING_LIMIT. A module
// belongs to one thread while a pass runs.
//
// A pass returns PASS_OK, PASS_ERROR with one line of reason in out_error (only where its contract
// says so), or PASS_OUT_OF_MEMORY (module->has_failed is set or scratch memory ran out). After
// anything but PASS_OK the module must not be used. Scratch memory comes from arenas of the pass's
// own.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "shader/ir/ir.h"

enum pass_status { PASS_OK, PASS_ERROR, PASS_OUT_OF_MEMORY };

// Removes functions and variables that no entry point reaches, and renumbers the rest. The order
// stays. Override expressions stay whole until pass_override. Variables with a binding stay when
// keep_bindings is set: a lowered program keeps the bindings that its pipeline's reflection names.
enum pass_status pass_drop_unreached(struct ir_module *module, bool keep_bindings);

// A pipeline constant; the key as in WebGPU: the name, or the decimal @id where there is one.
struct pass_constant {
    struct text key;
    double value;
};
// Substitutes pipeline constants and evaluates the `initialisation` function. Afterwards there are
// no overrides, no `override` operations, no override-sized arrays, no initialisation function;
// every workgroup size and initial value is constant. PASS_ERROR: WebGPU's pipeline-creation errors
// (unknown key, key given twice, value not representable, missing value, error in a needed override
// expression). Only what the module's entry points use is needed, so drop what is not reached
// first.
enum pass_status pass_override(struct ir_module *module, const struct pass_constant *constants,
    uint32_t constant_count, struct text_buffer *out_error);

// The sizes that the constants, or defaults, decide before there is a pipeline; 0 where a constant
// is missing or an expression has an error. PASS_ERROR: of the constants themselves (unknown key,
// key given twice, value not representable). The module is not changed.
struct pass_sizes {
    uint32_t (*workgroup_sizes)[3]; // by entry point
    uint32_t *counts;               // by override_counts: elements, or bytes of a buffer
};
enum pass_status pass_override_sizes(struct ir_module *module,
    const struct pass_constant *constants, uint32_t constant_count, struct arena *arena,
    struct pass_sizes *out, struct text_buffer *out_error);

// Calls become the callee's body where the callee may reach a barrier (always), is small, or is
// called once. Functions left without a call are dropped. PASS_ERROR: a function that must be
// inlined would make the module larger than budget_ops operations or nest too deeply.
enum pass_status pass_inline(
    struct ir_module *module, uint32_t budget_ops, struct text_buffer *out_error);

// Private variables that only one entry point's function names, and whose pointers are passed to no
// call, become function variables, initialised at its start.
enum pass_status pass_localise(struct ir_module *module);

// Rewrites every operation with IR_FLAG_POLYFILL, and dynamic extract and insert of vectors, into
// basic operations. Results are the same on every target. Matrices are taken apart into columns.
enum pass_status pass_polyfill(struct ir_module *module);

// Takes composite values apart: only scalars, vectors and pointers remain as values. Function
// variables of composites that are indexed by constants alone become variables of their parts.
// Composite parameters and results become pointers. Large constants that are indexed or copied
// become private variables with access `read`: constant tables that nobody writes. PASS_ERROR:
// composite results of control flow, which no stage makes.
enum pass_status pass_split_composites(struct ir_module *module, struct text_buffer *out_error);

// Function variables of scalar and vector type whose pointers are only loaded and stored become
// values: parameters of loop regions and results of control operations.
enum pass_status pass_promote(struct ir_module *module);

// Vector values become scalars, also as parameters and results of control flow; vectors remain
// where loads, stores, calls and the stage interface move them. After pass_polyfill.
enum pass_status pass_scalarise(struct ir_module *module);

// Constant folding, exact algebra, common subexpressions (also loads of read-only memory), constant
// branches, dead code and dead results. Assumes that no POLYFILL operation is left: it would fold
// them by the reference, not by the polyfill.
enum pass_status pass_simplify(struct ir_module *module);

// has_fma: a multiplication used only by one addition or subtraction becomes IR_FMA with it.
// Otherwise: each IR_FMA becomes a multiplication and an addition.
enum pass_status pass_contract(struct ir_module *module, bool has_fma);

// `if (a && b) {} else { exit_loop }` with a uniform and b not becomes two tests: the first is then a
// branch for all invocations, and the second alone decides which of them are left. Likewise for ||.
// Arithmetic of a continuing region that one `continue` reaches moves to the end of the body.
enum pass_status pass_loops(struct ir_module *module);

// Sets data.in_bounds where an index is proven in range: constants, masks, remainders, minima, loop
// counters, dominating comparisons also with array_length, and invocation ids against the size.
enum pass_status pass_bounds(struct ir_module *module);
