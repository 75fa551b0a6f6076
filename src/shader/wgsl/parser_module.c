// SPDX-License-Identifier: MIT
//
// The parser's entry, directives and module-scope declarations (WGSL §Declarations, §Directives).

#include <stdio.h>

#include "shader/ir/ir.h"
#include "shader/wgsl/parser_priv.h"
#include "shader/wgsl/wgsl.h"

// ---- Directives ----

static void parse_names(struct parser *parser, struct ast_directive *directive, const char *what) {
    VECTOR(struct ast_directive_name) names = {0};
    do {
        struct ast_directive_name name;
        name.name = parser_expect_name(parser, what, &name.span);
        if (!parser->is_panicking && !vector_push(&names, MEMORY_COMPILE, name)) {
            parser_out_of_memory(parser);
        }
    } while (parser_accept(parser, TOKEN_COMMA) && parser_peek(parser) != TOKEN_SEMICOLON);
    if (names.count > 0) {
        directive->names = (struct ast_directive_name *)arena_copy(
            parser->arena, names.items, names.count * sizeof(struct ast_directive_name));
        directive->name_count = directive->names ? (uint32_t)names.count : 0;
        if (!directive->names) {
            parser_out_of_memory(parser);
        }
    }
    vector_finish(&names);
}

static bool is_at_directive(const struct parser *parser) {
    enum token_kind kind = parser_peek(parser);
    return kind == TOKEN_ENABLE || kind == TOKEN_REQUIRES || kind == TOKEN_DIAGNOSTIC;
}

static struct ast_directive *parse_directive(struct parser *parser) {
    struct ast_directive *directive = PARSER_NEW(parser, struct ast_directive);
    if (!directive) {
        return NULL;
    }
    uint32_t begin = parser_begin(parser);
    enum token_kind kind = parser_peek(parser);
    parser_advance(parser);
    if (kind == TOKEN_ENABLE) {
        directive->kind = DIRECTIVE_ENABLE;
        parse_names(parser, directive, "an extension");
    } else if (kind == TOKEN_REQUIRES) {
        directive->kind = DIRECTIVE_REQUIRES;
        parse_names(parser, directive, "a language extension");
    } else {
        directive->kind = DIRECTIVE_DIAGNOSTIC;
        parser_parse_diagnostic_control(parser, &directive->control);
    }
    directive->span = parser_span_from(parser, begin);
    parser_expect(parser, TOKEN_SEMICOLON, "after the directive");
    return parser->is_panicking ? NULL : directive;
}

// ---- Functions ----

static struct ast_declaration *parse_parameter(struct parser *parser) {
    struct ast_declaration *parameter = PARSER_NEW(parser, struct ast_declaration);
    if (!parameter) {
        return NULL;
    }
    uint32_t begin = parser_begin(parser);
    parameter->kind = DECLARATION_PARAMETER;
    parameter->attributes = parser_parse_attributes(parser);
    parser_check_attributes(parser, &parameter->attributes, PLACE_PARAMETER, "a parameter");
    parameter->name = parser_expect_name(parser, "a parameter", &parameter->name_span);
    parser_expect(parser, TOKEN_COLON, "after the name of a parameter");
    parameter->type_expression = parser_parse_type(parser);
    parameter->span = parser_span_from(parser, begin);
    return parameter;
}

// The end of parameters or members; where one more begins instead, a ',' is missing before it.
static void expect_list_end(struct parser *parser, enum token_kind end, const char *context) {
    bool begins_another = parser_peek(parser) == TOKEN_IDENTIFIER ||
        parser_peek(parser) == TOKEN_AT;
    if (!begins_another || parser->is_panicking) {
        parser_expect(parser, end, context);
        return;
    }
    uint32_t gap = parser->tokens[parser->at - 1].end;
    char expected[64];
    snprintf(expected, sizeof(expected), "%s %s", token_kind_text(end), context);
    struct diagnostic *diagnostic = parser_error_expected(parser, expected);
    diagnostic_fix(parser->diagnostics, diagnostic, (struct source_span){gap, gap}, ",");
}

static void parse_parameters(struct parser *parser, struct ast_function *function) {
    size_t base = parser->scratch.count;
    parser_expect(parser, TOKEN_PAREN_LEFT, "after the name of a function");
    while (!parser->is_panicking && parser_peek(parser) != TOKEN_PAREN_RIGHT) {
        struct ast_declaration *parameter = parse_parameter(parser);
        if (!parameter || !parser_push(parser, parameter) || !parser_accept(parser, TOKEN_COMMA)) {
            break;
        }
    }
    function->parameters = (struct ast_declaration **)parser_pop_list(
        parser, base, &function->parameter_count);
    expect_list_end(parser, TOKEN_PAREN_RIGHT, "or ',' after a parameter");
}

