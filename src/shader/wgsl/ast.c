// SPDX-License-Identifier: MIT
//
// The few functions of the syntax tree itself: names, and small lookups.

#include "shader/wgsl/ast.h"

#include <string.h>

// Open addressing, power-of-two size, at most half full.
struct ast_name_table {
    struct ast_name **slots;
    uint32_t slot_count;
    uint32_t name_count;
};

static bool grow(struct ast_name_table *table, struct arena *arena) {
    uint32_t slot_count = table->slot_count ? table->slot_count * 2 : 256;
    struct ast_name **slots = ARENA_ARRAY(arena, struct ast_name *, slot_count);
    if (!slots) {
        return false;
    }
    for (uint32_t i = 0; i < table->slot_count; i++) {
        struct ast_name *name = table->slots[i];
        if (!name) {
            continue;
        }
        uint32_t at = (uint32_t)text_hash(name->text) & (slot_count - 1);
        while (slots[at]) {
            at = (at + 1) & (slot_count - 1);
        }
        slots[at] = name;
    }
    table->slots = slots;
    table->slot_count = slot_count;
    return true;
}

struct ast_name *ast_module_intern(struct ast_module *module, struct text spelling) {
    struct ast_name_table *table = module->names;
    if (!table) {
        table = ARENA_NEW(module->arena, struct ast_name_table);
        if (!table) {
            return NULL;
        }
        module->names = table;
    }
    if (table->name_count >= table->slot_count / 2 && !grow(table, module->arena)) {
        return NULL;
    }
    uint32_t at = (uint32_t)text_hash(spelling) & (table->slot_count - 1);
    while (table->slots[at]) {
        if (text_equals(table->slots[at]->text, spelling)) {
            return table->slots[at];
        }
        at = (at + 1) & (table->slot_count - 1);
    }
    struct ast_name *name = ARENA_NEW(module->arena, struct ast_name);
    if (!name) {
        return NULL;
    }
    name->text = spelling;
    table->slots[at] = name;
    table->name_count++;
    return name;
}

// The end of a member of a union that stands at the end of the struct.
#define END_OF(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

size_t ast_expression_size(enum expression_kind kind) {
    switch (kind) {
    case EXPRESSION_ERROR:
        return offsetof(struct ast_expression, literal);
    case EXPRESSION_LITERAL:
        return END_OF(struct ast_expression, literal);
    case EXPRESSION_IDENTIFIER:
        return END_OF(struct ast_expression, identifier);
    case EXPRESSION_CALL:
        return END_OF(struct ast_expression, call);
    case EXPRESSION_INDEX:
        return END_OF(struct ast_expression, index);
    case EXPRESSION_MEMBER:
        return END_OF(struct ast_expression, member);
    case EXPRESSION_UNARY:
    case EXPRESSION_ADDRESS_OF:
    case EXPRESSION_INDIRECTION:
    case EXPRESSION_PAREN:
        return END_OF(struct ast_expression, unary);
    case EXPRESSION_BINARY:
        return END_OF(struct ast_expression, binary);
    }
    return sizeof(struct ast_expression);
}

size_t ast_statement_size(enum statement_kind kind) {
    switch (kind) {
    case STATEMENT_COMPOUND:
        return END_OF(struct ast_statement, compound);
    case STATEMENT_DECLARATION:
    case STATEMENT_CONST_ASSERT:
        return END_OF(struct ast_statement, declaration);
    case STATEMENT_ASSIGN:
        return END_OF(struct ast_statement, assign);
    case STATEMENT_INCREMENT:
        return END_OF(struct ast_statement, increment);
    case STATEMENT_CALL:
        return END_OF(struct ast_statement, call);
    case STATEMENT_IF:
        return END_OF(struct ast_statement, branch);
    case STATEMENT_SWITCH:
        return END_OF(struct ast_statement, select);
    case STATEMENT_LOOP:
        return END_OF(struct ast_statement, loop);
    case STATEMENT_FOR:
        return END_OF(struct ast_statement, loop_for);
    case STATEMENT_WHILE:
        return END_OF(struct ast_statement, loop_while);
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
    case STATEMENT_DISCARD:
        return offsetof(struct ast_statement, compound);
    case STATEMENT_RETURN:
        return END_OF(struct ast_statement, result);
    }
    return sizeof(struct ast_statement);
}

struct source_span ast_binary_operator_span(const struct ast_expression *binary) {
    const char *text = ast_binary_operator_text((enum binary_operator)binary->binary.op);
    uint32_t begin = binary->binary.operator_begin;
    return (struct source_span){begin, begin + (uint32_t)strlen(text)};
}

struct ast_expression *ast_expression_get_spine(const struct ast_expression *expression) {
    switch ((enum expression_kind)expression->kind) {
    case EXPRESSION_BINARY:
        return expression->binary.left;
    case EXPRESSION_INDEX:
        return expression->index.base;
    case EXPRESSION_MEMBER:
        return expression->member.base;
    case EXPRESSION_ERROR:
    case EXPRESSION_LITERAL:
    case EXPRESSION_IDENTIFIER:
    case EXPRESSION_CALL:
    case EXPRESSION_UNARY:
    case EXPRESSION_ADDRESS_OF:
    case EXPRESSION_INDIRECTION:
    case EXPRESSION_PAREN:
        break;
    }
    return NULL;
}

const char *ast_binary_operator_text(enum binary_operator op) {
    static const char *const texts[] = {
        [BINARY_ADD] = "+",
        [BINARY_SUBTRACT] = "-",
        [BINARY_MULTIPLY] = "*",
        [BINARY_DIVIDE] = "/",
        [BINARY_REMAINDER] = "%",
        [BINARY_AND] = "&",
        [BINARY_OR] = "|",
        [BINARY_XOR] = "^",
        [BINARY_SHIFT_LEFT] = "<<",
        [BINARY_SHIFT_RIGHT] = ">>",
        [BINARY_EQUAL] = "==",
        [BINARY_NOT_EQUAL] = "!=",
        [BINARY_LESS] = "<",
        [BINARY_LESS_EQUAL] = "<=",
        [BINARY_GREATER] = ">",
        [BINARY_GREATER_EQUAL] = ">=",
        [BINARY_LOGICAL_AND] = "&&",
        [BINARY_LOGICAL_OR] = "||",
    };
    return texts[op];
}

const char *ast_unary_operator_text(enum unary_operator op) {
    switch (op) {
    case UNARY_NEGATE:
        return "-";
    case UNARY_NOT:
        return "!";
    case UNARY_COMPLEMENT:
        return "~";
    }
    return "";
}

struct ast_attribute *ast_attribute_find(
    const struct ast_attribute_list *list, enum attribute_kind kind) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].kind == kind) {
            return &list->items[i];
        }
    }
    return NULL;
}
