// SPDX-License-Identifier: MIT
//
// Uniformity of statements (WGSL §Uniformity Rules for Statements). A branch is analysed, what it
// changed is merged with what other branches change, and the variables' values are put back for the
// next one (check_uniformity_value.c). See check_priv.h for threads.
#include <string.h>

#include "shader/wgsl/check_uniformity_priv.h"

// ---- Statements --------------------------------------------------------------------------------

// Control flow and behavior at the end of a statement list.
struct outcome {
    uniform_node flow;
    uint8_t behavior;
};

static uniform_node analyse(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow);

void uniform_filter(struct uniformity *u, const struct ast_attribute_list *attributes,
    uint8_t before[UNIFORM_RULE_COUNT]) {
    memcpy(before, u->severities, UNIFORM_RULE_COUNT);
    for (uint32_t i = 0; i < attributes->count; i++) {
        const struct ast_diagnostic_control *control = attributes->items[i].control;
        if (control == NULL || control->rule == NULL || control->rule_minor != NULL) {
            continue;
        }
        if (text_equals_string(control->rule->text, "derivative_uniformity")) {
            u->severities[UNIFORM_RULE_DERIVATIVE] = (uint8_t)control->severity;
        } else if (text_equals_string(control->rule->text, "subgroup_uniformity")) {
            u->severities[UNIFORM_RULE_SUBGROUP] = (uint8_t)control->severity;
        }
    }
}

void uniform_filter_end(struct uniformity *u, const uint8_t before[UNIFORM_RULE_COUNT]) {
    memcpy(u->severities, before, UNIFORM_RULE_COUNT);
}

static struct outcome analyse_block(
    struct uniformity *u, const struct ast_block *block, uniform_node flow) {
    struct outcome outcome = {flow, BEHAVIOR_NEXT};
    uint8_t before[UNIFORM_RULE_COUNT];
    uniform_filter(u, &block->attributes, before);
    for (uint32_t i = 0; i < block->count && outcome.behavior & BEHAVIOR_NEXT; i++) {
        struct ast_statement *statement = block->items[i];
        outcome.flow = analyse(u, statement, outcome.flow);
        outcome.behavior = (uint8_t)((outcome.behavior & ~BEHAVIOR_NEXT) | statement->behavior);
    }
    uniform_filter_end(u, before);
    return outcome;
}

static uniform_node condition_node(
    struct uniformity *u, struct ast_expression *condition, uniform_node flow) {
    uniform_node node = uniform_add_node(u, UNIFORM_REASON_CONDITION, condition->span);
    uniform_add_edge(u, node, uniform_expression(u, condition, flow));
    return node;
}

// One branch: analysed from the same state as the others, its values merged if it flows on.
static struct outcome analyse_branch(struct uniformity *u, const struct ast_block *block,
    uniform_node flow, struct uniform_merge *merge, uint8_t flows_on) {
    size_t log_begin = u->log.count;
    uniform_next_level(u);
    struct outcome outcome = analyse_block(u, block, flow);
    if (outcome.behavior & flows_on) {
        uniform_merge_path(u, merge, log_begin);
    }
    uniform_restore(u, log_begin);
    return outcome;
}

static uniform_node analyse_if(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    static const struct ast_block empty = {.count = 0};
    struct uniform_merge merge = {NULL, 0, 0, 0};
    struct source_span nowhere = {0, 0};
    uniform_node end = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
    uniform_node inner = flow;
    for (uint32_t i = 0; i < statement->branch.clause_count; i++) {
        struct ast_if_clause *clause = &statement->branch.clauses[i];
        inner = condition_node(u, clause->condition, inner);
        struct outcome outcome = analyse_branch(u, &clause->block, inner, &merge, BEHAVIOR_NEXT);
        uniform_add_edge(u, end, outcome.flow);
    }
    const struct ast_block *otherwise = statement->branch.otherwise != NULL
        ? statement->branch.otherwise
        : &empty;
    struct outcome outcome = analyse_branch(u, otherwise, inner, &merge, BEHAVIOR_NEXT);
    uniform_add_edge(u, end, outcome.flow);
    uniform_apply(u, &merge);
    return statement->behavior == BEHAVIOR_NEXT ? flow : end;
}

