// SPDX-License-Identifier: MIT
//
// Attributes and diagnostic controls (WGSL §Attributes). Names, argument counts and places are
// columns of attribute.def; what the arguments mean is the checker's.

#include <stdio.h>

#include "base/suggest.h"
#include "shader/wgsl/parser_priv.h"

struct attribute_row {
    const char *word;
    uint8_t minimum;
    uint8_t maximum;
    bool takes_names;
    uint8_t places;
};

static const struct attribute_row attribute_rows[] = {
    [ATTRIBUTE_UNKNOWN] = {"", 0, 255, false, 0xFF},
#define EXPRESSIONS false
#define NAMES true
#define NONE PLACE_NONE
#define VARIABLE PLACE_VARIABLE
#define OVERRIDE PLACE_OVERRIDE
#define FUNCTION PLACE_FUNCTION
#define PARAMETER PLACE_PARAMETER
#define RESULT PLACE_RESULT
#define MEMBER PLACE_MEMBER
#define STATEMENT PLACE_STATEMENT
#define ATTRIBUTE(name, word, minimum, maximum, arguments, places) \
    [ATTRIBUTE_##name] = {word, minimum, maximum, arguments, places},
#include "shader/wgsl/attribute.def"
#undef EXPRESSIONS
#undef NAMES
#undef NONE
#undef VARIABLE
#undef OVERRIDE
#undef FUNCTION
#undef PARAMETER
#undef RESULT
#undef MEMBER
#undef STATEMENT
};
#define ATTRIBUTE_ROW_COUNT (sizeof attribute_rows / sizeof attribute_rows[0])

static enum attribute_kind find_attribute(struct text word) {
    for (size_t i = 1; i < ATTRIBUTE_ROW_COUNT; i++) {
        if (text_equals_string(word, attribute_rows[i].word)) {
            return (enum attribute_kind)i;
        }
    }
    return ATTRIBUTE_UNKNOWN;
}

static bool parse_severity(struct parser *parser, enum ast_severity *out_severity) {
    static const char *const words[] = {
        [AST_SEVERITY_ERROR] = "error",
        [AST_SEVERITY_WARNING] = "warning",
        [AST_SEVERITY_INFO] = "info",
        [AST_SEVERITY_OFF] = "off",
    };
    if (parser_peek(parser) == TOKEN_IDENTIFIER) {
        struct text word = parser_token_text(parser);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (text_equals_string(word, words[i])) {
                *out_severity = (enum ast_severity)i;
                parser_advance(parser);
                return true;
            }
        }
    }
    parser_error_expected(parser, "a severity: error, warning, info or off");
    return false;
}

bool parser_parse_diagnostic_control(
    struct parser *parser, struct ast_diagnostic_control *control) {
    uint32_t begin = parser_begin(parser);
    struct source_span span;
    if (!parser_expect(parser, TOKEN_PAREN_LEFT, "after 'diagnostic'") ||
        !parse_severity(parser, &control->severity) ||
        !parser_expect(parser, TOKEN_COMMA, "after the severity")) {
        return false;
    }
    control->rule = parser_expect_name(parser, "a diagnostic rule", &control->rule_span);
    if (parser_accept(parser, TOKEN_PERIOD)) {
        control->rule_minor = parser_expect_name(parser, "a diagnostic rule", &span);
    }
    parser_accept(parser, TOKEN_COMMA);
    parser_expect(parser, TOKEN_PAREN_RIGHT, "after the diagnostic rule");
    control->span = parser_span_from(parser, begin);
    return !parser->is_panicking;
}

static void check_arguments(struct parser *parser, const struct ast_attribute *attribute) {
    const struct attribute_row *row = &attribute_rows[attribute->kind];
    uint32_t count = attribute->arguments.count;
    if (count < row->minimum || count > row->maximum) {
        char expected[32];
        if (row->minimum == row->maximum) {
            snprintf(expected, sizeof expected, "%u argument%s", row->minimum,
                row->minimum == 1 ? "" : "s");
        } else {
            snprintf(expected, sizeof expected, "%u to %u arguments", row->minimum, row->maximum);
        }
        diagnostic_error(parser->diagnostics, DIAGNOSTIC_ATTRIBUTE_ARGUMENTS, attribute->span,
            "@%s takes %s, not %u", row->word, row->maximum ? expected : "none", (unsigned)count);
        parser->module->has_syntax_errors = true;
    }
    for (uint32_t i = 0; row->takes_names && i < count; i++) {
        const struct ast_expression *argument = attribute->arguments.items[i];
        if (argument->kind == EXPRESSION_ERROR) {
            continue;
        }
        if (argument->kind != EXPRESSION_IDENTIFIER || argument->identifier.template_arguments) {
            diagnostic_error(parser->diagnostics, DIAGNOSTIC_ATTRIBUTE_ARGUMENTS, argument->span,
                "@%s takes a name here, not an expression", row->word);
            parser->module->has_syntax_errors = true;
        }
    }
}

static void report_unknown(
    struct parser *parser, const struct ast_attribute *attribute, struct text word) {
    const char *words[ATTRIBUTE_ROW_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < ATTRIBUTE_ROW_COUNT; i++) {
        if (i != ATTRIBUTE_UNKNOWN && i != ATTRIBUTE_CONST) {
            words[count++] = attribute_rows[i].word;
        }
    }
    struct diagnostic *diagnostic = diagnostic_error(parser->diagnostics,
        DIAGNOSTIC_UNKNOWN_ATTRIBUTE, attribute->name_span, "there is no attribute '%.*s'",
        word.length > 60 ? 60 : (int)word.length, word.data);
    const char *nearest = suggest_nearest(word, words, count);
    if (nearest != NULL) {
        diagnostic_explain(parser->diagnostics, diagnostic, "did you mean '%s'?", nearest);
        diagnostic_fix(parser->diagnostics, diagnostic, attribute->name_span, "%s", nearest);
    }
}

