// SPDX-License-Identifier: MIT
//
// The front end's stages in a row.

#include "shader/wgsl/wgsl.h"

static bool compile(const struct source *source, const struct wgsl_options *options,
    struct arena *tree, struct arena *arena, struct diagnostic_list *diagnostics,
    struct ir_module **out_module) {
    struct ast_module *module = wgsl_parse_apart(source, tree, arena, diagnostics);
    if (!module) {
        return false;
    }
    bool is_valid = wgsl_check(module, options, diagnostics);
    if (is_valid && !diagnostic_list_has_errors(diagnostics)) {
        *out_module = wgsl_lower(module, diagnostics);
    }
    diagnostic_list_sort(diagnostics);
    if (arena->has_failed || tree->has_failed) {
        *out_module = NULL; // whatever was concluded from what could not be allocated
        diagnostic_list_set_out_of_memory(diagnostics);
    }
    return *out_module != NULL;
}

bool wgsl_compile_source(const struct source *source, const struct wgsl_options *options,
    struct arena *arena, struct diagnostic_list *diagnostics, struct ir_module **out_module) {
    *out_module = NULL;
    struct arena tree;
    arena_init(&tree, MEMORY_COMPILE);
    tree.gives_back_outgrown = true;
    bool is_ok = compile(source, options, &tree, arena, diagnostics, out_module);
    arena_finish(&tree);
    return is_ok;
}

bool wgsl_compile(struct text text, const struct wgsl_options *options, struct arena *arena,
    struct diagnostic_list *diagnostics, struct ir_module **out_module) {
    *out_module = NULL;
    if (text.length > WGSL_SOURCE_LIMIT_BYTES) {
        diagnostic_error(diagnostics, DIAGNOSTIC_SOURCE_TOO_LARGE, (struct source_span){0, 0},
            "the module has %zu bytes of text; at most %zu are accepted", text.length,
            WGSL_SOURCE_LIMIT_BYTES);
        return false;
    }
    struct source *source = ARENA_NEW(arena, struct source);
    if (!source || !source_init(source, text, TEXT_LITERAL(""), arena)) {
        return diagnostic_list_set_out_of_memory(diagnostics);
    }
    return wgsl_compile_source(source, options, arena, diagnostics, out_module);
}
