// SPDX-License-Identifier: MIT
//
// Loops and switch (WGSL §Control Flow) and their behaviors. See check_priv.h for threads.
#include <inttypes.h>
#include <stdlib.h>

#include "shader/wgsl/check_priv.h"

// ---- Loops -------------------------------------------------------------------------------------

void check_continuing_use(struct checker *checker, const struct ast_expression *expression) {
    const struct ast_declaration *declaration = expression->identifier.declaration;
    for (const struct check_loop *loop = checker->loop; loop != NULL; loop = loop->outer) {
        bool is_of_body = declaration->span.begin >= loop->body.begin &&
            declaration->span.end <= loop->body.end;
        if (loop->is_in_continuing && is_of_body &&
            declaration->span.begin > loop->first_continue &&
            expression->span.begin > declaration->span.end) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_CONTROL_FLOW, loop->continue_span,
                "this continue jumps over the declaration of '%.*s', which the continuing block "
                "uses",
                TEXT_ARGS(declaration->name->text));
            diagnostic_note(
                checker->diagnostics, diagnostic, declaration->name_span, "declared here");
            diagnostic_note(checker->diagnostics, diagnostic, expression->span, "used here");
            return;
        }
    }
}

// The rule for `loop`, to which the others are reduced.
static uint8_t combine(struct checker *checker, const struct ast_statement *statement, uint8_t body,
    uint8_t continuing) {
    if (body == BEHAVIOR_RETURN) {
        return BEHAVIOR_RETURN;
    }
    uint8_t all = body | continuing;
    uint8_t result = (uint8_t)(all & ~(BEHAVIOR_CONTINUE | BEHAVIOR_NEXT));
    if (all & BEHAVIOR_BREAK) {
        result = (uint8_t)((all | BEHAVIOR_NEXT) & ~(BEHAVIOR_BREAK | BEHAVIOR_CONTINUE));
    }
    if (result == 0) {
        struct source_span span = {statement->span.begin, statement->span.begin + 4};
        if (statement->kind == STATEMENT_FOR) {
            span.end--;
        }
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INFINITE_LOOP, span,
            "this loop never ends: it has neither a break nor a return");
        return BEHAVIOR_NEXT;
    }
    return result;
}

// A block inside a loop, with that loop as the target of break and continue.
static uint8_t check_loop_block(
    struct checker *checker, const struct ast_block *block, bool is_break_allowed) {
    bool outer = checker->is_break_allowed;
    checker->is_break_allowed = is_break_allowed;
    uint8_t behavior = check_block(checker, block);
    checker->is_break_allowed = outer;
    return behavior;
}

static uint8_t check_loop_statement(struct checker *checker, struct ast_statement *statement) {
    struct check_loop loop = {
        .outer = checker->loop, .body = statement->span, .first_continue = UINT32_MAX};
    checker->loop = &loop;
    uint8_t body = check_loop_block(checker, &statement->loop.body, true);
    uint8_t continuing = BEHAVIOR_NEXT;
    if (statement->loop.continuing != NULL) {
        loop.is_in_continuing = true;
        // What the continuing block declares itself, no continue jumps over.
        loop.body.end = statement->loop.continuing->span.begin;
        continuing = check_loop_block(checker, statement->loop.continuing, false);
        if (statement->loop.break_if != NULL) {
            check_condition(checker, statement->loop.break_if);
            continuing |= BEHAVIOR_BREAK;
        }
        // Statements that may not be there were reported.
        continuing &= (uint8_t) ~(BEHAVIOR_CONTINUE | BEHAVIOR_RETURN);
    }
    checker->loop = loop.outer;
    return combine(checker, statement, body, continuing);
}

static uint8_t check_for(struct checker *checker, struct ast_statement *statement) {
    struct check_loop loop = {.outer = checker->loop, .first_continue = UINT32_MAX};
    uint8_t break_of_condition = 0;
    if (statement->loop_for.init != NULL) {
        check_statement(checker, statement->loop_for.init);
    }
    if (statement->loop_for.condition != NULL) {
        check_condition(checker, statement->loop_for.condition);
        break_of_condition = BEHAVIOR_BREAK | BEHAVIOR_NEXT;
    }
    checker->loop = &loop;
    uint8_t body = check_loop_block(checker, &statement->loop_for.body, true);
    if (statement->loop_for.update != NULL) {
        loop.is_in_continuing = true;
        check_statement(checker, statement->loop_for.update);
    }
    checker->loop = loop.outer;
    return combine(checker, statement, body | break_of_condition, BEHAVIOR_NEXT);
}

static uint8_t check_while(struct checker *checker, struct ast_statement *statement) {
    struct check_loop loop = {.outer = checker->loop, .first_continue = UINT32_MAX};
    check_condition(checker, statement->loop_while.condition);
    checker->loop = &loop;
    uint8_t body = check_loop_block(checker, &statement->loop_while.body, true);
    checker->loop = loop.outer;
    return combine(checker, statement, body | BEHAVIOR_BREAK | BEHAVIOR_NEXT, BEHAVIOR_NEXT);
}

uint8_t check_loops(struct checker *checker, struct ast_statement *statement) {
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_LOOP:
        return check_loop_statement(checker, statement);
    case STATEMENT_FOR:
        return check_for(checker, statement);
    default:
        return check_while(checker, statement);
    }
}

// ---- Switch ------------------------------------------------------------------------------------

struct selector {
    int64_t value;
    const struct ast_expression *expression;
};

