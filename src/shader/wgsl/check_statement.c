// SPDX-License-Identifier: MIT
//
// Statements that are no loops, and their behaviors (WGSL §Statements, §Statements Behavior
// Analysis). Loops and switch are in check_control.c, assignments in check_assign.c. See check_priv.h
// for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

void check_condition(struct checker *checker, struct ast_expression *condition) {
    if (check_value(checker, condition) &&
        type_kind_of(checker->types, check_value_type(checker, condition)) != TYPE_BOOL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_CONDITION_TYPE, condition->span,
            "a condition is a bool, not '%s'",
            check_type_text(checker, check_value_type(checker, condition)));
    }
}

static uint8_t check_items(struct checker *checker, const struct ast_block *block) {
    uint8_t behavior = BEHAVIOR_NEXT;
    bool is_warned = false;
    for (uint32_t i = 0; i < block->count; i++) {
        struct ast_statement *statement = block->items[i];
        if (!(behavior & BEHAVIOR_NEXT) && !is_warned) {
            is_warned = true; // once for each block
            diagnostic_warning(checker->diagnostics, DIAGNOSTIC_UNREACHABLE_CODE, statement->span,
                "this statement is never reached");
        }
        uint8_t own = check_statement(checker, statement);
        if (behavior & BEHAVIOR_NEXT) {
            behavior = (uint8_t)((behavior & ~BEHAVIOR_NEXT) | own);
        }
    }
    return behavior;
}

uint8_t check_block(struct checker *checker, const struct ast_block *block) {
    if (checker->brace_depth == LIMIT_BRACE_NESTING) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, block->span,
            "blocks nest deeper than %d", LIMIT_BRACE_NESTING);
        return BEHAVIOR_NEXT;
    }
    checker->brace_depth++;
    uint8_t behavior = check_items(checker, block);
    checker->brace_depth--;
    return behavior;
}

static uint8_t check_if(struct checker *checker, struct ast_statement *statement) {
    uint8_t behavior = 0;
    for (uint32_t i = 0; i < statement->branch.clause_count; i++) {
        check_condition(checker, statement->branch.clauses[i].condition);
        behavior |= check_block(checker, &statement->branch.clauses[i].block);
    }
    if (statement->branch.otherwise == NULL) {
        return behavior | BEHAVIOR_NEXT;
    }
    return behavior | check_block(checker, statement->branch.otherwise);
}

static void fix_unused_result(
    struct checker *checker, struct diagnostic *diagnostic, const struct ast_expression *call) {
    diagnostic_explain(
        checker->diagnostics, diagnostic, "'_ = ...;' evaluates it and drops the result");
    diagnostic_fix(checker->diagnostics, diagnostic,
        (struct source_span){call->span.begin, call->span.begin}, "_ = ");
}

static void check_call_statement(struct checker *checker, struct ast_statement *statement) {
    struct ast_expression *call = statement->call;
    check_expression(checker, call);
    if (call->kind != EXPRESSION_CALL || call->type.index == 0 || call->call.resolved == NULL) {
        return;
    }
    const struct ast_call *resolved = call->call.resolved;
    struct text name = check_source_text(checker, call->call.callee->span);
    if (resolved->kind == CALL_FUNCTION) {
        const struct ast_declaration *callee = resolved->function;
        if (callee->function->is_must_use) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_MUST_USE, call->span, "the result of '%.*s' must be used",
                TEXT_ARGS(name));
            diagnostic_note(checker->diagnostics, diagnostic, callee->name_span, "declared here");
            fix_unused_result(checker, diagnostic, call);
        }
        return;
    }
    if (resolved->kind != CALL_BUILTIN ||
        builtin_get(resolved->builtin)->flags & BUILTIN_FLAG_MUST_USE) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_MUST_USE,
            call->span, "the result of '%.*s' must be used", TEXT_ARGS(name));
        fix_unused_result(checker, diagnostic, call);
    }
}

