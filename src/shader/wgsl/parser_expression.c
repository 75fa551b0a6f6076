// SPDX-License-Identifier: MIT
//
// Expressions (WGSL §Expression Grammar Summary). The grammar gives operators precedence only where
// readers agree on it: '+' and '*' chain and bind as usual; '<<', comparisons, and the groups
// '& | ^', '&& ||' combine with other operators only through parentheses. Chains of one precedence
// are loops, so that `a + a + …` needs no stack.

#include "shader/wgsl/parser_priv.h"

struct ast_expression *parser_make_expression(
    struct parser *parser, enum expression_kind kind, struct source_span span) {
    struct ast_expression *expression = (struct ast_expression *)parser_allocate(
        parser, 1, ast_expression_size(kind));
    if (!expression) {
        return parser->error_expression;
    }
    expression->kind = (uint8_t)kind;
    expression->stage = EVALUATION_RUNTIME;
    expression->span = span;
    return expression;
}

static struct ast_expression *make_error(struct parser *parser) {
    return parser_make_expression(parser, EXPRESSION_ERROR, parser_token_span(parser));
}

// ---- Operators ----

// Each number is a rule of the grammar; operators of one class may follow each other.
enum operator_class {
    CLASS_NONE,
    CLASS_MULTIPLICATIVE,
    CLASS_ADDITIVE,
    CLASS_SHIFT,
    CLASS_RELATIONAL,
    CLASS_BITWISE_AND,
    CLASS_BITWISE_OR,
    CLASS_BITWISE_XOR,
    CLASS_LOGICAL_AND,
    CLASS_LOGICAL_OR,
};

struct operator_row {
    enum token_kind token;
    enum operator_class class;
    enum binary_operator op;
};

static const struct operator_row operator_rows[] = {
    {TOKEN_STAR, CLASS_MULTIPLICATIVE, BINARY_MULTIPLY},
    {TOKEN_SLASH, CLASS_MULTIPLICATIVE, BINARY_DIVIDE},
    {TOKEN_PERCENT, CLASS_MULTIPLICATIVE, BINARY_REMAINDER},
    {TOKEN_PLUS, CLASS_ADDITIVE, BINARY_ADD},
    {TOKEN_MINUS, CLASS_ADDITIVE, BINARY_SUBTRACT},
    {TOKEN_MINUS_MINUS, CLASS_ADDITIVE, BINARY_SUBTRACT}, // a--b is a - (-b)
    {TOKEN_SHIFT_LEFT, CLASS_SHIFT, BINARY_SHIFT_LEFT},
    {TOKEN_SHIFT_RIGHT, CLASS_SHIFT, BINARY_SHIFT_RIGHT},
    {TOKEN_LESS, CLASS_RELATIONAL, BINARY_LESS},
    {TOKEN_LESS_EQUAL, CLASS_RELATIONAL, BINARY_LESS_EQUAL},
    {TOKEN_GREATER, CLASS_RELATIONAL, BINARY_GREATER},
    {TOKEN_GREATER_EQUAL, CLASS_RELATIONAL, BINARY_GREATER_EQUAL},
    {TOKEN_EQUAL_EQUAL, CLASS_RELATIONAL, BINARY_EQUAL},
    {TOKEN_NOT_EQUAL, CLASS_RELATIONAL, BINARY_NOT_EQUAL},
    {TOKEN_AND, CLASS_BITWISE_AND, BINARY_AND},
    {TOKEN_OR, CLASS_BITWISE_OR, BINARY_OR},
    {TOKEN_XOR, CLASS_BITWISE_XOR, BINARY_XOR},
    {TOKEN_AND_AND, CLASS_LOGICAL_AND, BINARY_LOGICAL_AND},
    {TOKEN_OR_OR, CLASS_LOGICAL_OR, BINARY_LOGICAL_OR},
};

static const struct operator_row *peek_operator(const struct parser *parser) {
    enum token_kind kind = parser_peek(parser);
    if (parser->is_panicking || kind < TOKEN_AND || kind > TOKEN_XOR) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof operator_rows / sizeof operator_rows[0]; i++) {
        if (operator_rows[i].token == kind) {
            return &operator_rows[i];
        }
    }
    return NULL;
}

