// SPDX-License-Identifier: MIT
//
// Names to declarations (WGSL §Declaration and Scope): walks the whole module once, binds each
// identifier to what it denotes, reports unknown and repeated names, and notes for each module-scope
// declaration which others it mentions. See check_priv.h for threads.
#include <string.h>

#include "shader/wgsl/check_priv.h"

struct resolver {
    struct checker *checker;
    VECTOR(struct ast_declaration *) locals;       // in scope now, innermost last
    size_t scope_begin;                            // where the innermost scope starts in `locals`
    struct ast_declaration *owner;                 // the module-scope declaration being walked
    VECTOR(struct ast_declaration *) dependencies; // of the owner
    VECTOR(struct source_span) spans;
    uint32_t *last_owner; // by declaration index: the last owner that mentioned it, + 1
    bool has_failed;      // out of memory
};

static void resolve_expression(struct resolver *resolver, struct ast_expression *expression);
static void resolve_statement(struct resolver *resolver, struct ast_statement *statement);

static void fail(struct resolver *resolver) {
    resolver->has_failed = true;
    check_out_of_memory(resolver->checker);
}

static void resolve_list(struct resolver *resolver, const struct ast_expression_list *list) {
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        resolve_expression(resolver, list->items[i]);
    }
}

// ---- Names -------------------------------------------------------------------------------------

static void note_dependency(
    struct resolver *resolver, struct ast_declaration *declaration, struct source_span span) {
    if (resolver->last_owner[declaration->index] == resolver->owner->index + 1) {
        return;
    }
    resolver->last_owner[declaration->index] = resolver->owner->index + 1;
    if (!vector_push(&resolver->dependencies, MEMORY_COMPILE, declaration) ||
        !vector_push(&resolver->spans, MEMORY_COMPILE, span)) {
        fail(resolver);
    }
}

static void resolve_predeclared(
    struct resolver *resolver, struct ast_expression *expression, uint32_t row) {
    const struct predeclared *predeclared = predeclared_get(row);
    expression->detail = (uint16_t)row;
    switch ((enum predeclared_kind)predeclared->kind) {
    case PREDECLARED_TYPE:
        expression->resolution = RESOLUTION_TYPE;
        expression->type = predeclared_type(resolver->checker, predeclared);
        if (expression->type.index == 0) {
            fail(resolver);
        }
        return;
    case PREDECLARED_GENERATOR:
        expression->resolution = RESOLUTION_TYPE_GENERATOR;
        return;
    case PREDECLARED_SPACE:
    case PREDECLARED_ACCESS:
    case PREDECLARED_TEXEL_FORMAT:
        expression->resolution = RESOLUTION_ENUMERANT;
        return;
    case PREDECLARED_BUILTIN:
        expression->resolution = RESOLUTION_BUILTIN_FUNCTION;
        expression->detail = predeclared->a;
        return;
    }
}

static void resolve_identifier(struct resolver *resolver, struct ast_expression *expression) {
    struct ast_name *name = expression->identifier.name;
    struct checker *checker = resolver->checker;
    struct ast_declaration *declaration = name->local != NULL ? name->local : name->global;
    if (declaration != NULL) {
        expression->identifier.declaration = declaration;
        expression->resolution = RESOLUTION_DECLARATION;
        declaration->is_used = true;
        if (declaration->is_module_scope) {
            note_dependency(resolver, declaration, expression->span);
        }
    } else if (name->predeclared != 0) {
        resolve_predeclared(resolver, expression, name->predeclared - 1);
    } else if (name->text.length != 0 && !checker->module->has_lost_names) {
        struct source_span span = {
            expression->span.begin, expression->span.begin + (uint32_t)name->text.length};
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_UNRESOLVED, span, "nothing called '%.*s' is in scope",
            TEXT_ARGS(name->text));
        resolve_suggest(
            checker, diagnostic, span, name->text, resolver->locals.items, resolver->locals.count);
    }
    resolve_list(resolver, expression->identifier.template_arguments);
}