static void check_return(struct checker *checker, struct ast_statement *statement) {
    const struct ast_function *function = checker->function->function;
    for (const struct check_loop *loop = checker->loop; loop != NULL; loop = loop->outer) {
        if (loop->is_in_continuing) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_CONTROL_FLOW, statement->span,
                "a continuing block cannot return");
            break;
        }
    }
    if (statement->result == NULL) {
        if (function->result_type_expression != NULL && function->result_type.index != 0) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_RETURN_TYPE, statement->span,
                "'%.*s' returns '%s', but this return gives nothing",
                TEXT_ARGS(checker->function->name->text),
                check_type_text(checker, function->result_type));
        }
        return;
    }
    if (!check_value(checker, statement->result)) {
        return;
    }
    if (function->result_type_expression == NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_RETURN_TYPE, statement->result->span,
            "'%.*s' has no result; declare it with '-> %s'",
            TEXT_ARGS(checker->function->name->text),
            check_type_text(
                checker, check_concrete(checker, check_value_type(checker, statement->result))));
        return;
    }
    check_convert_or_report(
        checker, statement->result, function->result_type, "the function's result");
}

static void check_local(struct checker *checker, struct ast_declaration *declaration) {
    check_declaration(checker, declaration);
    if (declaration->kind != DECLARATION_VARIABLE || declaration->type.index == 0) {
        return;
    }
    uint64_t before = checker->function_bytes;
    checker->function_bytes += type_get(checker->types, declaration->type)->size_bytes;
    if (before <= LIMIT_FUNCTION_BYTES && checker->function_bytes > LIMIT_FUNCTION_BYTES) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, declaration->name_span,
            "the variables of this function take %" PRIu64 " bytes or more; the limit is %d",
            checker->function_bytes, LIMIT_FUNCTION_BYTES);
    }
}

static void check_break(struct checker *checker, struct ast_statement *statement) {
    if (checker->is_break_allowed || checker->module->has_lost_blocks) {
        return;
    }
    bool is_in_continuing = checker->loop != NULL && checker->loop->is_in_continuing;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_CONTROL_FLOW,
        statement->span,
        is_in_continuing ? "a break cannot leave a continuing block"
                         : "a break stands only in a loop or a switch");
    if (is_in_continuing) {
        diagnostic_explain(
            checker->diagnostics, diagnostic, "'break if condition;' may be its last statement");
    }
}

static void check_continue(struct checker *checker, struct ast_statement *statement) {
    struct check_loop *loop = checker->loop;
    if ((loop == NULL || loop->is_in_continuing) && checker->module->has_lost_blocks) {
        return; // it may stand in a loop that a syntax error took apart
    }
    if (loop == NULL || loop->is_in_continuing) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_CONTROL_FLOW, statement->span,
            loop == NULL ? "a continue stands only in a loop"
                         : "a continue cannot leave a continuing block");
        return;
    }
    if (statement->span.begin < loop->first_continue) {
        loop->first_continue = statement->span.begin;
        loop->continue_span = statement->span;
    }
}

static uint8_t check_one(struct checker *checker, struct ast_statement *statement) {
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_COMPOUND:
        return check_block(checker, &statement->compound);
    case STATEMENT_DECLARATION:
    case STATEMENT_CONST_ASSERT:
        check_local(checker, statement->declaration);
        return BEHAVIOR_NEXT;
    case STATEMENT_ASSIGN:
        check_assign(checker, statement);
        return BEHAVIOR_NEXT;
    case STATEMENT_INCREMENT:
        check_increment(checker, statement);
        return BEHAVIOR_NEXT;
    case STATEMENT_CALL:
        check_call_statement(checker, statement);
        return BEHAVIOR_NEXT;
    case STATEMENT_IF:
        return check_if(checker, statement);
    case STATEMENT_SWITCH:
        return check_switch(checker, statement);
    case STATEMENT_LOOP:
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
        return check_loops(checker, statement);
    case STATEMENT_BREAK:
        check_break(checker, statement);
        return BEHAVIOR_BREAK;
    case STATEMENT_CONTINUE:
        check_continue(checker, statement);
        return BEHAVIOR_CONTINUE;
    case STATEMENT_RETURN:
        check_return(checker, statement);
        return BEHAVIOR_RETURN;
    case STATEMENT_DISCARD:
        check_note_use(checker, CHECK_USE_FRAGMENT_ONLY, "discard", statement->span);
        return BEHAVIOR_NEXT;
    }
    return BEHAVIOR_NEXT;
}

uint8_t check_statement(struct checker *checker, struct ast_statement *statement) {
    statement->behavior = check_one(checker, statement);
    return statement->behavior;
}

uint8_t check_body(struct checker *checker, struct ast_declaration *declaration) {
    checker->function = declaration;
    checker->loop = NULL;
    checker->is_break_allowed = false;
    checker->brace_depth = 0;
    checker->function_bytes = 0;
    uint8_t behavior = check_block(checker, &declaration->function->body);
    checker->function = NULL;
    return behavior;
}
