// SPDX-License-Identifier: MIT
//
// Blocks and simple statements (WGSL §Statements Grammar Summary); parser_control.c has the rest.

#include "shader/wgsl/parser_priv.h"

static struct ast_statement *parse_statement(struct parser *parser);

struct ast_statement *parser_make_statement(
    struct parser *parser, enum statement_kind kind, uint32_t begin) {
    struct ast_statement *statement = (struct ast_statement *)parser_allocate(
        parser, 1, ast_statement_size(kind));
    if (!statement) {
        return parser->error_statement;
    }
    statement->kind = (uint8_t)kind;
    statement->span = (struct source_span){begin, begin};
    return statement;
}

// ---- Blocks ----

// What may end a block besides statements.
enum block_kind { BLOCK_PLAIN, BLOCK_LOOP, BLOCK_CONTINUING };

struct block_tail {
    struct ast_block *continuing;    // BLOCK_LOOP
    struct ast_expression *break_if; // BLOCK_CONTINUING
};

static void parse_block_body(struct parser *parser, enum block_kind kind,
    struct ast_block *out_block, struct block_tail *tail);

// The end, or something that only module scope knows: perhaps after attributes.
bool parser_is_missing_brace(const struct parser *parser) {
    if (parser_peek(parser) != TOKEN_AT) {
        return parser_peek(parser) == TOKEN_END || parser_is_at_module_keyword(parser);
    }
    struct parser ahead = *parser;
    while (parser_peek(&ahead) == TOKEN_AT) {
        parser_advance(&ahead);
        parser_advance(&ahead); // the name
        if (parser_peek(&ahead) != TOKEN_PAREN_LEFT) {
            continue;
        }
        uint32_t depth = 0;
        do {
            enum token_kind kind = parser_peek(&ahead);
            if (kind == TOKEN_END || kind == TOKEN_SEMICOLON || kind == TOKEN_BRACE_LEFT) {
                return false;
            }
            depth += kind == TOKEN_PAREN_LEFT;
            depth -= kind == TOKEN_PAREN_RIGHT;
            parser_advance(&ahead);
        } while (depth > 0);
    }
    return parser_is_at_module_keyword(&ahead);
}

void parser_report_missing_brace(struct parser *parser, uint32_t begin) {
    if (!parser->is_panicking) {
        struct diagnostic *diagnostic = parser_error_expected(parser, "'}'");
        diagnostic_note(parser->diagnostics, diagnostic, (struct source_span){begin, begin + 1},
            "to close this block");
    }
    parser_lose_blocks(parser);
    parser->is_panicking = true;
    parser->is_unwinding = true;
}

static void parse_continuing(struct parser *parser, struct block_tail *tail) {
    parser_advance(parser); // 'continuing'
    tail->continuing = PARSER_NEW(parser, struct ast_block);
    if (!tail->continuing) {
        return;
    }
    tail->continuing->attributes = parser_parse_attributes(parser);
    parser_check_attributes(
        parser, &tail->continuing->attributes, PLACE_STATEMENT, "a continuing block");
    parse_block_body(parser, BLOCK_CONTINUING, tail->continuing, tail);
    if (!parser->is_panicking && parser_peek(parser) != TOKEN_BRACE_RIGHT) {
        parser_error(parser, "a continuing block ends its loop: nothing may follow it");
    }
}

static void parse_break_if(struct parser *parser, struct block_tail *tail) {
    parser_advance(parser); // 'break'
    parser_advance(parser); // 'if'
    tail->break_if = parser_parse_expression(parser);
    parser_expect(parser, TOKEN_SEMICOLON, "after 'break if'");
    if (!parser->is_panicking && parser_peek(parser) != TOKEN_BRACE_RIGHT) {
        parser_error(parser, "'break if' is the last statement of its continuing block");
    }
}