// Left spines and chains of unary operators are followed by the loop; recursion is only over edges
// whose number the parser has bounded.
static void resolve_expression(struct resolver *resolver, struct ast_expression *expression) {
    while (expression != NULL) {
        switch ((enum expression_kind)expression->kind) {
        case EXPRESSION_ERROR:
        case EXPRESSION_LITERAL:
            return;
        case EXPRESSION_IDENTIFIER:
            resolve_identifier(resolver, expression);
            return;
        case EXPRESSION_CALL:
            resolve_expression(resolver, expression->call.callee);
            resolve_list(resolver, &expression->call.arguments);
            return;
        case EXPRESSION_INDEX:
            resolve_expression(resolver, expression->index.index);
            expression = expression->index.base;
            break;
        case EXPRESSION_MEMBER:
            expression = expression->member.base;
            break;
        case EXPRESSION_UNARY:
        case EXPRESSION_ADDRESS_OF:
        case EXPRESSION_INDIRECTION:
        case EXPRESSION_PAREN:
            expression = expression->unary.operand;
            break;
        case EXPRESSION_BINARY:
            resolve_expression(resolver, expression->binary.right);
            expression = expression->binary.left;
            break;
        }
    }
}

static void resolve_attributes(struct resolver *resolver, const struct ast_attribute_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ast_attribute *attribute = &list->items[i];
        // The arguments of these are context-dependent names, which resolve to nothing.
        if (attribute->kind != ATTRIBUTE_BUILTIN && attribute->kind != ATTRIBUTE_INTERPOLATE &&
            attribute->kind != ATTRIBUTE_DIAGNOSTIC && attribute->kind != ATTRIBUTE_UNKNOWN) {
            resolve_list(resolver, &attribute->arguments);
        }
    }
}

// ---- Scopes ------------------------------------------------------------------------------------

static void report_redeclaration(struct checker *checker, const struct ast_declaration *declaration,
    const struct ast_declaration *earlier) {
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_REDECLARATION,
        declaration->name_span, "'%.*s' is already declared in this scope",
        TEXT_ARGS(declaration->name->text));
    diagnostic_note(checker->diagnostics, diagnostic, earlier->name_span, "declared here");
}

static void declare_local(struct resolver *resolver, struct ast_declaration *declaration) {
    struct ast_name *name = declaration->name;
    if (name == NULL || name == resolver->checker->module->error_name) {
        return;
    }
    if (name->local != NULL && name->local->index >= resolver->scope_begin) {
        report_redeclaration(resolver->checker, declaration, name->local);
    }
    declaration->index = (uint32_t)resolver->locals.count;
    declaration->shadowed = name->local;
    name->local = declaration;
    if (!vector_push(&resolver->locals, MEMORY_COMPILE, declaration)) {
        name->local = declaration->shadowed;
        fail(resolver);
    }
}

static size_t begin_scope(struct resolver *resolver) {
    size_t outer = resolver->scope_begin;
    resolver->scope_begin = resolver->locals.count;
    return outer;
}

static void end_scope(struct resolver *resolver, size_t outer) {
    while (resolver->locals.count > resolver->scope_begin) {
        struct ast_declaration *declaration = resolver->locals.items[--resolver->locals.count];
        declaration->name->local = declaration->shadowed;
    }
    resolver->scope_begin = outer;
}

static void resolve_block_items(struct resolver *resolver, const struct ast_block *block) {
    resolve_attributes(resolver, &block->attributes);
    for (uint32_t i = 0; i < block->count; i++) {
        resolve_statement(resolver, block->items[i]);
    }
}

static void resolve_block(struct resolver *resolver, const struct ast_block *block) {
    size_t outer = begin_scope(resolver);
    resolve_block_items(resolver, block);
    end_scope(resolver, outer);
}

// ---- Statements --------------------------------------------------------------------------------

static void resolve_value_declaration(
    struct resolver *resolver, struct ast_declaration *declaration) {
    resolve_attributes(resolver, &declaration->attributes);
    resolve_list(resolver, declaration->template_arguments);
    resolve_expression(resolver, declaration->type_expression);
    resolve_expression(resolver, declaration->initializer);
}

