// SPDX-License-Identifier: MIT
//
// Statements that branch, as nested regions. `is_terminated` says whether the region being filled
// has ended; a construct none of whose regions leaves it normally is followed by `unreachable`.

#include "shader/wgsl/lower_priv.h"

// Room for one more region; else reports, once for each place.
static bool enter(struct lower *lower, struct source_span span) {
    if (lower->nesting >= IR_NESTING_LIMIT - 2) {
        diagnostic_error(lower->diagnostics, DIAGNOSTIC_NESTING_TOO_DEEP, span,
            "control flow is nested deeper than %u (each 'else if' counts)",
            (unsigned)IR_NESTING_LIMIT - 2);
        return false;
    }
    lower->nesting++;
    return true;
}

// Whether the region's last operation is that terminator.
static bool ends_with(
    const struct lower *lower, ir_op_id control, uint32_t number, enum ir_opcode opcode) {
    if (lower->ir->has_failed || control.index == 0) {
        return false;
    }
    const struct ir_function *function = &lower->ir->functions.items[lower->at.function];
    ir_region_id region = ir_op_get(function, control)->regions[number];
    ir_op_id last = ir_region_get(function, region)->last;
    return last.index != 0 && ir_op_get(function, last)->opcode == opcode;
}

static void begin_region(
    struct lower *lower, const struct ir_builder *outer, ir_op_id control, uint32_t number) {
    lower->at = ir_builder_in(outer, control, number);
    lower->is_terminated = false;
}

// Back to the region that holds the construct, which can be left or cannot.
static void end_construct(struct lower *lower, const struct ir_builder *outer, bool can_leave) {
    struct ir_span span = outer->span;
    lower->at = *outer;
    lower->at.span = span;
    lower->is_terminated = false;
    if (!can_leave) {
        lower_terminate(lower, IR_UNREACHABLE, NULL, 0);
    }
}

// ---- if ----

struct open_if {
    struct ir_builder outer;
    ir_op_id op;
};

// An `else if` is an `if` in the else region. The chain is a loop here: its length is bounded by
// the IR's nesting limit and not by the stack.
void lower_if(struct lower *lower, const struct ast_statement *statement) {
    VECTOR(struct open_if) open = {0};
    for (uint32_t i = 0; i < statement->branch.clause_count; i++) {
        const struct ast_if_clause *clause = &statement->branch.clauses[i];
        if (!enter(lower, clause->span)) {
            break;
        }
        ir_value condition = lower_expression(lower, clause->condition);
        lower->at.span = lower_span(i == 0 ? statement->span : clause->span);
        struct open_if item = {.op = ir_builder_if(&lower->at, condition, NULL, 0)};
        item.outer = lower->at;
        if (!vector_push(&open, MEMORY_COMPILE, item)) {
            lower_fail(lower);
            lower->nesting--;
            break;
        }
        begin_region(lower, &item.outer, item.op, 0);
        lower_block(lower, &clause->block);
        lower_terminate(lower, IR_EXIT_IF, NULL, 0);
        begin_region(lower, &item.outer, item.op, 1);
    }
    if (statement->branch.otherwise) {
        lower_block(lower, statement->branch.otherwise);
    }
    for (size_t i = open.count; i > 0; i--) {
        const struct open_if *item = &open.items[i - 1];
        lower_terminate(lower, IR_EXIT_IF, NULL, 0);
        lower->nesting--;
        bool can_leave = ends_with(lower, item->op, 0, IR_EXIT_IF) ||
            ends_with(lower, item->op, 1, IR_EXIT_IF);
        end_construct(lower, &item->outer, can_leave);
    }
    vector_finish(&open);
}

// ---- switch ----

static bool collect_cases(struct lower *lower, const struct ast_statement *statement,
    struct ir_case *cases, uint32_t *selectors) {
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        const struct ast_switch_clause *clause = &statement->select.clauses[i];
        cases[i].selectors = selectors;
        cases[i].is_default = clause->has_default;
        for (uint32_t j = 0; j < clause->selectors.count; j++) {
            const struct const_value *value = clause->selectors.items[j]->value;
            if (!value) {
                lower->ir->has_failed = true;
                return false;
            }
            *selectors++ = (uint32_t)const_value_get_integer(value);
        }
        cases[i].selector_count = clause->selectors.count;
    }
    return true;
}

