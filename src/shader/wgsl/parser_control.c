// SPDX-License-Identifier: MIT
//
// Statements that hold blocks: if, switch and loops (WGSL §Control Flow).

#include "shader/wgsl/parser_priv.h"

struct ast_statement *parser_parse_if(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_IF, parser_begin(parser));
    if (statement == parser->error_statement) {
        return statement;
    }
    VECTOR(struct ast_if_clause) clauses = {0};
    do {
        struct ast_if_clause clause = {0};
        uint32_t begin = parser_begin(parser);
        parser_advance(parser); // 'if'
        clause.condition = parser_parse_expression(parser);
        parser_recover_to_block(parser, false);
        parser_parse_block(parser, &clause.block);
        clause.span = parser_span_from(parser, begin);
        if (!vector_push(&clauses, MEMORY_COMPILE, clause)) {
            parser_out_of_memory(parser);
        }
        if (parser->is_panicking || parser_peek(parser) != TOKEN_ELSE) {
            break;
        }
        parser_advance(parser);
        if (parser_peek(parser) != TOKEN_IF) {
            statement->branch.otherwise = PARSER_NEW(parser, struct ast_block);
            if (statement->branch.otherwise) {
                parser_parse_block(parser, statement->branch.otherwise);
            }
            break;
        }
    } while (true);
    if (clauses.count > 0) {
        statement->branch.clauses = (struct ast_if_clause *)arena_copy(
            parser->arena, clauses.items, clauses.count * sizeof(struct ast_if_clause));
    }
    statement->branch.clause_count = (uint32_t)clauses.count;
    vector_finish(&clauses);
    if (!statement->branch.clauses) {
        parser_out_of_memory(parser);
        return parser->error_statement;
    }
    return statement;
}

static void parse_selectors(struct parser *parser, struct ast_switch_clause *clause) {
    size_t base = parser->scratch.count;
    while (!parser->is_panicking && parser_peek(parser) != TOKEN_COLON &&
        parser_peek(parser) != TOKEN_BRACE_LEFT && parser_peek(parser) != TOKEN_AT) {
        struct source_span span = parser_token_span(parser);
        if (parser_accept(parser, TOKEN_DEFAULT)) {
            if (clause->has_default) {
                diagnostic_error(parser->diagnostics, DIAGNOSTIC_SYNTAX, span,
                    "'default' stands twice in this case");
                parser->module->has_syntax_errors = true;
            }
            clause->has_default = true;
            clause->default_span = span;
        } else if (!parser_push(parser, parser_parse_expression(parser))) {
            break;
        }
        if (!parser_accept(parser, TOKEN_COMMA)) {
            break;
        }
    }
    bool is_empty = parser->scratch.count == base && !clause->has_default;
    clause->selectors.items = (struct ast_expression **)parser_pop_list(
        parser, base, &clause->selectors.count);
    if (is_empty && !parser->is_panicking) {
        parser_error_expected(parser, "a value after 'case'");
    }
}

static bool parse_switch_clause(struct parser *parser, struct ast_switch_clause *clause) {
    uint32_t begin = parser_begin(parser);
    struct source_span span = parser_token_span(parser);
    if (parser_accept(parser, TOKEN_DEFAULT)) {
        clause->has_default = true;
        clause->default_span = span;
    } else if (parser_accept(parser, TOKEN_CASE)) {
        parse_selectors(parser, clause);
    } else {
        parser_error_expected(parser, "'case' or 'default'");
        return false;
    }
    parser_accept(parser, TOKEN_COLON);
    parser_recover_to_block(parser, false);
    parser_parse_block(parser, &clause->block);
    clause->span = parser_span_from(parser, begin);
    return !parser->is_panicking;
}

// To the next case of this switch, or its end.
static void recover_case(struct parser *parser) {
    uint32_t start = parser->at;
    parser_recover_statement(parser);
    while (parser_peek(parser) != TOKEN_CASE && parser_peek(parser) != TOKEN_DEFAULT &&
        parser_peek(parser) != TOKEN_BRACE_RIGHT && !parser_is_missing_brace(parser)) {
        parser->is_panicking = true;
        uint32_t before = parser->at;
        parser_recover_statement(parser);
        if (parser->at == before) {
            parser_advance(parser);
        }
    }
    if (parser->at == start && parser_peek(parser) != TOKEN_BRACE_RIGHT &&
        !parser_is_missing_brace(parser)) {
        parser_advance(parser);
    }
}

