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

// Compiles the file and finds the entry point, a compute entry point or one of any stage: by name,
// or, when NULL, the only one. Prints diagnostics and reasons itself; gives CLI_OK or an exit status.
enum cli_entry { CLI_ENTRY_COMPUTE, CLI_ENTRY_ANY, CLI_ENTRY_ANY_OR_NONE };
int cli_shader_open(struct cli_shader *shader, const char *path, const char *entry_point,
                    enum cli_entry wanted);
void cli_shader_finish(struct cli_shader *shader);