static uniform_node analyse_switch(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    struct uniform_target target = {
        .outer = u->target, .time = ++u->time, .log_begin = u->log.count};
    struct source_span nowhere = {0, 0};
    uniform_node end = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
    uniform_node selected = condition_node(u, statement->select.selector, flow);
    uint8_t before[UNIFORM_RULE_COUNT];
    u->target = &target;
    uniform_filter(u, &statement->select.body_attributes, before);
    for (uint32_t i = 0; i < statement->select.clause_count; i++) {
        struct outcome outcome = analyse_branch(
            u, &statement->select.clauses[i].block, selected, &target.exits, BEHAVIOR_NEXT);
        uniform_add_edge(u, end, outcome.flow);
    }
    uniform_filter_end(u, before);
    u->target = target.outer;
    uniform_apply(u, &target.exits);
    return statement->behavior == BEHAVIOR_NEXT ? flow : end;
}

// ---- Loops -------------------------------------------------------------------------------------

// The parts of any loop: `for` and `while` have a condition that breaks at the start.
struct loop_parts {
    struct ast_expression *condition;
    const struct ast_block *body;
    const struct ast_block *continuing;
    struct ast_expression *break_if;
    struct ast_statement *update;
};

static struct outcome analyse_loop_body(struct uniformity *u, const struct loop_parts *parts,
    struct uniform_target *target, uniform_node flow) {
    uint8_t behavior = 0;
    if (parts->condition != NULL) {
        // if !condition { break; }, whose control flow goes on as CFend -> {V, V}.
        flow = condition_node(u, parts->condition, flow);
        uniform_merge_path(u, &target->exits, target->log_begin);
        behavior = BEHAVIOR_BREAK;
    }
    struct outcome outcome = analyse_block(u, parts->body, flow);
    outcome.behavior |= behavior;
    return outcome;
}

// The values at the start of the continuing block: the body's end and each `continue`.
static void begin_continuing(struct uniformity *u, struct uniform_target *target) {
    uniform_restore(u, target->log_begin);
    uniform_apply(u, &target->continues);
}

static uniform_node analyse_continuing(struct uniformity *u, const struct loop_parts *parts,
    struct uniform_target *target, uniform_node flow) {
    if (parts->update != NULL) {
        flow = analyse(u, parts->update, flow);
    }
    if (parts->continuing != NULL) {
        flow = analyse_block(u, parts->continuing, flow).flow;
    }
    if (parts->break_if != NULL) {
        flow = condition_node(u, parts->break_if, flow);
        uniform_merge_path(u, &target->exits, target->log_begin);
    }
    // The next iteration starts with the values that are there now.
    for (uint32_t i = 0; i < target->starts.capacity && !u->has_failed; i++) {
        const struct uniform_merge_entry entry = target->starts.entries[i];
        if (entry.variable != 0) {
            uniform_add_edge(u, entry.node, uniform_get_value(u, entry.variable - 1));
        }
    }
    return flow;
}

// The values after the loop: of each break; where a path changed nothing, the iteration's start.
static void leave_loop(struct uniformity *u, struct uniform_target *target) {
    uniform_restore(u, target->log_begin);
    u->target = target->outer;
    for (uint32_t i = 0; i < target->starts.capacity && !u->has_failed; i++) {
        const struct uniform_merge_entry *start = &target->starts.entries[i];
        if (start->variable == 0) {
            continue;
        }
        const struct uniform_merge_entry *exit = uniform_merge_find(
            &target->exits, start->variable - 1);
        uniform_node value = start->node;
        if (exit != NULL) {
            value = exit->node;
            if (exit->count < target->exits.total) {
                uniform_add_edge(u, value, start->node);
            }
        }
        uniform_set_value(u, start->variable - 1, value);
    }
    uniform_merge_finish(&target->exits);
    uniform_merge_finish(&target->continues);
    uniform_merge_finish(&target->starts);
}

