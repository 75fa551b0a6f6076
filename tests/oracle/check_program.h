// SPDX-License-Identifier: MIT
//
// The comparison of one program's executions: the interpreter on the front end's IR, on the IR after
// passes, and generated code over levels, widths, jams, threads and guard sides. One thread a call, which
// starts threads of its own for the code generator's part.
#pragma once

#include "oracle/generate.h"
#include "shader/jit/jit.h"

enum check_outcome {
    CHECK_AGREES,
    CHECK_SKIPPED, // too long for the interpreter's budget
    CHECK_REFUSED, // the front end or a stage reported an error
    CHECK_DIFFERS
};

struct check_options {
    const struct jit_interface *jit; // NULL: interpreter only
    bool is_thorough;       // every pass and every configuration instead of a choice by the seed
    bool is_front_end_only; // both orders of the interpreter, no pass
    uint64_t seed;          // of data and choices
};

// Appends one line that says where and how executions differ, or why the program was refused.
enum check_outcome check_program(struct text wgsl, const struct generated_program *program,
    const struct check_options *options, struct text_buffer *out_report);
