// SPDX-License-Identifier: MIT
//
// The IR's text form: printer, reader, validator. `alba ir`, tests and debug builds use them.
#pragma once

#include "base/text.h"
#include "shader/ir/ir.h"

// Appends the module in text form; reading it back gives an equal module.
void ir_print(struct text_buffer *out, const struct ir_module *module);
// Reads a module into the arena. On failure returns NULL and appends "line:column: reason".
struct ir_module *ir_read(struct text source, struct arena *arena, struct text_buffer *out_error);
// Checks every rule that ir.h states: types by family, scope, terminators, results, nesting. Appends
// one line for each broken rule (at most 20); true when there is none.
bool ir_validate(const struct ir_module *module, struct text_buffer *out_error);
