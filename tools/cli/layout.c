// SPDX-License-Identifier: MIT
//
// `alba layout`: how the types of a shader lie in memory, and what to do about it.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_environment.h"
#include "cli.h"
#include "shader/explain/layout_report.h"

struct layout_options {
    const char *path;
    const char *type;
    const char *diff;
    bool has_space;
    enum address_space space;
    bool is_header;
    bool is_json;
};

static int parse_space(struct layout_options *options, const char *word) {
    static const enum address_space spaces[] = {SPACE_UNIFORM, SPACE_STORAGE};
    for (size_t i = 0; i < 2; i++) {
        if (strcmp(word, address_space_word(spaces[i])) == 0) {
            options->has_space = true;
            options->space = spaces[i];
            return CLI_OK;
        }
    }
    return cli_usage("layout", "--space %s: it is uniform or storage", word);
}

static int parse_option(
    struct layout_options *options, struct cli_arguments *arguments, const char *text) {
    if (cli_is_option(arguments, "json")) {
        options->is_json = true;
        return CLI_OK;
    }
    if (cli_is_option(arguments, "c-header")) {
        options->is_header = true;
        return CLI_OK;
    }
    bool is_space = cli_is_option(arguments, "space");
    if (!is_space && !cli_is_option(arguments, "diff")) {
        return cli_usage("layout", "there is no option '%s'", text);
    }
    const char *value = cli_option_value(arguments);
    if (value == NULL) {
        return cli_usage("layout", "%s needs a value", text);
    }
    if (is_space) {
        return parse_space(options, value);
    }
    options->diff = value;
    return CLI_OK;
}

static int parse(struct layout_options *options, int argument_count, char **items) {
    struct cli_arguments arguments = {.count = argument_count, .items = items};
    const char *text = NULL;
    enum cli_argument_kind kind;
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind == CLI_ARGUMENT_OPTION) {
            int status = parse_option(options, &arguments, text);
            if (status != CLI_OK) {
                return status;
            }
        } else if (options->path == NULL) {
            options->path = text;
        } else if (options->type == NULL) {
            options->type = text;
        } else {
            return cli_usage("layout", "one file and one type only; '%s' is one too many", text);
        }
    }
    if (options->path == NULL) {
        return cli_usage("layout", "which file?");
    }
    if (options->is_header && (options->is_json || options->diff != NULL)) {
        return cli_usage("layout", "--c-header goes with neither --json nor --diff");
    }
    return CLI_OK;
}

static void print_diagnostics(const struct explain_module *module) {
    struct diagnostic_style style = {
        .use_colour = cli_is_terminal(2) && os_environment_find("NO_COLOR") == NULL};
    struct text_buffer out = {0};
    diagnostic_list_print(&out, &module->base.source, &module->base.diagnostics, style);
    fputs(text_buffer_get(&out).data, stderr);
    text_buffer_finish(&out);
}

static const char *name_of(const struct layout_options *options) {
    return strcmp(options->path, "-") == 0 ? "standard input" : options->path;
}

// The first error at or behind a place in the text, NULL if there is none.
static const struct diagnostic *find_error_behind(
    const struct explain_module *module, size_t offset) {
    const struct diagnostic_list *list = &module->base.diagnostics;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i]->severity == DIAGNOSTIC_ERROR && list->items[i]->span.begin >= offset) {
            return list->items[i];
        }
    }
    return NULL;
}

// Finds the type of that name, or compiles once more with an alias for the text as a type.
static int find_type(const struct layout_options *options, struct text source,
    struct explain_module **inout_module, type_id *out_type) {
    bool is_named = false;
    *out_type = layout_report_find_type(*inout_module, text_from_string(options->type), &is_named);
    if (out_type->index != 0) {
        return CLI_OK;
    }
    if (is_named) {
        print_diagnostics(*inout_module);
        return cli_fail("the declaration of '%s' has an error", options->type);
    }
    // Nothing but a type: no statement, attribute or comment that would change the module.
    if (strpbrk(options->type, ";{}@\r\n") != NULL || strstr(options->type, "//") != NULL ||
        strstr(options->type, "/*") != NULL) {
        return cli_fail("'%s' is no type", options->type);
    }
    struct text_buffer extra = {0};
    text_buffer_print(&extra, "\nalias alba_asked_for_this_type = %s;\n", options->type);
    struct explain_module *asked = explain_module_create(
        source, text_from_string(name_of(options)), text_buffer_get(&extra));
    text_buffer_finish(&extra);
    if (asked == NULL) {
        return cli_fail("%s: out of memory", name_of(options));
    }
    const struct diagnostic *error = find_error_behind(asked, source.length);
    if (asked->ast != NULL && error == NULL) {
        *out_type = layout_report_find_type(
            asked, TEXT_LITERAL("alba_asked_for_this_type"), &is_named);
    }
    if (out_type->index == 0) {
        bool is_own_name = strstr(options->type, "alba_asked_for_this_type") != NULL;
        int status = error == NULL || is_own_name
            ? cli_fail("%s has no type, alias or variable '%s', and it is no type by itself",
                  name_of(options), options->type)
            : cli_fail("%s has no type, alias or variable '%s', and it is no type by itself: %.*s",
                  name_of(options), options->type, TEXT_ARGS(error->message));
        explain_module_destroy(asked);
        return status;
    }
    explain_module_destroy(*inout_module);
    *inout_module = asked;
    return CLI_OK;
}