// One statement, or what ends this kind of block; pushes statements on the scratch stack.
static void parse_block_item(struct parser *parser, enum block_kind kind, struct block_tail *tail) {
    uint32_t start = parser->at;
    if (kind == BLOCK_LOOP && parser_peek(parser) == TOKEN_CONTINUING && !tail->continuing) {
        parse_continuing(parser, tail);
    } else if (kind == BLOCK_CONTINUING && parser_peek(parser) == TOKEN_BREAK &&
        parser_peek_second(parser) == TOKEN_IF && !tail->break_if) {
        parse_break_if(parser, tail);
    } else if (parser_accept(parser, TOKEN_SEMICOLON)) {
        return;
    } else {
        struct ast_statement *statement = parse_statement(parser);
        if (statement != parser->error_statement) {
            parser_push(parser, statement);
        }
    }
    if (parser->is_panicking) {
        parser_recover_statement(parser);
        if (parser->at == start && !parser->is_unwinding) {
            parser_advance(parser); // a keyword out of place: it would stop every recovery
        }
    }
}

static void parse_block_body(struct parser *parser, enum block_kind kind,
    struct ast_block *out_block, struct block_tail *tail) {
    uint32_t begin = parser_begin(parser);
    if (!parser_expect(parser, TOKEN_BRACE_LEFT, "to begin a block")) {
        parser_lose_blocks(parser);
        return;
    }
    size_t base = parser->scratch.count;
    while (!parser->is_unwinding && parser_peek(parser) != TOKEN_BRACE_RIGHT) {
        if (parser_is_missing_brace(parser)) {
            parser_report_missing_brace(parser, begin);
            break;
        }
        parse_block_item(parser, kind, tail);
    }
    out_block->items = (struct ast_statement **)parser_pop_list(parser, base, &out_block->count);
    parser_accept(parser, TOKEN_BRACE_RIGHT);
    out_block->span = parser_span_from(parser, begin);
}

void parser_parse_loop_body(struct parser *parser, struct ast_block *out_body,
    struct ast_block **out_continuing, struct ast_expression **out_break_if) {
    struct block_tail tail = {0};
    out_body->attributes = parser_parse_attributes(parser);
    parser_check_attributes(parser, &out_body->attributes, PLACE_STATEMENT, "the body of a loop");
    parse_block_body(parser, BLOCK_LOOP, out_body, &tail);
    *out_continuing = tail.continuing;
    *out_break_if = tail.break_if;
}

void parser_parse_block(struct parser *parser, struct ast_block *out_block) {
    struct block_tail tail = {0};
    out_block->attributes = parser_parse_attributes(parser);
    parser_check_attributes(parser, &out_block->attributes, PLACE_STATEMENT, "a block");
    parse_block_body(parser, BLOCK_PLAIN, out_block, &tail);
}

// ---- Simple statements ----

struct ast_declaration *parser_parse_value_declaration(struct parser *parser) {
    struct ast_declaration *declaration = PARSER_NEW(parser, struct ast_declaration);
    if (!declaration) {
        return NULL;
    }
    uint32_t begin = parser_begin(parser);
    enum token_kind keyword = parser_peek(parser);
    const char *what = "a value";
    parser_advance(parser);
    switch (keyword) {
    case TOKEN_VAR:
        declaration->kind = DECLARATION_VARIABLE;
        declaration->template_arguments = parser_parse_template_list(parser);
        what = "a variable";
        break;
    case TOKEN_LET:
        declaration->kind = DECLARATION_LET;
        break;
    case TOKEN_CONST:
        declaration->kind = DECLARATION_CONST;
        break;
    default:
        declaration->kind = DECLARATION_OVERRIDE;
        break;
    }
    declaration->name = parser_expect_name(parser, what, &declaration->name_span);
    if (parser_accept(parser, TOKEN_COLON)) {
        declaration->type_expression = parser_parse_type(parser);
    }
    bool needs_value = declaration->kind == DECLARATION_LET ||
        declaration->kind == DECLARATION_CONST;
    if (parser_accept(parser, TOKEN_EQUAL)) {
        declaration->initializer = parser_parse_expression(parser);
    } else if (needs_value && !parser->is_panicking) {
        parser_error_expected(parser,
            keyword == TOKEN_LET ? "'=' and the value of this 'let'"
                                 : "'=' and the value of this 'const'");
    }
    declaration->span = parser_span_from(parser, begin);
    return declaration;
}

