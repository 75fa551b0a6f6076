// SPDX-License-Identifier: MIT
//
// The front door of the shader compiler: WGSL text to a checked module with its reflection; a
// module, an entry point and pipeline constants to a specialised program; and the pass list that
// makes a program ready for the CPU's code generator. The API layer, the backends and the command
// line come here; nobody else calls the stages.
//
// Lifetimes: a compile_module and a compile_program each own one arena and are freed whole. A
// program does not refer to its module. Objects are immutable once made: any number of threads may
// read one.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shader/ir/ir.h"
#include "shader/ir/reflect.h"
#include "shader/wgsl/diagnostic.h"
#include "shader/wgsl/source.h"

enum compile_status {
    COMPILE_OK,
    COMPILE_ERROR,        // the author's or the API user's mistake; described in text
    COMPILE_OUT_OF_MEMORY // the machine's
};

// ---------------------------------------------------------------- WGSL text -> module

// The bit of compile_options.enabled_extensions for an enable extension's WGSL word; 0: unknown.
uint32_t compile_find_extension(const char *word);

struct compile_options {
    uint32_t enabled_extensions; // set of enum wgsl_extension bits
    uint32_t diagnostic_limit;   // 0: the default
};

struct compile_module {
    struct arena arena;
    struct source source;               // a copy of the text, for spans and excerpts
    struct diagnostic_list diagnostics; // sorted by place; errors, warnings, notes
    bool is_valid;                      // no error: ir and reflection are set
    bool is_wgsl;                       // made from WGSL text, with these extensions:
    uint32_t enabled_extensions;
    struct ir_module *ir;
    struct reflection *reflection;
};

// Compiles a module; the text is copied. `name` (a label or file name) may be empty. Returns NULL
// only when out of memory; otherwise an object whose is_valid and diagnostics tell the outcome (a
// memory failure inside the stages counts as one: it is reported by NULL too).
struct compile_module *compile_module_create(struct text wgsl, struct text name,
                                             const struct compile_options *options);
// Makes a module from IR text (tools and tests). On failure NULL and out_error has a message.
struct compile_module *compile_module_create_from_ir(struct text ir_text,
                                                     struct text_buffer *out_error);
// NULL is allowed.
void compile_module_destroy(struct compile_module *module);

#define COMPILE_NO_ENTRY_POINT UINT32_MAX
// Index into ir->entry_points and reflection->entry_points (the same order), or
// COMPILE_NO_ENTRY_POINT. name.data NULL: the only entry point of the stage, none if there are
// several (WebGPU "get the entry point").
uint32_t compile_find_entry_point(const struct compile_module *module, enum shader_stage stage,
                                  struct text name);

// ---------------------------------------------------------------- module -> program

// A pipeline constant. The key is an override's name, or its @id as a decimal number when it has
// one (then the name is no key: WebGPU "pipeline-overridable constant identifier string").
struct compile_constant {
    struct text key;
    double value;
};

// The sizes that the constants, or defaults, decide before there is a pipeline; 0 where a constant
// is missing or an expression has an error. In the arena.
struct compile_sizes {
    uint32_t (*workgroup_sizes)[3]; // by entry point
    uint32_t *counts;               // by the `count` of override-sized arrays and buffers
};
// Wants module->ir alone. COMPILE_ERROR: of the constants themselves, whatever the entry points use
// (unknown key, key given twice, value not representable); out_error gets the message.
enum compile_status compile_find_sizes(const struct compile_module *module,
    const struct compile_constant *constants, uint32_t constant_count, struct arena *arena,
    struct compile_sizes *out, struct text_buffer *out_error);

struct compile_program {
    struct arena arena;
    struct ir_module *ir; // one entry point, index 0, and only what it reaches; no overrides
    struct reflection *reflection; // of this ir: final workgroup size and memory sizes
};

