// SPDX-License-Identifier: MIT
//
// Directives: enable, requires and diagnostic (WGSL §Directives). See check_priv.h for threads.
#include "base/suggest.h"
#include "facts/feature.h"
#include "shader/wgsl/check_priv.h"

static const char *const enable_words[] = {
#define ENABLE_EXTENSION(name, word) #word,
#include "shader/wgsl/extension.def"
};

static const char *const language_words[] = {
#define LANGUAGE_EXTENSION(name, word) #word,
#include "shader/wgsl/extension.def"
};

// The word's place in the list, or the list's length.
static uint32_t find_word(struct text name, const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (text_equals_string(name, words[i])) {
            return i;
        }
    }
    return count;
}

static void report_unknown(struct checker *checker, const struct ast_directive_name *name,
    const char *kind, const char *const *words, uint32_t count) {
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_UNKNOWN_EXTENSION, name->span, "there is no %s extension '%.*s'", kind,
        TEXT_ARGS(name->name->text));
    bool is_enable = words == enable_words;
    uint32_t other = is_enable
        ? find_word(name->name->text, language_words, WGSL_LANGUAGE_EXTENSION_COUNT)
        : find_word(name->name->text, enable_words, WGSL_EXTENSION_COUNT);
    if (other < (is_enable ? WGSL_LANGUAGE_EXTENSION_COUNT : WGSL_EXTENSION_COUNT)) {
        diagnostic_explain(checker->diagnostics, diagnostic, "it is %s extension: write '%s %.*s;'",
            is_enable ? "a language" : "an enable", is_enable ? "requires" : "enable",
            TEXT_ARGS(name->name->text));
        return;
    }
    const char *nearest = suggest_nearest(name->name->text, words, count);
    if (nearest != NULL) {
        diagnostic_explain(checker->diagnostics, diagnostic, "did you mean '%s'?", nearest);
        diagnostic_fix(checker->diagnostics, diagnostic, name->span, "%s", nearest);
    }
}

static void check_enable(struct checker *checker, const struct ast_directive_name *name) {
    uint32_t index = find_word(name->name->text, enable_words, WGSL_EXTENSION_COUNT);
    if (index == WGSL_EXTENSION_COUNT) {
        report_unknown(checker, name, "enable", enable_words, WGSL_EXTENSION_COUNT);
        return;
    }
    if (!(checker->options->enabled_extensions >> index & 1)) {
        const struct feature_info *feature = feature_find_by_enable(enable_words[index]);
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_UNSUPPORTED_EXTENSION, name->span,
            "the extension '%s' needs the feature '%s', which the device was not created with",
            enable_words[index], feature != NULL ? feature->word : enable_words[index]);
    }
    checker->enabled |= 1u << index;
    if (index == WGSL_EXTENSION_INDEX_SUBGROUP_SIZE_CONTROL) {
        checker->enabled |= WGSL_EXTENSION_SUBGROUPS;
    }
}

static void check_requires(struct checker *checker, const struct ast_directive_name *name) {
    uint32_t index = find_word(name->name->text, language_words, WGSL_LANGUAGE_EXTENSION_COUNT);
    if (index == WGSL_LANGUAGE_EXTENSION_COUNT) {
        report_unknown(checker, name, "language", language_words, WGSL_LANGUAGE_EXTENSION_COUNT);
        return;
    }
    checker->required |= 1u << index;
}

// Two global filters for one rule must have the same severity.
static void check_filter_conflict(struct checker *checker, uint32_t number) {
    const struct ast_module *module = checker->module;
    const struct ast_diagnostic_control *control = &module->directives[number].control;
    for (uint32_t i = 0; i < number; i++) {
        const struct ast_diagnostic_control *earlier = &module->directives[i].control;
        if (module->directives[i].kind == DIRECTIVE_DIAGNOSTIC && earlier->rule == control->rule &&
            earlier->rule_minor == control->rule_minor && earlier->severity != control->severity) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_DIAGNOSTIC_CONFLICT, control->span,
                "this filter contradicts another one for the rule '%.*s'",
                TEXT_ARGS(control->rule->text));
            diagnostic_note(checker->diagnostics, diagnostic, earlier->span, "the other one");
            return;
        }
    }
}

static void check_rule(struct checker *checker, const struct ast_diagnostic_control *control) {
    static const char *const rules[] = {"derivative_uniformity", "subgroup_uniformity"};
    if (control->rule != NULL && control->rule->text.length != 0 && control->rule_minor == NULL &&
        find_word(control->rule->text, rules, 2) == 2) {
        struct diagnostic *diagnostic = diagnostic_warning(checker->diagnostics,
            DIAGNOSTIC_UNKNOWN_RULE, control->rule_span, "there is no diagnostic rule '%.*s'",
            TEXT_ARGS(control->rule->text));
        const char *nearest = suggest_nearest(control->rule->text, rules, 2);
        if (nearest != NULL) {
            diagnostic_explain(checker->diagnostics, diagnostic, "did you mean '%s'?", nearest);
            diagnostic_fix(checker->diagnostics, diagnostic, control->rule_span, "%s", nearest);
        }
    }
}

static void check_filter(struct checker *checker, uint32_t number) {
    const struct ast_diagnostic_control *control = &checker->module->directives[number].control;
    if (control->rule == NULL || control->rule->text.length == 0) {
        return; // a syntax error
    }
    check_rule(checker, control);
    check_filter_conflict(checker, number);
}

void check_directives(struct checker *checker) {
    const struct ast_module *module = checker->module;
    for (uint32_t i = 0; i < module->directive_count; i++) {
        const struct ast_directive *directive = &module->directives[i];
        for (uint32_t j = 0; j < directive->name_count; j++) {
            if (directive->names[j].name->text.length == 0) {
                continue; // a syntax error
            }
            if (directive->kind == DIRECTIVE_ENABLE) {
                check_enable(checker, &directive->names[j]);
            } else if (directive->kind == DIRECTIVE_REQUIRES) {
                check_requires(checker, &directive->names[j]);
            }
        }
        if (directive->kind == DIRECTIVE_DIAGNOSTIC) {
            check_filter(checker, i);
        }
    }
    for (size_t i = 0; i < module->filters.count; i++) {
        check_rule(checker, module->filters.items[i]);
    }
}