struct ast_declaration *parser_parse_const_assert(struct parser *parser) {
    struct ast_declaration *declaration = PARSER_NEW(parser, struct ast_declaration);
    if (!declaration) {
        return NULL;
    }
    uint32_t begin = parser_begin(parser);
    declaration->kind = DECLARATION_CONST_ASSERT;
    declaration->name = parser->module->error_name;
    declaration->name_span = parser_token_span(parser);
    parser_advance(parser);
    declaration->initializer = parser_parse_expression(parser);
    declaration->span = parser_span_from(parser, begin);
    return declaration;
}

struct ast_statement *parser_parse_declaration_statement(struct parser *parser) {
    bool is_assert = parser_peek(parser) == TOKEN_CONST_ASSERT;
    struct ast_statement *statement = parser_make_statement(
        parser, is_assert ? STATEMENT_CONST_ASSERT : STATEMENT_DECLARATION, parser_begin(parser));
    struct ast_declaration *declaration = is_assert ? parser_parse_const_assert(parser)
                                                    : parser_parse_value_declaration(parser);
    if (!declaration || statement == parser->error_statement) {
        return parser->error_statement;
    }
    statement->declaration = declaration;
    return statement;
}

static bool find_compound_operator(enum token_kind kind, enum binary_operator *out_op) {
    switch (kind) {
    case TOKEN_PLUS_EQUAL:
        *out_op = BINARY_ADD;
        return true;
    case TOKEN_MINUS_EQUAL:
        *out_op = BINARY_SUBTRACT;
        return true;
    case TOKEN_STAR_EQUAL:
        *out_op = BINARY_MULTIPLY;
        return true;
    case TOKEN_SLASH_EQUAL:
        *out_op = BINARY_DIVIDE;
        return true;
    case TOKEN_PERCENT_EQUAL:
        *out_op = BINARY_REMAINDER;
        return true;
    case TOKEN_AND_EQUAL:
        *out_op = BINARY_AND;
        return true;
    case TOKEN_OR_EQUAL:
        *out_op = BINARY_OR;
        return true;
    case TOKEN_XOR_EQUAL:
        *out_op = BINARY_XOR;
        return true;
    case TOKEN_SHIFT_LEFT_EQUAL:
        *out_op = BINARY_SHIFT_LEFT;
        return true;
    case TOKEN_SHIFT_RIGHT_EQUAL:
        *out_op = BINARY_SHIFT_RIGHT;
        return true;
    default:
        return false;
    }
}

// `int x = 1;` and `elif c { }` come from other languages.
static void explain_two_names(
    struct parser *parser, struct diagnostic *diagnostic, const struct ast_expression *first) {
    struct text word = source_get_text(parser->source, first->span);
    struct text name = parser_token_text(parser);
    parser->module->has_lost_names = true;
    if (text_equals_string(word, "elif") || text_equals_string(word, "elsif") ||
        text_equals_string(word, "elseif")) {
        diagnostic_explain(parser->diagnostics, diagnostic, "WGSL writes 'else if'");
        diagnostic_fix(parser->diagnostics, diagnostic, first->span, "else if");
    } else if (word.length < 60 && name.length < 60) {
        diagnostic_explain(parser->diagnostics, diagnostic,
            "a variable is declared as in 'var %.*s: %.*s'", TEXT_ARGS(name), TEXT_ARGS(word));
    }
}

// The grammar's lhs_expression is a unary expression built from these alone.
static bool is_left_hand_side(const struct ast_expression *expression) {
    for (;;) {
        switch ((enum expression_kind)expression->kind) {
        case EXPRESSION_MEMBER:
        case EXPRESSION_INDEX:
            expression = ast_expression_get_spine(expression);
            break;
        case EXPRESSION_ADDRESS_OF:
        case EXPRESSION_INDIRECTION:
        case EXPRESSION_PAREN:
            expression = expression->unary.operand;
            break;
        case EXPRESSION_IDENTIFIER:
            return expression->identifier.template_arguments == NULL;
        case EXPRESSION_CALL:
        case EXPRESSION_ERROR:
            return true;
        case EXPRESSION_LITERAL:
        case EXPRESSION_UNARY:
        case EXPRESSION_BINARY:
            return false;
        }
    }
}