static uniform_node analyse_loop(
    struct uniformity *u, const struct loop_parts *parts, uniform_node flow) {
    struct source_span nowhere = {0, 0};
    struct uniform_target target = {
        .outer = u->target, .is_loop = true, .time = ++u->time, .log_begin = u->log.count};
    uniform_node iteration = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
    uniform_add_edge(u, iteration, flow);
    u->target = &target;
    uniform_next_level(u);
    struct outcome body = analyse_loop_body(u, parts, &target, iteration);
    uniform_node result = flow;
    if (body.behavior & (BEHAVIOR_NEXT | BEHAVIOR_CONTINUE)) {
        if (body.behavior & BEHAVIOR_NEXT) {
            uniform_merge_path(u, &target.continues, target.log_begin);
        }
        begin_continuing(u, &target);
        uniform_node end = analyse_continuing(u, parts, &target, body.flow);
        uniform_add_edge(u, iteration, end);
        result = body.behavior & BEHAVIOR_RETURN ? iteration : flow;
    } else {
        result = body.behavior & BEHAVIOR_RETURN ? body.flow : flow;
    }
    leave_loop(u, &target);
    return result;
}

static uniform_node analyse_loops(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    struct loop_parts parts = {NULL, NULL, NULL, NULL, NULL};
    if (statement->kind == STATEMENT_FOR) {
        if (statement->loop_for.init != NULL) {
            flow = analyse(u, statement->loop_for.init, flow);
        }
        parts.condition = statement->loop_for.condition;
        parts.body = &statement->loop_for.body;
        parts.update = statement->loop_for.update;
    } else if (statement->kind == STATEMENT_WHILE) {
        parts.condition = statement->loop_while.condition;
        parts.body = &statement->loop_while.body;
    } else {
        parts.body = &statement->loop.body;
        parts.continuing = statement->loop.continuing;
        parts.break_if = statement->loop.break_if;
    }
    return analyse_loop(u, &parts, flow);
}

// ---- Simple statements -------------------------------------------------------------------------

bool uniform_is_full(const struct ast_expression *target) {
    int pointer_depth = 0;
    for (;;) {
        switch ((enum expression_kind)target->kind) {
        case EXPRESSION_PAREN:
            target = target->unary.operand;
            break;
        case EXPRESSION_INDIRECTION:
            pointer_depth++;
            target = target->unary.operand;
            break;
        case EXPRESSION_ADDRESS_OF:
            pointer_depth--;
            target = target->unary.operand;
            break;
        case EXPRESSION_IDENTIFIER: {
            const struct ast_declaration *declaration = target->identifier.declaration;
            if (declaration->kind == DECLARATION_LET && declaration->root != NULL) {
                target = declaration->initializer;
                break;
            }
            return declaration->kind == DECLARATION_VARIABLE ||
                declaration->kind == DECLARATION_PARAMETER;
        }
        default:
            return false;
        }
        if (pointer_depth > 300) {
            return false;
        }
    }
}

// The value with the name that holds it from here on, for the path in a message.
static uniform_node named(
    struct uniformity *u, uniform_node value, uniform_node flow, struct source_span span) {
    if (value == flow) {
        return value; // control flow alone decides
    }
    uniform_node node = uniform_add_node(u, UNIFORM_REASON_VALUE, span);
    uniform_add_edge(u, node, value);
    return node;
}

