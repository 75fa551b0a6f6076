// SPDX-License-Identifier: MIT
//
// The syntax tree as text, for the parser's tests: expressions with every operation in parentheses,
// statements on lines of their own. Trees of tests are small, so it recurses.
#pragma once

#include "base/text.h"
#include "shader/wgsl/ast.h"

static void print_expression(struct text_buffer *out, const struct ast_expression *e);

static void print_expressions(struct text_buffer *out, const struct ast_expression_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        text_buffer_append_string(out, i ? ", " : "");
        print_expression(out, list->items[i]);
    }
}

static void print_expression(struct text_buffer *out, const struct ast_expression *e) {
    static const char *const suffixes[] = {
        [LITERAL_BOOL] = "b",
        [LITERAL_ABSTRACT_INT] = "ai",
        [LITERAL_I32] = "i32",
        [LITERAL_U32] = "u32",
        [LITERAL_ABSTRACT_FLOAT] = "af",
        [LITERAL_F32] = "f32",
        [LITERAL_F16] = "f16",
    };
    switch ((enum expression_kind)e->kind) {
    case EXPRESSION_ERROR:
        text_buffer_append_string(out, "<error>");
        break;
    case EXPRESSION_LITERAL:
        if (e->literal.kind == LITERAL_BOOL) {
            text_buffer_append_string(out, e->literal.is_true ? "true" : "false");
        } else {
            text_buffer_print(
                out, "%s#%u", suffixes[e->literal.kind], (unsigned)(e->span.end - e->span.begin));
        }
        break;
    case EXPRESSION_IDENTIFIER:
        text_buffer_append(out, e->identifier.name->text);
        if (e->identifier.template_arguments) {
            text_buffer_append_string(out, "<");
            print_expressions(out, e->identifier.template_arguments);
            text_buffer_append_string(out, ">");
        }
        break;
    case EXPRESSION_CALL:
        print_expression(out, e->call.callee);
        text_buffer_append_string(out, "(");
        print_expressions(out, &e->call.arguments);
        text_buffer_append_string(out, ")");
        break;
    case EXPRESSION_INDEX:
        print_expression(out, e->index.base);
        text_buffer_append_string(out, "[");
        print_expression(out, e->index.index);
        text_buffer_append_string(out, "]");
        break;
    case EXPRESSION_MEMBER:
        print_expression(out, e->member.base);
        text_buffer_print(out, ".%.*s", TEXT_ARGS(e->member.name->text));
        break;
    case EXPRESSION_UNARY:
    case EXPRESSION_ADDRESS_OF:
    case EXPRESSION_INDIRECTION:
        text_buffer_print(out, "{%s ",
            e->kind == EXPRESSION_UNARY ? ast_unary_operator_text((enum unary_operator)e->unary.op)
                : e->kind == EXPRESSION_ADDRESS_OF ? "&"
                                                   : "*");
        print_expression(out, e->unary.operand);
        text_buffer_append_string(out, "}");
        break;
    case EXPRESSION_BINARY:
        text_buffer_append_string(out, "{");
        print_expression(out, e->binary.left);
        text_buffer_print(
            out, " %s ", ast_binary_operator_text((enum binary_operator)e->binary.op));
        print_expression(out, e->binary.right);
        text_buffer_append_string(out, "}");
        break;
    case EXPRESSION_PAREN:
        text_buffer_append_string(out, "(");
        print_expression(out, e->unary.operand);
        text_buffer_append_string(out, ")");
        break;
    }
}

static void print_attributes(struct text_buffer *out, const struct ast_attribute_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        text_buffer_print(out, "@%d(", (int)list->items[i].kind);
        print_expressions(out, &list->items[i].arguments);
        if (list->items[i].control) {
            text_buffer_print(out, "%d %.*s", (int)list->items[i].control->severity,
                TEXT_ARGS(list->items[i].control->rule->text));
        }
        text_buffer_append_string(out, ") ");
    }
}

static void print_statement(struct text_buffer *out, const struct ast_statement *s);

static void print_block(struct text_buffer *out, const struct ast_block *block) {
    print_attributes(out, &block->attributes);
    text_buffer_append_string(out, "{ ");
    for (uint32_t i = 0; i < block->count; i++) {
        print_statement(out, block->items[i]);
    }
    text_buffer_append_string(out, "} ");
}