static const struct operator_row *peek_class(
    const struct parser *parser, enum operator_class class) {
    const struct operator_row *row = peek_operator(parser);
    return row && row->class == class ? row : NULL;
}

typedef struct ast_expression *(*operand_parser)(struct parser *parser);

// Consumes the operator and its right operand.
static struct ast_expression *parse_binary(struct parser *parser, struct ast_expression *left,
    const struct operator_row *row, operand_parser parse_right) {
    struct source_span operator_span = parser_token_span(parser);
    if (row->token == TOKEN_MINUS_MINUS) {
        operator_span.end--;
        parser_split(parser, TOKEN_MINUS);
    } else {
        parser_advance(parser);
    }
    struct ast_expression *right = parse_right(parser);
    struct ast_expression *binary = parser_make_expression(
        parser, EXPRESSION_BINARY, source_span_join(left->span, right->span));
    if (binary != parser->error_expression) {
        binary->binary.left = left;
        binary->binary.right = right;
        binary->binary.operator_begin = operator_span.begin;
        binary->binary.op = (uint8_t)row->op;
    }
    return binary;
}

static struct ast_expression *continue_multiplicative(
    struct parser *parser, struct ast_expression *left) {
    const struct operator_row *row;
    while ((row = peek_class(parser, CLASS_MULTIPLICATIVE)) != NULL) {
        left = parse_binary(parser, left, row, parser_parse_unary);
    }
    return left;
}

static struct ast_expression *parse_multiplicative(struct parser *parser) {
    return continue_multiplicative(parser, parser_parse_unary(parser));
}

// shift_expression, of which the first unary expression has been read.
static struct ast_expression *continue_shift(struct parser *parser, struct ast_expression *left) {
    const struct operator_row *row = peek_class(parser, CLASS_SHIFT);
    if (row) {
        return parse_binary(parser, left, row, parser_parse_unary);
    }
    left = continue_multiplicative(parser, left);
    while ((row = peek_class(parser, CLASS_ADDITIVE)) != NULL) {
        if (row->token == TOKEN_MINUS_MINUS) {
            // Not the statement's token: what follows must be an operand.
            enum token_kind next = parser_peek_second(parser);
            if (next == TOKEN_SEMICOLON || next == TOKEN_PAREN_RIGHT) {
                parser_error(parser, "'--' is a statement of its own, not part of an expression");
                return left;
            }
        }
        left = parse_binary(parser, left, row, parse_multiplicative);
    }
    return left;
}

static struct ast_expression *parse_shift(struct parser *parser) {
    return continue_shift(parser, parser_parse_unary(parser));
}

// relational_expression, of which the first unary expression has been read.
static struct ast_expression *continue_relational(
    struct parser *parser, struct ast_expression *left) {
    left = continue_shift(parser, left);
    const struct operator_row *row = peek_class(parser, CLASS_RELATIONAL);
    return row ? parse_binary(parser, left, row, parse_shift) : left;
}

static struct ast_expression *parse_relational(struct parser *parser) {
    return continue_relational(parser, parser_parse_unary(parser));
}

// An operator that the grammar does not allow after what was read. Reported once; the rest is read
// as a chain, so that the tokens after it make sense.
static struct ast_expression *parse_mixed(struct parser *parser, struct ast_expression *left) {
    const struct operator_row *row = peek_operator(parser);
    if (!row) {
        return left;
    }
    struct diagnostic *diagnostic;
    if (left->kind != EXPRESSION_BINARY) {
        diagnostic = diagnostic_error(parser->diagnostics, DIAGNOSTIC_MIXED_OPERATORS,
            parser_token_span(parser), "'%s' cannot follow here",
            ast_binary_operator_text(row->op));
    } else {
        enum binary_operator before = (enum binary_operator)left->binary.op;
        bool is_comparison_chain = row->class == CLASS_RELATIONAL && before >= BINARY_EQUAL &&
            before <= BINARY_GREATER_EQUAL;
        diagnostic = diagnostic_error(parser->diagnostics, DIAGNOSTIC_MIXED_OPERATORS,
            parser_token_span(parser),
            is_comparison_chain ? "comparisons do not chain: '%s' and '%s' need '&&' or parentheses"
                                : "'%s' and '%s' have no precedence between them: group one of "
                                  "them with parentheses",
            ast_binary_operator_text(before), ast_binary_operator_text(row->op));
        diagnostic_note(
            parser->diagnostics, diagnostic, ast_binary_operator_span(left), "the other operator");
        if (!is_comparison_chain) {
            struct source_span begin = {left->span.begin, left->span.begin};
            struct source_span end = {left->span.end, left->span.end};
            diagnostic_fix(parser->diagnostics, diagnostic, begin, "(");
            diagnostic_fix(parser->diagnostics, diagnostic, end, ")");
        }
    }
    parser->module->has_syntax_errors = true;
    while ((row = peek_operator(parser)) != NULL) {
        left = parse_binary(parser, left, row, parser_parse_unary);
    }
    // How it was meant is not known: nothing is to be said about its types.
    return parser_make_expression(parser, EXPRESSION_ERROR, left->span);
}

