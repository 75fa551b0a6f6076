// SPDX-License-Identifier: MIT
//
// Compiling the file of a command and finding its entry point.
#include "shader.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/os_environment.h"

static void print_compute_entry_points(const struct compile_module *module) {
    for (uint32_t i = 0; i < module->reflection->entry_point_count; i++) {
        const struct reflect_entry_point *candidate = &module->reflection->entry_points[i];
        if (candidate->stage == STAGE_COMPUTE) {
            fprintf(stderr, "  --entry %.*s\n", TEXT_ARGS(candidate->name));
        }
    }
}

static int find_entry_point(
    struct cli_shader *shader, const char *path, const char *name, bool is_needed) {
    struct text text = {name, name == NULL ? 0 : text_from_string(name).length};
    shader->entry_point = compile_find_entry_point(shader->module, STAGE_COMPUTE, text);
    if (shader->entry_point != COMPILE_NO_ENTRY_POINT) {
        shader->reflection = &shader->module->reflection->entry_points[shader->entry_point];
        return CLI_OK;
    }
    if (name == NULL && !is_needed) {
        return CLI_OK;
    }
    int status = name == NULL ? cli_fail("%s: which compute entry point?", path)
                              : cli_fail("%s: there is no compute entry point '%s'", path, name);
    print_compute_entry_points(shader->module);
    return status;
}

int cli_shader_open(
    struct cli_shader *shader, const char *path, const char *entry_point, bool needs_entry_point) {
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
    return find_entry_point(shader, path, entry_point, needs_entry_point);
}

void cli_shader_finish(struct cli_shader *shader) {
    compile_module_destroy(shader->module);
    *shader = (struct cli_shader){0};
}
