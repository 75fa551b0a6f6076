// SPDX-License-Identifier: MIT
//
// What all parts of the parser use: the token cursor, error reports, and recovery.
//
// Recovery finds the next place that very probably starts something: after the ';' or before the
// keyword of a statement, at the '}' that ends the block, at a word that only module scope knows.
// It skips balanced groups whole and never moves backwards, so parsing is linear in the tokens.

#include "shader/wgsl/parser_priv.h"

#include <string.h>

#include <stdio.h>
#include <string.h>

struct source_span parser_token_span(const struct parser *parser) {
    const struct token *token = &parser->tokens[parser->at];
    return (struct source_span){token->begin, token->end};
}

uint32_t parser_begin(const struct parser *parser) {
    return parser->tokens[parser->at].begin;
}

struct source_span parser_span_from(const struct parser *parser, uint32_t begin) {
    uint32_t end = parser->at > 0 ? parser->tokens[parser->at - 1].end : begin;
    return (struct source_span){begin, end > begin ? end : begin};
}

struct text parser_token_text(const struct parser *parser) {
    return source_get_text(parser->source, parser_token_span(parser));
}

void parser_advance(struct parser *parser) {
    if (parser_peek(parser) != TOKEN_END) {
        parser->at++;
    }
}

bool parser_accept(struct parser *parser, enum token_kind kind) {
    if (parser->is_panicking || parser_peek(parser) != kind) {
        return false;
    }
    parser_advance(parser);
    return true;
}

void parser_split(struct parser *parser, enum token_kind rest) {
    struct token *token = &parser->tokens[parser->at];
    token->begin++;
    token->kind = (uint32_t)rest;
}

void *parser_out_of_memory(struct parser *parser) {
    parser->is_out_of_memory = true;
    parser->is_panicking = true;
    parser->is_unwinding = true;
    diagnostic_list_set_out_of_memory(parser->diagnostics);
    return NULL;
}

void *parser_allocate(struct parser *parser, size_t count, size_t size_bytes) {
    // Both are bounded by the source's length: the product does not overflow.
    void *memory = arena_allocate_packed(parser->arena, count * size_bytes);
    if (!memory) {
        return parser_out_of_memory(parser);
    }
    return memset(memory, 0, count * size_bytes);
}

bool parser_push(struct parser *parser, void *item) {
    if (!vector_push(&parser->scratch, MEMORY_COMPILE, item)) {
        parser_out_of_memory(parser);
        return false;
    }
    return true;
}

void **parser_pop_list(struct parser *parser, size_t base, uint32_t *out_count) {
    size_t count = parser->scratch.count - base;
    void **items = NULL;
    parser->scratch.count = base;
    if (count > 0) {
        items = (void **)arena_copy(
            parser->arena, parser->scratch.items + base, count * sizeof(void *));
        if (!items) {
            parser_out_of_memory(parser);
            count = 0;
        }
    }
    *out_count = (uint32_t)count;
    return items;
}

// ---- Errors ----

// True when the lexer has complained of the token here or of the one before.
static bool is_after_lexer_error(const struct parser *parser, struct source_span span) {
    uint32_t before = parser->at > 0 ? parser->tokens[parser->at - 1].begin : span.begin;
    const struct diagnostic_list *list = parser->diagnostics;
    for (uint32_t i = 0; i < list->count && i < parser->lexer_error_count; i++) {
        uint32_t begin = list->items[i]->span.begin;
        if (begin == span.begin || begin == before) {
            return true;
        }
    }
    return false;
}

// Reports unless already panicking; what the lexer reported is not reported again.
static struct diagnostic *report(
    struct parser *parser, struct source_span span, const char *format, va_list arguments) {
    if (parser->is_panicking) {
        return NULL;
    }
    parser->is_panicking = true;
    parser->module->has_syntax_errors = true;
    if (parser_peek(parser) == TOKEN_INVALID || is_after_lexer_error(parser, span)) {
        return NULL;
    }
    return diagnostic_add_list(
        parser->diagnostics, DIAGNOSTIC_ERROR, DIAGNOSTIC_SYNTAX, span, format, arguments);
}

struct diagnostic *parser_error(struct parser *parser, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct diagnostic *diagnostic = report(parser, parser_token_span(parser), format, arguments);
    va_end(arguments);
    return diagnostic;
}

static struct diagnostic *error_at(
    struct parser *parser, struct source_span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct diagnostic *diagnostic = report(parser, span, format, arguments);
    va_end(arguments);
    return diagnostic;
}

