// SPDX-License-Identifier: MIT
//
// The parsed command line of `alba run`.
#pragma once

#include "cli.h"

#define CLI_BINDING_LIMIT 64u
#define CLI_CONSTANT_LIMIT 256u

enum cli_element { CLI_ELEMENT_F32, CLI_ELEMENT_U32, CLI_ELEMENT_I32 };

#define CLI_OUTPUT_LIMIT 8 // of one buffer, for --print and --out each

// One --print.
struct cli_print {
    enum cli_element element;
    uint64_t limit; // values at most
};

// One --bind and what is to be done with the buffer afterwards.
struct cli_binding {
    uint32_t group;
    uint32_t binding;
    uint8_t *bytes;      // initial content, memory_free'd; NULL only before --bind was seen
    uint64_t size_bytes; // a multiple of 4
    struct cli_print prints[CLI_OUTPUT_LIMIT]; // in the order of the arguments
    uint32_t print_count;
    const char *out_paths[CLI_OUTPUT_LIMIT];
    uint32_t out_path_count;
};

struct cli_constant {
    struct text name;
    double value;
};

struct cli_run_options {
    const char *path;
    const char *entry_point; // NULL: the only one
    uint32_t workgroups[3];
    bool has_dispatch;
    struct cli_binding bindings[CLI_BINDING_LIMIT];
    uint32_t binding_count;
    struct cli_constant constants[CLI_CONSTANT_LIMIT];
    uint32_t constant_count;
    uint64_t repeat;
    bool shows_ledger;
    bool shows_warnings;
    bool shows_time;
    bool has_no_watchdog;
    uint64_t watchdog_ms; // 0: the default
};

// CLI_OK, or an exit status after a message. cli_run_options_finish frees either way.
int cli_run_options_parse(struct cli_run_options *options, int argument_count, char **arguments);
void cli_run_options_finish(struct cli_run_options *options);

// "NAME=VALUE" of a --constant; false after a message for `command`.
bool cli_parse_constant(const char *command, const char *text, struct cli_constant *out_constant);
