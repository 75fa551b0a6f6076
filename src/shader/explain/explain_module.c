// SPDX-License-Identifier: MIT
//
// A module with its syntax tree kept, for explaining. See explain.h.
#include "shader/explain/explain.h"

#include "shader/wgsl/wgsl.h"

static bool copy_source(
    struct explain_module *module, struct text wgsl, struct text name, struct text extra) {
    struct arena *arena = &module->base.arena;
    struct text_buffer whole = {0};
    text_buffer_append(&whole, wgsl);
    text_buffer_append(&whole, extra);
    struct text copy = {text_copy(arena, text_buffer_get(&whole)), whole.length};
    struct text name_copy = {text_copy(arena, name), name.length};
    bool ok = !whole.has_failed && copy.data != NULL && name_copy.data != NULL &&
        source_init(&module->base.source, copy, name_copy, arena);
    text_buffer_finish(&whole);
    return ok;
}

static bool has_layout_errors_alone(const struct diagnostic_list *list) {
    uint32_t other_count = list->suppressed_count + list->is_out_of_memory;
    for (uint32_t i = 0; i < list->count; i++) {
        other_count += list->items[i]->severity == DIAGNOSTIC_ERROR &&
            list->items[i]->code != DIAGNOSTIC_UNIFORM_LAYOUT;
    }
    return other_count == 0;
}

static bool requires_standard_layout(const struct ast_module *ast) {
    for (uint32_t i = 0; i < ast->directive_count; i++) {
        const struct ast_directive *directive = &ast->directives[i];
        for (uint32_t k = 0; directive->kind == DIRECTIVE_REQUIRES && k < directive->name_count;
             k++) {
            if (text_equals_string(
                    directive->names[k].name->text, "uniform_buffer_standard_layout")) {
                return true;
            }
        }
    }
    return false;
}

static void compile(struct explain_module *module) {
    static const struct wgsl_options options = {.enabled_extensions = UINT32_MAX};
    struct compile_module *base = &module->base;
    struct diagnostic_list *diagnostics = &base->diagnostics;
    if (base->source.text.length > WGSL_SOURCE_LIMIT_BYTES) {
        return;
    }
    module->ast = wgsl_parse(&base->source, &base->arena, diagnostics);
    if (module->ast == NULL) {
        return;
    }
    base->is_valid = wgsl_check(module->ast, &options, diagnostics);
    module->is_checked = !module->ast->has_syntax_errors && has_layout_errors_alone(diagnostics);
    module->requires_standard_layout = requires_standard_layout(module->ast);
    if (module->is_checked) {
        base->ir = wgsl_lower(module->ast, diagnostics);
        base->is_valid = base->is_valid && base->ir != NULL;
    }
    if (base->ir != NULL) {
        base->reflection = reflect_create(base->ir, &base->arena);
        module->is_complete = base->reflection != NULL;
    }
    diagnostic_list_sort(diagnostics);
}

struct explain_module *explain_module_create(
    struct text wgsl, struct text name, struct text extra) {
    struct explain_module *module = memory_allocate_zeroed(MEMORY_COMPILE, 1, sizeof(*module));
    if (module == NULL) {
        return NULL;
    }
    arena_init(&module->base.arena, MEMORY_COMPILE);
    diagnostic_list_init(&module->base.diagnostics, &module->base.arena, 0);
    if (wgsl.length > WGSL_SOURCE_LIMIT_BYTES || extra.length > WGSL_SOURCE_LIMIT_BYTES ||
        wgsl.length + extra.length > WGSL_SOURCE_LIMIT_BYTES) {
        diagnostic_error(&module->base.diagnostics, DIAGNOSTIC_SOURCE_TOO_LARGE,
            (struct source_span){0, 0},
            "the module has %zu bytes of text; at most %zu are accepted", wgsl.length,
            WGSL_SOURCE_LIMIT_BYTES);
        wgsl = (struct text){wgsl.data, 0}; // messages need some source
        if (!copy_source(module, wgsl, name, wgsl)) {
            explain_module_destroy(module);
            return NULL;
        }
        return module;
    }
    if (copy_source(module, wgsl, name, extra)) {
        compile(module);
    }
    if (module->base.source.text.data == NULL || module->base.arena.has_failed ||
        module->base.diagnostics.is_out_of_memory) {
        explain_module_destroy(module);
        return NULL;
    }
    return module;
}

void explain_module_destroy(struct explain_module *module) {
    if (module != NULL) {
        arena_finish(&module->base.arena);
        memory_free(module);
    }
}
