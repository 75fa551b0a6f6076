// SPDX-License-Identifier: MIT
//
// `alba check`: diagnostics of WGSL files, for people or as JSON lines.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_environment.h"
#include "cli.h"
#include "shader/compile/compile.h"
#include "shader/wgsl/ast.h"

// What every adapter of this build could be asked for: a checker judges the language, not a device.
static const struct compile_options all_extensions = {.enabled_extensions = UINT32_MAX};

static void print_json(const char *path, const struct compile_module *module, bool is_valid) {
    struct text_buffer out = {0};
    text_buffer_append_string(&out, "{\"file\":");
    text_buffer_append_json(&out, text_from_string(path));
    text_buffer_print(&out,
        ",\"ok\":%s,\"errors\":%u,\"warnings\":%u,\"diagnostics\":", is_valid ? "true" : "false",
        module != NULL ? module->diagnostics.error_count : 0,
        module != NULL ? module->diagnostics.warning_count : 0);
    if (module != NULL) {
        diagnostic_list_print_json(&out, &module->source, &module->diagnostics);
    } else {
        text_buffer_append_string(&out, "[]");
    }
    text_buffer_append_string(&out, "}");
    fprintf(stdout, "%.*s\n", TEXT_ARGS(text_buffer_get(&out)));
    text_buffer_finish(&out);
}

// True when the file is valid.
static bool check_file(const char *path, bool is_json) {
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    char *bytes = NULL;
    size_t length = 0;
    if (!cli_read_file(path, &bytes, &length)) {
        if (is_json) {
            print_json(name, NULL, false);
        }
        return false;
    }
    struct compile_module *module = compile_module_create(
        (struct text){bytes, length}, text_from_string(name), &all_extensions);
    memory_free(bytes);
    if (module == NULL) {
        cli_fail("%s: out of memory", name);
        if (is_json) {
            print_json(name, NULL, false); // one line for each file, whatever happens
        }
        return false;
    }
    bool is_valid = module->is_valid;
    if (is_json) {
        print_json(name, module, is_valid);
    } else {
        struct diagnostic_style style = {
            .use_colour = cli_is_terminal(1) && os_environment_find("NO_COLOR") == NULL};
        struct text_buffer out = {0};
        diagnostic_list_print(&out, &module->source, &module->diagnostics, style);
        fputs(text_buffer_get(&out).data, stdout);
        text_buffer_finish(&out);
        if (is_valid) {
            printf("%s: ok, %u entry point%s\n", name, module->reflection->entry_point_count,
                module->reflection->entry_point_count == 1 ? "" : "s");
        }
    }
    compile_module_destroy(module);
    return is_valid;
}

int cli_check(int argument_count, char **argument_items) {
    struct cli_arguments arguments = {.count = argument_count, .items = argument_items};
    const char *text = NULL;
    bool is_json = false;
    int file_count = 0;
    enum cli_argument_kind kind;
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind == CLI_ARGUMENT_POSITIONAL) {
            file_count++;
        } else if (cli_is_option(&arguments, "json")) {
            is_json = true;
        } else {
            return cli_usage("check", "there is no option '%s'", text);
        }
    }
    if (file_count == 0) {
        return cli_usage("check", "which file?");
    }
    bool is_valid = true;
    arguments = (struct cli_arguments){.count = argument_count, .items = argument_items};
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind == CLI_ARGUMENT_POSITIONAL) {
            is_valid = check_file(text, is_json) && is_valid;
        }
    }
    return is_valid ? CLI_OK : CLI_FAILED;
}