static void parse_function(struct parser *parser, struct ast_declaration *declaration) {
    struct ast_function *function = PARSER_NEW(parser, struct ast_function);
    if (!function) {
        return;
    }
    declaration->kind = DECLARATION_FUNCTION;
    declaration->function = function;
    parser_advance(parser);
    declaration->name = parser_expect_name(parser, "a function", &declaration->name_span);
    parse_parameters(parser, function);
    if (parser_accept(parser, TOKEN_ARROW)) {
        function->result_attributes = parser_parse_attributes(parser);
        parser_check_attributes(parser, &function->result_attributes, PLACE_RESULT, "a result");
        function->result_type_expression = parser_parse_type(parser);
    }
    if (parser->is_panicking) {
        parser->module->has_lost_names = true; // of parameters
        function->result_type_expression = parser->error_expression;
    }
    if (parser_recover_to_block(parser, false)) {
        parser_parse_block(parser, &function->body);
    }
}

// ---- Structures and aliases ----

static void parse_member(struct parser *parser, struct ast_member *member) {
    uint32_t begin = parser_begin(parser);
    member->attributes = parser_parse_attributes(parser);
    parser_check_attributes(parser, &member->attributes, PLACE_MEMBER, "a structure member");
    member->name = parser_expect_name(parser, "a member", &member->name_span);
    parser_expect(parser, TOKEN_COLON, "after the name of a member");
    member->type_expression = parser_parse_type(parser);
    member->span = parser_span_from(parser, begin);
}

static void parse_struct(struct parser *parser, struct ast_declaration *declaration) {
    struct ast_struct *structure = PARSER_NEW(parser, struct ast_struct);
    if (!structure) {
        return;
    }
    declaration->kind = DECLARATION_STRUCT;
    declaration->structure = structure;
    parser_advance(parser);
    declaration->name = parser_expect_name(parser, "a structure", &declaration->name_span);
    parser_expect(parser, TOKEN_BRACE_LEFT, "before the members of a structure");
    VECTOR(struct ast_member) members = {0};
    while (!parser->is_panicking && parser_peek(parser) != TOKEN_BRACE_RIGHT) {
        struct ast_member member = {0};
        parse_member(parser, &member);
        if (!vector_push(&members, MEMORY_COMPILE, member)) {
            parser_out_of_memory(parser);
        }
        if (!parser_accept(parser, TOKEN_COMMA)) {
            break;
        }
    }
    if (!parser->is_panicking && members.count == 0) {
        parser_error(parser, "a structure has at least one member");
    } else if (!parser->is_panicking && parser_peek(parser) == TOKEN_SEMICOLON) {
        struct diagnostic *diagnostic = parser_error(
            parser, "members of a structure are separated by ',', not ';'");
        diagnostic_fix(parser->diagnostics, diagnostic, parser_token_span(parser), ",");
    }
    expect_list_end(parser, TOKEN_BRACE_RIGHT, "or ',' after a member");
    if (members.count > 0) {
        structure->members = (struct ast_member *)arena_copy(
            parser->arena, members.items, members.count * sizeof(struct ast_member));
        structure->member_count = structure->members ? (uint32_t)members.count : 0;
        if (!structure->members) {
            parser_out_of_memory(parser);
        }
    }
    vector_finish(&members);
}

static void parse_alias(struct parser *parser, struct ast_declaration *declaration) {
    declaration->kind = DECLARATION_ALIAS;
    parser_advance(parser);
    declaration->name = parser_expect_name(parser, "an alias", &declaration->name_span);
    parser_expect(parser, TOKEN_EQUAL, "after the name of an alias");
    declaration->type_expression = parser_parse_type(parser);
}

// ---- Declarations ----

struct place_of_declaration {
    enum attribute_place place;
    const char *name;
};

static struct place_of_declaration get_place(enum declaration_kind kind) {
    switch (kind) {
    case DECLARATION_VARIABLE:
        return (struct place_of_declaration){PLACE_VARIABLE, "a module-scope variable"};
    case DECLARATION_OVERRIDE:
        return (struct place_of_declaration){PLACE_OVERRIDE, "an override"};
    case DECLARATION_FUNCTION:
        return (struct place_of_declaration){PLACE_FUNCTION, "a function"};
    case DECLARATION_CONST:
        return (struct place_of_declaration){PLACE_NONE, "a const"};
    case DECLARATION_ALIAS:
        return (struct place_of_declaration){PLACE_NONE, "an alias"};
    case DECLARATION_STRUCT:
        return (struct place_of_declaration){PLACE_NONE, "a structure"};
    case DECLARATION_CONST_ASSERT:
    case DECLARATION_LET:
    case DECLARATION_PARAMETER:
        break;
    }
    return (struct place_of_declaration){PLACE_NONE, "this declaration"};
}

