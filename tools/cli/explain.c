// SPDX-License-Identifier: MIT
//
// `alba explain` and `alba reflect`: where a shader's variables live and what its entry points need,
// for people and for programs.
#include "shader/explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_environment.h"
#include "run_arguments.h"

struct explain_command {
    const char *name;
    const char *path;
    bool is_json;
    bool takes_constants;
    struct compile_constant constants[CLI_CONSTANT_LIMIT];
    uint32_t constant_count;
};

static int parse_constant(struct explain_command *command, const char *value) {
    struct cli_constant constant = {0};
    if (value == NULL) {
        return cli_usage(command->name, "--constant needs NAME=VALUE");
    }
    if (command->constant_count == CLI_CONSTANT_LIMIT) {
        return cli_usage(command->name, "more than %u constants", CLI_CONSTANT_LIMIT);
    }
    if (!cli_parse_constant(command->name, value, &constant)) {
        return CLI_USAGE;
    }
    command->constants[command->constant_count++] = (struct compile_constant){
        .key = constant.name, .value = constant.value};
    return CLI_OK;
}

static int parse(struct explain_command *command, int argument_count, char **items) {
    struct cli_arguments arguments = {.count = argument_count, .items = items};
    const char *text = NULL;
    enum cli_argument_kind kind;
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind == CLI_ARGUMENT_POSITIONAL) {
            if (command->path != NULL) {
                return cli_usage(command->name, "one file only; '%s' is one too many", text);
            }
            command->path = text;
        } else if (cli_is_option(&arguments, "json")) {
            command->is_json = true;
        } else if (command->takes_constants && cli_is_option(&arguments, "constant")) {
            int status = parse_constant(command, cli_option_value(&arguments));
            if (status != CLI_OK) {
                return status;
            }
        } else {
            return cli_usage(command->name, "there is no option '%s'", text);
        }
    }
    return command->path == NULL ? cli_usage(command->name, "which file?") : CLI_OK;
}

static struct explain_module *open_module(const struct explain_command *command) {
    const char *name = strcmp(command->path, "-") == 0 ? "standard input" : command->path;
    char *bytes = NULL;
    size_t length = 0;
    if (!cli_read_file(command->path, &bytes, &length)) {
        return NULL;
    }
    struct explain_module *module = explain_module_create(
        (struct text){bytes, length}, text_from_string(name), (struct text){"", 0});
    memory_free(bytes);
    if (module == NULL) {
        cli_fail("%s: out of memory", name);
    }
    return module;
}

// What cannot be explained: its diagnostics, as text on standard error or in the JSON object.
static int refuse(const struct explain_module *module, bool is_json) {
    struct text_buffer out = {0};
    if (is_json) {
        text_buffer_append_string(&out, "{\"file\":");
        text_buffer_append_json(&out, module->base.source.name);
        text_buffer_append_string(&out, ",\"ok\":false,\"diagnostics\":");
        diagnostic_list_print_json(&out, &module->base.source, &module->base.diagnostics);
        text_buffer_append_string(&out, "}\n");
    } else {
        struct diagnostic_style style = {
            .use_colour = cli_is_terminal(2) && os_environment_find("NO_COLOR") == NULL};
        diagnostic_list_print(&out, &module->base.source, &module->base.diagnostics, style);
    }
    fputs(text_buffer_get(&out).data, is_json ? stdout : stderr);
    text_buffer_finish(&out);
    return CLI_FAILED;
}

static int print(
    struct explain_command *command, struct explain_module *module, bool is_reflection) {
    struct text_buffer out = {0};
    struct explain_options options = {
        .constants = command->constants, .constant_count = command->constant_count};
    if (!is_reflection && !explain_check_constants(module, &options, &out)) {
        int status = out.length != 0
            ? cli_fail("%s: %.*s", command->path, TEXT_ARGS(text_buffer_get(&out)))
            : cli_fail("%s: out of memory", command->path);
        text_buffer_finish(&out);
        return status;
    }
    if (!module->base.is_valid && !command->is_json) {
        refuse(module, false); // a broken layout rule: said first, explained below
    }
    bool ok = is_reflection ? explain_print_reflection(module, &out)
        : command->is_json  ? explain_print_json(module, &options, &out)
                            : explain_print(module, &options, &out);
    int status = module->base.is_valid ? CLI_OK : CLI_FAILED;
    if (ok) {
        fputs(text_buffer_get(&out).data, stdout);
    } else {
        status = cli_fail("%s: out of memory", command->path);
    }
    text_buffer_finish(&out);
    return status;
}

static int run(struct explain_command *command, bool is_reflection) {
    struct explain_module *module = open_module(command);
    if (module == NULL) {
        return CLI_FAILED;
    }
    bool can_answer = is_reflection ? module->is_complete : module->is_checked;
    int status = can_answer ? print(command, module, is_reflection)
                            : refuse(module, command->is_json);
    explain_module_destroy(module);
    return status;
}

int cli_explain(int argument_count, char **arguments) {
    static struct explain_command command = {.name = "explain", .takes_constants = true};
    int status = parse(&command, argument_count, arguments);
    return status == CLI_OK ? run(&command, false) : status;
}

int cli_reflect(int argument_count, char **arguments) {
    static struct explain_command command = {.name = "reflect"};
    int status = parse(&command, argument_count, arguments);
    if (status != CLI_OK) {
        return status;
    }
    if (!command.is_json) {
        return cli_usage("reflect", "this command writes JSON only: add --json");
    }
    return run(&command, true);
}