static void parse_attribute(struct parser *parser, struct ast_attribute *attribute) {
    uint32_t begin = parser_begin(parser);
    parser_advance(parser); // '@'
    attribute->name_span = parser_token_span(parser);
    struct text word = parser_token_text(parser);
    enum token_kind kind = parser_peek(parser);
    if (kind != TOKEN_IDENTIFIER && kind != TOKEN_CONST && kind != TOKEN_DIAGNOSTIC) {
        parser_error_expected(parser, "the name of an attribute");
        return;
    }
    parser_advance(parser);
    attribute->kind = find_attribute(word);
    if (attribute->kind == ATTRIBUTE_DIAGNOSTIC) {
        attribute->control = PARSER_NEW(parser, struct ast_diagnostic_control);
        if (attribute->control) {
            parser_parse_diagnostic_control(parser, attribute->control);
            if (!arena_vector_push(
                    parser->module->arena, &parser->module->filters, attribute->control)) {
                diagnostic_list_set_out_of_memory(parser->diagnostics);
            }
        }
        attribute->span = parser_span_from(parser, begin);
        return;
    }
    if (parser_peek(parser) == TOKEN_PAREN_LEFT) {
        parser_parse_arguments(parser, &attribute->arguments);
        const struct attribute_row *row = &attribute_rows[attribute->kind];
        if (attribute->kind != ATTRIBUTE_UNKNOWN && row->maximum == 0 &&
            attribute->arguments.count == 0) {
            diagnostic_error(parser->diagnostics, DIAGNOSTIC_ATTRIBUTE_ARGUMENTS,
                parser_span_from(parser, begin), "@%s is written without parentheses", row->word);
            parser->module->has_syntax_errors = true;
        }
    }
    attribute->span = parser_span_from(parser, begin);
    if (attribute->kind == ATTRIBUTE_UNKNOWN) {
        report_unknown(parser, attribute, word);
        parser->module->has_syntax_errors = true;
    } else if (!parser->is_panicking) {
        check_arguments(parser, attribute);
    }
}

struct ast_attribute_list parser_parse_attributes(struct parser *parser) {
    struct ast_attribute_list list = {0};
    VECTOR(struct ast_attribute) attributes = {0};
    while (!parser->is_panicking && parser_peek(parser) == TOKEN_AT) {
        struct ast_attribute attribute = {0};
        parse_attribute(parser, &attribute);
        if (!parser->is_panicking && !vector_push(&attributes, MEMORY_COMPILE, attribute)) {
            parser_out_of_memory(parser);
        }
    }
    if (attributes.count > 0) {
        list.items = (struct ast_attribute *)arena_copy(
            parser->arena, attributes.items, attributes.count * sizeof(struct ast_attribute));
        list.count = list.items ? (uint32_t)attributes.count : 0;
        if (!list.items) {
            parser_out_of_memory(parser);
        }
    }
    vector_finish(&attributes);
    return list;
}

// Several @diagnostic may stand together when their rules differ.
static const struct ast_attribute *find_same_rule(
    const struct ast_attribute_list *list, uint32_t count, const struct ast_attribute *attribute) {
    for (uint32_t i = 0; i < count && attribute->control; i++) {
        const struct ast_diagnostic_control *control = list->items[i].control;
        if (control && control->rule == attribute->control->rule &&
            control->rule_minor == attribute->control->rule_minor) {
            return &list->items[i];
        }
    }
    return NULL;
}

void parser_check_attributes(struct parser *parser, struct ast_attribute_list *list,
    enum attribute_place place, const char *place_name) {
    uint32_t kept = 0;
    const struct ast_attribute *seen[ATTRIBUTE_ROW_COUNT] = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        struct ast_attribute attribute = list->items[i];
        const struct attribute_row *row = &attribute_rows[attribute.kind];
        if (attribute.kind == ATTRIBUTE_UNKNOWN) {
            list->has_unknown = true;
            continue;
        }
        if (!(row->places & place)) {
            diagnostic_error(parser->diagnostics, DIAGNOSTIC_MISPLACED_ATTRIBUTE, attribute.span,
                attribute.kind == ATTRIBUTE_CONST
                    ? "@%s is for built-in functions and cannot be written on %s"
                    : "@%s cannot be applied to %s",
                row->word, place_name);
            parser->module->has_syntax_errors = true;
            continue;
        }
        const struct ast_attribute *first = seen[attribute.kind];
        if (attribute.kind == ATTRIBUTE_DIAGNOSTIC) {
            first = find_same_rule(list, kept, &attribute);
        }
        if (first) {
            struct diagnostic *diagnostic = diagnostic_error(parser->diagnostics,
                DIAGNOSTIC_DUPLICATE_ATTRIBUTE, attribute.span,
                attribute.kind == ATTRIBUTE_DIAGNOSTIC ? "@%s is given twice for one rule"
                                                       : "@%s is given twice",
                row->word);
            diagnostic_note(parser->diagnostics, diagnostic, first->span, "first given here");
            parser->module->has_syntax_errors = true;
            continue;
        }
        list->items[kept] = attribute;
        seen[attribute.kind] = &list->items[kept];
        kept++;
    }
    list->count = kept;
}