static bool is_statement_start(enum token_kind kind) {
    switch (kind) {
    case TOKEN_BRACE_LEFT:
    case TOKEN_BREAK:
    case TOKEN_CASE:
    case TOKEN_CONTINUE:
    case TOKEN_CONTINUING:
    case TOKEN_DEFAULT:
    case TOKEN_DISCARD:
    case TOKEN_ELSE:
    case TOKEN_FOR:
    case TOKEN_IF:
    case TOKEN_LOOP:
    case TOKEN_RETURN:
    case TOKEN_SWITCH:
    case TOKEN_WHILE:
        return true;
    default:
        return false;
    }
}

// The declaration at the current token, its ';' included; NULL: none there, reported.
static struct ast_declaration *parse_declaration_kind(struct parser *parser) {
    enum token_kind kind = parser_peek(parser);
    struct ast_declaration *declaration = NULL;
    const char *context = "after the declaration";
    if (parser->is_lost && kind == TOKEN_VAR &&
        parser_peek_second(parser) != TOKEN_TEMPLATE_BEGIN) {
        kind = TOKEN_LET; // a function's, not the module's
    }
    switch (kind) {
    case TOKEN_VAR:
    case TOKEN_CONST:
    case TOKEN_OVERRIDE:
        declaration = parser_parse_value_declaration(parser);
        parser_expect(parser, TOKEN_SEMICOLON, context);
        return declaration;
    case TOKEN_CONST_ASSERT:
        declaration = parser_parse_const_assert(parser);
        parser_expect(parser, TOKEN_SEMICOLON, "after 'const_assert'");
        return declaration;
    case TOKEN_ALIAS:
    case TOKEN_STRUCT:
    case TOKEN_FN:
        if (parser_peek_second(parser) != TOKEN_IDENTIFIER) {
            // Nobody can refer to what has no name, and there may be very many.
            struct source_span span;
            parser_advance(parser);
            parser_expect_name(parser,
                kind == TOKEN_ALIAS        ? "an alias"
                    : kind == TOKEN_STRUCT ? "a structure"
                                           : "a function",
                &span);
            return NULL;
        }
        declaration = PARSER_NEW(parser, struct ast_declaration);
        if (!declaration) {
            return NULL;
        }
        declaration->name = parser->module->error_name;
        if (kind == TOKEN_ALIAS) {
            parse_alias(parser, declaration);
            parser_expect(parser, TOKEN_SEMICOLON, context);
        } else if (kind == TOKEN_STRUCT) {
            parse_struct(parser, declaration);
        } else {
            parse_function(parser, declaration);
        }
        return declaration;
    default:
        parser->module->has_lost_names = true;
        if (parser->is_lost) {
            parser->is_panicking = true; // these are statements of the block that was lost
            return NULL;
        }
        break;
    }
    if (kind == TOKEN_LET) {
        struct diagnostic *diagnostic = parser_error(
            parser, "'let' stands only in functions: use 'const' or 'override' here");
        diagnostic_fix(parser->diagnostics, diagnostic, parser_token_span(parser), "const");
    } else if (kind == TOKEN_BRACE_RIGHT) {
        parser_error(parser, "this '}' closes nothing");
        parser_lose_blocks(parser);
    } else {
        parser_error_expected(parser, "a declaration (fn, struct, var, const, override, alias)");
        if (is_statement_start(kind)) {
            parser_lose_blocks(parser);
        }
    }
    return NULL;
}

static struct ast_declaration *parse_declaration(struct parser *parser) {
    uint32_t begin = parser_begin(parser);
    struct ast_attribute_list attributes = parser_parse_attributes(parser);
    if (parser->is_panicking) {
        return NULL;
    }
    struct ast_declaration *declaration = parse_declaration_kind(parser);
    if (!declaration) {
        return NULL;
    }
    struct place_of_declaration place = get_place(declaration->kind);
    parser_check_attributes(parser, &attributes, place.place, place.name);
    declaration->attributes = attributes;
    declaration->is_module_scope = true;
    declaration->span = parser_span_from(parser, begin);
    return declaration;
}