static void resolve_loop(struct resolver *resolver, struct ast_statement *statement) {
    size_t outer = begin_scope(resolver);
    resolve_block_items(resolver, &statement->loop.body);
    if (statement->loop.continuing != NULL) {
        size_t body = begin_scope(resolver);
        resolve_block_items(resolver, statement->loop.continuing);
        resolve_expression(resolver, statement->loop.break_if);
        end_scope(resolver, body);
    }
    end_scope(resolver, outer);
}

// The initialiser's scope ends where the body's does, so that both are one.
static void resolve_for(struct resolver *resolver, struct ast_statement *statement) {
    size_t outer = begin_scope(resolver);
    if (statement->loop_for.init != NULL) {
        resolve_statement(resolver, statement->loop_for.init);
    }
    resolve_expression(resolver, statement->loop_for.condition);
    if (statement->loop_for.update != NULL) {
        resolve_statement(resolver, statement->loop_for.update);
    }
    resolve_block_items(resolver, &statement->loop_for.body);
    end_scope(resolver, outer);
}

static void resolve_if(struct resolver *resolver, struct ast_statement *statement) {
    for (uint32_t i = 0; i < statement->branch.clause_count; i++) {
        resolve_expression(resolver, statement->branch.clauses[i].condition);
        resolve_block(resolver, &statement->branch.clauses[i].block);
    }
    if (statement->branch.otherwise != NULL) {
        resolve_block(resolver, statement->branch.otherwise);
    }
}

static void resolve_switch(struct resolver *resolver, struct ast_statement *statement) {
    resolve_expression(resolver, statement->select.selector);
    resolve_attributes(resolver, &statement->select.body_attributes);
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        resolve_list(resolver, &statement->select.clauses[i].selectors);
        resolve_block(resolver, &statement->select.clauses[i].block);
    }
}

static void resolve_statement(struct resolver *resolver, struct ast_statement *statement) {
    resolve_attributes(resolver, &statement->attributes);
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_COMPOUND:
        resolve_block(resolver, &statement->compound);
        return;
    case STATEMENT_DECLARATION:
        resolve_value_declaration(resolver, statement->declaration);
        declare_local(resolver, statement->declaration);
        return;
    case STATEMENT_CONST_ASSERT:
        resolve_value_declaration(resolver, statement->declaration);
        return;
    case STATEMENT_ASSIGN:
        resolve_expression(resolver, statement->assign.target);
        resolve_expression(resolver, statement->assign.value);
        return;
    case STATEMENT_INCREMENT:
        resolve_expression(resolver, statement->increment.target);
        return;
    case STATEMENT_CALL:
        resolve_expression(resolver, statement->call);
        return;
    case STATEMENT_IF:
        resolve_if(resolver, statement);
        return;
    case STATEMENT_SWITCH:
        resolve_switch(resolver, statement);
        return;
    case STATEMENT_LOOP:
        resolve_loop(resolver, statement);
        return;
    case STATEMENT_FOR:
        resolve_for(resolver, statement);
        return;
    case STATEMENT_WHILE:
        resolve_expression(resolver, statement->loop_while.condition);
        resolve_block(resolver, &statement->loop_while.body);
        return;
    case STATEMENT_RETURN:
        resolve_expression(resolver, statement->result);
        return;
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
    case STATEMENT_DISCARD:
        return;
    }
}

// ---- Module scope ------------------------------------------------------------------------------

static void resolve_function(struct resolver *resolver, struct ast_function *function) {
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        resolve_value_declaration(resolver, function->parameters[i]);
    }
    resolve_attributes(resolver, &function->result_attributes);
    resolve_expression(resolver, function->result_type_expression);
    size_t outer = begin_scope(resolver);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        declare_local(resolver, function->parameters[i]);
    }
    resolve_block_items(resolver, &function->body); // one scope with the parameters
    end_scope(resolver, outer);
}