static struct ast_statement *parse_assignment(struct parser *parser, struct ast_expression *target,
    uint32_t begin, bool is_compound, enum binary_operator op) {
    struct ast_statement *statement = parser_make_statement(parser, STATEMENT_ASSIGN, begin);
    if (statement == parser->error_statement) {
        return statement;
    }
    statement->assign.target = target;
    statement->assign.is_compound = is_compound;
    statement->assign.op = (uint8_t)op;
    statement->assign.operator_span = parser_token_span(parser);
    parser_advance(parser);
    statement->assign.value = parser_parse_expression(parser);
    return statement;
}

// Assignment, increment, decrement or call; no ';'.
struct ast_statement *parser_parse_update(struct parser *parser) {
    uint32_t begin = parser_begin(parser);
    if (parser_accept(parser, TOKEN_UNDERSCORE)) {
        if (parser_peek(parser) != TOKEN_EQUAL) {
            parser_error_expected(parser, "'=' after '_'");
            return parser->error_statement;
        }
        return parse_assignment(parser, NULL, begin, false, BINARY_ADD);
    }
    struct ast_expression *target = parser_parse_unary(parser);
    if (parser->is_panicking) {
        return parser->error_statement;
    }
    enum token_kind kind = parser_peek(parser);
    enum binary_operator op = BINARY_ADD;
    bool is_compound = find_compound_operator(kind, &op);
    bool is_step = kind == TOKEN_PLUS_PLUS || kind == TOKEN_MINUS_MINUS;
    if (is_compound || is_step || kind == TOKEN_EQUAL) {
        if (!is_left_hand_side(target)) {
            diagnostic_error(parser->diagnostics, DIAGNOSTIC_SYNTAX, target->span,
                "this expression cannot be the target of an assignment");
            parser->module->has_syntax_errors = true;
        }
        if (!is_step) {
            return parse_assignment(parser, target, begin, is_compound, op);
        }
        parser_advance(parser);
        struct ast_statement *statement = parser_make_statement(parser, STATEMENT_INCREMENT, begin);
        if (statement != parser->error_statement) {
            statement->increment.target = target;
            statement->increment.is_decrement = kind == TOKEN_MINUS_MINUS;
        }
        return statement;
    }
    if (target->kind == EXPRESSION_CALL) {
        struct ast_statement *statement = parser_make_statement(parser, STATEMENT_CALL, begin);
        if (statement != parser->error_statement) {
            statement->call = target;
        }
        return statement;
    }
    struct diagnostic *diagnostic = parser_error_expected(parser,
        target->kind == EXPRESSION_IDENTIFIER ? "'=', an operator with '=', or arguments"
                                              : "'=' or an operator with '='");
    if (target->kind == EXPRESSION_IDENTIFIER && parser_peek(parser) == TOKEN_IDENTIFIER) {
        explain_two_names(parser, diagnostic, target);
    }
    return parser->error_statement;
}

static struct ast_statement *parse_return(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_RETURN, parser_begin(parser));
    if (statement == parser->error_statement) {
        return statement;
    }
    parser_advance(parser);
    if (parser_peek(parser) != TOKEN_SEMICOLON) {
        if (parser_peek(parser) == TOKEN_BRACE_RIGHT) {
            parser_expect(parser, TOKEN_SEMICOLON, "after 'return'");
            return statement;
        }
        statement->result = parser_parse_expression(parser);
    }
    return statement;
}

// The keyword alone; 'break if' out of place gets its own message.
static struct ast_statement *parse_word(struct parser *parser, enum statement_kind kind) {
    struct ast_statement *statement = parser_make_statement(parser, kind, parser_begin(parser));
    if (kind == STATEMENT_BREAK && parser_peek_second(parser) == TOKEN_IF) {
        parser_error(parser, "'break if' stands only at the end of a loop's continuing block");
        parser_advance(parser); // recovery must not take this 'if' for a statement
    }
    parser_advance(parser);
    return statement;
}