static void print_declaration(struct text_buffer *out, const struct ast_declaration *d) {
    static const char *const words[] = {
        [DECLARATION_VARIABLE] = "var",
        [DECLARATION_CONST] = "const",
        [DECLARATION_OVERRIDE] = "override",
        [DECLARATION_LET] = "let",
        [DECLARATION_PARAMETER] = "param",
        [DECLARATION_ALIAS] = "alias",
        [DECLARATION_STRUCT] = "struct",
        [DECLARATION_FUNCTION] = "fn",
        [DECLARATION_CONST_ASSERT] = "const_assert",
    };
    print_attributes(out, &d->attributes);
    text_buffer_append_string(out, words[d->kind]);
    if (d->template_arguments) {
        text_buffer_append_string(out, "<");
        print_expressions(out, d->template_arguments);
        text_buffer_append_string(out, ">");
    }
    text_buffer_print(out, " %.*s", TEXT_ARGS(d->name->text));
    if (d->type_expression) {
        text_buffer_append_string(out, ": ");
        print_expression(out, d->type_expression);
    }
    if (d->initializer) {
        text_buffer_append_string(out, " = ");
        print_expression(out, d->initializer);
    }
    if (d->structure) {
        text_buffer_append_string(out, " {");
        for (uint32_t i = 0; i < d->structure->member_count; i++) {
            const struct ast_member *member = &d->structure->members[i];
            text_buffer_append_string(out, i ? ", " : "");
            print_attributes(out, &member->attributes);
            text_buffer_print(out, "%.*s: ", TEXT_ARGS(member->name->text));
            print_expression(out, member->type_expression);
        }
        text_buffer_append_string(out, "}");
    }
    if (d->function) {
        text_buffer_append_string(out, "(");
        for (uint32_t i = 0; i < d->function->parameter_count; i++) {
            text_buffer_append_string(out, i ? ", " : "");
            print_declaration(out, d->function->parameters[i]);
        }
        text_buffer_append_string(out, ")");
        if (d->function->result_type_expression) {
            text_buffer_append_string(out, " -> ");
            print_attributes(out, &d->function->result_attributes);
            print_expression(out, d->function->result_type_expression);
        }
        text_buffer_append_string(out, " ");
        print_block(out, &d->function->body);
    }
}

static void print_statement(struct text_buffer *out, const struct ast_statement *s) {
    print_attributes(out, &s->attributes);
    switch ((enum statement_kind)s->kind) {
    case STATEMENT_COMPOUND:
        print_block(out, &s->compound);
        return;
    case STATEMENT_DECLARATION:
    case STATEMENT_CONST_ASSERT:
        print_declaration(out, s->declaration);
        break;
    case STATEMENT_ASSIGN:
        if (s->assign.target) {
            print_expression(out, s->assign.target);
        } else {
            text_buffer_append_string(out, "_");
        }
        text_buffer_print(out, " %s= ",
            s->assign.is_compound ? ast_binary_operator_text((enum binary_operator)s->assign.op)
                                  : "");
        print_expression(out, s->assign.value);
        break;
    case STATEMENT_INCREMENT:
        print_expression(out, s->increment.target);
        text_buffer_append_string(out, s->increment.is_decrement ? "--" : "++");
        break;
    case STATEMENT_CALL:
        text_buffer_append_string(out, "call ");
        print_expression(out, s->call);
        break;
    case STATEMENT_IF:
        for (uint32_t i = 0; i < s->branch.clause_count; i++) {
            text_buffer_append_string(out, i ? "elif " : "if ");
            print_expression(out, s->branch.clauses[i].condition);
            text_buffer_append_string(out, " ");
            print_block(out, &s->branch.clauses[i].block);
        }
        if (s->branch.otherwise) {
            text_buffer_append_string(out, "else ");
            print_block(out, s->branch.otherwise);
        }
        return;
    case STATEMENT_SWITCH:
        text_buffer_append_string(out, "switch ");
        print_expression(out, s->select.selector);
        text_buffer_append_string(out, " ");
        for (uint32_t i = 0; i < s->select.clause_count; i++) {
            text_buffer_append_string(out, "[");
            print_expressions(out, &s->select.clauses[i].selectors);
            text_buffer_append_string(out, s->select.clauses[i].has_default ? " default] " : "] ");
            print_block(out, &s->select.clauses[i].block);
        }
        return;
    case STATEMENT_LOOP:
        text_buffer_append_string(out, "loop ");
        print_block(out, &s->loop.body);
        if (s->loop.continuing) {
            text_buffer_append_string(out, "continuing ");
            print_block(out, s->loop.continuing);
        }
        if (s->loop.break_if) {
            text_buffer_append_string(out, "break_if ");
            print_expression(out, s->loop.break_if);
            text_buffer_append_string(out, " ");
        }
        return;
    case STATEMENT_FOR:
        text_buffer_append_string(out, "for (");
        if (s->loop_for.init) {
            print_statement(out, s->loop_for.init);
        }
        text_buffer_append_string(out, "| ");
        if (s->loop_for.condition) {
            print_expression(out, s->loop_for.condition);
        }
        text_buffer_append_string(out, " | ");
        if (s->loop_for.update) {
            print_statement(out, s->loop_for.update);
        }
        text_buffer_append_string(out, ") ");
        print_block(out, &s->loop_for.body);
        return;
    case STATEMENT_WHILE:
        text_buffer_append_string(out, "while ");
        print_expression(out, s->loop_while.condition);
        text_buffer_append_string(out, " ");
        print_block(out, &s->loop_while.body);
        return;
    case STATEMENT_BREAK:
        text_buffer_append_string(out, "break");
        break;
    case STATEMENT_CONTINUE:
        text_buffer_append_string(out, "continue");
        break;
    case STATEMENT_RETURN:
        text_buffer_append_string(out, "return");
        if (s->result) {
            text_buffer_append_string(out, " ");
            print_expression(out, s->result);
        }
        break;
    case STATEMENT_DISCARD:
        text_buffer_append_string(out, "discard");
        break;
    }
    text_buffer_append_string(out, "; ");
}

static void print_module(struct text_buffer *out, const struct ast_module *module) {
    for (uint32_t i = 0; i < module->declaration_count; i++) {
        print_declaration(out, module->declarations[i]);
        text_buffer_append_string(out, "\n");
    }
}