// Copies what the entry point reaches and substitutes the constants. On COMPILE_ERROR appends to
// out_error one message that names the override, what was given and what was expected: unknown key,
// key given twice, value not representable in the type, missing value, error in an override
// expression (division by zero, overflow, array count or workgroup size below 1). Limits of the
// device (workgroup size, storage) are the caller's to check, by the program's reflection.
enum compile_status compile_specialise(const struct compile_module *module, uint32_t entry_point,
                                       const struct compile_constant *constants,
                                       uint32_t constant_count, struct text_buffer *out_error,
                                       struct compile_program **out_program);
// NULL is allowed.
void compile_program_destroy(struct compile_program *program);

// ---------------------------------------------------------------- program -> ready for a target

// Zero-initialised means: no FMA, all optimisations, default budgets.
struct compile_cpu_options {
    bool has_fma;       // the target executes IR_FMA natively and multiplications are contracted
    uint32_t disabled_passes; // set of 1u << enum compile_pass; only optional ones may be disabled
    uint32_t inline_budget_ops; // most operations of the program after inlining; 0: 200,000
};

// The list of passes for the CPU in the order in which they run. `optional` ones change speed, not
// results, with one exception: which multiplications has_fma fuses depends on what they leave.
// clang-format off
#define COMPILE_PASSES(X) \
    X(INLINE,           "inline",           false) \
    X(LOCALISE,         "localise",         true)  \
    X(POLYFILL,         "polyfill",         false) \
    X(SPLIT_COMPOSITES, "split_composites", false) \
    X(PROMOTE,          "promote",          true)  \
    X(SCALARISE,        "scalarise",        true)  \
    X(SIMPLIFY,         "simplify",         true)  \
    X(CONTRACT,         "contract",         false) \
    X(LOOPS,            "loops",            true)  \
    X(BOUNDS,           "bounds",           true)  \
    X(FINAL_CLEANUP,    "final_cleanup",    true)
// clang-format on
enum compile_pass {
#define X(name, text, is_optional) COMPILE_PASS_##name,
    COMPILE_PASSES(X)
#undef X
        COMPILE_PASS_COUNT
};
const char *compile_pass_name(enum compile_pass pass); // a static string
bool compile_pass_is_optional(enum compile_pass pass);

// Makes a new program from a specialised module (compile_specialise's ir), which is not changed,
// and runs the passes on it. Afterwards holds, and ir_validate agrees:
//  - values are scalars, vectors of scalars and pointers; memory of any type exists, but load,
// store
//    and their kin move scalars and vectors only, whole composites move by copy_memory;
//  - no operation has IR_FLAG_POLYFILL; IR_FMA appears only with has_fma;
//  - no function that may reach a barrier is called: barriers stand in the entry point's body;
//  - function parameters and results are scalars, vectors and pointers;
//  - data.in_bounds is set where proven.
// Every variable with a binding stays in ir->variables, used or not: their order by (group,
// binding) is the order of the specialised reflection's bindings and of a dispatch's buffers.
// COMPILE_ERROR: the inline budget does not suffice, or the IR outgrows 1 GiB, with a message.
enum compile_status compile_lower_for_cpu(const struct ir_module *module,
                                          const struct compile_cpu_options *options,
                                          struct text_buffer *out_error,
                                          struct compile_program **out_program);

// ---------------------------------------------------------------- stages shown to people

// Appends the IR text of each stage, each under a line "; stage NAME": "module" as the front end
// made it, "specialised", then each pass of the CPU list. `stage` picks one by name, an empty text
// all of them; entry_point may be COMPILE_NO_ENTRY_POINT for "module" alone. COMPILE_ERROR with a
// message in out_error for an unknown stage or a failure on the way.
enum compile_status compile_print_ir(const struct compile_module *module, uint32_t entry_point,
                                     const struct compile_constant *constants,
                                     uint32_t constant_count,
                                     const struct compile_cpu_options *options, struct text stage,
                                     struct text_buffer *out, struct text_buffer *out_error);