// The type to compare: the one asked for, or the only one that there is.
static int compare(const struct layout_options *options, struct explain_module *module,
    type_id type, struct text_buffer *out) {
    struct text_buffer error = {0};
    struct json json = {.out = out};
    if (options->is_json) {
        json_begin_object(&json, NULL);
        json_number(&json, "schema", 1);
        json_text(&json, "file", module->base.source.name);
    }
    enum layout_diff result = layout_compare(module->ast->types, type,
        text_from_string(options->diff), &module->base.arena, out, options->is_json ? &json : NULL,
        &error);
    if (options->is_json) {
        json_end_object(&json);
        text_buffer_append_char(out, '\n');
    }
    int status = result == LAYOUT_DIFF_SAME ? CLI_OK : CLI_FAILED;
    if (result == LAYOUT_DIFF_ERROR) {
        out->length = 0;
        status = cli_usage("layout", "--diff: %s", text_buffer_get(&error).data);
    }
    text_buffer_finish(&error);
    return status;
}

static int show(const struct layout_options *options, struct explain_module *module, type_id type) {
    struct text_buffer out = {0};
    struct layout_report_options report = {
        .type = type,
        .has_space = options->has_space,
        .space = options->space,
        .columns = !options->has_space        ? LAYOUT_ALL_COLUMNS
            : options->space == SPACE_STORAGE ? 1u << LAYOUT_STORAGE
                                              : 6u,
        .use_colour = cli_is_terminal(1) && os_environment_find("NO_COLOR") == NULL,
    };
    uint32_t count = 0;
    int status = CLI_OK;
    bool ok = true;
    if (options->diff != NULL) {
        status = compare(options, module, type, &out);
    } else {
        ok = options->is_json    ? layout_report_print_json(module, &report, &out, &count)
            : options->is_header ? layout_report_print_c_header(module, &report, &out, &count)
                                 : layout_report_print(module, &report, &out, &count);
        status = module->base.is_valid ? CLI_OK : CLI_FAILED;
    }
    if (!ok || out.has_failed) {
        status = cli_fail("%s: out of memory", name_of(options));
    } else {
        fputs(text_buffer_get(&out).data, stdout);
        if (count == 0 && options->diff == NULL && !options->is_json) {
            status = cli_fail(type.index != 0 ? "%s: '%s' has no layout that a host can see"
                    : options->has_space ? "%s: no variable of that space has a type with a layout"
                                         : "%s: there is no structure and no buffer variable",
                name_of(options), options->type);
        }
    }
    text_buffer_finish(&out);
    return status;
}

static int run(const struct layout_options *options, struct text source) {
    struct explain_module *module = explain_module_create(
        source, text_from_string(name_of(options)), (struct text){"", 0});
    if (module == NULL) {
        return cli_fail("%s: out of memory", name_of(options));
    }
    type_id type = {0};
    int status = CLI_OK;
    if (module->ast == NULL) {
        print_diagnostics(module);
        status = CLI_FAILED;
    } else if (options->type != NULL) {
        status = find_type(options, source, &module, &type);
    }
    if (status == CLI_OK && options->diff != NULL && type.index == 0) {
        status = cli_usage("layout", "--diff compares one type: name it behind the file");
    }
    if (status == CLI_OK) {
        if (!module->is_checked) {
            print_diagnostics(module); // types that are sound are shown all the same
        }
        status = show(options, module, type);
    }
    explain_module_destroy(module);
    return status;
}

int cli_layout(int argument_count, char **arguments) {
    struct layout_options options = {0};
    int status = parse(&options, argument_count, arguments);
    char *bytes = NULL;
    size_t length = 0;
    if (status == CLI_OK && !cli_read_file(options.path, &bytes, &length)) {
        status = CLI_FAILED;
    }
    if (status == CLI_OK) {
        status = run(&options, (struct text){bytes, length});
    }
    memory_free(bytes);
    return status;
}
