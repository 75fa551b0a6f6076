// SPDX-License-Identifier: MIT
//
// Finds and loads libalba-jit, the CPU's code generator, when it is first needed, and picks the
// instruction-set level. The CPU backend and the command line come here. Safe from any thread.
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "shader/jit/jit.h"

// The loaded code generator, never unloaded. Looked for at ALBA_JIT, else beside the library or
// program that holds this code, else in the installed libraries' folder (for a program in bin),
// else where the system looks for libraries. NULL when there is none: then one message is appended
// that says what was tried and what to install. A failure is not remembered: the next call looks
// again.
const struct jit_interface *code_generator_open(struct text_buffer *out_error);

// The level that ALBA_CPU names, else the CPU's best. False with a message when ALBA_CPU names no
// level, or one that this CPU does not have.
bool code_generator_level(enum jit_level *out_level, struct text_buffer *out_error);
// The same for a word given by other means (a command's option); NULL gives the CPU's best.
bool code_generator_find_level(
    const char *word, enum jit_level *out_level, struct text_buffer *out_error);