void lower_switch(struct lower *lower, const struct ast_statement *statement) {
    uint32_t count = statement->select.clause_count;
    uint32_t selector_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        selector_count += statement->select.clauses[i].selectors.count;
    }
    if (!enter(lower, statement->span)) {
        return;
    }
    ir_value selector = lower_expression(lower, statement->select.selector);
    lower->at.span = lower_span(statement->span);
    struct ir_case *cases = (struct ir_case *)memory_allocate_zeroed(
        MEMORY_COMPILE, count + 1, sizeof *cases);
    uint32_t *selectors = (uint32_t *)memory_allocate_zeroed(
        MEMORY_COMPILE, selector_count + 1, sizeof *selectors);
    ir_op_id op = {0};
    if (!cases || !selectors) {
        lower_fail(lower);
    } else if (collect_cases(lower, statement, cases, selectors)) {
        op = ir_builder_switch(&lower->at, selector, cases, count, NULL, 0);
    }
    memory_free(cases);
    memory_free(selectors);
    struct ir_builder outer = lower->at;
    enum break_target outer_target = lower->break_target;
    bool outer_exit = lower->has_exit;
    lower->has_exit = false;
    lower->break_target = BREAK_SWITCH;
    for (uint32_t i = 0; i < count && op.index != 0; i++) {
        begin_region(lower, &outer, op, i);
        lower_block(lower, &statement->select.clauses[i].block);
        lower->has_exit |= !lower->is_terminated;
        lower_terminate(lower, IR_EXIT_SWITCH, NULL, 0);
    }
    bool can_leave = lower->has_exit;
    lower->has_exit = outer_exit;
    lower->break_target = outer_target;
    lower->nesting--;
    end_construct(lower, &outer, can_leave);
}

// ---- Loops ----

// What a loop hides of the loop or switch around it.
struct open_loop {
    struct ir_builder outer;
    ir_op_id op;
    enum break_target break_target;
    bool has_exit;
    bool has_continue;
};

// Makes the loop; its body comes next.
static struct open_loop begin_loop(struct lower *lower) {
    struct open_loop loop = {
        .op = ir_builder_loop(&lower->at, NULL, 0, NULL, 0),
        .outer = lower->at,
        .break_target = lower->break_target,
        .has_exit = lower->has_exit,
        .has_continue = lower->has_continue,
    };
    lower->break_target = BREAK_LOOP;
    lower->has_exit = false;
    lower->has_continue = false;
    begin_region(lower, &loop.outer, loop.op, 0);
    return loop;
}

// Ends the body and goes to the continuing region. False: it is never reached, and what it names
// may not have been lowered.
static bool begin_continuing(struct lower *lower, const struct open_loop *loop) {
    lower->has_continue |= !lower->is_terminated;
    lower_terminate(lower, IR_CONTINUE, NULL, 0);
    begin_region(lower, &loop->outer, loop->op, 1);
    return lower->has_continue;
}

static void end_loop(struct lower *lower, const struct open_loop *loop) {
    lower_terminate(lower, IR_NEXT_ITERATION, NULL, 0);
    bool can_leave = lower->has_exit;
    lower->break_target = loop->break_target;
    lower->has_exit = loop->has_exit;
    lower->has_continue = loop->has_continue;
    lower->nesting--;
    end_construct(lower, &loop->outer, can_leave);
}

void lower_loop(struct lower *lower, const struct ast_statement *statement) {
    if (!enter(lower, statement->span)) {
        return;
    }
    struct open_loop loop = begin_loop(lower);
    lower_block(lower, &statement->loop.body);
    if (begin_continuing(lower, &loop)) {
        if (statement->loop.continuing) {
            lower_block(lower, statement->loop.continuing);
        }
        if (statement->loop.break_if) {
            ir_value condition = lower_expression(lower, statement->loop.break_if);
            lower_terminate(lower, IR_BREAK_IF, &condition, 1);
            lower->has_exit = true;
        }
    }
    end_loop(lower, &loop);
}

// if (condition) { } else { break; }
static void lower_loop_condition(struct lower *lower, struct ast_expression *expression) {
    ir_value condition = lower_expression(lower, expression);
    lower->at.span = lower_span(expression->span);
    ir_op_id op = ir_builder_if(&lower->at, condition, NULL, 0);
    struct ir_builder outer = lower->at;
    begin_region(lower, &outer, op, 0);
    lower_terminate(lower, IR_EXIT_IF, NULL, 0);
    begin_region(lower, &outer, op, 1);
    lower_terminate(lower, IR_EXIT_LOOP, NULL, 0);
    lower->has_exit = true;
    end_construct(lower, &outer, true);
}

void lower_for(struct lower *lower, const struct ast_statement *statement) {
    if (statement->loop_for.init) {
        lower_statement(lower, statement->loop_for.init);
    }
    if (!enter(lower, statement->span)) {
        return;
    }
    lower->at.span = lower_span(statement->span);
    struct open_loop loop = begin_loop(lower);
    if (statement->loop_for.condition) {
        lower_loop_condition(lower, statement->loop_for.condition);
    }
    lower_block(lower, &statement->loop_for.body);
    if (begin_continuing(lower, &loop) && statement->loop_for.update) {
        lower_statement(lower, statement->loop_for.update);
    }
    end_loop(lower, &loop);
}

void lower_while(struct lower *lower, const struct ast_statement *statement) {
    if (!enter(lower, statement->span)) {
        return;
    }
    struct open_loop loop = begin_loop(lower);
    lower_loop_condition(lower, statement->loop_while.condition);
    lower_block(lower, &statement->loop_while.body);
    begin_continuing(lower, &loop);
    end_loop(lower, &loop);
}
