// SPDX-License-Identifier: MIT
//
// A WGSL file compiled for a command: the module, and the entry point that was asked for.
#pragma once

#include "cli.h"
#include "shader/compile/compile.h"

struct cli_shader {
    struct compile_module *module;
    uint32_t entry_point; // COMPILE_NO_ENTRY_POINT only when not needed
    const struct reflect_entry_point *reflection;
};

// Compiles the file and finds the compute entry point: by name, or, when NULL, the only one. Prints
// diagnostics and reasons itself; gives CLI_OK or an exit status.
int cli_shader_open(
    struct cli_shader *shader, const char *path, const char *entry_point, bool needs_entry_point);
void cli_shader_finish(struct cli_shader *shader);