// "identifier 'x'", "'{'", "end of file", …; `buffer` holds it.
static const char *describe_token(const struct parser *parser, char *buffer, size_t size) {
    enum token_kind kind = parser_peek(parser);
    const char *word = token_kind_text(kind);
    if (kind == TOKEN_IDENTIFIER || kind == TOKEN_INT_LITERAL || kind == TOKEN_FLOAT_LITERAL) {
        struct text text = parser_token_text(parser);
        int shown = text.length > 60 ? 0 : (int)text.length;
        if (shown > 0) {
            snprintf(buffer, size, "'%.*s'", shown, text.data);
            return buffer;
        }
    } else if (kind >= TOKEN_ALIAS) {
        snprintf(buffer, size, "keyword %s", word);
        return buffer;
    }
    return word;
}

struct diagnostic *parser_error_expected(struct parser *parser, const char *what) {
    char buffer[96];
    return parser_error(
        parser, "expected %s, found %s", what, describe_token(parser, buffer, sizeof buffer));
}

// Whether a ';' there would mend the text: what follows is on another line, is a keyword, closes
// the block, or stands in the place of the ';' itself.
static bool is_end_of_statement(const struct parser *parser, struct source_span gap) {
    struct source_span next = parser_token_span(parser);
    return gap.end > gap.begin || parser_peek(parser) == TOKEN_BRACE_RIGHT ||
        parser_peek(parser) >= TOKEN_ALIAS ||
        memchr(parser->source->text.data + gap.begin, '\n', next.begin - gap.begin) != NULL;
}

bool parser_expect(struct parser *parser, enum token_kind kind, const char *context) {
    if (parser_accept(parser, kind)) {
        return true;
    }
    if (parser->is_panicking) {
        return false;
    }
    char buffer[96];
    const char *found = describe_token(parser, buffer, sizeof buffer);
    // What is missing at the end of a line is missing there, not at the next line's first token.
    if (kind == TOKEN_SEMICOLON && parser->at > 0 && parser_peek(parser) != TOKEN_INVALID) {
        uint32_t end = parser->tokens[parser->at - 1].end;
        struct source_span gap = {end, end};
        if (parser_peek(parser) == TOKEN_COMMA || parser_peek(parser) == TOKEN_COLON) {
            gap = parser_token_span(parser); // meant as the ';'
        }
        struct diagnostic *diagnostic = error_at(
            parser, gap, "expected ';' %s, found %s", context, found);
        if (is_end_of_statement(parser, gap)) {
            diagnostic_fix(parser->diagnostics, diagnostic, gap, ";");
        }
    } else {
        parser_error(parser, "expected %s %s, found %s", token_kind_text(kind), context, found);
    }
    return false;
}

struct ast_name *parser_expect_name(
    struct parser *parser, const char *what, struct source_span *out_span) {
    *out_span = parser_token_span(parser);
    if (parser->is_panicking) {
        parser->module->has_lost_names = true;
        return parser->module->error_name;
    }
    enum token_kind kind = parser_peek(parser);
    if (kind == TOKEN_IDENTIFIER) {
        struct ast_name *name = ast_module_intern(parser->module, parser_token_text(parser));
        if (!name) {
            parser_out_of_memory(parser);
            return parser->module->error_name;
        }
        parser_advance(parser);
        return name;
    }
    if (kind == TOKEN_UNDERSCORE) {
        parser_error(parser, "'_' is no name: it stands only in '_ = expression;'");
    } else if (kind >= TOKEN_ALIAS) {
        parser_error(
            parser, "%s is a keyword and cannot be the name of %s", token_kind_text(kind), what);
        switch (parser_peek_second(parser)) {
        case TOKEN_EQUAL:
        case TOKEN_COLON:
        case TOKEN_COMMA:
        case TOKEN_SEMICOLON:
        case TOKEN_PAREN_LEFT:
        case TOKEN_BRACE_LEFT:
            parser_advance(parser);
            break; // it was meant as the name
        default:
            break;
        }
    } else {
        char buffer[96];
        parser_error(parser, "expected the name of %s, found %s", what,
            describe_token(parser, buffer, sizeof buffer));
    }
    parser->module->has_lost_names = true;
    return parser->module->error_name;
}

void parser_error_too_deep(struct parser *parser, const char *what, uint32_t limit) {
    if (!parser->is_panicking) {
        diagnostic_error(parser->diagnostics, DIAGNOSTIC_NESTING_TOO_DEEP,
            parser_token_span(parser), "%s are nested deeper than %u", what, (unsigned)limit);
    }
    parser->module->has_syntax_errors = true;
    parser->is_panicking = true;
}

// ---- Recovery ----

bool parser_is_at_module_keyword(const struct parser *parser) {
    switch (parser_peek(parser)) {
    case TOKEN_FN:
    case TOKEN_STRUCT:
    case TOKEN_ALIAS:
    case TOKEN_OVERRIDE:
    case TOKEN_ENABLE:
    case TOKEN_REQUIRES:
        return true;
    default:
        return false;
    }
}

