// SPDX-License-Identifier: MIT
//
// wgsl_check: the order of the checker's stages, and what all of its files share. The contract is in
// wgsl.h. Each call is independent of every other.
#include <string.h>

#include "shader/wgsl/check_priv.h"

bool check_out_of_memory(struct checker *checker) {
    return diagnostic_list_set_out_of_memory(checker->diagnostics);
}

bool check_has_enabled(const struct checker *checker, enum wgsl_extension extension) {
    return (checker->enabled & (uint32_t)extension) != 0;
}

static struct diagnostic *find_need(const struct checker *checker, const char *word) {
    const struct diagnostic_list *list = checker->diagnostics;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct diagnostic_fix *fix = list->items[i]->first_fix;
        if (list->items[i]->code == DIAGNOSTIC_EXTENSION_NOT_ENABLED && fix != NULL &&
            fix->replacement.length == strlen(word) + strlen("enable ;\n") &&
            memcmp(fix->replacement.data + strlen("enable "), word, strlen(word)) == 0) {
            return list->items[i];
        }
    }
    return NULL;
}

bool check_need_extension(struct checker *checker, enum wgsl_extension extension, const char *word,
    struct source_span span, const char *what) {
    if (check_has_enabled(checker, extension)) {
        return true;
    }
    if (checker->module->has_lost_names) {
        return false; // a directive may be among what a syntax error took
    }
    // One edit mends all uses: the first in the text speaks for them.
    struct diagnostic *earlier = find_need(checker, word);
    if (earlier != NULL) {
        char *message = span.begin < earlier->span.begin
            ? text_format(checker->arena, "%s needs the extension '%s'", what, word)
            : NULL;
        if (message != NULL) {
            earlier->span = span;
            earlier->message = text_from_string(message);
        }
        return false;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_EXTENSION_NOT_ENABLED, span, "%s needs the extension '%s'", what, word);
    diagnostic_explain(
        checker->diagnostics, diagnostic, "write 'enable %s;' before all declarations", word);
    diagnostic_fix(
        checker->diagnostics, diagnostic, (struct source_span){0, 0}, "enable %s;\n", word);
    return false;
}

struct text check_source_text(const struct checker *checker, struct source_span span) {
    return source_get_text(checker->module->source, span);
}

const char *check_type_text(struct checker *checker, type_id type) {
    struct text_buffer buffer = {0};
    type_print(&buffer, checker->types, type);
    char *text = text_copy(checker->arena, text_buffer_get(&buffer));
    text_buffer_finish(&buffer);
    return text != NULL ? text : "?";
}

static void check_module_declaration(struct checker *checker, struct ast_declaration *declaration) {
    if (checker->nodes[declaration->index].is_broken) {
        return; // reported as part of a cycle; every use stays silent
    }
    switch (declaration->kind) {
    case DECLARATION_VARIABLE:
    case DECLARATION_CONST:
    case DECLARATION_OVERRIDE:
    case DECLARATION_LET:
    case DECLARATION_PARAMETER:
    case DECLARATION_CONST_ASSERT:
        check_declaration(checker, declaration);
        return;
    case DECLARATION_ALIAS:
        declaration->type = check_type_expression(checker, declaration->type_expression);
        return;
    case DECLARATION_STRUCT:
        check_struct(checker, declaration);
        return;
    case DECLARATION_FUNCTION:
        check_function(checker, declaration);
        return;
    }
}

static void check_all(struct checker *checker) {
    struct ast_module *module = checker->module;
    check_directives(checker);
    if (!predeclared_intern(checker)) {
        check_out_of_memory(checker);
        return;
    }
    if (!resolve_module(checker) || !resolve_order(checker)) {
        return;
    }
    if (checker->pipeline != NULL) {
        check_pipeline_reach(checker);
    }
    for (uint32_t i = 0; i < module->sorted_count; i++) {
        checker->is_specialised = checker->nodes[module->sorted[i]->index].is_specialised;
        check_module_declaration(checker, module->sorted[i]);
        if (checker->diagnostics->is_out_of_memory) {
            return;
        }
    }
    if (checker->pipeline != NULL) {
        return; // the rest was checked when the module was made
    }
    check_entry_points(checker);
    if (!diagnostic_list_has_errors(checker->diagnostics)) {
        check_uniformity(checker); // needs a program without type errors
    }
    for (uint32_t i = 0; i < module->sorted_count; i++) {
        module->sorted[i]->index = i;
    }
}

static bool check_module(struct ast_module *module, const struct wgsl_options *options,
    const struct wgsl_pipeline *pipeline, struct diagnostic_list *diagnostics) {
    static const struct wgsl_options no_options = {0};
    struct checker checker = {
        .module = module,
        .arena = module->arena,
        .diagnostics = diagnostics,
        .options = options != NULL ? options : &no_options,
        .types = module->types,
        .pipeline = pipeline,
    };
    checker.builtins.arena = module->arena;
    checker.evaluator = (struct const_evaluator){
        .arena = module->arena,
        .types = checker.types,
        .structures = &checker.structures,
        .diagnostics = diagnostics,
    };
    check_all(&checker);
    vector_finish(&checker.spine);
    return !diagnostic_list_has_errors(diagnostics) && !diagnostics->is_out_of_memory;
}

bool wgsl_check(struct ast_module *module, const struct wgsl_options *options,
    struct diagnostic_list *diagnostics) {
    return check_module(module, options, NULL, diagnostics);
}

bool wgsl_check_pipeline(const struct source *source, const struct wgsl_options *options,
    const struct wgsl_pipeline *pipeline, struct arena *arena,
    struct diagnostic_list *diagnostics) {
    struct ast_module *module = wgsl_parse(source, arena, diagnostics);
    return module != NULL && check_module(module, options, pipeline, diagnostics);
}