static struct ast_expression *parse_expression(struct parser *parser) {
    struct ast_expression *left = parser_parse_unary(parser);
    const struct operator_row *row = peek_operator(parser);
    if (!row) {
        return left;
    }
    if (row->class >= CLASS_BITWISE_AND && row->class <= CLASS_BITWISE_XOR) {
        enum operator_class class = row->class;
        while ((row = peek_class(parser, class)) != NULL) {
            left = parse_binary(parser, left, row, parser_parse_unary);
        }
        return parse_mixed(parser, left);
    }
    left = continue_relational(parser, left);
    row = peek_operator(parser);
    if (row && row->class >= CLASS_LOGICAL_AND) {
        enum operator_class class = row->class;
        while ((row = peek_class(parser, class)) != NULL) {
            left = parse_binary(parser, left, row, parse_relational);
        }
    }
    return parse_mixed(parser, left);
}

static bool enter(struct parser *parser) {
    if (parser->is_panicking) {
        return false;
    }
    if (parser->expression_depth >= AST_EXPRESSION_DEPTH_LIMIT) {
        parser_error_too_deep(parser, "expressions", AST_EXPRESSION_DEPTH_LIMIT);
        return false;
    }
    parser->expression_depth++;
    return true;
}

struct ast_expression *parser_parse_expression(struct parser *parser) {
    if (!enter(parser)) {
        return make_error(parser);
    }
    bool was_panicking = parser->is_panicking;
    struct ast_expression *expression = parse_expression(parser);
    parser->expression_depth--;
    // What a syntax error broke off means nothing: no other error follows from it.
    return parser->is_panicking && !was_panicking ? make_error(parser) : expression;
}

// ---- Lists ----

// expression ( ',' expression )* ','? up to, not including, `end`.
static void parse_list(struct parser *parser, enum token_kind end, const char *context,
    struct ast_expression_list *out_list) {
    size_t base = parser->scratch.count;
    while (!parser->is_panicking && parser_peek(parser) != end) {
        if (!parser_push(parser, parser_parse_expression(parser)) ||
            !parser_accept(parser, TOKEN_COMMA)) {
            break;
        }
    }
    out_list->items = (struct ast_expression **)parser_pop_list(parser, base, &out_list->count);
    parser_expect(parser, end, context);
}

bool parser_parse_arguments(struct parser *parser, struct ast_expression_list *out_arguments) {
    if (!parser_expect(parser, TOKEN_PAREN_LEFT, "before arguments")) {
        return false;
    }
    parse_list(parser, TOKEN_PAREN_RIGHT, "or ',' after an argument", out_arguments);
    return !parser->is_panicking;
}

struct ast_expression_list *parser_parse_template_list(struct parser *parser) {
    if (!parser_accept(parser, TOKEN_TEMPLATE_BEGIN)) {
        return NULL;
    }
    struct ast_expression_list *list = PARSER_NEW(parser, struct ast_expression_list);
    if (!list) {
        return NULL;
    }
    if (parser_peek(parser) == TOKEN_TEMPLATE_END) {
        // Nothing after it is in doubt: no reason to panic.
        diagnostic_error(parser->diagnostics, DIAGNOSTIC_SYNTAX, parser_token_span(parser),
            "a template list has at least one argument");
        parser_advance(parser);
    } else {
        parse_list(parser, TOKEN_TEMPLATE_END, "or ',' after a template argument", list);
    }
    if (list->count == 0) {
        list->items = (struct ast_expression **)parser_allocate(parser, 1, sizeof(*list->items));
        list->count = list->items ? 1 : 0;
        if (list->items) {
            list->items[0] = make_error(parser);
        }
    }
    return list->items ? list : NULL;
}

