// SPDX-License-Identifier: MIT
//
// What the files of the front door share. See compile.h.
#pragma once

#include "shader/compile/compile.h"
#include "shader/pass/pass.h"

// A program with a copy of the module, without reflection. NULL when out of memory.
struct compile_program *compile_program_create(const struct ir_module *module);
enum compile_status compile_status_of(enum pass_status status);
// In debug builds: the IR obeys its rules after the stage, or a dump and an abort, for the mistake
// is ours. A failed allocation in the validator is none.
void compile_assert_valid(const struct ir_module *module, const char *stage);

// Called after each pass of compile_lower_for_cpu that ran, when given.
typedef void (*compile_observer)(
    void *user, enum compile_pass pass, const struct ir_module *module);
enum compile_status compile_lower_observed(const struct ir_module *module,
    const struct compile_cpu_options *options, compile_observer observer, void *user,
    struct text_buffer *out_error, struct compile_program **out_program);

// False when the code generator for the CPU cannot run the program yet; appends what it is.
bool compile_check_cpu_support(const struct ir_module *module, struct text_buffer *out_error);