static int compare_selectors(const void *a, const void *b) {
    const struct selector *left = a, *right = b;
    if (left->value != right->value) {
        return left->value < right->value ? -1 : 1;
    }
    uint32_t x = left->expression->span.begin, y = right->expression->span.begin;
    return (x > y) - (x < y);
}

static void report_repeated(struct checker *checker, struct selector *selectors, uint32_t count) {
    qsort(selectors, count, sizeof(*selectors), compare_selectors);
    for (uint32_t i = 1; i < count; i++) {
        if (selectors[i].value == selectors[i - 1].value) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_SWITCH, selectors[i].expression->span,
                "the case %" PRId64 " is given twice", selectors[i].value);
            diagnostic_note(checker->diagnostics, diagnostic, selectors[i - 1].expression->span,
                "first given here");
        }
    }
}

// The one type of the selector and all cases: the first concrete one, i32 if all are abstract.
static type_id find_switch_type(struct checker *checker, const struct ast_statement *statement) {
    type_id type = check_value_type(checker, statement->select.selector);
    if (type_kind_of(checker->types, type) != TYPE_ABSTRACT_INT) {
        return type;
    }
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        const struct ast_expression_list *list = &statement->select.clauses[i].selectors;
        for (uint32_t j = 0; j < list->count; j++) {
            type_id own = check_value_type(checker, list->items[j]);
            enum type_kind kind = type_kind_of(checker->types, own);
            if (kind == TYPE_I32 || kind == TYPE_U32) {
                return own;
            }
        }
    }
    return type_scalar(TYPE_I32);
}

static void check_selectors(struct checker *checker, struct ast_statement *statement, type_id type,
    struct selector *selectors) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        const struct ast_expression_list *list = &statement->select.clauses[i].selectors;
        for (uint32_t j = 0; j < list->count; j++) {
            struct ast_expression *selector = list->items[j];
            if (selector->type.index == 0 || type.index == 0) {
                continue;
            }
            if (selector->stage != EVALUATION_CONST) {
                check_report_stage(checker, selector, EVALUATION_CONST, "a case selector");
                continue;
            }
            if (check_convert_or_report(checker, selector, type, "the switch's selector") &&
                selector->value != NULL) {
                selectors[count++] = (struct selector){
                    const_value_get_integer(selector->value), selector};
            }
        }
    }
    report_repeated(checker, selectors, count);
}

static void check_defaults(struct checker *checker, const struct ast_statement *statement) {
    const struct ast_switch_clause *first = NULL;
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        const struct ast_switch_clause *clause = &statement->select.clauses[i];
        if (clause->has_default && first != NULL) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_SWITCH, clause->default_span, "a switch has exactly one default");
            diagnostic_note(
                checker->diagnostics, diagnostic, first->default_span, "first given here");
        } else if (clause->has_default) {
            first = clause;
        }
    }
    if (first == NULL && !checker->module->has_syntax_errors) { // else clauses may have been lost
        struct source_span span = {statement->span.begin, statement->span.begin + 6};
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_SWITCH,
            span, "this switch has no default; a switch has exactly one");
        if (!checker->module->has_syntax_errors) {
            uint32_t end = statement->span.end - 1; // before '}'
            diagnostic_fix(
                checker->diagnostics, diagnostic, (struct source_span){end, end}, "default: { } ");
        }
    }
}

static void check_switch_head(struct checker *checker, struct ast_statement *statement) {
    struct ast_expression *selector = statement->select.selector;
    uint32_t count = 0;
    bool has_selector = check_value(checker, selector);
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        const struct ast_switch_clause *clause = &statement->select.clauses[i];
        for (uint32_t j = 0; j < clause->selectors.count; j++) {
            check_value(checker, clause->selectors.items[j]);
        }
        count += clause->selectors.count + clause->has_default;
    }
    check_defaults(checker, statement);
    if (count > LIMIT_SWITCH_SELECTORS) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, selector->span,
            "a switch of %" PRIu32 " case values; the limit is %d", count, LIMIT_SWITCH_SELECTORS);
        return;
    }
    if (!has_selector) {
        return;
    }
    type_id type = find_switch_type(checker, statement);
    if (!type_is_integer_scalar(checker->types, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_SWITCH, selector->span,
            "a switch selects by an i32 or u32, not by '%s'", check_type_text(checker, type));
        return;
    }
    if (!check_convert(checker, selector, type)) {
        return;
    }
    struct selector *selectors = memory_allocate(MEMORY_COMPILE, count * sizeof(*selectors));
    if (selectors == NULL) {
        check_out_of_memory(checker);
        return;
    }
    check_selectors(checker, statement, type, selectors);
    memory_free(selectors);
}

uint8_t check_switch(struct checker *checker, struct ast_statement *statement) {
    uint8_t behavior = 0;
    check_switch_head(checker, statement);
    if (checker->brace_depth == LIMIT_BRACE_NESTING) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, statement->span,
            "blocks nest deeper than %d", LIMIT_BRACE_NESTING);
        return BEHAVIOR_NEXT;
    }
    checker->brace_depth++;
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        behavior |= check_loop_block(checker, &statement->select.clauses[i].block, true);
    }
    checker->brace_depth--;
    if (behavior & BEHAVIOR_BREAK || behavior == 0) {
        behavior = (uint8_t)((behavior | BEHAVIOR_NEXT) & ~BEHAVIOR_BREAK);
    }
    return behavior;
}