// ---- Primary expressions ----

static struct ast_expression *parse_identifier(struct parser *parser) {
    uint32_t begin = parser_begin(parser);
    struct ast_name *name = ast_module_intern(parser->module, parser_token_text(parser));
    if (!name) {
        parser_out_of_memory(parser);
        return parser->error_expression;
    }
    parser_advance(parser);
    struct ast_expression_list *arguments = parser_parse_template_list(parser);
    struct ast_expression *identifier = parser_make_expression(
        parser, EXPRESSION_IDENTIFIER, parser_span_from(parser, begin));
    if (identifier != parser->error_expression) {
        identifier->identifier.name = name;
        identifier->identifier.template_arguments = arguments;
    }
    return identifier;
}

struct ast_expression *parser_parse_type(struct parser *parser) {
    if (parser->is_panicking) {
        return make_error(parser);
    }
    if (parser_peek(parser) != TOKEN_IDENTIFIER) {
        parser_error_expected(parser, "a type");
        return make_error(parser);
    }
    if (!enter(parser)) {
        return make_error(parser);
    }
    struct ast_expression *type = parse_identifier(parser);
    parser->expression_depth--;
    if (parser_peek(parser) == TOKEN_LESS) {
        parser_error(parser, "this '<' starts no template list: its '>' is missing");
    }
    return parser->is_panicking ? make_error(parser) : type;
}

static struct ast_expression *parse_call(struct parser *parser, struct ast_expression *callee) {
    struct ast_expression_list arguments = {0};
    parser_parse_arguments(parser, &arguments);
    struct ast_expression *call = parser_make_expression(
        parser, EXPRESSION_CALL, parser_span_from(parser, callee->span.begin));
    if (call != parser->error_expression) {
        call->call.callee = callee;
        call->call.arguments = arguments;
    }
    return call;
}

static enum literal_kind classify_literal(struct text text, bool is_float) {
    char last = text.data[text.length - 1];
    bool is_hexadecimal = text.length > 1 && (text.data[1] | 0x20) == 'x';
    if (is_float) {
        bool has_suffix = !is_hexadecimal;
        for (size_t i = 0; is_hexadecimal && i < text.length; i++) {
            has_suffix |= (text.data[i] | 0x20) == 'p'; // otherwise a final f is a digit
        }
        return has_suffix && last == 'f' ? LITERAL_F32
            : has_suffix && last == 'h'  ? LITERAL_F16
                                         : LITERAL_ABSTRACT_FLOAT;
    }
    return last == 'i' ? LITERAL_I32 : last == 'u' ? LITERAL_U32 : LITERAL_ABSTRACT_INT;
}

static struct ast_expression *parse_literal(struct parser *parser) {
    enum token_kind kind = parser_peek(parser);
    struct ast_expression *literal = parser_make_expression(
        parser, EXPRESSION_LITERAL, parser_token_span(parser));
    if (literal != parser->error_expression) {
        if (kind == TOKEN_TRUE || kind == TOKEN_FALSE) {
            literal->literal.kind = LITERAL_BOOL;
            literal->literal.is_true = kind == TOKEN_TRUE;
        } else {
            struct text text = parser_token_text(parser);
            literal->literal.kind = (uint8_t)classify_literal(text, kind == TOKEN_FLOAT_LITERAL);
            literal->literal.is_hexadecimal = text.length > 1 && (text.data[1] | 0x20) == 'x';
        }
    }
    parser_advance(parser);
    return literal;
}

static struct ast_expression *parse_paren(struct parser *parser) {
    uint32_t begin = parser_begin(parser);
    parser_advance(parser);
    struct ast_expression *operand = parser_parse_expression(parser);
    parser_expect(parser, TOKEN_PAREN_RIGHT, "after the expression in parentheses");
    struct ast_expression *paren = parser_make_expression(
        parser, EXPRESSION_PAREN, parser_span_from(parser, begin));
    if (paren != parser->error_expression) {
        paren->unary.operand = operand;
    }
    return paren;
}

