// SPDX-License-Identifier: MIT
//
// The command line's shared parts: the list of commands, arguments, messages, files. One thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct cli_command {
    const char *name;
    const char *summary; // one line for `alba --help`
    const char *help;    // usage, options and one example for `alba NAME --help`
    int (*run)(int argument_count, char **arguments); // arguments[0] is the first one after NAME
};

extern const struct cli_command cli_commands[]; // ended by a NULL name

int cli_check(int argument_count, char **arguments);
int cli_info(int argument_count, char **arguments);
int cli_layout(int argument_count, char **arguments);
int cli_explain(int argument_count, char **arguments);
int cli_reflect(int argument_count, char **arguments);
int cli_run(int argument_count, char **arguments);
int cli_ir(int argument_count, char **arguments);
int cli_llvm(int argument_count, char **arguments);
int cli_asm(int argument_count, char **arguments);

// Exit statuses.
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

// "alba: MESSAGE" on standard error; gives CLI_FAILED, or CLI_USAGE with a hint at --help.
int cli_fail(const char *format, ...) TEXT_PRINTF(1, 2);
int cli_usage(const char *command, const char *format, ...) TEXT_PRINTF(2, 3);

// Walks arguments: options start with "--" (or are "-h"); "--" ends them; "--name=value" and
// "--name value" are the same.
struct cli_arguments {
    int count;
    char **items;
    int next;
    bool options_have_ended;
    const char *inline_value; // of "--name=value"
    char name[64];            // of the option just read, without dashes
};
enum cli_argument_kind { CLI_ARGUMENT_END, CLI_ARGUMENT_OPTION, CLI_ARGUMENT_POSITIONAL };
// For a positional argument *out_text is it; for an option arguments->name is set.
enum cli_argument_kind cli_next_argument(struct cli_arguments *arguments, const char **out_text);
bool cli_is_option(const struct cli_arguments *arguments, const char *name);
// The value of the option just read; NULL when there is none left.
const char *cli_option_value(struct cli_arguments *arguments);

// Whole file into memory_allocate'd bytes (MEMORY_GENERAL); "-" is standard input. On failure prints
// a message and returns false.
bool cli_read_file(const char *path, char **out_bytes, size_t *out_length);
bool cli_write_file(const char *path, const void *bytes, size_t length);

// Decimal or 0x number of the whole text, at most `limit`.
bool cli_parse_u64(struct text text, uint64_t limit, uint64_t *out_number);
bool cli_parse_double(struct text text, double *out_number);

// True when standard error (progress) or standard output (colours) is a terminal.
bool cli_is_terminal(int descriptor);
// Shows "message" on a terminal once a second has passed since `start_ns`; call it repeatedly.
void cli_progress(uint64_t start_ns, const char *message);
void cli_progress_end(void);