// A part of a statement that is not there: of several in a row the first is told.
static void report_stray(struct parser *parser, const char *message) {
    if (parser->is_lost) {
        parser->is_panicking = true;
    } else {
        parser_error(parser, "%s", message);
    }
    parser_lose_blocks(parser);
}

static struct ast_statement *parse_compound(struct parser *parser) {
    struct ast_statement *statement = parser_make_statement(
        parser, STATEMENT_COMPOUND, parser_begin(parser));
    if (statement != parser->error_statement) {
        parser_parse_block(parser, &statement->compound);
    }
    return statement;
}

static struct ast_statement *parse_unattributed(struct parser *parser, bool *out_needs_semicolon) {
    *out_needs_semicolon = false;
    switch (parser_peek(parser)) {
    case TOKEN_BRACE_LEFT:
        return parse_compound(parser);
    case TOKEN_IF:
        return parser_parse_if(parser);
    case TOKEN_SWITCH:
        return parser_parse_switch(parser);
    case TOKEN_LOOP:
        return parser_parse_loop(parser);
    case TOKEN_FOR:
        return parser_parse_for(parser);
    case TOKEN_WHILE:
        return parser_parse_while(parser);
    default:
        break;
    }
    *out_needs_semicolon = true;
    switch (parser_peek(parser)) {
    case TOKEN_VAR:
    case TOKEN_LET:
    case TOKEN_CONST:
    case TOKEN_CONST_ASSERT:
        return parser_parse_declaration_statement(parser);
    case TOKEN_RETURN:
        return parse_return(parser);
    case TOKEN_BREAK:
        return parse_word(parser, STATEMENT_BREAK);
    case TOKEN_CONTINUE:
        return parse_word(parser, STATEMENT_CONTINUE);
    case TOKEN_DISCARD:
        return parse_word(parser, STATEMENT_DISCARD);
    case TOKEN_IDENTIFIER:
    case TOKEN_UNDERSCORE:
    case TOKEN_PAREN_LEFT:
    case TOKEN_STAR:
    case TOKEN_AND:
    case TOKEN_AND_AND:
        return parser_parse_update(parser);
    case TOKEN_ELSE:
        report_stray(parser, "this 'else' belongs to no 'if'");
        parser_advance(parser);
        break;
    case TOKEN_CASE:
    case TOKEN_DEFAULT:
        report_stray(parser, "a case stands only in a switch");
        parser_advance(parser);
        break;
    case TOKEN_CONTINUING:
        report_stray(parser, "a continuing block stands only at the end of a loop");
        parser_advance(parser);
        break;
    case TOKEN_PLUS_PLUS:
    case TOKEN_MINUS_MINUS:
        parser_error(parser, "%s stands after the variable, as in 'i%.2s;'",
            token_kind_text(parser_peek(parser)), parser_token_text(parser).data);
        break;
    default:
        parser_error_expected(parser, "a statement");
        break;
    }
    return parser->error_statement;
}

static struct ast_statement *parse_statement(struct parser *parser) {
    if (parser->statement_depth >= AST_STATEMENT_DEPTH_LIMIT) {
        parser_error_too_deep(parser, "statements", AST_STATEMENT_DEPTH_LIMIT);
        parser->is_unwinding = true;
        return parser->error_statement;
    }
    parser->statement_depth++;
    uint32_t begin = parser_begin(parser);
    struct ast_attribute_list attributes = parser_parse_attributes(parser);
    bool needs_semicolon = false;
    struct ast_statement *statement = parser->error_statement;
    if (!parser->is_panicking) {
        statement = parse_unattributed(parser, &needs_semicolon);
        parser_check_attributes(parser, &attributes, needs_semicolon ? PLACE_NONE : PLACE_STATEMENT,
            needs_semicolon ? "this statement" : "a statement");
    }
    if (statement != parser->error_statement) {
        statement->span = parser_span_from(parser, begin);
        if (statement->kind == STATEMENT_COMPOUND) {
            statement->compound.attributes = attributes;
        } else {
            statement->attributes = attributes;
        }
    }
    if (needs_semicolon) {
        parser_expect(parser, TOKEN_SEMICOLON, "after the statement");
    }
    parser->statement_depth--;
    return statement;
}