static struct ast_expression *parse_primary(struct parser *parser) {
    switch (parser_peek(parser)) {
    case TOKEN_IDENTIFIER: {
        struct ast_expression *identifier = parse_identifier(parser);
        if (!parser->is_panicking && parser_peek(parser) == TOKEN_PAREN_LEFT) {
            return parse_call(parser, identifier);
        }
        return identifier;
    }
    case TOKEN_INT_LITERAL:
    case TOKEN_FLOAT_LITERAL:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        return parse_literal(parser);
    case TOKEN_PAREN_LEFT:
        return parse_paren(parser);
    case TOKEN_PLUS:
        parser_error(parser, "WGSL has no unary '+'");
        break;
    case TOKEN_PLUS_PLUS:
        parser_error(parser, "'++' is a statement of its own, not part of an expression");
        break;
    case TOKEN_UNDERSCORE:
        parser_error(parser, "'_' is no value: it stands only in '_ = expression;'");
        break;
    default:
        parser_error_expected(parser, "an expression");
        break;
    }
    return make_error(parser);
}

// [index], .member and .swizzle after `base`; a loop, since `v.x.x.x…` may be any length.
static struct ast_expression *parse_postfix(struct parser *parser, struct ast_expression *base) {
    while (!parser->is_panicking) {
        if (parser_accept(parser, TOKEN_BRACKET_LEFT)) {
            struct ast_expression *index = parser_parse_expression(parser);
            parser_expect(parser, TOKEN_BRACKET_RIGHT, "after the index");
            struct ast_expression *node = parser_make_expression(
                parser, EXPRESSION_INDEX, parser_span_from(parser, base->span.begin));
            if (node == parser->error_expression) {
                return node;
            }
            node->index.base = base;
            node->index.index = index;
            base = node;
        } else if (parser_accept(parser, TOKEN_PERIOD)) {
            struct source_span name_span;
            struct ast_name *name = parser_expect_name(parser, "a member", &name_span);
            struct ast_expression *node = parser_make_expression(
                parser, EXPRESSION_MEMBER, parser_span_from(parser, base->span.begin));
            if (node == parser->error_expression) {
                return node;
            }
            node->member.base = base;
            node->member.name = name;
            node->member.name_span = name_span;
            base = node;
        } else {
            break;
        }
    }
    if (parser_peek(parser) == TOKEN_PLUS_PLUS && parser->expression_depth > parser->target_depth) {
        parser_error(parser, "'++' is a statement of its own, not part of an expression");
    }
    return base;
}

struct ast_expression *parser_parse_unary(struct parser *parser) {
    if (parser->is_panicking) {
        return make_error(parser);
    }
    enum expression_kind kind = EXPRESSION_UNARY;
    enum unary_operator op = UNARY_NEGATE;
    uint32_t begin = parser_begin(parser);
    switch (parser_peek(parser)) {
    case TOKEN_MINUS_MINUS:
        parser_split(parser, TOKEN_MINUS);
        break;
    case TOKEN_MINUS:
        parser_advance(parser);
        break;
    case TOKEN_BANG:
        op = UNARY_NOT;
        parser_advance(parser);
        break;
    case TOKEN_TILDE:
        op = UNARY_COMPLEMENT;
        parser_advance(parser);
        break;
    case TOKEN_STAR:
        kind = EXPRESSION_INDIRECTION;
        parser_advance(parser);
        break;
    case TOKEN_AND_AND:
        kind = EXPRESSION_ADDRESS_OF;
        parser_split(parser, TOKEN_AND);
        break;
    case TOKEN_AND:
        kind = EXPRESSION_ADDRESS_OF;
        parser_advance(parser);
        break;
    default:
        return parse_postfix(parser, parse_primary(parser));
    }
    // "*p++": the operand of the statement's own '*' may still be the target of '++'.
    bool is_target = kind != EXPRESSION_UNARY && parser->expression_depth == parser->target_depth;
    if (!enter(parser)) {
        return make_error(parser);
    }
    parser->target_depth += is_target;
    struct ast_expression *operand = parser_parse_unary(parser);
    parser->expression_depth--;
    parser->target_depth -= is_target;
    struct ast_expression *unary = parser_make_expression(
        parser, kind, parser_span_from(parser, begin));
    if (unary != parser->error_expression) {
        unary->unary.operand = operand;
        unary->unary.op = (uint8_t)op;
    }
    return unary;
}