static bool is_at_statement_keyword(const struct parser *parser) {
    switch (parser_peek(parser)) {
    case TOKEN_VAR:
    case TOKEN_LET:
    case TOKEN_CONST:
    case TOKEN_CONST_ASSERT:
    case TOKEN_IF:
    case TOKEN_SWITCH:
    case TOKEN_LOOP:
    case TOKEN_FOR:
    case TOKEN_WHILE:
    case TOKEN_BREAK:
    case TOKEN_CONTINUE:
    case TOKEN_CONTINUING:
    case TOKEN_RETURN:
    case TOKEN_DISCARD:
    case TOKEN_CASE:
    case TOKEN_DEFAULT:
        return true;
    default:
        return false;
    }
}

// What recovery leaves out may have declared something, whose uses are no errors then.
static void skip_token(struct parser *parser) {
    switch (parser_peek(parser)) {
    case TOKEN_ALIAS:
    case TOKEN_CONST:
    case TOKEN_FN:
    case TOKEN_LET:
    case TOKEN_OVERRIDE:
    case TOKEN_STRUCT:
    case TOKEN_VAR:
        parser->module->has_lost_names = true;
        break;
    default:
        break;
    }
    parser_advance(parser);
}

// Skips "{ … }" with all that is inside; at a module keyword inside it gives up there.
static void skip_braces(struct parser *parser) {
    uint32_t depth = 0;
    do {
        enum token_kind kind = parser_peek(parser);
        if (kind == TOKEN_END || parser_is_at_module_keyword(parser)) {
            return;
        }
        depth += kind == TOKEN_BRACE_LEFT;
        depth -= kind == TOKEN_BRACE_RIGHT;
        skip_token(parser);
    } while (depth > 0);
}

void parser_recover_statement(struct parser *parser) {
    if (parser->is_unwinding) {
        return;
    }
    parser->is_panicking = false;
    if (parser_peek(parser) == TOKEN_BRACE_LEFT) {
        skip_braces(parser); // the error was this brace: what it holds are no statements
        parser_accept(parser, TOKEN_SEMICOLON);
        return;
    }
    for (;;) {
        enum token_kind kind = parser_peek(parser);
        if (kind == TOKEN_SEMICOLON) {
            parser_advance(parser);
            return;
        }
        if (kind == TOKEN_END || kind == TOKEN_BRACE_RIGHT || kind == TOKEN_BRACE_LEFT ||
            is_at_statement_keyword(parser) || parser_is_at_module_keyword(parser)) {
            return;
        }
        skip_token(parser);
    }
}

void parser_recover_declaration(struct parser *parser, uint32_t begin) {
    bool was_unwinding = parser->is_unwinding;
    parser->is_panicking = false;
    parser->is_unwinding = parser->is_out_of_memory;
    uint32_t depth = 0; // of the braces open where the error was
    for (uint32_t i = begin; i < parser->at; i++) {
        depth += parser->tokens[i].kind == TOKEN_BRACE_LEFT;
        depth -= parser->tokens[i].kind == TOKEN_BRACE_RIGHT && depth > 0;
    }
    while (parser_peek(parser) != TOKEN_END && !parser->is_out_of_memory) {
        enum token_kind kind = parser_peek(parser);
        bool has_moved = parser->at > begin;
        if (has_moved && parser_is_at_module_keyword(parser)) {
            return;
        }
        enum token_kind previous = parser->at > 0
            ? (enum token_kind)parser->tokens[parser->at - 1].kind
            : TOKEN_SEMICOLON;
        if (has_moved && kind == TOKEN_AT &&
            (previous == TOKEN_BRACE_RIGHT || previous == TOKEN_SEMICOLON)) {
            return;
        }
        skip_token(parser);
        if (was_unwinding) {
            continue; // braces do not balance any more: only a keyword helps
        }
        if (kind == TOKEN_BRACE_LEFT) {
            depth++;
        } else if (kind == TOKEN_BRACE_RIGHT) {
            if (depth <= 1) {
                return;
            }
            depth--;
        } else if (kind == TOKEN_SEMICOLON && depth == 0) {
            return;
        }
    }
}

bool parser_recover_to_block(struct parser *parser, bool may_cross_semicolon) {
    if (!parser->is_panicking || parser->is_unwinding) {
        return !parser->is_panicking;
    }
    uint32_t start = parser->at;
    for (;;) {
        enum token_kind kind = parser_peek(parser);
        if (kind == TOKEN_BRACE_LEFT) {
            parser->is_panicking = false;
            return true;
        }
        if (kind == TOKEN_END || kind == TOKEN_BRACE_RIGHT ||
            (kind == TOKEN_SEMICOLON && !may_cross_semicolon) ||
            parser_is_at_module_keyword(parser) ||
            (parser->at > start && is_at_statement_keyword(parser))) {
            return false;
        }
        skip_token(parser);
    }
}
