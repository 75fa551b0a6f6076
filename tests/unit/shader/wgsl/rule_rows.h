// SPDX-License-Identifier: MIT
//
// For the checker's tests: tables of rules. Each row is one rule of the specification with a module
// that just obeys it and one that breaks it; the latter must give exactly one error, with that id, on
// that text.
#pragma once

#include "check.h"

#include "shader/wgsl/wgsl.h"

struct rule_row {
    const char *valid;  // NULL: none
    const char *broken; // NULL: none
    const char *id;
    const char *place; // the text under the error's span; NULL: not looked at
};

struct rule_outcome {
    struct arena arena;
    struct source source;
    struct diagnostic_list diagnostics;
    bool is_valid;
};

static inline void rule_begin(struct rule_outcome *outcome, const char *text) {
    struct wgsl_options options = {.enabled_extensions = 0x3f};
    arena_init(&outcome->arena, MEMORY_TEST);
    source_init(
        &outcome->source, text_from_string(text), text_from_string("test"), &outcome->arena);
    diagnostic_list_init(&outcome->diagnostics, &outcome->arena, 0);
    struct ast_module *module = wgsl_parse(
        &outcome->source, &outcome->arena, &outcome->diagnostics);
    outcome->is_valid = module != NULL && wgsl_check(module, &options, &outcome->diagnostics);
}

static inline void rule_finish(struct rule_outcome *outcome) {
    arena_finish(&outcome->arena);
}

static inline void rule_print(const struct rule_outcome *outcome, const char *text) {
    struct text_buffer out = {0};
    diagnostic_list_print(
        &out, &outcome->source, &outcome->diagnostics, (struct diagnostic_style){false, 0});
    fprintf(stderr, "--- %s\n%s\n", text, out.data != NULL ? out.data : "(no diagnostics)");
    text_buffer_finish(&out);
}

static inline const struct diagnostic *rule_first_error(const struct rule_outcome *outcome) {
    for (uint32_t i = 0; i < outcome->diagnostics.count; i++) {
        if (outcome->diagnostics.items[i]->severity == DIAGNOSTIC_ERROR) {
            return outcome->diagnostics.items[i];
        }
    }
    return NULL;
}

static inline void rule_check_valid(const char *text) {
    struct rule_outcome outcome;
    rule_begin(&outcome, text);
    if (!CHECK(outcome.is_valid)) {
        rule_print(&outcome, text);
    }
    rule_finish(&outcome);
}

static inline void rule_check_broken(const char *text, const char *id, const char *place) {
    struct rule_outcome outcome;
    rule_begin(&outcome, text);
    const struct diagnostic *error = rule_first_error(&outcome);
    bool is_ok = CHECK(!outcome.is_valid) && CHECK_EQ(outcome.diagnostics.error_count, 1) &&
        CHECK(error != NULL) && CHECK_STR(diagnostic_code_id(error->code), id);
    if (is_ok && place != NULL) {
        struct text found = source_get_text(&outcome.source, error->span);
        char copy[256];
        snprintf(copy, sizeof(copy), "%.*s", TEXT_ARGS(found));
        is_ok = CHECK_STR(copy, place);
    }
    if (!is_ok) {
        rule_print(&outcome, text);
    }
    rule_finish(&outcome);
}

static inline void rule_check_rows(const struct rule_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].valid != NULL) {
            rule_check_valid(rows[i].valid);
        }
        if (rows[i].broken != NULL) {
            rule_check_broken(rows[i].broken, rows[i].id, rows[i].place);
        }
    }
}

#define RULE_ROWS(...) \
    do { \
        static const struct rule_row rows[] = {__VA_ARGS__}; \
        rule_check_rows(rows, sizeof(rows) / sizeof(rows[0])); \
    } while (0)

// A function body, and an expression that is checked by a const_assert.
#define BODY(text) "fn f() { " text " }"
#define HOLDS(text) "const_assert " text ";"