static void resolve_struct(struct resolver *resolver, struct ast_struct *structure) {
    for (uint32_t i = 0; i < structure->member_count; i++) {
        resolve_attributes(resolver, &structure->members[i].attributes);
        resolve_expression(resolver, structure->members[i].type_expression);
    }
}

static bool keep_dependencies(struct resolver *resolver, struct ast_declaration *declaration) {
    struct check_node *node = &resolver->checker->nodes[declaration->index];
    struct arena *arena = resolver->checker->arena;
    size_t count = resolver->dependencies.count;
    node->dependency_count = (uint32_t)count;
    if (count != 0) {
        node->dependencies = arena_copy(
            arena, resolver->dependencies.items, count * sizeof(*resolver->dependencies.items));
        node->spans = arena_copy(
            arena, resolver->spans.items, count * sizeof(*resolver->spans.items));
        TRY(node->dependencies != NULL && node->spans != NULL);
    }
    resolver->dependencies.count = 0;
    resolver->spans.count = 0;
    return true;
}

// What a function uses directly, for lowering and reflection.
static bool split_dependencies(struct checker *checker, struct ast_declaration *declaration) {
    const struct check_node *node = &checker->nodes[declaration->index];
    struct ast_function *function = declaration->function;
    size_t bytes = node->dependency_count * sizeof(struct ast_declaration *);
    function->globals.items = arena_allocate(checker->arena, bytes);
    function->callees.items = arena_allocate(checker->arena, bytes);
    TRY(function->globals.items != NULL && function->callees.items != NULL);
    for (uint32_t i = 0; i < node->dependency_count; i++) {
        struct ast_declaration *used = node->dependencies[i];
        if (used->kind == DECLARATION_VARIABLE || used->kind == DECLARATION_OVERRIDE) {
            function->globals.items[function->globals.count++] = used;
        } else if (used->kind == DECLARATION_FUNCTION) {
            function->callees.items[function->callees.count++] = used;
        }
    }
    return true;
}

static bool resolve_declarations(struct resolver *resolver) {
    struct ast_module *module = resolver->checker->module;
    for (uint32_t i = 0; i < module->declaration_count; i++) {
        struct ast_declaration *declaration = module->declarations[i];
        resolver->owner = declaration;
        resolve_value_declaration(resolver, declaration);
        if (declaration->structure != NULL) {
            resolve_struct(resolver, declaration->structure);
        }
        if (declaration->function != NULL) {
            resolve_function(resolver, declaration->function);
        }
        TRY(!resolver->has_failed && keep_dependencies(resolver, declaration));
        if (declaration->function != NULL) {
            TRY(split_dependencies(resolver->checker, declaration));
        }
    }
    return true;
}

static void declare_globals(struct checker *checker) {
    struct ast_module *module = checker->module;
    for (uint32_t i = 0; i < module->declaration_count; i++) {
        struct ast_declaration *declaration = module->declarations[i];
        struct ast_name *name = declaration->name;
        declaration->index = i;
        declaration->is_module_scope = true;
        if (declaration->kind == DECLARATION_CONST_ASSERT || name == NULL ||
            name == module->error_name) {
            continue;
        }
        if (name->global != NULL) {
            report_redeclaration(checker, declaration, name->global);
        } else {
            name->global = declaration;
        }
    }
}

bool resolve_module(struct checker *checker) {
    uint32_t count = checker->module->declaration_count;
    struct resolver resolver = {.checker = checker};
    checker->nodes = ARENA_ARRAY(checker->arena, struct check_node, count);
    resolver.last_owner = memory_allocate_zeroed(MEMORY_COMPILE, count, sizeof(uint32_t));
    bool is_ok = checker->nodes != NULL && resolver.last_owner != NULL;
    if (is_ok) {
        declare_globals(checker);
        is_ok = resolve_declarations(&resolver);
    }
    memory_free(resolver.last_owner);
    vector_finish(&resolver.locals);
    vector_finish(&resolver.dependencies);
    vector_finish(&resolver.spans);
    return is_ok || check_out_of_memory(checker);
}
