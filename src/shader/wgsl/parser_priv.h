// SPDX-License-Identifier: MIT
//
// The recursive-descent parser's state and the functions that its files share:
//   parser.c             tokens, errors, recovery
//   parser_module.c      wgsl_parse, directives, module-scope declarations
//   parser_attribute.c   attributes
//   parser_statement.c   blocks and simple statements
//   parser_control.c     if, switch, loops
//   parser_expression.c  expressions, types, template lists
//
// Errors: the first error inside a statement or declaration is reported and sets is_panicking.
// While it is set nothing is consumed, expected or reported, so that every function can simply
// return; whoever owns a list of statements or declarations then skips to a place from which
// parsing makes sense again and clears it. Functions that return a pointer never return NULL: after
// an error it is an error node, or, when memory ran out, the shared error node.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "shader/wgsl/ast.h"
#include "shader/wgsl/diagnostic.h"
#include "shader/wgsl/token.h"

struct parser {
    struct ast_module *module;
    struct arena *arena;
    struct diagnostic_list *diagnostics;
    const struct source *source;
    struct token *tokens; // the last is TOKEN_END
    uint32_t at;
    VECTOR(void *) scratch; // a stack for lists whose length is not known yet
    uint32_t expression_depth;
    uint32_t target_depth; // of them, the operators * and & of an assignment target
    uint32_t statement_depth;
    uint32_t lexer_error_count; // how many of the diagnostics are the lexer's: they come first
    bool is_panicking;
    bool is_unwinding; // a '}' is missing or nesting too deep: every open block ends here
    bool is_lost; // after a brace that was missing or too much, up to the next sound declaration
    bool is_out_of_memory;
    struct ast_expression *error_expression;
    struct ast_statement *error_statement;
};

// ---- parser.c

static inline enum token_kind parser_peek(const struct parser *parser) {
    return (enum token_kind)parser->tokens[parser->at].kind;
}
static inline enum token_kind parser_peek_second(const struct parser *parser) {
    const struct token *token = &parser->tokens[parser->at];
    return (enum token_kind)(token->kind == TOKEN_END ? TOKEN_END : token[1].kind);
}
struct source_span parser_token_span(const struct parser *parser);
// From `begin` to the end of the last consumed token.
struct source_span parser_span_from(const struct parser *parser, uint32_t begin);
uint32_t parser_begin(const struct parser *parser); // of the current token
struct text parser_token_text(const struct parser *parser);

// A brace was missing or too much: what follows from that is not reported.
static inline void parser_lose_blocks(struct parser *parser) {
    parser->is_lost = true;
    parser->module->has_lost_blocks = true;
}

void parser_advance(struct parser *parser);
// Consumes the token if it is of that kind; never while panicking.
bool parser_accept(struct parser *parser, enum token_kind kind);
// As accept, or reports "expected KIND CONTEXT, found …".
bool parser_expect(struct parser *parser, enum token_kind kind, const char *context);
// A name for a declaration: the error name, reported, when none stands here.
struct ast_name *parser_expect_name(
    struct parser *parser, const char *what, struct source_span *out_span);
// Makes the current token the second half of a two-character operator: '&&' becomes '&'.
void parser_split(struct parser *parser, enum token_kind rest);

// Reports at the current token and panics. An invalid token was reported by the lexer.
struct diagnostic *parser_error(struct parser *parser, const char *format, ...) TEXT_PRINTF(2, 3);
// "expected WHAT, found TOKEN".
struct diagnostic *parser_error_expected(struct parser *parser, const char *what);
void parser_error_too_deep(struct parser *parser, const char *what, uint32_t limit);
void *parser_out_of_memory(struct parser *parser); // returns NULL

// Zeroed memory from the arena; NULL (and panicking) when there is none.
void *parser_allocate(struct parser *parser, size_t count, size_t size_bytes);
#define PARSER_NEW(parser, type) ((type *)parser_allocate((parser), 1, sizeof(type)))
bool parser_push(struct parser *parser, void *item);
// Takes what was pushed since `base` into an array of the arena; NULL when there was nothing.
void **parser_pop_list(struct parser *parser, size_t base, uint32_t *out_count);

// Recovery: see the head of parser.c.
void parser_recover_statement(struct parser *parser);
void parser_recover_declaration(struct parser *parser, uint32_t begin);
// In the head of a statement or function: skips to the '{' of its body, if it is in sight.
bool parser_recover_to_block(struct parser *parser, bool may_cross_semicolon);
bool parser_is_at_module_keyword(const struct parser *parser);

// ---- parser_attribute.c

enum attribute_place {
    PLACE_NONE = 0,
    PLACE_VARIABLE = 1,
    PLACE_OVERRIDE = 2,
    PLACE_FUNCTION = 4,
    PLACE_PARAMETER = 8,
    PLACE_RESULT = 16,
    PLACE_MEMBER = 32,
    PLACE_STATEMENT = 64,
};

// Attributes up to the first other token. What they belong to is often known only afterwards.
struct ast_attribute_list parser_parse_attributes(struct parser *parser);
// Reports what may not stand at that place, or twice, and removes it.
void parser_check_attributes(struct parser *parser, struct ast_attribute_list *list,
    enum attribute_place place, const char *place_name);
bool parser_parse_diagnostic_control(struct parser *parser, struct ast_diagnostic_control *control);

// ---- parser_expression.c

struct ast_expression *parser_parse_expression(struct parser *parser);
// A unary expression, of which every left-hand side is one.
struct ast_expression *parser_parse_unary(struct parser *parser);
struct ast_expression *parser_parse_type(struct parser *parser);
// A template list that starts at the current token; NULL if none does.
struct ast_expression_list *parser_parse_template_list(struct parser *parser);
// '(' … ')'.
bool parser_parse_arguments(struct parser *parser, struct ast_expression_list *out_arguments);
struct ast_expression *parser_make_expression(
    struct parser *parser, enum expression_kind kind, struct source_span span);

// ---- parser_statement.c

// Attributes, '{', statements, '}'.
void parser_parse_block(struct parser *parser, struct ast_block *out_block);
// `var`, `let`, `const` or `override`, at the keyword; without ';'.
struct ast_declaration *parser_parse_value_declaration(struct parser *parser);
struct ast_declaration *parser_parse_const_assert(struct parser *parser);
// `var`, `let`, `const` or `const_assert` as a statement; without ';'.
struct ast_statement *parser_parse_declaration_statement(struct parser *parser);
// Assignment, increment, decrement or call; without ';'.
struct ast_statement *parser_parse_update(struct parser *parser);
// As parser_parse_block, and the continuing block with its `break if`, each NULL if there is none.
void parser_parse_loop_body(struct parser *parser, struct ast_block *out_body,
    struct ast_block **out_continuing, struct ast_expression **out_break_if);
// The error statement when memory ran out.
struct ast_statement *parser_make_statement(
    struct parser *parser, enum statement_kind kind, uint32_t begin);
// The end of the text, or something that only module scope knows, perhaps after attributes.
bool parser_is_missing_brace(const struct parser *parser);
// Of the block or switch whose '{' is at `begin`; every open block ends.
void parser_report_missing_brace(struct parser *parser, uint32_t begin);

// ---- parser_control.c: at the keyword

struct ast_statement *parser_parse_if(struct parser *parser);
struct ast_statement *parser_parse_switch(struct parser *parser);
struct ast_statement *parser_parse_loop(struct parser *parser);
struct ast_statement *parser_parse_for(struct parser *parser);
struct ast_statement *parser_parse_while(struct parser *parser);