static void assign(struct uniformity *u, struct ast_expression *target, uniform_node value,
    bool keeps_old, uniform_node flow) {
    struct ast_declaration *root = check_find_root(target);
    // Indices on the left decide which part is written.
    uniform_node place = uniform_expression(u, target, flow);
    if (root == NULL || !uniform_is_tracked(u, root)) {
        return;
    }
    uniform_node result = uniform_join(u, value, place);
    if (keeps_old || !uniform_is_full(target)) {
        // A node of its own: the joined one may be that of control flow, which others use.
        result = uniform_join(u, result, uniform_get_value(u, root->index));
    }
    uniform_set_value(u, root->index, named(u, result, flow, target->span));
}

static void analyse_assign(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    uniform_node value = uniform_expression(u, statement->assign.value, flow);
    if (statement->assign.target != NULL) {
        assign(u, statement->assign.target, value, statement->assign.is_compound, flow);
    }
}

static void analyse_declaration(
    struct uniformity *u, struct ast_declaration *declaration, uniform_node flow) {
    uniform_node value = flow;
    if (declaration->kind == DECLARATION_CONST_ASSERT) {
        return;
    }
    if (declaration->initializer != NULL && declaration->kind != DECLARATION_CONST) {
        value = uniform_expression(u, declaration->initializer, flow);
    }
    uniform_declare(u, declaration, named(u, value, flow, declaration->name_span));
}

static void analyse_return(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    if (statement->result != NULL) {
        uniform_add_edge(u, UNIFORM_RETURN, uniform_expression(u, statement->result, flow));
    }
    for (uint32_t i = 0; i < u->function->parameter_count; i++) {
        if (u->contents_nodes[i] != UNIFORM_NONE) {
            uniform_add_edge(
                u, u->final_nodes[i], uniform_get_value(u, u->function->parameters[i]->index));
        }
    }
}

static void analyse_jump(struct uniformity *u, bool is_continue) {
    struct uniform_target *target = u->target;
    while (is_continue && target != NULL && !target->is_loop) {
        target = target->outer;
    }
    if (target != NULL) {
        uniform_merge_path(u, is_continue ? &target->continues : &target->exits, target->log_begin);
    }
}

static uniform_node analyse_one(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    if (u->has_failed) {
        return flow;
    }
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_COMPOUND:
        return analyse_block(u, &statement->compound, flow).flow;
    case STATEMENT_DECLARATION:
    case STATEMENT_CONST_ASSERT:
        analyse_declaration(u, statement->declaration, flow);
        return flow;
    case STATEMENT_ASSIGN:
        analyse_assign(u, statement, flow);
        return flow;
    case STATEMENT_INCREMENT:
        assign(u, statement->increment.target, flow, true, flow);
        return flow;
    case STATEMENT_CALL:
        (void)uniform_expression(u, statement->call, flow);
        return flow;
    case STATEMENT_IF:
        return analyse_if(u, statement, flow);
    case STATEMENT_SWITCH:
        return analyse_switch(u, statement, flow);
    case STATEMENT_LOOP:
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
        return analyse_loops(u, statement, flow);
    case STATEMENT_BREAK:
        analyse_jump(u, false);
        return flow;
    case STATEMENT_CONTINUE:
        analyse_jump(u, true);
        return flow;
    case STATEMENT_RETURN:
        analyse_return(u, statement, flow);
        return flow;
    case STATEMENT_DISCARD:
        return flow;
    }
    return flow;
}

static uniform_node analyse(
    struct uniformity *u, struct ast_statement *statement, uniform_node flow) {
    uint8_t before[UNIFORM_RULE_COUNT];
    uniform_filter(u, &statement->attributes, before);
    flow = analyse_one(u, statement, flow);
    uniform_filter_end(u, before);
    return flow;
}

void uniform_body(struct uniformity *u) {
    struct ast_statement end = {.kind = STATEMENT_RETURN};
    uniform_next_level(u);
    struct outcome outcome = analyse_block(u, &u->function->body, UNIFORM_START);
    if (outcome.behavior & BEHAVIOR_NEXT) {
        analyse_return(u, &end, outcome.flow); // falls off the end
    }
}
