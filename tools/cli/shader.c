// SPDX-License-Identifier: MIT
//
// Compiling the file of a command and finding its entry point.
#include "shader.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/os_environment.h"

static bool is_candidate(const struct reflect_entry_point *candidate, enum cli_entry wanted) {
    return wanted != CLI_ENTRY_COMPUTE || candidate->stage == STAGE_COMPUTE;
}

static void print_entry_points(const struct compile_module *module, enum cli_entry wanted) {
    for (uint32_t i = 0; i < module->reflection->entry_point_count; i++) {
        const struct reflect_entry_point *candidate = &module->reflection->entry_points[i];
        if (is_candidate(candidate, wanted)) {
            fprintf(stderr, "  --entry %.*s\n", TEXT_ARGS(candidate->name));
        }
    }
}

// COMPILE_NO_ENTRY_POINT when there is none of the name, or without a name not exactly one.
static uint32_t search(
    const struct compile_module *module, const char *name, enum cli_entry wanted) {
    uint32_t found = COMPILE_NO_ENTRY_POINT;
    for (uint32_t i = 0; i < module->reflection->entry_point_count; i++) {
        const struct reflect_entry_point *candidate = &module->reflection->entry_points[i];
        if (!is_candidate(candidate, wanted) ||
            (name != NULL && !text_equals_string(candidate->name, name))) {
            continue;
        }
        if (found != COMPILE_NO_ENTRY_POINT) {
            return COMPILE_NO_ENTRY_POINT;
        }
        found = i;
    }
    return found;
}

static int find_entry_point(
    struct cli_shader *shader, const char *path, const char *name, enum cli_entry wanted) {
    const char *kind = wanted == CLI_ENTRY_COMPUTE ? "compute " : "";
    shader->entry_point = search(shader->module, name, wanted);
    if (shader->entry_point != COMPILE_NO_ENTRY_POINT) {
        shader->reflection = &shader->module->reflection->entry_points[shader->entry_point];
        return CLI_OK;
    }
    if (name == NULL && wanted == CLI_ENTRY_ANY_OR_NONE) {
        return CLI_OK;
    }
    int status = name == NULL ? cli_fail("%s: which %sentry point?", path, kind)
                              : cli_fail("%s: there is no %sentry point '%s'", path, kind, name);
    print_entry_points(shader->module, wanted);
    return status;
}

int cli_shader_open(
    struct cli_shader *shader, const char *path, const char *entry_point, enum cli_entry wanted) {
    static const struct compile_options options = {.enabled_extensions = UINT32_MAX};
    char *bytes = NULL;
    size_t length = 0;
    if (!cli_read_file(path, &bytes, &length)) {
        return CLI_FAILED;
    }
    shader->module = compile_module_create(
        (struct text){bytes, length}, text_from_string(path), &options);
    memory_free(bytes);
    if (shader->module == NULL) {
        return cli_fail("%s: out of memory", path);
    }
    if (!shader->module->is_valid) {
        struct diagnostic_style style = {
            .use_colour = cli_is_terminal(2) && os_environment_find("NO_COLOR") == NULL};
        struct text_buffer out = {0};
        diagnostic_list_print(&out, &shader->module->source, &shader->module->diagnostics, style);
        fputs(text_buffer_get(&out).data, stderr);
        text_buffer_finish(&out);
        return CLI_FAILED;
    }
    return find_entry_point(shader, path, entry_point, wanted);
}

void cli_shader_finish(struct cli_shader *shader) {
    compile_module_destroy(shader->module);
    *shader = (struct cli_shader){0};
}
