// SPDX-License-Identifier: MIT
//
// WGSL §Alias Analysis: memory that a function writes through a pointer parameter must not be
// accessed by it under another name. Functions come callees first, so that what a callee does is
// known at each call. See check_priv.h for threads.
#include "shader/wgsl/check_priv.h"

struct ast_declaration *check_find_root(const struct ast_expression *expression) {
    while (expression != NULL) {
        switch ((enum expression_kind)expression->kind) {
        case EXPRESSION_IDENTIFIER: {
            struct ast_declaration *declaration = expression->identifier.declaration;
            if (declaration != NULL && declaration->kind == DECLARATION_LET) {
                return declaration->root;
            }
            return declaration;
        }
        case EXPRESSION_INDEX:
            expression = expression->index.base;
            break;
        case EXPRESSION_MEMBER:
            expression = expression->member.base;
            break;
        case EXPRESSION_PAREN:
        case EXPRESSION_ADDRESS_OF:
        case EXPRESSION_INDIRECTION:
            expression = expression->unary.operand;
            break;
        case EXPRESSION_CALL: {
            // A view of a buffer is the buffer's memory.
            const struct ast_call *call = expression->call.resolved;
            if (call == NULL || call->kind != CALL_BUILTIN ||
                (call->builtin != BUILTIN_BUFFER_VIEW &&
                    call->builtin != BUILTIN_BUFFER_ARRAY_VIEW)) {
                return NULL;
            }
            expression = expression->call.arguments.items[0];
            break;
        }
        case EXPRESSION_ERROR:
        case EXPRESSION_LITERAL:
        case EXPRESSION_UNARY:
        case EXPRESSION_BINARY:
            return NULL;
        }
    }
    return NULL;
}

static uint8_t *get_parameter_access(
    struct checker *checker, const struct ast_declaration *function) {
    struct check_node *node = &checker->nodes[function->index];
    if (node->parameter_access == NULL) {
        node->parameter_access = ARENA_ARRAY(
            checker->arena, uint8_t, function->function->parameter_count);
    }
    return node->parameter_access;
}

static void note_global(struct checker *checker, struct ast_declaration *variable, uint32_t access,
    struct source_span span) {
    struct check_node *function = &checker->nodes[checker->function->index];
    struct check_node *node = &checker->nodes[variable->index];
    if (node->access_owner == checker->function->index + 1) {
        function->accesses.items[node->access_position].access |= access;
        return;
    }
    struct check_global_access entry = {variable, access, span};
    node->access_owner = checker->function->index + 1;
    node->access_position = (uint32_t)function->accesses.count;
    if (!arena_vector_push(checker->arena, &function->accesses, entry)) {
        node->access_owner = 0;
        check_out_of_memory(checker);
    }
}

void check_note_access(
    struct checker *checker, const struct ast_expression *expression, uint32_t access) {
    if (checker->function == NULL) {
        return;
    }
    struct ast_declaration *root = check_find_root(expression);
    if (root == NULL) {
        return;
    }
    if (root->kind == DECLARATION_VARIABLE && root->is_module_scope) {
        note_global(checker, root, access, expression->span);
        return;
    }
    if (root->kind != DECLARATION_PARAMETER) {
        return;
    }
    const struct ast_function *function = checker->function->function;
    uint8_t *parameter_access = get_parameter_access(checker, checker->function);
    for (uint32_t i = 0; i < function->parameter_count && parameter_access != NULL; i++) {
        if (function->parameters[i] == root) {
            parameter_access[i] |= (uint8_t)access;
        }
    }
}

// How the function and those that it calls access the variable by its own name; out_span: where.
static uint32_t find_access(struct checker *checker, struct ast_declaration *function,
    const struct ast_declaration *variable, struct source_span *out_span) {
    VECTOR(struct ast_declaration *) pending = {0};
    uint32_t found = 0, walk = ++checker->walk;
    checker->nodes[function->index].visited = walk;
    bool is_ok = vector_push(&pending, MEMORY_COMPILE, function);
    while (is_ok && pending.count > 0) {
        struct ast_declaration *current = pending.items[--pending.count];
        const struct check_node *node = &checker->nodes[current->index];
        for (size_t i = 0; i < node->accesses.count; i++) {
            if (node->accesses.items[i].variable == variable) {
                found |= node->accesses.items[i].access;
                *out_span = node->accesses.items[i].span;
            }
        }
        const struct ast_declaration_list *callees = &current->function->callees;
        for (uint32_t i = 0; i < callees->count && is_ok; i++) {
            struct check_node *callee = &checker->nodes[callees->items[i]->index];
            if (callee->visited != walk) {
                callee->visited = walk;
                is_ok = vector_push(&pending, MEMORY_COMPILE, callees->items[i]);
            }
        }
    }
    vector_finish(&pending);
    if (!is_ok) {
        check_out_of_memory(checker);
    }
    return found;
}

struct pointer_argument {
    const struct ast_expression *expression;
    struct ast_declaration *root;
    uint32_t access;
};

static void check_pair(
    struct checker *checker, const struct pointer_argument *a, const struct pointer_argument *b) {
    if (a->root != b->root || !((a->access | b->access) & CHECK_ACCESS_WRITE)) {
        return;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_POINTER_ALIASING, b->expression->span,
        "two arguments point into '%.*s', and the function writes through one of them",
        TEXT_ARGS(a->root->name->text));
    diagnostic_note(checker->diagnostics, diagnostic, a->expression->span, "the other argument");
}

static void check_global(struct checker *checker, const struct pointer_argument *argument,
    struct ast_declaration *callee) {
    struct source_span span = {0, 0};
    if (argument->root->kind != DECLARATION_VARIABLE || !argument->root->is_module_scope ||
        argument->access == 0) {
        return;
    }
    uint32_t direct = find_access(checker, callee, argument->root, &span);
    bool is_written = argument->access & CHECK_ACCESS_WRITE;
    if (direct == 0 || (!is_written && !(direct & CHECK_ACCESS_WRITE))) {
        return;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_POINTER_ALIASING, argument->expression->span,
        "'%.*s' %s '%.*s' through this pointer and %s it by name", TEXT_ARGS(callee->name->text),
        is_written ? "writes" : "reads", TEXT_ARGS(argument->root->name->text),
        direct & CHECK_ACCESS_WRITE ? "also writes" : "also reads");
    diagnostic_note(checker->diagnostics, diagnostic, span, "accessed by name here");
}

void check_pointer_arguments(struct checker *checker, const struct ast_expression *call,
    const struct ast_declaration *callee) {
    struct pointer_argument pointers[LIMIT_PARAMETERS];
    uint32_t count = 0;
    const struct ast_function *function = callee->function;
    const uint8_t *access = checker->nodes[callee->index].parameter_access;
    for (uint32_t i = 0; i < function->parameter_count && i < LIMIT_PARAMETERS; i++) {
        const struct ast_expression *argument = call->call.arguments.items[i];
        if (argument->type.index == 0 ||
            type_kind_of(checker->types, argument->type) != TYPE_POINTER) {
            continue;
        }
        struct ast_declaration *root = check_find_root(argument);
        if (root == NULL) {
            continue;
        }
        pointers[count++] = (struct pointer_argument){
            argument, root, access == NULL ? 0 : access[i]};
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            check_pair(checker, &pointers[j], &pointers[i]);
        }
        check_global(checker, &pointers[i], call->call.callee->identifier.declaration);
        if (pointers[i].access != 0) {
            check_note_access(checker, pointers[i].expression, pointers[i].access);
        }
    }
}