static void parse_directives(struct parser *parser) {
    size_t base = parser->scratch.count;
    while (is_at_directive(parser) && !parser->is_out_of_memory) {
        uint32_t start = parser->at;
        struct ast_directive *directive = parse_directive(parser);
        if (directive) {
            parser_push(parser, directive);
        }
        if (parser->is_panicking) {
            parser->module->has_lost_names = true; // of extensions
            parser_recover_declaration(parser, start);
        }
    }
    size_t count = parser->scratch.count - base;
    parser->module->directives = (struct ast_directive *)parser_allocate(
        parser, count, sizeof(struct ast_directive));
    for (size_t i = 0; i < count && parser->module->directives; i++) {
        parser->module->directives[i] = *(
            const struct ast_directive *)parser->scratch.items[base + i];
        parser->module->directive_count++;
    }
    parser->scratch.count = base;
}

// A declaration that stands only at module scope shows that the text is in step again.
static bool ends_loss(const struct parser *parser, const struct ast_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARATION_FUNCTION:
    case DECLARATION_STRUCT:
    case DECLARATION_ALIAS:
    case DECLARATION_OVERRIDE:
        return !parser->is_panicking;
    case DECLARATION_VARIABLE:
    case DECLARATION_CONST:
    case DECLARATION_LET:
    case DECLARATION_PARAMETER:
    case DECLARATION_CONST_ASSERT:
        break;
    }
    return false;
}

static void parse_translation_unit(struct parser *parser) {
    parse_directives(parser);
    size_t base = parser->scratch.count;
    while (parser_peek(parser) != TOKEN_END && !parser->is_out_of_memory) {
        if (parser_accept(parser, TOKEN_SEMICOLON)) {
            continue;
        }
        uint32_t start = parser->at;
        if (is_at_directive(parser)) {
            struct source_span span = parser_token_span(parser);
            if (parse_directive(parser)) {
                diagnostic_error(parser->diagnostics, DIAGNOSTIC_MISPLACED_DIRECTIVE, span,
                    "directives stand before all declarations");
                parser->module->has_syntax_errors = true;
            }
        } else {
            struct ast_declaration *declaration = parse_declaration(parser);
            if (declaration && !parser->is_out_of_memory) {
                parser_push(parser, declaration);
                parser->is_lost = parser->is_lost && !ends_loss(parser, declaration);
            }
        }
        if (parser->is_panicking) {
            parser_recover_declaration(parser, start);
        }
    }
    parser->module->declarations = (struct ast_declaration **)parser_pop_list(
        parser, base, &parser->module->declaration_count);
}

static struct ast_module *parse_tokens(struct parser *parser, struct arena *ir_arena) {
    struct ast_module *module = ARENA_NEW(parser->arena, struct ast_module);
    if (!module) {
        return NULL;
    }
    parser->module = module;
    module->source = parser->source;
    module->arena = parser->arena;
    module->ir = ir_module_create(ir_arena);
    if (!module->ir) {
        return NULL;
    }
    module->types = &module->ir->types;
    module->error_name = ast_module_intern(module, TEXT_LITERAL(""));
    parser->error_expression = PARSER_NEW(parser, struct ast_expression);
    parser->error_statement = PARSER_NEW(parser, struct ast_statement);
    if (!module->error_name || !parser->error_expression || !parser->error_statement) {
        return NULL;
    }
    parse_translation_unit(parser);
    return parser->is_out_of_memory ? NULL : module;
}

struct ast_module *wgsl_parse(
    const struct source *source, struct arena *arena, struct diagnostic_list *diagnostics) {
    return wgsl_parse_apart(source, arena, arena, diagnostics);
}

struct ast_module *wgsl_parse_apart(const struct source *source, struct arena *arena,
    struct arena *ir_arena, struct diagnostic_list *diagnostics) {
    struct token_list list = {0};
    struct ast_module *module = NULL;
    uint32_t errors_before = diagnostics->error_count;
    if (token_list_lex(&list, source, diagnostics)) {
        struct parser parser = {
            .arena = arena,
            .diagnostics = diagnostics,
            .source = source,
            .tokens = list.tokens.items,
            .lexer_error_count = diagnostics->count,
        };
        module = parse_tokens(&parser, ir_arena);
        vector_finish(&parser.scratch);
        if (module) {
            module->has_syntax_errors |= diagnostics->error_count != errors_before;
        } else {
            diagnostic_list_set_out_of_memory(diagnostics);
        }
    }
    token_list_finish(&list);
    return module;
}