struct ast_statement *parser_parse_switch(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_SWITCH, parser_begin(parser));
    if (statement == parser->error_statement) {
        return statement;
    }
    parser_advance(parser);
    statement->select.selector = parser_parse_expression(parser);
    statement->select.body_attributes = parser_parse_attributes(parser);
    parser_check_attributes(
        parser, &statement->select.body_attributes, PLACE_STATEMENT, "the body of a switch");
    parser_recover_to_block(parser, false);
    uint32_t brace = parser_begin(parser);
    parser_expect(parser, TOKEN_BRACE_LEFT, "before the cases of a switch");
    VECTOR(struct ast_switch_clause) clauses = {0};
    while (!parser->is_panicking && parser_peek(parser) != TOKEN_BRACE_RIGHT) {
        if (parser_is_missing_brace(parser)) {
            parser_report_missing_brace(parser, brace);
            break;
        }
        struct ast_switch_clause clause = {0};
        if (parse_switch_clause(parser, &clause) &&
            !vector_push(&clauses, MEMORY_COMPILE, clause)) {
            parser_out_of_memory(parser);
        }
        if (parser->is_panicking && !parser->is_unwinding) {
            recover_case(parser);
        }
    }
    if (!parser->is_panicking && clauses.count == 0 && !parser->module->has_syntax_errors) {
        diagnostic_error(parser->diagnostics, DIAGNOSTIC_SYNTAX, parser_token_span(parser),
            "a switch has at least one clause");
        parser->module->has_syntax_errors = true;
    }
    parser_accept(parser, TOKEN_BRACE_RIGHT);
    if (clauses.count > 0) {
        statement->select.clauses = (struct ast_switch_clause *)arena_copy(
            parser->arena, clauses.items, clauses.count * sizeof(struct ast_switch_clause));
    }
    statement->select.clause_count = statement->select.clauses ? (uint32_t)clauses.count : 0;
    bool is_failed = clauses.count > 0 && !statement->select.clauses;
    vector_finish(&clauses);
    if (is_failed) {
        parser_out_of_memory(parser);
        return parser->error_statement;
    }
    return statement;
}

struct ast_statement *parser_parse_loop(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_LOOP, parser_begin(parser));
    if (statement == parser->error_statement) {
        return statement;
    }
    parser_advance(parser);
    parser_parse_loop_body(
        parser, &statement->loop.body, &statement->loop.continuing, &statement->loop.break_if);
    return statement;
}

static struct ast_statement *parse_for_init(struct parser *parser) {
    switch (parser_peek(parser)) {
    case TOKEN_VAR:
    case TOKEN_LET:
    case TOKEN_CONST: {
        struct ast_statement *statement = parser_parse_declaration_statement(parser);
        if (statement != parser->error_statement) {
            statement->span = parser_span_from(parser, statement->span.begin);
        }
        return statement;
    }
    default:
        return parser_parse_update(parser);
    }
}

static void parse_for_header(struct parser *parser, struct ast_statement *statement) {
    parser_expect(parser, TOKEN_PAREN_LEFT, "after 'for'");
    if (!parser->is_panicking && parser_peek(parser) != TOKEN_SEMICOLON) {
        struct ast_statement *init = parse_for_init(parser);
        statement->loop_for.init = init == parser->error_statement ? NULL : init;
    }
    parser_expect(parser, TOKEN_SEMICOLON, "after the first part of 'for'");
    if (!parser->is_panicking && parser_peek(parser) != TOKEN_SEMICOLON) {
        statement->loop_for.condition = parser_parse_expression(parser);
    }
    parser_expect(parser, TOKEN_SEMICOLON, "after the condition of 'for'");
    if (!parser->is_panicking && parser_peek(parser) != TOKEN_PAREN_RIGHT) {
        struct ast_statement *update = parser_parse_update(parser);
        if (update != parser->error_statement) {
            update->span = parser_span_from(parser, update->span.begin);
            statement->loop_for.update = update;
        }
    }
    parser_expect(parser, TOKEN_PAREN_RIGHT, "after the last part of 'for'");
}

struct ast_statement *parser_parse_for(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_FOR, parser_begin(parser));
    if (statement == parser->error_statement) {
        return statement;
    }
    parser_advance(parser);
    parse_for_header(parser, statement);
    if (parser->is_panicking && !statement->loop_for.condition) {
        // A header that could not be read has a condition, lest the loop be called endless.
        statement->loop_for.condition = parser_make_expression(
            parser, EXPRESSION_ERROR, parser_token_span(parser));
    }
    parser_recover_to_block(parser, true);
    parser_parse_block(parser, &statement->loop_for.body);
    return statement;
}

struct ast_statement *parser_parse_while(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_WHILE, parser_begin(parser));
    if (statement == parser->error_statement) {
        return statement;
    }
    parser_advance(parser);
    statement->loop_while.condition = parser_parse_expression(parser);
    parser_recover_to_block(parser, false);
    parser_parse_block(parser, &statement->loop_while.body);
    return statement;
}
